"""Offscreen pictures with a GL backend found by trying, and GIFs. Never in the physics loop."""

import contextlib
import functools
import importlib
import os
import subprocess
import sys
from importlib import util

import mujoco
import numpy as np

from mujoco_ros_common import report
from mujoco_ros_common.errors import UserError

_BACKENDS = ("egl", "osmesa", "glfw")
_ANY = ("", "enable", "enabled", "on", "true", "1")  # values of MUJOCO_GL that name no backend
_TRIAL = (
    "import mujoco\n"
    "ball = '<mujoco><worldbody><geom size=\"1\"/></worldbody></mujoco>'\n"
    "m = mujoco.MjModel.from_xml_string(ball)\n"
    "r = mujoco.Renderer(m, 8, 8)\n"
    "d = mujoco.MjData(m)\n"
    "r.update_scene(d)\n"
    "assert r.render().shape == (8, 8, 3)\n"
    "r.close()\n"
)


@functools.lru_cache(maxsize=None)
def backend():
    """The first GL backend that gives a picture: "egl", "osmesa" or "glfw".

    Each is tried in a process of its own, since some drivers end the process they fail in.
    The one that MUJOCO_GL names is the only one tried.

    Raises:
        UserError: none works; the message names what to install.
    """
    wanted = os.environ.get("MUJOCO_GL", "").lower().strip()
    for name in _BACKENDS if wanted in _ANY else (wanted,):
        environment = dict(os.environ, MUJOCO_GL=name)
        if name not in _BACKENDS:
            continue  # switched off
        with contextlib.suppress(subprocess.TimeoutExpired):
            tried = subprocess.run(
                [sys.executable, "-c", _TRIAL],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
                check=False,
            )
            if tried.returncode == 0:
                return name
    tried = " ".join(_BACKENDS) if wanted in _ANY else f"MUJOCO_GL={wanted}"
    raise UserError(
        f"no picture can be made: tried {tried}; install libegl1 or libosmesa6, or set a display"
        " (MUJOCO_GL=egl, osmesa or glfw chooses one; unset, each is tried)"
    )


class Offscreen:
    """Frames of a model without a window; a context manager, since some drivers want a close.

    Args:
        model: mujoco.MjModel. width, height: pixels. camera: its name, or -1 for the free one.

    Raises:
        UserError: no GL backend works.
    """

    def __init__(self, model, width=480, height=360, camera=-1):
        _use(backend())
        self.camera = camera
        model.vis.global_.offwidth = max(model.vis.global_.offwidth, width)
        model.vis.global_.offheight = max(model.vis.global_.offheight, height)
        self._renderer = mujoco.Renderer(model, height, width)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._renderer.close()

    def frame(self, data, decorate=None):
        """A picture of the state: uint8 (height, width, 3).

        Args:
            decorate: function(mujoco.MjvScene) that adds geoms of its own before drawing.
        """
        self._renderer.update_scene(data, camera=self.camera)
        if decorate is not None:
            decorate(self._renderer.scene)
        return self._renderer.render().copy()


def _use(name):
    """Have MuJoCo's renderer make its contexts with a backend.

    MuJoCo reads MUJOCO_GL once, when it is first imported, which is long before anybody asks
    for a picture; its renderer looks the context class up each time.
    """
    chosen = importlib.import_module(f"mujoco.{name}").GLContext
    sys.modules[mujoco.Renderer.__module__].gl_context.GLContext = chosen


def can_write_gif():
    """Whether Pillow is installed; says in one line that the picture is skipped where not."""
    if util.find_spec("PIL") is not None:
        return True
    print("Pillow is not installed: the GIF is skipped", file=sys.stderr)
    return False


def write_gif(path, frames, fps=25.0, colors=96):
    """Write frames (n x height x width x 3, uint8) as a looping GIF, whole or not at all.

    One palette serves all frames, so that nothing flickers and what stays the same costs no
    space. GIF counts time in hundredths of a second: 25, 20, 12.5 and 10 fps are kept exactly.
    """
    from PIL import Image  # noqa: PLC0415 (only where a GIF is written)

    sample = np.concatenate(frames[:: max(1, len(frames) // 4)])
    palette = Image.fromarray(sample).quantize(colors)
    images = [
        Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE)
        for frame in report.progress(frames, "GIF")
    ]
    with report.atomic(path) as temporary:
        images[0].save(
            temporary,
            format="GIF",
            save_all=True,
            append_images=images[1:],
            duration=1000.0 / fps,
            loop=0,
        )
