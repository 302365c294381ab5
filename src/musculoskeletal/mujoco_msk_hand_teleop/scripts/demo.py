#!/usr/bin/env python3
"""The hand through ROS, by itself: reaches three targets, presses the button, pushes the ball.

Starts a master of its own, prints what was measured, writes a GIF and a plot, and ends with
the exit code 0 if every task succeeded, else 1.
"""

import argparse
import sys
from pathlib import Path

from msk_hand import ros_demo
from mujoco_ros_common.errors import UserError


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewer", action="store_true", help="show it in MuJoCo's viewer")
    parser.add_argument("--out", default="results", type=Path, help="folder of GIF and plot")
    args = parser.parse_args()
    try:
        return 0 if ros_demo.run(args.out, args.viewer) else 1
    except UserError as error:
        print(f"demo: {error}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
