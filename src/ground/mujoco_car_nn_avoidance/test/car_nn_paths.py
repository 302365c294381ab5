"""Imported first by every test: finds the modules of the source tree, with or without ROS."""

import sys
from importlib import util
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(path) for path in sorted(PACKAGE.parents[1].glob("*/*/scripts"))]
HAS_MUJOCO = util.find_spec("mujoco") is not None
