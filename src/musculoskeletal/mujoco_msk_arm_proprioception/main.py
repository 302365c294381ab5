#!/usr/bin/env python3
"""Proprioception of the arm: everything that needs no ROS, and the start of its nodes."""

import os
import sys
from pathlib import Path

# one thread for linear algebra, before numpy is loaded: the same seed gives the same numbers
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
HERE = Path(__file__).resolve().parent
try:
    import mujoco_ros_common  # noqa: F401
except ImportError:  # not sourced: the folders of the source tree
    sys.path[:0] = [str(p) for p in sorted(HERE.parents[1].glob("*/*/scripts"))]
from msk_proprioception import commands  # noqa: E402
from msk_proprioception.names import FEEDBACKS, WEIGHTS  # noqa: E402
from mujoco_ros_common import cli  # noqa: E402


def main():
    c = cli.Cli("msk_proprioception", HERE, __doc__.splitlines()[0])
    c.command("check", commands.check, "is everything within its limits?", seed=1)
    demo = c.command("demo", commands.demo, "reach on what the arm feels, and draw it", seed=1)
    demo.add_argument("--feedback", default="predicted", choices=FEEDBACKS)
    demo.add_argument("--delay", type=commands.delay, default=0.03, help="s, up to 1")
    demo.add_argument("--out", default="results", help="folder of the picture")
    collect = c.command(
        "collect", commands.collect, "simulate reaches to learn from", 1, 800, False, True
    )
    collect.add_argument("--out", default="results/proprioception_data.npz", help="npz file")
    train = c.command("train", commands.train, "learn network and ridge", 1, 800, True, True)
    train.add_argument("--data", help="npz file of collect; without it, the reaches are simulated")
    train.add_argument("--epochs", type=cli.positive, default=40, help="passes over the data")
    train.add_argument("--out", default=str(WEIGHTS), help="npz file of the weights")
    evaluate = c.command("eval", commands.evaluate, "all the tables", 7, 100, True, True)
    evaluate.add_argument("--part", default="all", choices=commands.PARTS, help="which table")
    c.command("bench", commands.bench, "microseconds of a tick and its parts")
    c.node("sim", "msk_proprioception_sim_node.py", "the sensing node (needs a running arm)")
    c.node("keyboard", "msk_proprioception_keyboard_node.py", "the keyboard node")
    c.node("nn", "msk_proprioception_nn_node.py", "the estimator node")
    c.node("feedback", "msk_proprioception_feedback_node.py", "the feedback node")
    return c.main()


if __name__ == "__main__":
    sys.exit(main())
