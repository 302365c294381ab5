"""The laser: a horizontal fan of rays through MuJoCo's geometry, without hits on car or floor."""

import math

import mujoco
import numpy as np

from mujoco_ros_common.model import ids

# obstacles are in group 0, floor and markings in 1, the car in 2 (models/car.xml)
RAY_GROUPS = np.array([1, 0, 0, 1, 1, 1], dtype=np.uint8)


class RayFan:
    """Rays from the site `laser`, in the horizontal plane, turned with the car's yaw.

    Args:
        model: mujoco.MjModel with a site `laser` on the body `car`.
        angles: of the beams, rad, (n,), left positive. range_max: m.
    """

    def __init__(self, model, angles, range_max):
        self._model, self._range_max = model, range_max
        self._site = int(ids(model, "site", ["laser"])[0])
        self._car = int(ids(model, "body", ["car"])[0])
        self._cos, self._sin = np.cos(angles), np.sin(angles)
        n = len(angles)
        self._vec = np.zeros((n, 3))
        self._flat = self._vec.reshape(-1)
        self._arguments = dict(geomgroup=RAY_GROUPS, flg_static=1, bodyexclude=self._car)
        self._arguments.update(geomid=np.full(n, -1, dtype=np.int32), dist=np.zeros(n))
        self._arguments.update(nray=n, cutoff=range_max)
        if "normal" in mujoco.mj_multiRay.__doc__:  # an argument more since MuJoCo 3.5
            self._arguments["normal"] = None

    def scan(self, data):
        """Distances along the beams, m, (n,); range_max where nothing is hit within it."""
        frame = data.site_xmat[self._site]
        yaw = math.atan2(frame[3], frame[0])
        c, s = math.cos(yaw), math.sin(yaw)
        self._vec[:, 0] = c * self._cos - s * self._sin
        self._vec[:, 1] = s * self._cos + c * self._sin
        origin = data.site_xpos[self._site]
        mujoco.mj_multiRay(m=self._model, d=data, pnt=origin, vec=self._flat, **self._arguments)
        hit = self._arguments["dist"]
        return np.where((hit < 0.0) | (hit > self._range_max), self._range_max, hit)


def ray_scan(env, noisy=True):
    """The fan of a CarEnv, m, (beams,), right to left; `noisy=False` is the truth."""
    return env.scan(noisy)
