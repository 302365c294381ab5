"""What the target check says, found out the slow way, with nothing of the check in it.

Reachability by the hand's place in tens of millions of poses; holding by a linear programme, solved
by trying every vertex, on torques and forces that MuJoCo computes.
"""

import itertools

import mujoco
import numpy as np

from msk_arm.names import JOINTS, MUSCLES
from msk_arm.target import (
    ACCEPTED,
    JOINT_LIMITS,
    OUT_OF_REACH,
    TOO_NEAR,
    TOO_WEAK,
)
from mujoco_ros_common.model import ids

BORDER = -1  # verdict: too near to a border to tell
LEVELS = ((0.01, 100000.0), (0.0005, 0.02), (0.00002, 0.001))  # rad: step and half width of a grid


class BruteForce:
    """Verdicts on targets of one arm.

    Args:
        model: mujoco.MjModel on rigid tendons. cell: m; borders are left out to within two cells.
    """

    def __init__(self, model, cell=0.00025):
        self._model, self._data, self.cell = model, mujoco.MjData(model), cell
        self._l1 = model.body_pos[ids(model, "body", ["forearm"])[0], 0]
        self._l2 = model.site_pos[ids(model, "site", ["hand"])[0], 0]
        self._low, self._high = model.jnt_range[ids(model, "joint", JOINTS)].T
        self._muscles = ids(model, "actuator", MUSCLES)
        self._reached = self._fill()
        step, _ = LEVELS[0]
        self._coarse = self._grid(self._low, self._high, step)
        self._coarse_tips = self._tips(*self._coarse)

    def verdicts(self, targets):
        """The reason code, or BORDER, of each target (n, 2) in m: int array (n,)."""
        targets = np.asarray(targets, dtype=float)
        steps = self.cell * np.array(list(itertools.product((-1, 0, 1), repeat=2)))
        around = targets[:, None, :] + steps  # (n, 9, 2)
        reached = self._lookup(around)
        distance = np.linalg.norm(targets, axis=1)
        ends = np.linalg.norm(self._coarse_tips, axis=0)
        nearest, farthest = ends.min(), ends.max()
        verdicts = np.full(len(targets), JOINT_LIMITS)
        verdicts[distance > farthest] = OUT_OF_REACH
        verdicts[distance < nearest] = TOO_NEAR
        inside = reached.all(axis=1)
        verdicts[inside] = [self._holding(points) for points in around[inside]]
        near = 2.0 * self.cell
        unsure = (np.abs(distance - farthest) < near) | (np.abs(distance - nearest) < near)
        verdicts[(reached.any(axis=1) & ~inside) | (unsure & ~inside)] = BORDER
        return verdicts

    def _holding(self, points):
        """ACCEPTED or TOO_WEAK where all of nine points around a target agree, else BORDER."""
        centre = self._can_hold(points[4])
        if all(self._can_hold(point) == centre for point in points[[0, 2, 6, 8]]):
            return ACCEPTED if centre else TOO_WEAK
        return BORDER

    def _can_hold(self, target):
        return any(self._feasible(q) for q in self._poses(target))

    def _poses(self, target):
        """The poses, elbow up and down, whose hand is nearest, where it is near enough."""
        for up in (True, False):
            q1, q2 = self._coarse
            error = np.hypot(self._coarse_tips[0] - target[0], self._coarse_tips[1] - target[1])
            error = np.where((q2 >= 0.0) == up, error, np.inf)
            best = np.array([q1[error.argmin()], q2[error.argmin()]])
            for step, half in LEVELS[1:]:
                low, high = np.maximum(self._low, best - half), np.minimum(self._high, best + half)
                q1, q2 = self._grid(low, high, step)
                tips = self._tips(q1, q2)
                error = np.hypot(tips[0] - target[0], tips[1] - target[1])
                best = np.array([q1[error.argmin()], q2[error.argmin()]])
            if error.min() < 2.0 * self.cell:
                yield best

    def _feasible(self, q):
        """Is there 0 <= a <= 1 with A a = t? A vertex has all but two muscles at a bound."""
        model, data = self._model, self._data
        forces = []
        data.qpos[:], data.qvel[:] = q, 0.0
        for level in (0.0, 1.0):
            data.act[:] = level
            mujoco.mj_forward(model, data)
            forces.append(data.actuator_force[self._muscles].copy())
        arms = np.empty((len(MUSCLES), 2))
        for row, k in zip(arms, self._muscles):  # torque of each muscle by switching it on alone
            data.act[:] = 0.0
            data.act[k] = 1.0
            mujoco.mj_forward(model, data)
            row[:] = data.qfrc_actuator
        data.act[:] = 0.0
        mujoco.mj_forward(model, data)
        arms -= data.qfrc_actuator
        wanted = data.qfrc_bias - data.qfrc_actuator
        for pair in itertools.combinations(range(len(MUSCLES)), 2):
            basis = arms[list(pair)].T
            if abs(np.linalg.det(basis)) < 1e-9:
                continue
            others = np.delete(arms, pair, axis=0)
            rest = wanted - _CORNERS @ others
            found = np.linalg.solve(basis, rest.T)
            if ((found > -1e-9) & (found < 1.0 + 1e-9)).all(axis=0).any():
                return True
        return False

    def _fill(self):
        """Which cells the hand reaches, by a grid of poses finer than the cells."""
        reach = self._l1 + self._l2
        self._half = int(np.ceil(reach / self.cell)) + 3
        reached = np.zeros((2 * self._half + 1,) * 2, dtype=bool)
        step = 1.35 * self.cell / reach / 2.0**0.5
        q2 = np.arange(self._low[1], self._high[1] + step, step).clip(max=self._high[1])
        for q1 in np.arange(self._low[0], self._high[0] + step, step).clip(max=self._high[0]):
            reached[self._index(self._tips(q1, q2))] = True
        return reached

    def _lookup(self, points):
        clipped = np.clip(points, -self._half * self.cell, self._half * self.cell)
        return self._reached[self._index(np.moveaxis(clipped, -1, 0))]

    def _index(self, places):
        cells = np.rint(np.asarray(places) / self.cell).astype(int) + self._half
        return cells[0], cells[1]

    def _tips(self, q1, q2):
        """The hand's x and z: a rotation by q about +y turns x into (cos q, -sin q)."""
        x = self._l1 * np.cos(q1) + self._l2 * np.cos(q1 + q2)
        return np.stack([x, -self._l1 * np.sin(q1) - self._l2 * np.sin(q1 + q2)])

    @staticmethod
    def _grid(low, high, step):
        axes = [np.linspace(a, b, max(2, int(np.ceil((b - a) / step)))) for a, b in zip(low, high)]
        q1, q2 = np.meshgrid(*axes, indexing="ij")
        return q1.ravel(), q2.ravel()


_CORNERS = np.array(list(itertools.product((0.0, 1.0), repeat=len(MUSCLES) - 2)))


def target_grid(side, half):
    """side x side targets in the square of that half width: array (side * side, 2)."""
    axis = np.linspace(-half, half, side)
    return np.array(list(itertools.product(axis, axis)))
