"""main.py as a user calls it: exit codes, JSON, files; with nothing sourced."""

import json
import os
import subprocess
import sys

import pytest

from msk_arm.names import HOME


def run(*arguments, cwd=None):
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    done = subprocess.run(
        [sys.executable, str(HOME / "main.py"), *arguments],
        env=environment,
        cwd=str(cwd or HOME),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def test_check_passes(tmp_path):
    path = tmp_path / "check.json"
    done = run("check", "--poses", "300", "--json", str(path))
    assert done.returncode == 0, done.stderr
    record = json.loads(path.read_text())
    assert record["system"] == "msk_arm" and record["command"] == "check"
    assert all(row["passed"] for row in record["results"].values())
    assert record["results"]["shoulder_flexor"]["lt_m"] < 0.0  # reported


def test_eval_writes_the_form(tmp_path):
    records = []
    for name in ("a.json", "b.json"):
        path = tmp_path / name
        rows = ("--rows", "pd", "inverse", "seed_target", "refusals")
        done = run(
            "--eval",
            "--seed",
            "3",
            "--n",
            "3",
            "--grid",
            "8",
            "--json",
            str(path),
            *rows,
            "--jobs",
            "1",
        )
        assert done.returncode == 0, done.stderr
        records.append(json.loads(path.read_text()))
    assert records[0] == records[1]
    record = records[0]
    assert (record["command"], record["seed"], record["n"]) == ("eval", 3, 3)
    assert {"python", "mujoco"} <= set(record)
    row = record["results"]["inverse"]
    names = "final_mm_mean final_mm_p95 final_mm_max success t2cm_s_mean overshoot_mm_p95"
    assert set(names.split()) | {"curvature_pct"} <= set(row)
    assert row["final_mm_max"] < 0.1 and row["success"] == 1.0
    assert record["results"]["refusals"]["agreement"] == 1.0
    assert record["results"]["seed_target"]["t2cm_s_mean"] <= 0.26


def test_demo_writes_its_plots(tmp_path):
    pytest.importorskip("matplotlib")
    done = run("demo", "--no-gif", "--seconds", "0.6", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    for name in ("msk_arm_trajectory.png", "msk_arm_response.png"):
        assert (tmp_path / "out" / name).stat().st_size > 10000


def test_demo_tells_by_its_exit_code_whether_it_reached(tmp_path):
    done = run("demo", "--no-gif", "--seconds", "0.1", "--out", str(tmp_path))
    assert done.returncode == 1


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("demo", "--target", "0.9", "0"), "out of reach"),
        (("demo", "--target", "nan", "0"), "not finite"),
        (("demo", "--condition", "strong"), "unknown condition 'strong'"),
        (("demo", "--controller", "lqr"), "unknown controller 'lqr'"),
        (("demo", "--tendon", "rubber"), "unknown tendon 'rubber'"),
        (("demo", "--load", "-1"), "load_kg"),
        (("demo", "--seconds", "0"), "--seconds"),
        (("eval", "--rows", "best"), "unknown rows best"),
        (("eval", "--n", "0"), "expected a whole number >= 1"),
        (("nonsense",), "invalid choice"),
    ],
)
def test_wrong_arguments(arguments, words):
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_missing_collection_is_said():
    done = run("train", "--data", "/no/such.npz", "--jobs", "1")
    assert done.returncode == 1 and "expected a collection at /no/such.npz" in done.stderr


def test_bench_has_its_rows(tmp_path):
    from msk_arm import speed  # noqa: PLC0415

    rows = speed.measure(0.05)
    for name in ("tick_pd", "tick_inverse", "tick_nn"):
        assert set(rows[name]) == {"us", "ratio_to_bare", "times_real_time"}
        assert rows[name]["us"] > rows["physics"]["us"]
    assert {"inference", "physics", "bare_step", "target_check"} <= set(rows)
