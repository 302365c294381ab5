#!/usr/bin/env python3
"""Makes every figure, GIF and table of docs/musculoskeletal/mujoco_msk_hand_teleop.md.

usage: make_assets.py [--only NAME ...] (names: see --help)
"""

import argparse
import os
import sys
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
HERE = Path(__file__).resolve().parent
try:
    import mujoco_ros_common  # noqa: F401
except ImportError:  # not sourced: the folders of the source tree
    sys.path[:0] = [str(p) for p in sorted(HERE.parents[2].glob("*/*/scripts"))]
import numpy as np  # noqa: E402

from msk_hand import anatomy, demo, evaluate, figures, nn, pictures, speed  # noqa: E402
from msk_hand.core import MskHandSim  # noqa: E402
from msk_hand.keyboard import KeyboardPolicy  # noqa: E402
from msk_hand.names import JOINTS, METRICS, MUSCLES, PARAMETERS, WEIGHTS  # noqa: E402
from mujoco_ros_common import config, report  # noqa: E402

DOCS = HERE.parents[3] / "docs"
IMAGES = DOCS / "img"
PAGE = DOCS / "musculoskeletal" / "mujoco_msk_hand_teleop.md"
EVAL_SEED, EVAL_TARGETS = 7, 400
GIF_NAMES = {"button": "button", "ball": "ball", "free": "reach"}


def load_model():
    within = config.read(PARAMETERS).number("reachable_within", low=0.0)
    return nn.InverseModel.load(WEIGHTS, within)


def fill(name, text):
    report.fill_markers(PAGE, name, text)
    print(f"{PAGE.name}: table {name}")


def under(text, command):
    """A table, and below it how it was measured."""
    versions = report.versions()
    made = f"Python {versions['python']}, MuJoCo {versions['mujoco']}"
    return f"{text}\n\n`{command}`, {made}."


def anatomy_tables():
    """Joints, muscles, keys and parameters, from the model and the configuration."""
    fill("parameters", report.parameter_table(PARAMETERS))
    model = MskHandSim("free").model
    joints = {}
    for joint in JOINTS:
        found = model.joint(joint)
        axis = "xyz"[int(np.abs(found.axis).argmax())]
        joints[f"`{joint}`"] = {
            "axis": axis,
            "range (rad)": "[{:g}, {:g}]".format(*found.range),
            "stiffness (N m/rad)": float(found.stiffness[0]),
            "rest of the spring (rad)": float(model.qpos_spring[found.qposadr[0]]),
            "damping (N m s/rad)": float(found.damping[0]),
        }
    fill("joints", report.markdown_table(joints, "joint"))
    lengths, arms = anatomy.length_ranges(), anatomy.moment_arm_ranges(0, 20000)
    muscles = {}
    for row, muscle in enumerate(MUSCLES):
        spans = [
            f"{joint[2:]} {arms[f'{muscle} about {joint}']['min_mm']:.1f}.."
            f"{arms[f'{muscle} about {joint}']['max_mm']:.1f}"
            for joint in anatomy.ACTS_ON[muscle]
        ]
        muscles[f"`m_{muscle}`"] = {
            "peak force (N)": float(model.actuator_gainprm[row, 2]),
            "tendon length (mm)": "{lr0_mm:.0f}..{lr1_mm:.0f}".format(**lengths[muscle]),
            "L0 (mm)": round(lengths[muscle]["L0_mm"], 1),
            "LT (mm)": round(lengths[muscle]["LT_mm"], 1),
            "moment arms (mm)": ", ".join(spans),
        }
    fill("muscles", report.markdown_table(muscles, "muscle"))
    policy = KeyboardPolicy()
    keys = {f"`{key}`": {"muscle": f"`{name}`"} for key, name in policy.muscle_keys.items()}
    levels = " -> ".join(f"{level:g}" for level in policy.levels)
    keys[f"`{policy.level_key}`"] = {"muscle": f"level of the muscles switched on next: {levels}"}
    keys[f"`{policy.relax_key}`"] = {"muscle": "all off"}
    keys[f"`{policy.quit_key}`"] = {"muscle": "relax and end"}
    fill("keys", report.markdown_table(keys, "key"))


def sweep_table():
    """What each muscle alone does."""
    rows = {}
    for muscle, row in anatomy.sweep().items():
        rows[f"`{muscle}`"] = {
            joint[2:]: f"{row[joint]:+.2f}" if abs(row[joint]) >= 0.01 else "" for joint in JOINTS
        }
    fill("sweep", under(report.markdown_table(rows, "muscle"), "main.py check"))


