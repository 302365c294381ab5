#!/usr/bin/env python3
"""The musculoskeletal hand without ROS: check, demo, collect, train, eval, bench; and its nodes."""

import os
import sys
from pathlib import Path

# one BLAS thread, before numpy is loaded: the same seed then gives the same weights to the last bit
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
HERE = Path(__file__).resolve().parent
try:
    import mujoco_ros_common  # noqa: F401
except ImportError:  # not sourced: the folders of the source tree
    sys.path[:0] = [str(p) for p in sorted(HERE.parents[1].glob("*/*/scripts"))]
try:
    from msk_hand import commands
    from mujoco_ros_common import cli
except ModuleNotFoundError as error:
    sys.exit(
        f"main.py: expected the Python package {error.name} (pip install -r requirements.txt),"
        " found none"
    )


def main(argv=None):
    c = cli.Cli("msk_hand", HERE, __doc__)
    commands.register(c)
    c.node("sim", "msk_hand_sim_node.py", "start the simulation node (ROS)")
    c.node("keyboard", "msk_hand_keyboard_node.py", "start the keyboard node (ROS)")
    c.node("nn", "msk_hand_nn_node.py", "start the network node (ROS)")
    return c.main(argv)


if __name__ == "__main__":
    sys.exit(main())
