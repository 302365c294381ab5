"""The tests run without ROS: they find the source tree's modules by themselves."""

import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(path) for path in sorted(PACKAGE.parents[1].glob("*/*/scripts"))]
