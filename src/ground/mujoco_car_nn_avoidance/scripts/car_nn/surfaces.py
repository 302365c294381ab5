"""The car's surface against the obstacles': distance and contact.

The distance is planar and in closed form: obstacles are upright boxes and cylinders higher than
the car, the car is its hull and two tyres seen from above. (MuJoCo's own `mj_geomDistance` is too
long by centimetres in 3.2.3: it misses the nearest corner of two boxes.)
"""

import math

import mujoco
import numpy as np

from mujoco_ros_common.errors import UserError
from mujoco_ros_common.model import ids

_ARC = 33  # points on each tyre's outline: 0.3 mm between the curve and its chords
_BOX, _CYLINDER = mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_CYLINDER


class Surfaces:
    """Distance between the car and the obstacles, and whether they touch.

    Args:
        model: mujoco.MjModel; the car is the body `car` with its children, obstacles are all
            other colliding geoms but planes. They do not move.
        limit: distances beyond it are reported as the limit, m.

    Raises:
        UserError: an obstacle is neither an upright box nor an upright cylinder.
    """

    def __init__(self, model, limit):
        self._limit = limit
        car = int(ids(model, "body", ["car"])[0])
        collides = (model.geom_contype | model.geom_conaffinity) != 0
        plane = model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
        self._on_car = model.body_rootid[model.geom_bodyid] == car
        self._is_obstacle = ~self._on_car & collides & ~plane
        hull = int(ids(model, "geom", ["hull"])[0])
        self._hull_center, self._hull_half = model.geom_pos[hull, :2], model.geom_size[hull, :2]
        self._outline = np.concatenate(
            [_corners(self._hull_center, self._hull_half)] + _tyres(model)
        )
        self._place_obstacles(model)

    def _place_obstacles(self, model):
        """Each obstacle as a rectangle and a radius around it (of a cylinder: a point)."""
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        geoms = np.flatnonzero(self._is_obstacle)
        kinds, sizes = model.geom_type[geoms], model.geom_size[geoms]
        upright = np.abs(data.geom_xmat[geoms, 8]) > 1.0 - 1e-9
        if not (upright & ((kinds == _BOX) | (kinds == _CYLINDER))).all():
            raise UserError("expected obstacles that are upright boxes or cylinders")
        box = (kinds == _BOX)[:, None]
        self._half = np.where(box, sizes[:, :2], 0.0)
        self._radius = np.where(box[:, 0], 0.0, sizes[:, 0])
        self._center = data.geom_xpos[geoms, :2]
        self._axis = data.geom_xmat[geoms][:, [0, 3]]  # cosine and sine of each one's yaw
        corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])[None] * self._half[:, None]
        c, s = self._axis[:, :1], self._axis[:, 1:]
        turned = np.stack([c * corners[..., 0] - s * corners[..., 1],
                           s * corners[..., 0] + c * corners[..., 1]], axis=-1)  # fmt: skip
        self._corners = (turned + self._center[:, None]).reshape(-1, 2)
        self._corner_radius = np.repeat(self._radius, 4)

    def clearance(self, x, y, yaw):
        """The shortest distance from the car at a pose (m, m, rad) to an obstacle, m; 0 inside."""
        if not len(self._half):
            return self._limit
        c, s = math.cos(yaw), math.sin(yaw)
        turn = np.array([[c, s], [-s, c]])
        # the car's outline in each obstacle's frame
        apart = (self._outline @ turn + (x, y))[:, None] - self._center
        along = np.abs(apart[..., 0] * self._axis[:, 0] + apart[..., 1] * self._axis[:, 1])
        across = np.abs(apart[..., 1] * self._axis[:, 0] - apart[..., 0] * self._axis[:, 1])
        over = np.maximum(along - self._half[:, 0], 0.0), np.maximum(across - self._half[:, 1], 0.0)
        to_obstacle = (np.hypot(*over) - self._radius).min()
        # the obstacles' corners in the car's frame, against the hull
        apart = np.abs((self._corners - (x, y)) @ turn.T - self._hull_center) - self._hull_half
        over = np.maximum(apart, 0.0)
        to_hull = (np.hypot(over[:, 0], over[:, 1]) - self._corner_radius).min()
        return float(min(max(min(to_obstacle, to_hull), 0.0), self._limit))

    def outlines(self):
        """The obstacles seen from above: list of (n, 2), m."""
        turn = np.linspace(0.0, 2.0 * math.pi, _ARC)
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        order = [0, 1, 3, 2]  # around the rectangle
        corners = self._corners.reshape(-1, 4, 2)[:, order]
        return [
            center + radius * circle if radius > 0.0 else rectangle
            for center, radius, rectangle in zip(self._center, self._radius, corners)
        ]

    def touching(self, data):
        """Whether the physics has a contact between the car and an obstacle."""
        pairs = data.contact.geom
        if not len(pairs):
            return False
        return bool((self._on_car[pairs] & self._is_obstacle[pairs[:, ::-1]]).any())


def _corners(center, half):
    return center + half * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])


def _tyres(model):
    """Outer halves of the tyres' outlines in the car's frame: [(_ARC, 2), (_ARC, 2)]."""
    outlines = []
    for side, name in ((1.0, "left"), (-1.0, "right")):
        wheel = model.body_pos[int(ids(model, "body", [f"{name}_wheel"])[0]), :2]
        size = model.geom_size[int(ids(model, "geom", [f"{name}_tyre"])[0])]
        angle = np.linspace(0.0, math.pi, _ARC)
        arc = np.stack([size[0] * np.cos(angle), side * size[2] * np.sin(angle)], axis=1)
        outlines.append(wheel + arc)
    return outlines
