"""main.py as a user calls it: un-sourced, in an empty environment, from any folder and path."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from msk_hand import demo, pictures
from msk_hand.names import STATE_LABELS
from mujoco_ros_common import render

PACKAGE = Path(__file__).resolve().parents[1]


def main(*arguments, package=PACKAGE, cwd=None):
    """Run main.py with nothing but its interpreter."""
    return subprocess.run(
        [sys.executable, str(package / "main.py"), *map(str, arguments)],
        cwd=str(cwd or package),
        env={},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=180,
        check=False,
    )


def measured(path, command):
    content = json.loads(path.read_text())
    assert content["system"] == "msk_hand" and content["command"] == command
    assert content["python"] == "%d.%d.%d" % sys.version_info[:3] and content["mujoco"]
    return content


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """A copy of the sources in a folder with a space and Chinese characters."""
    source = tmp_path_factory.mktemp("my 工作区") / "src"
    ignore = shutil.ignore_patterns("__pycache__", "results", ".pytest_cache")
    for path in (PACKAGE, PACKAGE.parents[1] / "common" / "mujoco_ros_common"):
        target = source / path.relative_to(PACKAGE.parents[1])
        shutil.copytree(str(path), str(target), ignore=ignore)
    return source / PACKAGE.relative_to(PACKAGE.parents[1])


def test_check_passes_from_any_folder(tmp_path):
    done = main("check", "--poses", 2000, "--json", tmp_path / "check.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    results = measured(tmp_path / "check.json", "check")["results"]
    assert results["moment_arms"]["passed"] and results["scene_ball"]["initial_contacts"] == 0
    assert "index_flex about j_index_mcp" in done.stdout


def test_check_falls_short_when_a_muscle_is_routed_wrongly(elsewhere):
    plant = elsewhere / "models" / "hand_model.xml"
    right = plant.read_text(encoding="utf-8")
    try:
        plant.write_text(
            right.replace(
                'name="index_flex_p1" pos="0.022 0.087 -0.0095"',
                'name="index_flex_p1" pos="0.022 0.087 0.0120"',
            ),
            encoding="utf-8",
        )
        assert plant.read_text(encoding="utf-8") != right
        done = main("check", "--poses", 500, package=elsewhere)
    finally:
        plant.write_text(right, encoding="utf-8")
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("scene", ["button", "ball", "free"])
def test_demo_does_its_task(scene, tmp_path, elsewhere):
    done = main(
        "demo", "--scene", scene, "--no-gif", "--out", tmp_path / "out 图",
        "--json", tmp_path / "demo.json", package=elsewhere, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = measured(tmp_path / "demo.json", "demo")["results"]
    assert all(row["passed"] for row in rows.values())
    if scene == "button":
        row = rows["button"]
        assert row["depth_max_mm"] >= 6.0 and row["held_s"] > 0.5
        assert 0.0 < row["force_min_N"] < row["force_max_N"] < 3.0
        assert row["returned_to_mm"] < 0.2
    elif scene == "ball":
        row = rows["ball"]
        assert row["height_end_mm"] == pytest.approx(10.5, abs=0.2)
        assert row["touched_at_s"] < row["fell_at_s"] < row["touched_at_s"] + 0.5
    else:
        assert len(rows) == 3 and all(row["error_mm"] < 10.0 for row in rows.values())
    assert (tmp_path / "out 图" / f"msk_hand_{scene}.png").stat().st_size > 5000


def test_demo_writes_a_gif(tmp_path):
    if not pictures.can_film():
        pytest.skip("no GL backend or no Pillow")
    done = main("demo", "--scene", "ball", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    from PIL import Image  # noqa: PLC0415

    with Image.open(str(tmp_path / "msk_hand_ball.gif")) as gif:
        assert gif.n_frames >= 30 and gif.size == (pictures.WIDTH, pictures.HEIGHT)
        shots = []
        for frame in (0, gif.n_frames - 1):
            gif.seek(frame)
            shots.append(np.asarray(gif.convert("RGB"), dtype=float))
    assert np.abs(shots[0] - shots[1]).max() > 50.0  # the ball has gone
    assert (tmp_path / "msk_hand_ball.gif").stat().st_size < 1.5e6


def test_demo_says_so_when_the_task_fails(tmp_path, elsewhere):
    config = elsewhere / "config" / "hand.yaml"
    right = config.read_text(encoding="utf-8")
    try:
        config.write_text(
            right.replace("levels: [1.0, 0.3, 0.6]", "levels: [0.05, 0.05]"), encoding="utf-8"
        )
        done = main("demo", "--scene", "button", "--no-gif", "--out", tmp_path, package=elsewhere)
    finally:
        config.write_text(right, encoding="utf-8")
    assert done.returncode == 1 and "Traceback" not in done.stderr


@pytest.mark.parametrize("scene", ["button", "ball", "free"])
def test_a_hand_that_does_nothing_passes_no_task(scene):
    ticks = round(demo.LENGTH_S[scene] / 0.01)
    state = np.zeros((ticks, len(STATE_LABELS)))
    state[:, 0] = 0.01 * np.arange(1, ticks + 1)
    state[:, STATE_LABELS.index("ball_height")] = 0.0505
    state[:, STATE_LABELS.index("reach_error")] = 0.0101
    rows = demo.measure(demo.Series(scene, state, np.zeros((ticks, 11))))
    assert not any(row["passed"] for row in rows.values())


def test_a_ball_that_falls_untouched_does_not_count():
    ticks = round(demo.LENGTH_S["ball"] / 0.01)
    state = np.zeros((ticks, len(STATE_LABELS)))
    state[:, 0] = 0.01 * np.arange(1, ticks + 1)
    state[:, STATE_LABELS.index("ball_height")] = np.where(state[:, 0] < 1.0, 0.0505, 0.0105)
    series = demo.Series("ball", state, np.zeros((ticks, 11)))
    assert not demo.measure(series)["ball"]["passed"]
    state[80:90, STATE_LABELS.index("contact_force")] = 0.4
    assert demo.measure(series)["ball"]["passed"]


def test_eval_in_both_spellings(tmp_path):
    results = []
    for number, spelling in enumerate(("eval", "--eval")):
        path = tmp_path / f"{number}.json"
        done = main(spelling, "--seed", 7, "--n", 20, "--jobs", 1, "--json", path)
        assert done.returncode == 0, done.stderr
        content = measured(path, "eval")
        assert content["seed"] == 7 and content["n"] == 20
        results.append(content["results"])
    assert results[0] == results[1]
    assert set(results[0]) >= {"ridge", "regression"}
    for row in results[0].values():
        assert set(row) == {"mean_mm", "p90_mm", "max_mm"}
        assert row["mean_mm"] <= row["p90_mm"] <= row["max_mm"]


def test_collect_and_train_repeat_to_the_last_bit(tmp_path):
    data = tmp_path / "data.npz"
    done = main("collect", "--n", 40, "--seed", 3, "--jobs", 1, "--out", data)
    assert done.returncode == 0, done.stderr
    written = []
    for jobs in (1, 2):
        out = tmp_path / f"weights{jobs}.npz"
        done = main(
            "train", "--data", data, "--seed", 3, "--jobs", jobs, "--out", out,
            "--metrics", tmp_path / f"metrics{jobs}.json",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        written.append(out.read_bytes())
        rows = measured(tmp_path / f"metrics{jobs}.json", "train")["results"]
        assert rows["regression"]["mean_mm"] < rows["ridge"]["mean_mm"]
    assert written[0] == written[1]
    done = main("eval", "--n", 5, "--jobs", 1, "--weights", tmp_path / "weights1.npz")
    assert done.returncode == 0, done.stderr


def test_bench_measures_what_it_says(tmp_path):
    done = main("bench", "--seconds", 1, "--json", tmp_path / "bench.json")
    assert done.returncode == 0, done.stderr
    rows = measured(tmp_path / "bench.json", "bench")["results"]
    tick = rows["tick"]
    assert tick["us"] > 0 and tick["ratio_to_bare"] <= 1.1
    assert tick["times_real_time"] == pytest.approx(1e4 / tick["us"])
    assert rows["physics"]["us"] > 0 and rows["inference"]["us"] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("dance",),
        ("demo", "--scene", "kitchen"),
        ("eval", "--n", "0"),
        ("eval", "--seed", "-1"),
        ("eval", "--n", "many"),
        ("eval", "--jobs", "0"),
        ("check", "--poses", "0"),
        ("bench", "--seconds", "0"),
        ("collect", "--sampler", "magic"),
    ],
    ids=" ".join,
)
def test_wrong_arguments_give_2(arguments):
    done = main(*arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr and done.stderr.strip()


def test_missing_and_damaged_files_give_1(tmp_path):
    damaged = tmp_path / "weights.npz"
    damaged.write_bytes(b"PK nothing")
    for arguments in (
        ("eval", "--weights", tmp_path / "none.npz"),
        ("eval", "--weights", damaged),
        ("train", "--data", tmp_path / "none.npz"),
        ("collect", "--n", 2, "--jobs", 1, "--out", "/proc/no/data.npz"),
    ):
        done = main(*arguments)
        assert done.returncode == 1, arguments
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("collect", "--out"),
        ("train", "--metrics", "metrics.json", "--out"),
        ("train", "--out", "weights.npz", "--metrics"),
        ("demo", "--out"),
    ],
    ids=" ".join,
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(arguments, tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = main(*arguments, tmp_path / "file" / "x", cwd=tmp_path)
    assert done.returncode == 1
    assert "expected a place to write to" in done.stderr
    assert (done.stdout, len(done.stderr.splitlines())) == ("", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_without_its_packages_it_says_what_to_install():
    done = subprocess.run(
        [sys.executable, "-S", str(PACKAGE / "main.py"), "check"],  # no site-packages
        env={},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "pip install -r requirements.txt" in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_wrong_parameter_in_the_file_gives_2(elsewhere):
    config = elsewhere / "config" / "hand.yaml"
    right = config.read_text(encoding="utf-8")
    try:
        config.write_text(right.replace("smoothing: 0.12", "smoothing: quick"), encoding="utf-8")
        done = main("demo", "--no-gif", package=elsewhere)
    finally:
        config.write_text(right, encoding="utf-8")
    assert done.returncode == 2
    assert "smoothing" in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_film_shows_the_state_without_changing_it(monkeypatch):
    if not pictures.can_film():
        pytest.skip("no GL backend or no Pillow")
    monkeypatch.setenv("MUJOCO_GL", render.backend())
    with pictures.Film("free", width=160, height=120) as film:
        sim = pictures.MskHandSim("free")
        before = sim.save().state
        still = film.frame(sim)
        assert np.array_equal(sim.save().state, before)
        sim.set_target(sim.fingertips()[0])
        assert still.shape == (120, 160, 3)
        assert np.abs(film.frame(sim).astype(int) - still).max() > 30  # the marker
