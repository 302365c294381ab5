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
from msk_proprioception.entry import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
