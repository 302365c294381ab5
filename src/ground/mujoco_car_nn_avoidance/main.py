#!/usr/bin/env python3
"""Everything of the car that needs no ROS, and the start of its nodes. See --help."""

import importlib
import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
try:
    import mujoco_ros_common  # noqa: F401
except ImportError:  # not sourced: the folders of the source tree
    sys.path[:0] = [str(p) for p in sorted(HERE.parents[1].glob("*/*/scripts"))]
from car_nn import settings  # noqa: E402
from mujoco_ros_common import cli  # noqa: E402
from mujoco_ros_common.errors import UserError  # noqa: E402

LOGIC = "test_logic_*.py"  # tests that need no MuJoCo
POLICIES = ("clone", "nn", "expert", "gap")  # nn is another name of clone


def main(argv=None):
    c = cli.Cli("car_nn", HERE, "A differential-drive car that avoids obstacles by a network.")
    c.parser.add_argument("--version", action="version", version=version())
    defaults = settings.load()
    c.command("check", needs_mujoco("check", c), "smoke test of the three scenes")
    collecting = c.command(
        "collect", needs_mujoco("collect", c), "teacher's labels to a data set", seed=42, jobs=True
    )
    training = c.command(
        "train", needs_mujoco("train", c), "fit and ship the network", seed=42, jobs=True
    )
    evaluating = c.command(
        "eval", needs_mujoco("evaluate_scenes", c), "all policies through all scenes", jobs=True
    )
    robust = c.command(
        "robustness", needs_mujoco("robustness", c), "noise and lost beams", seed=0, n=5, jobs=True
    )
    movie = c.command("demo", needs_mujoco("demo", c), "a drive as a GIF")
    telling = c.command("diagnose", needs_mujoco("diagnose", c), "a drive told by line", seed=0)
    bench = c.command("bench", needs_mujoco("bench", c), "time of a control tick")
    testing = c.command("test", run_tests, "the tests (those of ROS: ./run test)", json=False)
    launching = c.command("launch", launch, "roslaunch main.launch", json=False)
    c.node("sim", "car_nn_sim_node.py", "start the simulation node")
    c.node("keyboard", "car_nn_keyboard_node.py", "start the keyboard node")
    c.node("nn", "car_nn_nn_node.py", "start the network node")

    for parser in (collecting, training):
        parser.add_argument("--seconds", type=number, help="per scene (config: collect_s)")
    for parser in (collecting, training, evaluating, robust, movie):
        parser.add_argument("--out", default=str(HERE / "results"), help="folder of what is made")
    for parser in (training, evaluating, robust, movie, telling, bench):
        parser.add_argument("--weights", default=str(settings.WEIGHTS), help="of the network")
    training.add_argument("--epochs", type=cli.positive, default=defaults.epochs, help="of SGD")
    training.add_argument("--data", help="data set (else OUT/dataset.npz, else a new one)")
    evaluating.add_argument("--policy", choices=POLICIES, action="append", help="only these")
    for parser in (robust, movie, telling):
        parser.add_argument("--policy", choices=POLICIES, default="clone", help="who drives")
    for parser in (movie, telling):
        parser.add_argument("--scene", choices=settings.SCENES, default="basic", help="where")
    telling.add_argument("--noise", type=number, default=0.0, help="range noise, m")
    telling.add_argument("--lost", type=number, default=0.0, help="share of lost beams")
    telling.add_argument("--every", type=number, default=0.5, help="s between two lines")
    bench.add_argument("--seconds", type=number, default=3.0, help="of measuring")
    testing.add_argument("--logic-only", action="store_true", help="only what needs no MuJoCo")
    launching.add_argument("rest", nargs="*", help="name:=value for roslaunch")
    return c.main(argv)


def needs_mujoco(name, c):
    """The command of that name in car_nn.commands, which is imported when it is run."""

    def run(args):
        try:
            commands = importlib.import_module("car_nn.commands")
        except ModuleNotFoundError as error:
            raise UserError(
                f"expected the Python package {error.name}, which is not installed "
                "(python3 -m pip install -r requirements.txt)"
            ) from None
        return getattr(commands, name)(args, c.emit)

    return run


def run_tests(args):
    """Run the tests that need no ROS."""
    pattern = LOGIC if args.logic_only else "test_*.py"
    suite = unittest.defaultTestLoader.discover(str(HERE / "test"), pattern)
    return unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful()


def launch(args):
    """roslaunch main.launch: the three scenes through ROS."""
    try:
        return subprocess.call(["roslaunch", "mujoco_car_nn_avoidance", "main.launch", *args.rest])
    except FileNotFoundError:
        raise UserError("expected a sourced ROS workspace (roslaunch), found none") from None


def version():
    """Version of the package, from its package.xml."""
    text = (HERE / "package.xml").read_text(encoding="utf-8")
    return "mujoco_car_nn_avoidance " + re.search(r"<version>(.*?)</version>", text).group(1)


def number(text):
    """An argument that is a number >= 0."""
    value = float(text)
    if not 0.0 <= value < float("inf"):
        raise ValueError(f"expected a number >= 0, got {text}")
    return value


if __name__ == "__main__":
    sys.exit(main())
