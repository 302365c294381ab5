#!/usr/bin/env python3
"""How noise and delay spoil the senses, what estimators make of them, and how the arm reaches.

The same as `main.py eval`; takes the same options.
"""

import os
import sys
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # as main.py does
try:
    import mujoco_ros_common  # noqa: F401
except ImportError:  # not sourced: the folders of the source tree
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(p) for p in sorted(here.parents[2].glob("*/*/scripts"))]
from msk_proprioception.entry import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(["eval", *sys.argv[1:]]))
