"""The arm on plain floats: kinematics, equations of motion, what its muscles can do.

All numbers are read from a compiled model. Plain floats, since a control tick works on two joints
and six muscles, where numpy's calls cost more than the arithmetic.

Equations of motion: M(q) qdd + bias(q, v) + damping v = sum of -arm F over the muscles, joint
limits aside. x points forward, z up, both joints turn about +y.
"""

import math

import numpy as np

from msk_arm.names import JOINTS, MUSCLES
from msk_arm.plant import moment_arms
from mujoco_ros_common.model import ids
from mujoco_ros_common.muscle import Muscles


class ArmDynamics:
    """Scalar model of an arm.

    Args:
        model: mujoco.MjModel of the arm on rigid tendons; its masses may have been changed.

    Attributes:
        l1, l2: lengths of upper arm and forearm (m). limits: ((low, high), (low, high)) in rad.
        arms: six pairs, change of tendon length per joint angle (m/rad). muscles: six `Muscle`.
    """

    def __init__(self, model):
        upper, forearm, load = ids(model, "body", ["upper_arm", "forearm", "load"])
        hand = ids(model, "site", ["hand"])[0]
        self.l1, self.l2 = float(model.body_pos[forearm, 0]), float(model.site_pos[hand, 0])
        m1, c1, i1 = _segment(model, upper)
        m2, c2, i2 = _segment(model, forearm)
        m3, i3 = float(model.body_mass[load]), float(model.body_inertia[load, 1])
        c3 = float(model.body_pos[load, 0])
        armature = model.dof_armature[:2].tolist()
        far = i2 + i3 + m2 * c2 * c2 + m3 * c3 * c3
        self._delta = far + armature[1]
        self._alpha = far + i1 + m1 * c1 * c1 + (m2 + m3) * self.l1**2 + armature[0]
        self._beta = self.l1 * (m2 * c2 + m3 * c3)
        gravity = -float(model.opt.gravity[2])
        self._g1 = gravity * (m1 * c1 + (m2 + m3) * self.l1)
        self._g2 = gravity * (m2 * c2 + m3 * c3)
        self._unloaded = (self._alpha, self._beta, self._delta, self._g1, self._g2)
        self._weight = gravity
        self.damping = tuple(model.dof_damping[:2].tolist())
        self.limits = tuple(map(tuple, model.jnt_range[ids(model, "joint", JOINTS)].tolist()))
        self.arms = [tuple(row) for row in moment_arms(model).tolist()]
        self.muscles = Muscles(model, ids(model, "actuator", MUSCLES)).singles()
        self.reach = self.l1 + self.l2
        bend = max(abs(self.limits[1][0]), abs(self.limits[1][1]))
        self.inner = math.sqrt(
            self.l1**2 + self.l2**2 + 2.0 * self.l1 * self.l2 * math.cos(min(bend, math.pi))
        )

    def believe_load(self, kg):
        """Count a point mass (kg) at the hand in, beside what the model has; 0 for none."""
        alpha, beta, delta, g1, g2 = self._unloaded
        self._alpha = alpha + kg * (self.l1**2 + self.l2**2)
        self._beta, self._delta = beta + kg * self.l1 * self.l2, delta + kg * self.l2**2
        self._g1, self._g2 = g1 + self._weight * kg * self.l1, g2 + self._weight * kg * self.l2

    def forward(self, q1, q2):
        """The hand's (x, z) in m."""
        q12 = q1 + q2
        return (
            self.l1 * math.cos(q1) + self.l2 * math.cos(q12),
            -self.l1 * math.sin(q1) - self.l2 * math.sin(q12),
        )

    def jacobian(self, q1, q2):
        """d(x, z) / d(q1, q2) as (dx1, dx2, dz1, dz2) in m/rad."""
        s1, c1, s12, c12 = math.sin(q1), math.cos(q1), math.sin(q1 + q2), math.cos(q1 + q2)
        dx2, dz2 = -self.l2 * s12, -self.l2 * c12
        return dx2 - self.l1 * s1, dx2, dz2 - self.l1 * c1, dz2

    def inverse(self, x, z, elbow=1.0):
        """Joint angles (q1, q2) that bring the hand to x, z, whatever the joint limits.

        Args:
            elbow: 1 for elbow up (q2 >= 0), -1 for elbow down. Points that no angle reaches give
                the arm stretched or folded towards them.
        """
        c2 = (x * x + z * z - self.l1**2 - self.l2**2) / (2.0 * self.l1 * self.l2)
        q2 = elbow * math.acos(min(max(c2, -1.0), 1.0))
        q1 = math.atan2(-z, x) - math.atan2(
            self.l2 * math.sin(q2), self.l1 + self.l2 * math.cos(q2)
        )
        return math.atan2(math.sin(q1), math.cos(q1)), q2

    def inside(self, q1, q2, slack=1e-9):
        """Whether both angles keep the joint limits, to within `slack` (rad)."""
        (a, b), (c, d) = self.limits
        return a - slack <= q1 <= b + slack and c - slack <= q2 <= d + slack

    def mass(self, q2):
        """The mass matrix as (m11, m12, m22) in kg m^2."""
        coupling = self._beta * math.cos(q2)
        return self._alpha + 2.0 * coupling, self._delta + coupling, self._delta

    def gravity(self, q1, q2):
        """Torques (N m) that hold the arm against gravity."""
        far = -self._g2 * math.cos(q1 + q2)
        return far - self._g1 * math.cos(q1), far

    def bias(self, q1, q2, v1, v2):
        """Gravity, Coriolis and centrifugal torques (N m), as MuJoCo's qfrc_bias."""
        g1, g2 = self.gravity(q1, q2)
        h = self._beta * math.sin(q2)
        return g1 - h * (2.0 * v1 + v2) * v2, g2 + h * v1 * v1

    def muscle_state(self, q1, q2, v1, v2):
        """What the muscles can do in a state.

        Returns:
            (w1, w2, p1, p2): six torques per activation on each joint (N m), and the torques of
            the passive forces (N m).
        """
        w1, w2, p1, p2 = [], [], 0.0, 0.0
        for muscle, (r1, r2) in zip(self.muscles, self.arms):
            length = r1 * q1 + r2 * q2
            active = muscle.active(length, r1 * v1 + r2 * v2)
            w1.append(-r1 * active)
            w2.append(-r2 * active)
            passive = muscle.passive(length)
            if passive:
                p1 -= r1 * passive
                p2 -= r2 * passive
        return w1, w2, p1, p2

    def torque(self, q, v, a):
        """Muscle torques (N m) that accelerations a (rad/s^2) need."""
        m11, m12, m22 = self.mass(q[1])
        b1, b2 = self.bias(q[0], q[1], v[0], v[1])
        return (
            m11 * a[0] + m12 * a[1] + b1 + self.damping[0] * v[0],
            m12 * a[0] + m22 * a[1] + b2 + self.damping[1] * v[1],
        )

    def acceleration(self, q, v, torque1, torque2):
        """Joint accelerations (rad/s^2) under the given muscle torques (N m)."""
        b1, b2 = self.bias(q[0], q[1], v[0], v[1])
        t1, t2 = torque1 - b1 - self.damping[0] * v[0], torque2 - b2 - self.damping[1] * v[1]
        m11, m12, m22 = self.mass(q[1])
        det = m11 * m22 - m12 * m12
        return (m22 * t1 - m12 * t2) / det, (m11 * t2 - m12 * t1) / det


