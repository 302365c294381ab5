#!/usr/bin/env python3
"""Makes every figure, GIF and table of docs/ground/mujoco_car_nn_avoidance.md.

usage: make_assets.py [--only NAME ...] (names: see --help; `ros` wants a sourced workspace)
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
HERE = Path(__file__).resolve().parent
try:
    import mujoco_ros_common  # noqa: F401
except ImportError:  # not sourced: the folders of the source tree
    sys.path[:0] = [str(p) for p in sorted(HERE.parents[2].glob("*/*/scripts"))]
from car_nn import chassis, evaluate, movie, nn, plots, settings, speed  # noqa: E402
from car_nn.collect import collect  # noqa: E402
from car_nn.core import CarEnv  # noqa: E402
from car_nn.keyboard import KeyboardPolicy  # noqa: E402
from mujoco_ros_common import config, report  # noqa: E402
from mujoco_ros_common.render import Offscreen, can_write_gif  # noqa: E402
from mujoco_ros_common.session import Session  # noqa: E402

DOCS = HERE.parents[3] / "docs"
IMAGES = DOCS / "img"
PAGE = DOCS / "ground" / "mujoco_car_nn_avoidance.md"
CONFIG = settings.load()
OTHER_SEEDS = (1, 2, 3, 4, 5)


def fill(name, text):
    report.fill_markers(PAGE, name, text)
    print(f"{PAGE.name}: table {name}", flush=True)


def under(text, command):
    """A table, and below it how it was measured."""
    versions = report.versions()
    made = f"Python {versions['python']}, MuJoCo {versions['mujoco']}"
    return f"{text}\n\n`{command}`, {made}."


def tables():
    """Parameters and keys, from the configuration; training, from the metrics of the weights."""
    fill("parameters", report.parameter_table(settings.CONFIG))
    policy = KeyboardPolicy(config.read(settings.CONFIG))
    rows = {
        " ".join(f"`{key}`" for key in keys): {"does": meaning}
        for keys, meaning in policy.bindings()
    }
    fill("keys", report.markdown_table(rows, "key"))
    metrics = json.loads((settings.ASSETS / "nn_metrics.json").read_text(encoding="utf-8"))
    rows = {name: metrics["results"][name] for name in ("labels", "training")}
    text = "\n\n".join(report.markdown_table({name: row}) for name, row in rows.items())
    made = "`main.py train`, seed {seed}, {n} samples, Python {python}, MuJoCo {mujoco}."
    fill("train", f"{text}\n\n{made.format(**metrics)}")


def check():
    """What the car does against what it is told."""
    rows = {scene: chassis.check_scene(CarEnv(scene, CONFIG))[0] for scene in settings.SCENES}
    fill("check", under(report.markdown_table(rows, "scene"), "main.py check"))


def evaluation():
    """All policies through all scenes."""
    drives = evaluate.scenes(CONFIG, settings.WEIGHTS)
    rows = evaluate.summary(drives)
    fill("eval", under(report.markdown_table(rows, "drive"), "main.py eval"))
    if report.can_plot():
        plots.bars(IMAGES / "car_nn_eval.png", drives)
        plots.tracks(IMAGES / "car_nn_tracks.png", drives, CONFIG)


def robustness():
    """The network under noise and lost beams: each cell, and the policies beside each other."""
    totals = {}
    for name in evaluate.POLICIES:
        policy = evaluate.make_policy(name, CONFIG, settings.WEIGHTS)
        cells = evaluate.robustness(CONFIG, policy, seed=0, n=5)
        totals[name] = evaluate.robustness_rows(cells)["robustness"]
        if name != "clone":
            continue
        rows = {}
        for sigma in evaluate.NOISE:
            rows[f"{sigma:.2f} m"] = {
                f"lost {100 * lost:.0f} %": _cell(cells[sigma, lost]) for lost in evaluate.LOST
            }
        text = report.markdown_table(rows, "noise")
        fill("robustness", under(text, "main.py robustness --seed 0 --n 5"))
        if report.can_plot():
            plots.robustness(IMAGES / "car_nn_robustness.png", cells)
    text = report.markdown_table(totals, "policy")
    fill("policies", under(text, "main.py robustness --policy POLICY --seed 0 --n 5"))


def _cell(drives):
    passed = sum(drive.passed for drive in drives)
    return f"{passed}/{len(drives)}, {min(drive.clearance_m for drive in drives):.3f} m"


def training():
    """The loss curve, and what other seeds of data and weights would have given."""
    rows = {}
    for seed in (CONFIG.train_seed, *OTHER_SEEDS):
        config = CONFIG.replaced(train_seed=seed)
        inputs, labels, _ = collect(config, seed)
        network, losses = nn.train(config, inputs, labels, progress=False)
        policy = nn.NetworkPolicy(network, config.range_max)
        total = evaluate.robustness_rows(evaluate.robustness(config, policy, seed=0, n=1))
        rows[str(seed)] = {"loss_last": float(losses[-1]), **total["robustness"]}
        if seed == CONFIG.train_seed and report.can_plot():
            plots.losses(IMAGES / "car_nn_training.png", losses)
    text = report.markdown_table(rows, "seed")
    fill("seeds", under(text, "main.py train --seed SEED; main.py robustness --n 1"))


def pictures():
    """The scenes, and a drive through each as a GIF."""
    if not (report.can_plot() and can_write_gif()):
        return
    shots = []
    for scene, camera in (("slalom", "view"), ("slalom", "close")):
        env = CarEnv(scene, CONFIG)
        with Offscreen(env.model, 720, 480, camera=camera) as renderer:
            shots.append(renderer.frame(env.data, lambda s, env=env: movie.draw_beams(s, env)))
    with report.figure(IMAGES / "car_nn_scene.png", cols=2, size=(10.0, 3.5)) as (_, axes):
        for axis, picture in zip(axes, shots):
            axis.imshow(picture)
            axis.axis("off")
    policy = evaluate.make_policy("clone", CONFIG, settings.WEIGHTS)
    for scene in settings.SCENES:
        movie.record(IMAGES / f"car_nn_{scene}.gif", CarEnv(scene, CONFIG), policy)
        print(f"GIF {scene}", flush=True)


def ros():
    """The three scenes through ROS, beside the same without it."""
    with tempfile.TemporaryDirectory() as out, Session() as session:
        launch = session.launch("mujoco_car_nn_avoidance", "main.launch", f"out:={out}")
        launch.wait(180.0)
        found = json.loads((Path(out) / "ros_report.json").read_text(encoding="utf-8"))
    alone = evaluate.scenes(CONFIG, settings.WEIGHTS, ("clone",))
    rows = {}
    for scene in settings.SCENES:
        rows[f"ros.{scene}"] = found["results"][f"ros.{scene}"]
        rows[f"clone.{scene}"] = alone[f"clone.{scene}"].figures()
    text = report.markdown_table(rows, "drive")
    fill("ros", under(text, "roslaunch mujoco_car_nn_avoidance main.launch"))


def bench():
    """The speed on this machine."""
    rows = speed.measure(CONFIG, settings.WEIGHTS, 3.0)
    text = under(report.markdown_table(rows, "row"), "main.py bench")
    load = f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} while measured."
    fill("bench", f"{text} {load}")


MAKERS = {
    "tables": tables,
    "check": check,
    "eval": evaluation,
    "robustness": robustness,
    "training": training,
    "pictures": pictures,
    "bench": bench,
    "ros": ros,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=sorted(MAKERS), default=list(MAKERS))
    for name in parser.parse_args().only:
        MAKERS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
