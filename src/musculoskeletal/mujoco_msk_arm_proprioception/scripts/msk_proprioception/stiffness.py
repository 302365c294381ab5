"""Joint stiffness by co-contraction: the lumped K, and what the simulated arm really has."""

import mujoco
import numpy as np

from msk_arm import plant
from msk_arm.names import MUSCLES
from mujoco_ros_common.model import ids
from mujoco_ros_common.muscle import Muscles


class LumpedStiffness:
    """K = J^T diag(k_m a_m) J, with k_m proportional to the muscle's peak force.

    The proportion is chosen so that the smallest eigenvalue of K, with all muscles equally
    active, is `slope` times the activation.

    Args:
        moment_arms: (6, 2), m/rad. max_forces: (6,), N. slope: N m/rad.

    Attributes:
        per_force: muscle stiffness over peak force (1/m).
    """

    def __init__(self, moment_arms, max_forces, slope):
        arms = np.asarray(moment_arms, dtype=float)
        unit = arms.T @ (np.asarray(max_forces)[:, None] * arms)
        self.per_force = slope / np.linalg.eigvalsh(unit)[0]
        self._parts = self.per_force * np.einsum("i,ij,ik->ijk", max_forces, arms, arms)
        self._parts = self._parts.reshape(len(arms), 4)

    def __call__(self, activations):
        """Row-major K (4,) in N m/rad of activations (6,)."""
        return np.dot(activations, self._parts)

    def matrix(self, activations):
        """K as (2, 2)."""
        return self(activations).reshape(2, 2)


def smallest(matrix):
    """Smallest eigenvalue of a symmetric (2, 2)."""
    return float(np.linalg.eigvalsh(matrix)[0])


def ellipse(matrix, n=73):
    """Restoring torques (2, n) of all joint displacements of 1 rad: the stiffness ellipse."""
    angle = np.linspace(0.0, 2.0 * np.pi, n)
    return matrix @ np.array([np.cos(angle), np.sin(angle)])


class SimulatedStiffness:
    """The stiffness that the muscles of the simulated arm have at rest, in two ways.

    Args:
        model: mujoco.MjModel of the arm on rigid tendons; the package's own by default.
    """

    def __init__(self, model=None):
        self.model = model if model is not None else plant.build()
        self.data = mujoco.MjData(self.model)
        self.arms = plant.moment_arms(self.model)
        own = ids(self.model, "actuator", MUSCLES)
        self.muscles = Muscles(self.model, own)

    def analytic(self, pose, activations):
        """From the slopes of MuJoCo's force-length curves: K (2, 2) = J^T diag(dF/dL) J, N m/rad.

        The moment arms are constant, so nothing is added by their change.
        """
        slope = self.slopes(self.arms @ pose, np.asarray(activations))
        return self.arms.T @ (slope[:, None] * self.arms)

    def slopes(self, length, activations):
        """dF/dL (6,) in N/m of resting muscles; the curves are MuJoCo's piecewise parabolas."""
        m = self.muscles
        x = m.normalized_length(length)
        low, high = 0.5 * (m.lmin + 1.0), 0.5 * (1.0 + m.lmax)
        active = np.select(
            [(x < m.lmin) | (x > m.lmax), x <= low, x <= 1.0, x <= high],
            [
                0.0,
                (x - m.lmin) / (low - m.lmin) ** 2,
                (1.0 - x) / (1.0 - low) ** 2,
                (1.0 - x) / (high - 1.0) ** 2,
            ],
            (x - m.lmax) / (m.lmax - high) ** 2,
        )
        ratio = (x - 1.0) / (high - 1.0)
        passive = np.clip(ratio, 0.0, 1.0) / (high - 1.0)
        passive *= m.passive_peak * m.fpmax
        return (activations * m.peak_force * active + passive) / m.optimal_length

    def measured(self, pose, activations, step=1e-4):
        """By moving each joint by +-step (rad) in MuJoCo and reading the muscles' torque back."""
        columns = []
        for joint in range(2):
            torques = []
            for sign in (1.0, -1.0):
                self.data.qpos[:2] = pose
                self.data.qpos[joint] += sign * step
                self.data.qvel[:] = 0.0
                self.data.act[:] = activations
                mujoco.mj_forward(self.model, self.data)
                torques.append(self.data.qfrc_actuator[:2].copy())
            columns.append((torques[1] - torques[0]) / (2.0 * step))
        return np.array(columns).T