def within_strength(w1, w2, t1, t2, ceiling=None, tolerance=1e-9):
    """Whether muscles can give a torque: is it in the zonotope of their torques?

    The set of torques sum a_i w_i with 0 <= a_i <= c_i is a convex polygon whose sides are the
    w_i; a point is inside if it is beyond none of the lines along them.

    Args:
        w1, w2: six torques per activation on each joint. t1, t2: the wanted torques (N m).
        ceiling: six largest activations; 1 by default.
    """
    ceiling = ceiling or [1.0] * len(w1)
    for a1, a2 in zip(w1, w2):
        low = high = 0.0
        for b1, b2, c in zip(w1, w2, ceiling):
            across = c * (a1 * b2 - a2 * b1)
            if across > 0.0:
                high += across
            else:
                low += across
        slack = tolerance * (1.0 + high - low)
        if not low - slack <= a1 * t2 - a2 * t1 <= high + slack:
            return False
    return any(a1 or a2 for a1, a2 in zip(w1, w2)) or (t1 == 0.0 and t2 == 0.0)


def _segment(model, body):
    """Mass (kg), distance of the centre of mass from the joint (m), inertia about y (kg m^2)."""
    centre, inertia = model.body_ipos[body], float(model.body_inertia[body, 1])
    aligned = np.allclose(model.body_iquat[body], [1, 0, 0, 0]) and not centre[1:].any()
    if not aligned:
        raise ValueError("expected segments along x with their principal axes along x, y, z")
    return float(model.body_mass[body]), float(centre[0]), inertia
