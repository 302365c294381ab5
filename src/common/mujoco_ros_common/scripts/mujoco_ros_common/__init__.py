"""What two or more of the systems need, once. Imports nothing: take the module you need."""

import os
import sys

# MuJoCo answers a value it does not know with a traceback, wherever it is first imported
_GL = "egl osmesa glfw glx enable enabled on true 1 disable disabled off false 0"
if os.environ.get("MUJOCO_GL", "").lower().strip() not in ["", *_GL.split()]:
    sys.exit(f"MUJOCO_GL: expected egl, osmesa or glfw, got {os.environ['MUJOCO_GL']}")
