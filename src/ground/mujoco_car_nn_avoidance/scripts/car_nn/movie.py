"""A drive as a GIF: top view, at the speed of reality."""

import mujoco
import numpy as np

from car_nn.episode import drive
from mujoco_ros_common import render

FPS = 25.0  # GIF keeps it exactly: 40 ms a frame
_ROUND = np.eye(3).reshape(-1)
_BEAM, _TRAIL = (0.95, 0.5, 0.1, 1.0), (0.1, 0.3, 0.8, 1.0)
_PRESENT_EVERY = 10  # trail: every so many frames a dot


class Recorder:
    """Collects frames of a drive; hand its `watch` to car_nn.episode.drive.

    Args:
        env: car_nn.core.CarEnv. renderer: render.Offscreen of env.model.
    """

    def __init__(self, env, renderer):
        self.frames, self._env, self._renderer, self._trail = [], env, renderer, []
        self._every = max(1, int(round(1.0 / (FPS * env.period))))

    def watch(self, env, distances, steer, throttle):
        """Called each tick: takes a picture when one is due."""
        if env.ticks % self._every == 0:
            self.shoot()

    def shoot(self):
        """Take a picture of the present state, with beams and trail."""
        self._trail.append(self._env.data.qpos[:2].copy())
        self.frames.append(self._renderer.frame(self._env.data, self._decorate))

    def _decorate(self, scene):
        draw_beams(scene, self._env)
        for x, y in self._trail[::_PRESENT_EVERY]:
            _add(scene, mujoco.mjtGeom.mjGEOM_SPHERE, [0.02, 0, 0], [x, y, 0.01], _TRAIL)


def draw_beams(scene, env):
    """Add the beams that hit something, noise-free, to a scene that is about to be drawn."""
    distances = env.scan(noisy=False)
    origin = env.laser_position()
    angles = env.angles + env.world_yaw
    ends = origin + np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], 1) * distances[:, None]
    for end in ends[distances < env.settings.range_max]:
        geom = _add(scene, mujoco.mjtGeom.mjGEOM_LINE, [0, 0, 0], [0, 0, 0], _BEAM)
        if geom is not None:
            mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_LINE, 2.0, origin, end)


def _add(scene, kind, size, position, color):
    if scene.ngeom >= scene.maxgeom:
        return None
    geom = scene.geoms[scene.ngeom]
    mujoco.mjv_initGeom(geom, kind, size, position, _ROUND, np.array(color, dtype=np.float32))
    scene.ngeom += 1
    return geom


def record(path, env, policy, width=720, height=360):
    """Drive through the scene and write the GIF.

    Returns:
        Drive, number of frames

    Raises:
        UserError: no picture can be made here.
    """
    with render.Offscreen(env.model, width, height, camera="top") as renderer:
        recorder = Recorder(env, renderer)
        result = drive(env, policy, watch=recorder.watch)
        recorder.shoot()
    render.write_gif(path, recorder.frames, FPS)
    return result, len(recorder.frames)
