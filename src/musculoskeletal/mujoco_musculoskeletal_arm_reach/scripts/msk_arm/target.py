"""Which targets the arm can reach and hold, and why not."""

import math
from collections import namedtuple

from msk_arm.dynamics import within_strength

ACCEPTED, NOT_FINITE, OUT_OF_REACH, TOO_NEAR, JOINT_LIMITS, TOO_WEAK = range(6)
WORDS = {
    ACCEPTED: "accepted",
    NOT_FINITE: "not finite",
    OUT_OF_REACH: "out of reach",
    TOO_NEAR: "inside the inner radius",
    JOINT_LIMITS: "outside the joint limits",
    TOO_WEAK: "too weak to hold it",
}


class Target(namedtuple("Target", "reason x z q words")):
    """A checked target.

    Attributes: reason (one of the codes above), x, z (m), q (the joint angles (2,) that every
    controller uses, elbow up where both serve; None when refused), words (a line for people).
    """

    __slots__ = ()

    @property
    def accepted(self):
        return self.reason == ACCEPTED


class TargetCheck:
    """Judges targets for one arm.

    Args:
        dynamics: ArmDynamics of the arm as it is (its load, its strength).
    """

    def __init__(self, dynamics):
        self.dynamics = dynamics

    def __call__(self, x, z, ceiling=None):
        """Judge a target at x, z (m).

        Args:
            ceiling: largest activation of each muscle (6), 1 by default; less for tired muscles.

        Returns:
            Target
        """
        arm = self.dynamics
        if not (math.isfinite(x) and math.isfinite(z)):
            return _refuse(NOT_FINITE, x, z, "expected finite coordinates")
        distance = math.hypot(x, z)
        if distance > arm.reach + 1e-12:
            return _refuse(OUT_OF_REACH, x, z, f"{distance:.4f} m away, arm {arm.reach:.4f} m")
        if distance < arm.inner - 1e-12:
            return _refuse(TOO_NEAR, x, z, f"{distance:.4f} m away, inner radius {arm.inner:.4f} m")
        poses = [q for q in (arm.inverse(x, z, 1.0), arm.inverse(x, z, -1.0)) if arm.inside(*q)]
        if not poses:
            q1, q2 = arm.inverse(x, z, 1.0)
            return _refuse(JOINT_LIMITS, x, z, f"elbow up needs {q1:.3f} {q2:.3f} rad")
        for q in poses:
            if self.holds(q, ceiling):
                return Target(ACCEPTED, x, z, q, WORDS[ACCEPTED])
        t1, t2 = arm.gravity(*poses[0])
        return _refuse(TOO_WEAK, x, z, f"holding needs {t1:.1f} {t2:.1f} N m")

    def holds(self, q, ceiling=None):
        """Whether the muscles can hold the arm still at joint angles q (2,)."""
        w1, w2, p1, p2 = self.dynamics.muscle_state(q[0], q[1], 0.0, 0.0)
        t1, t2 = self.dynamics.gravity(*q)
        return within_strength(w1, w2, t1 - p1, t2 - p2, ceiling)


def _refuse(reason, x, z, detail):
    return Target(reason, x, z, None, f"{WORDS[reason]}: {detail}")
