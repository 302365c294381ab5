"""main.py as a user calls it: un-sourced, in an empty environment, from any folder."""

import json
import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]


def run(*arguments, cwd=None, script="main.py"):
    """Run a script with nothing but its interpreter."""
    return subprocess.run(
        [sys.executable, str(PACKAGE / script), *map(str, arguments)],
        cwd=str(cwd or PACKAGE),
        env={},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=180,
        check=False,
    )


def measured(path, command):
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["system"] == "msk_proprioception" and content["command"] == command
    assert content["python"] == "%d.%d.%d" % sys.version_info[:3] and content["mujoco"]
    return content


def test_check_passes_from_any_folder(tmp_path):
    done = run("check", "--json", tmp_path / "check.json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    results = measured(tmp_path / "check.json", "check")["results"]
    assert results["delay_error_ticks"]["found"] == 0.0
    assert all(row["good"] for row in results.values())


@pytest.mark.parametrize("script", ["main.py", "scripts/evaluate_proprioception.py"])
def test_the_grid_is_the_same_from_both_entries(script, tmp_path):
    arguments = ["eval"] if script == "main.py" else []
    arguments += ["--part", "senses", "--seed", 3, "--json", tmp_path / "eval.json"]
    done = run(*arguments, script=script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    results = measured(tmp_path / "eval.json", "eval")["results"]
    assert len(results) == 32
    late, noisy = results["noise_0_delay_80ms"], results["noise_2_delay_0ms"]
    assert late["force_n"] > 1.0
    assert noisy["force_n"] == pytest.approx(0.4, rel=0.1)
    assert "force RMSE at 80 ms" in done.stdout


def test_eval_is_understood_with_dashes(tmp_path):
    done = run("--eval", "--part", "stiffness", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ratio_to_lumped" in done.stdout


def test_demo_draws_a_reach_and_says_whether_it_came(tmp_path):
    done = run("demo", "--out", tmp_path / "out 图", "--json", tmp_path / "demo.json")
    assert done.returncode == 0, done.stderr
    assert measured(tmp_path / "demo.json", "demo")["results"]["predicted"]["held"] is True
    assert (tmp_path / "out 图" / "proprioception_reach.png").stat().st_size > 5000
    late = run("demo", "--feedback", "delayed", "--delay", "0.15", "--out", tmp_path)
    assert late.returncode == 1, late.stderr
    assert "Traceback" not in late.stderr


def test_collect_and_train_write_what_they_say(tmp_path):
    data, weights = tmp_path / "data.npz", tmp_path / "w.npz"
    done = run("collect", "--n", 4, "--jobs", 1, "--out", data)
    assert done.returncode == 0, done.stderr
    done = run(
        "train", "--data", data, "--n", 4, "--jobs", 1, "--epochs", 2, "--out", weights,
        "--json", tmp_path / "train.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    results = measured(tmp_path / "train.json", "train")["results"]
    assert results["ridge"]["q_mrad_rmse"] > 0.0
    assert {path.name for path in tmp_path.glob("w*.npz")} == {
        "w.npz",
        "w_spread.npz",
        "w_ridge.npz",
    }


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (["demo", "--feedback", "hope"], 2, "invalid choice"),
        (["demo", "--delay", "2"], 2, "expected 0 to 1 s"),
        (["eval", "--n", "0"], 2, "expected a whole number >= 1"),
        (["train", "--data", "/no/such.npz", "--n", "1"], 1, "expected a file of `collect`"),
        (["nothing"], 2, "invalid choice"),
    ],
)
def test_wrong_arguments_give_one_line_and_their_exit_code(arguments, code, words):
    done = run(*arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(util.find_spec("rospy") is not None, reason="this interpreter has rospy")
def test_nodes_without_ros_say_so():
    done = run("sim")
    assert done.returncode == 1
    assert "expected a sourced ROS workspace" in done.stderr