def evaluation():
    """Held-out targets: table, and the figure of training and errors."""
    import json  # noqa: PLC0415

    model = load_model()
    targets = evaluate.held_out_targets(EVAL_SEED, EVAL_TARGETS)
    errors = {
        "ridge": evaluate.reach_errors(model.baseline, targets),
        "regression": evaluate.reach_errors(model.activations, targets),
    }
    rows = {name: evaluate.figures(values) for name, values in errors.items()}
    command = f"main.py eval --seed {EVAL_SEED} --n {EVAL_TARGETS}"
    fill("eval", under(report.markdown_table(rows, "row"), command))
    metrics = json.loads(METRICS.read_text(encoding="utf-8"))
    table = report.markdown_table(metrics["results"], "row")
    made = "`main.py train`, seed {seed}, {n} samples, Python {python}, MuJoCo {mujoco}."
    fill("train", f"{table}\n\n{made.format(**metrics)}")
    if report.can_plot():
        figures.training(IMAGES / "msk_hand_training.png", model, errors)
        path = IMAGES / "msk_hand_workspace.png"
        figures.workspace(path, model, targets, errors["regression"])


def tasks():
    """The scripted tasks: GIFs, time series, stills, tables."""
    model, table, stills = load_model(), {}, {}
    filming = pictures.can_film()
    for scene, name in GIF_NAMES.items():
        film = pictures.Film(scene) if filming else None
        if film is None:
            series = play(scene, model, None)
        else:
            with film:
                series = play(scene, model, film.shoot)
            film.write(IMAGES / f"msk_hand_{name}.gif")
            stills[scene] = film
        table[scene] = demo.measure(series)
        if report.can_plot():
            pictures.plot(IMAGES / f"msk_hand_{name}_series.png", series)
        print(f"task {scene}")
    for scene in ("button", "ball"):
        command = f"main.py demo --scene {scene}"
        fill(scene, under(report.markdown_table(table[scene], "scene"), command))
    command = "main.py demo --scene free"
    fill("reach", under(report.markdown_table(table["free"], "target (m)"), command))
    if filming and report.can_plot():
        steps_figure(stills)


def play(scene, model, each_tick):
    if scene == "free":
        return demo.reach_targets(model, each_tick)
    return demo.play_keys(scene, each_tick)


def steps_figure(films):
    moments = (
        ("button", 1.3, "wrist bent: above the button"),
        ("button", 2.4, "index bent: pressed"),
        ("button", 3.6, "relaxed: the cap is back"),
        ("ball", 1.5, "wrist bent: over the ball"),
        ("ball", 1.76, "index bent: pushed"),
        ("ball", 3.0, "the ball lies on the ground"),
        ("free", 1.12, "first target"),
        ("free", 2.32, "second target"),
        ("free", 3.52, "third target"),
    )
    path = IMAGES / "msk_hand_steps.png"
    with report.figure(path, rows=3, cols=3, size=(9.6, 7.6)) as (_, axes):
        for axis, (scene, when, title) in zip(axes.flat, moments):
            axis.imshow(films[scene].frames[round(when * films[scene].fps)])
            axis.set_title(f"{title} ({when:g} s)", fontsize=9)
            axis.axis("off")


def model_figures():
    """The hand from three sides, the muscle's curves, the moment arms."""
    if not report.can_plot():
        return
    if pictures.can_film():
        views = []
        for camera in ("view", "side", "top"):
            with pictures.Film("free", camera=camera, width=560, height=420) as film:
                views.append(film.frame(MskHandSim("free")))
        path = IMAGES / "msk_hand_model.png"
        with report.figure(path, cols=3, size=(12.0, 3.2)) as (_, axes):
            for axis, picture in zip(axes, views):
                axis.imshow(picture)
                axis.axis("off")
    figures.muscle(IMAGES / "msk_hand_muscle.png")
    figures.moment_arms(IMAGES / "msk_hand_moment_arms.png")


def benchmark():
    """The speed on this machine."""
    rows = speed.measure(load_model(), 3.0)
    cores = os.cpu_count()
    text = under(report.markdown_table(rows, "row"), "main.py bench")
    fill("bench", f"{text} {cores} cores, load average {os.getloadavg()[0]:.1f} while measured.")


MAKERS = {
    "tables": anatomy_tables,
    "sweep": sweep_table,
    "eval": evaluation,
    "tasks": tasks,
    "model": model_figures,
    "bench": benchmark,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=sorted(MAKERS), default=list(MAKERS))
    for name in parser.parse_args().only:
        MAKERS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
