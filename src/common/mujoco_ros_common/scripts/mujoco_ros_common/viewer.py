"""MuJoCo's own viewer beside a running simulation."""

import logging
import os
import subprocess
import sys
import time

import mujoco

_log = logging.getLogger("rosout")


class Viewer:
    """A window that follows a simulation; without a display there is none, and one line says so.

    Closing the window ends the picture alone: the simulation goes on without it.

    Args:
        model, data: what is shown.
        wanted: whether to open a window at all.
        rate: pictures a second.
        decorate: function(mujoco.MjvScene) that adds geoms to each picture.
    """

    def __init__(self, model, data, wanted=True, rate=25.0, decorate=None):
        self._handle, self._decorate = None, decorate
        self._period, self._next = 1.0 / rate, 0.0
        if not wanted:
            return
        if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
            _log.warning("viewer: there is no display (DISPLAY is not set); going on without one")
            return
        if not _display_works():
            _log.warning("viewer: no window can be opened on the display; going on without one")
            return
        import mujoco.viewer  # noqa: PLC0415 (loads GLFW: only where a window is wanted)

        self._handle = mujoco.viewer.launch_passive(
            model, data, show_left_ui=False, show_right_ui=False
        )
        camera = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_CAMERA, "view")
        if camera >= 0:
            self._handle.cam.type = mujoco.mjtCamera.mjCAMERA_FIXED
            self._handle.cam.fixedcamid = camera

    def sync(self):
        """Show the present state, at most `rate` times a second of wall clock."""
        if self._handle is None or time.monotonic() < self._next:
            return
        if not self._handle.is_running():
            self.close()
            _log.info("viewer: the window was closed; the simulation goes on without it")
            return
        self._next = time.monotonic() + self._period
        if self._decorate is not None and self._handle.user_scn is not None:
            with self._handle.lock():
                self._handle.user_scn.ngeom = 0
                self._decorate(self._handle.user_scn)
        self._handle.sync()

    def close(self):
        """Close the window, if there is one."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None


def _display_works():
    """Whether GLFW can open the display, tried in a process of its own: MuJoCo's viewer ends the
    process it fails in."""
    trial = subprocess.run(
        [sys.executable, "-c", "import sys, glfw; sys.exit(not glfw.init())"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return trial.returncode == 0


def add_label(scene, position, text, rgba=(1.0, 1.0, 1.0, 1.0), size=0.001):
    """Add a small sphere with a text to a scene. A full scene is left as it is."""
    if scene.ngeom >= scene.maxgeom:
        return
    geom = scene.geoms[scene.ngeom]
    mujoco.mjv_initGeom(
        geom, mujoco.mjtGeom.mjGEOM_SPHERE, [size, 0, 0], list(position), _UPRIGHT, list(rgba)
    )
    geom.label = text.encode()[:_LABEL].decode(errors="ignore")
    scene.ngeom += 1


def add_capsule(scene, start, end, radius, rgba):
    """Add a capsule between two points to a scene. A full scene is left as it is."""
    if scene.ngeom >= scene.maxgeom:
        return
    geom = scene.geoms[scene.ngeom]
    zero = [0.0, 0.0, 0.0]
    mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_CAPSULE, zero, zero, _UPRIGHT, list(rgba))
    mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_CAPSULE, radius, list(start), list(end))
    scene.ngeom += 1


_LABEL = 99  # bytes that MuJoCo keeps
_UPRIGHT = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
