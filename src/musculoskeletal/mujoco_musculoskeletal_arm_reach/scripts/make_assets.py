#!/usr/bin/env python3
"""Makes every figure, GIF and table of docs/musculoskeletal/mujoco_musculoskeletal_arm_reach.md.

usage: make_assets.py [--only NAME ...] (names: see --help)
"""

import argparse
import json
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

from msk_arm import (  # noqa: E402
    check,
    commands,
    controller,
    demo,
    diagrams,
    evaluate,
    plant,
    plots,
    speed,
    urdf,
)
from msk_arm.core import MskArmSim  # noqa: E402
from msk_arm.dynamics import ArmDynamics  # noqa: E402
from msk_arm.keyboard import KeyboardPolicy  # noqa: E402
from msk_arm.names import METRICS, MUSCLES, PARAMETERS, TICK, URDF, parameters  # noqa: E402
from msk_arm.target import WORDS, TargetCheck  # noqa: E402
from mujoco_ros_common import render, report  # noqa: E402
from mujoco_ros_common.muscle import Muscles  # noqa: E402

DOCS = HERE.parents[3] / "docs"
IMAGES = DOCS / "img"
PAGE = DOCS / "musculoskeletal" / "mujoco_musculoskeletal_arm_reach.md"
EVAL_SEED = 7
FILM_TARGETS = ((0.38, -0.17), (0.40, 0.25), (0.10, -0.50), (0.50, -0.10))
FILM_TICKS = 60  # at each target
HELD = {"target": (0.50, 0.0), "load_kg": 4.0, "seconds": 240.0}


def fill(name, text):
    report.fill_markers(PAGE, name, text)
    print(f"{PAGE.name}: table {name}")


def under(text, command):
    """A table, and below it how it was measured."""
    versions = report.versions()
    made = f"Python {versions['python']}, MuJoCo {versions['mujoco']}"
    return f"{text}\n\n`{command}`, {made}."


def model_tables():
    """Segments, muscles, refusals, keys and parameters; the URDF."""
    with report.atomic(URDF) as temporary:
        Path(temporary).write_text(urdf.text(), encoding="utf-8")
    fill("parameters", report.parameter_table(PARAMETERS))
    model, arm = plant.build(), evaluate.nominal_check().dynamics
    segments = {}
    for row, (name, joint, length) in enumerate(
        (("upper_arm", "shoulder", arm.l1), ("forearm", "elbow", arm.l2))
    ):
        body, limits = model.body(name), arm.limits[row]
        segments[f"`{name}`"] = {
            "length (m)": length,
            "mass (kg)": float(body.mass[0]),
            "centre of mass (m)": float(body.ipos[0]),
            "inertia about it (kg m2)": float(body.inertia[1]),
            "joint": f"`{joint}`",
            "range (rad)": f"{limits[0]:g} .. {limits[1]:g}",
            "damping (N m s/rad)": arm.damping[row],
        }
    fill("segments", report.markdown_table(segments, "segment"))
    muscles, arms, rows = Muscles(model), plant.moment_arms(model), {}
    for k, name in enumerate(MUSCLES):
        low, high = model.actuator_lengthrange[k]
        rows[f"`{name}`"] = {
            "arm at the shoulder (m/rad)": float(arms[k, 0]),
            "arm at the elbow (m/rad)": float(arms[k, 1]),
            "peak force (N)": float(muscles.peak_force[k]),
            "length range (m)": f"{low:g} .. {high:g}",
            "L0 (m)": round(float(muscles.optimal_length[k]), 4),
            "LT (m)": round(float(muscles.tendon_length[k]), 4),
            "travel over range": round(check.run_muscles(model)[name]["travel_share"], 3),
        }
    fill("muscles", report.markdown_table(rows, "muscle"))
    reasons = {str(code): {"meaning": words} for code, words in WORDS.items()}
    fill("reasons", report.markdown_table(reasons, "reason"))
    keys = {}
    for line in KeyboardPolicy().help().splitlines()[1:]:
        key, _, what = line.strip().partition("  ")
        keys[f"`{key}`"] = {"what": what.strip()}
    fill("keys", report.markdown_table(keys, "key"))


def evaluation():
    """The tables of accuracy."""
    pairs, rows = evaluate.random_pairs(EVAL_SEED, commands.PAIRS), {}
    for row in evaluate.ROWS:
        rows[row] = evaluate.run_row(row, pairs)
        print(f"row {row}")
    command = f"main.py eval --seed {EVAL_SEED} --n {commands.PAIRS}"
    fill("eval", under(report.markdown_table(rows, "row"), command))
    reference = {
        "inverse": evaluate.seed_target("inverse"),
        "pd": evaluate.seed_target("pd"),
    }
    fill("default_target", under(report.markdown_table(reference, "controller"), command))
    refused = {
        f"{commands.GRID} x {commands.GRID} targets, 2 arms": evaluate.refusals(commands.GRID)
    }
    fill("refusals", under(report.markdown_table(refused, "grid"), command))
    metrics = json.loads(METRICS.read_text(encoding="utf-8"))
    made = "`main.py train`, seed {seed}, {n} samples, Python {python}, MuJoCo {mujoco}."
    fill(
        "train", report.markdown_table(metrics["results"], "row") + "\n\n" + made.format(**metrics)
    )


