#!/usr/bin/env python3
"""Makes every figure, GIF and table of docs/musculoskeletal/mujoco_msk_arm_proprioception.md.

usage: make_assets.py [--only NAME ...] [--jobs N] (names: see --help)
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
from msk_proprioception import contract, evaluation, figures, film, loop, speed  # noqa: E402
from msk_proprioception.keyboard import KEYS  # noqa: E402
from msk_proprioception.names import METRICS, PACKAGE, PARAMETERS  # noqa: E402
from mujoco_ros_common import report  # noqa: E402

DOCS = HERE.parents[3] / "docs"
IMAGES = DOCS / "img"
PAGE = DOCS / "musculoskeletal" / f"{PACKAGE}.md"
SEED, N = 7, 100
REACH_SEED = 5  # of the reach that is drawn: a long one
JOBS = None  # set by --jobs


def fill(name, text):
    report.fill_markers(PAGE, name, text)
    print(f"{PAGE.name}: table {name}")


def under(rows, command, name="row"):
    """A table, and below it how it was measured."""
    versions = report.versions()
    made = f"Python {versions['python']}, MuJoCo {versions['mujoco']}"
    return f"{report.markdown_table(rows, name)}\n\n`{command}`, {made}."


def image(name):
    return IMAGES / f"msk_proprioception_{name}.png"


def parameters():
    """Parameters and keys, from the files that hold them."""
    fill("parameters", report.parameter_table(PARAMETERS))
    keys = {f"`{key}`": {"what": what} for key, what in KEYS}
    fill("keys", report.markdown_table(keys, "key"))


def senses():
    """The grid of noise and delay, the overlay of true and sensed, the firing rates."""
    rows = evaluation.noise_delay_grid(SEED)
    fill("senses", under(rows, f"main.py eval --part senses --seed {SEED}"))
    force = rows["noise_1_delay_80ms"]["force_n"]
    fill("force80", f"At 80 ms and default noise the force is off by {force:.2f} N (RMSE).")
    if report.can_plot():
        recording = evaluation.Recording()
        figures.overlay(image("overlay_40ms"), recording)
        figures.grid(image("grid"), rows)
        figures.firing(image("firing"), recording)


def stiffness():
    """Joint stiffness: lumped, analytic, measured."""
    settings = contract.load()
    fill("stiffness", under(evaluation.stiffness_table(settings), "main.py eval --part stiffness"))
    if report.can_plot():
        figures.stiffness(image("stiffness"), settings)


def estimators():
    """RMSE of the estimators, how the network was trained, and one reach."""
    rows = evaluation.estimator_table(N, SEED, jobs=JOBS)
    fill("estimators", under(rows, f"main.py eval --part estimators --seed {SEED} --n {N}"))
    metrics = json.loads(METRICS.read_text(encoding="utf-8"))
    table = report.markdown_table(metrics["results"], "row")
    made = "`main.py train`, seed {seed}, {n} episodes, Python {python}, MuJoCo {mujoco}."
    fill("train", f"{table}\n\n{made.format(**metrics)}")
    if report.can_plot():
        job = {"seed": SEED, "delay_s": 0.03, "mismatch": 0.1, "seconds": 1.2}
        figures.estimate(image("estimate"), evaluation.listen(job))


def closed_loop():
    """The closed-loop table, and one reach at a delay that raw feedback does not bear."""
    rows = evaluation.loop_table(N, SEED, JOBS)
    text = under(rows, f"main.py eval --part loop --seed {SEED} --n {N}")
    failure = evaluation.raw_failure_ms(rows)
    fill("loop", f"{text} Raw feedback fails (holds fewer than half) at {failure:g} ms.")
    if report.can_plot():
        results = {
            label: loop.reach(
                {
                    "seed": REACH_SEED,
                    "feedback": feedback,
                    "delay_s": 0.06,
                    "mismatch": 0.1,
                }
            )
            for label, feedback in (("raw, 60 ms", "delayed"), ("predicted, 60 ms", "predicted"))
        }
        figures.reach(image("reach"), results)


def picture():
    """The film."""
    if film.can_film():
        film.write(IMAGES / "msk_proprioception_loop.gif")


def timing():
    """Microseconds on this machine."""
    text = under(speed.measure(), "main.py bench")
    load = f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} while measured."
    fill("bench", f"{text} {load}")


PARTS = {
    function.__name__: function
    for function in (parameters, senses, stiffness, estimators, closed_loop, picture, timing)
}


def main():
    global JOBS  # noqa: PLW0603 (an argument of the whole program)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--jobs", type=int, help="processes (one per core)")
    args = parser.parse_args()
    JOBS = args.jobs
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name in args.only:
        PARTS[name]()


if __name__ == "__main__":
    main()