def diagrams_of_ros():
    """The graph of nodes and topics, and the flow of start-up, validation and control loop."""
    if report.can_plot():
        diagrams.graph(IMAGES / "msk_arm_graph.png")
        diagrams.flow(IMAGES / "msk_arm_flow.png")


def workspace():
    if report.can_plot():
        plots.workspace(IMAGES / "msk_arm_workspace.png", evaluate.nominal_check())
        weak = TargetCheck(ArmDynamics(plant.build(**evaluate.REFUSAL_ARMS[1])))
        title = "half the strength, 5 kg in the hand"
        plots.workspace(IMAGES / "msk_arm_too_weak.png", weak, title)


def reach():
    """The reach to the default target: trajectory and responses."""
    settings = parameters()
    target = evaluate.nominal_check()(*settings.vector("default_target", 2).tolist())
    for name in ("inverse", "pd"):
        sim = MskArmSim(settings=settings)
        start = sim.end_effector()
        rows = evaluate.record(sim, controller.make(name, settings), target, 1.0)
        if report.can_plot():
            plots.trajectory(IMAGES / f"msk_arm_trajectory_{name}.png", rows, start, target, name)
            plots.response(IMAGES / f"msk_arm_response_{name}.png", rows, target, name)
        print(f"reach {name}")


def conditions():
    """The error over time: controllers and arms beside each other."""
    settings = parameters()
    target = evaluate.nominal_check()(*settings.vector("default_target", 2).tolist())
    series = {}
    for row, (name, arguments, mismatched) in evaluate.ROWS.items():
        extra = evaluate.random_mismatch(EVAL_SEED) if mismatched else {}
        sim = MskArmSim(settings=settings, **arguments, **extra)
        rows = evaluate.record(sim, controller.make(name, settings), target, 1.5)
        error = 1e3 * np.hypot(*(rows["hand"] - [target.x, target.z]).T)
        series[row.replace("_", ", ")] = (rows["time"], error)
    if report.can_plot():
        plots.errors(
            IMAGES / "msk_arm_conditions.png", series, "default target from the start pose"
        )


def endurance():
    """A weight held until the muscles tire."""
    settings = parameters().overlaid({"fatigued_share": 0.0}, "make_assets")
    sim = MskArmSim("fatigued", HELD["load_kg"], settings=settings)
    driver, place = controller.make("inverse", settings), HELD["target"]
    driver.set_target(evaluate.nominal_check()(*place))
    time, shares, error = [], [], []
    for tick in range(round(HELD["seconds"] / TICK)):
        sim.step(driver.update(*sim.state()))
        if tick % 50 == 49:
            time.append(sim.time)
            shares.append(sim.fatigue_shares()[3:6])  # the shoulder extensor holds the weight
            error.append(1e3 * np.linalg.norm(sim.end_effector() - place))
    if report.can_plot():
        title = f"{HELD['load_kg']:g} kg held at {place}: the shoulder extensor"
        path = IMAGES / "msk_arm_endurance.png"
        plots.endurance(path, np.array(time), np.array(shares), np.array(error), title)


def film():
    """The arm reaching for targets one after another, and a still of it."""
    if not render.can_write_gif():
        return
    from PIL import Image  # noqa: PLC0415 (only where a picture is written)

    settings, judge = parameters(), evaluate.nominal_check()
    sim, driver = MskArmSim(settings=settings), controller.make("inverse", settings)
    with demo.Film(sim, FILM_TARGETS[0]) as camera:
        for place in FILM_TARGETS:
            driver.set_target(judge(*place))
            camera.picture.set_target(*place)
            for _ in range(FILM_TICKS):
                away = 1e3 * np.linalg.norm(sim.end_effector() - place)
                camera.shoot(f"error {away:.1f} mm" if away >= 0.05 else "arrived")
                sim.step(driver.update(*sim.state()))
        still = camera.frames[FILM_TICKS + 12]
        render.write_gif(IMAGES / "msk_arm_reach.gif", camera.frames, demo.FPS, demo.COLORS)
    with report.atomic(IMAGES / "msk_arm_run.png") as temporary:
        Image.fromarray(still).save(temporary, format="PNG")


def benchmark():
    """The speed on this machine."""
    rows = speed.measure(3.0)
    text = under(report.markdown_table(rows, "row"), "main.py bench")
    load = os.getloadavg()[0]
    fill("bench", f"{text} {os.cpu_count()} cores, load average {load:.1f} while measured.")


MAKERS = {
    "tables": model_tables,
    "eval": evaluation,
    "diagrams": diagrams_of_ros,
    "workspace": workspace,
    "reach": reach,
    "conditions": conditions,
    "endurance": endurance,
    "film": film,
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
