"""Minimum-jerk reaches: a straight line of the hand where the arm can follow one, timed so that
the muscles can too.

Flash & Hogan 1985, doi:10.1523/JNEUROSCI.05-07-01688.1985.
"""

import math

from msk_arm.dynamics import within_strength

SAMPLES = 12  # points of a path at which its limits and torques are looked at
MARGIN = 0.002  # m, between a bent path and the inner radius
SOFT_RADIUS, SOFT_ANGLE = 0.02, 0.03  # m, rad: how gently a path bends along a limit


def progress(x):
    """Minimum-jerk share of the way, 0..1, at a share x of the time."""
    x = min(max(x, 0.0), 1.0)
    return x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)


def _coast(x):
    """Share, of initial velocity times duration, by which that velocity leads astray: value and
    first two derivatives. Starts at slope 1, ends at rest at 0."""
    x = min(max(x, 0.0), 1.0)
    value = x * (1.0 + x * x * (-6.0 + x * (8.0 - 3.0 * x)))
    slope = 1.0 + x * x * (-18.0 + x * (32.0 - 15.0 * x))
    return value, slope, x * (-36.0 + x * (96.0 - 60.0 * x))


class Reach:
    """Joint angles over time from a state to rest at a target.

    Args:
        dynamics: ArmDynamics, nominal.
        q, v: joint angles and velocities (2 each) it starts from.
        target: Target. strength: share of the muscles' strength that it may need.
        shortest, longest: limits of its duration (s).

    Attributes:
        duration (s), straight (whether the hand's path is a straight line).
    """

    def __init__(self, dynamics, q, v, target, strength, shortest, longest):
        self._arm, self._from, self._v, self._to = dynamics, tuple(q), tuple(v), target.q
        self._elbow = 1.0 if target.q[1] >= 0.0 else -1.0
        self._start, self._end = dynamics.forward(*q), (target.x, target.z)
        self._bend, self._mix = False, 0.0
        self._fit_ends()
        self.straight = self._fits(self._slack())
        if not self.straight:
            self._bend_path()
        self.duration = self._shortest_time(strength, shortest, longest)

    def at(self, time):
        """Joint angles (2) at a time (s) since the start."""
        x = time / self.duration
        q1, q2 = self._path(progress(x))
        lead = _coast(x)[0] * self.duration
        return q1 + lead * self._v[0], q2 + lead * self._v[1]

    def _slack(self):
        # the start may be bent the other way than the target, and lies then off the line's branch
        return 0.001 + abs(self._off0[0]) + abs(self._off0[1])

    def _fit_ends(self):
        self._off0 = self._off1 = (0.0, 0.0)
        a, b = self._line(0.0), self._line(1.0)
        self._off0 = (self._from[0] - a[0], self._from[1] - a[1])
        self._off1 = (self._to[0] - b[0], self._to[1] - b[1])

    def _line(self, f):
        """Joint angles a share f along the hand's line, bent along the limits where need be."""
        x = self._start[0] + f * (self._end[0] - self._start[0])
        z = self._start[1] + f * (self._end[1] - self._start[1])
        if not self._bend:
            q1, q2 = self._arm.inverse(x, z, self._elbow)
        else:
            radius = math.hypot(x, z) or 1e-9
            scale = _soft_above(radius, self._arm.inner + MARGIN, SOFT_RADIUS) / radius
            q1, q2 = self._arm.inverse(x * scale, z * scale, self._elbow)
            low, high = self._arm.limits[0]
            q1 = _soft_above(q1, low, SOFT_ANGLE)
            q1 = -_soft_above(-q1, -high, SOFT_ANGLE)
        (a1, a2), (b1, b2) = self._off0, self._off1
        return q1 + (1.0 - f) * a1 + f * b1, q2 + (1.0 - f) * a2 + f * b2

    def _path(self, f):
        q1, q2 = self._line(f)
        if self._mix:
            d1 = self._from[0] + f * (self._to[0] - self._from[0])
            d2 = self._from[1] + f * (self._to[1] - self._from[1])
            q1, q2 = q1 + self._mix * (d1 - q1), q2 + self._mix * (d2 - q2)
        return q1, q2

    def _fits(self, slack):
        points = [self._path(k / (2.0 * SAMPLES)) for k in range(2 * SAMPLES + 1)]
        return all(self._arm.inside(*q, slack=slack) for q in points)

    def _bend_path(self):
        """Bend the line along the limits; where that is not enough, mix in as much as it takes of
        the straight line in joint space, which always keeps them."""
        slack = 0.004 + self._slack()
        self._bend = True
        self._fit_ends()
        for tenth in range(11):
            self._mix = tenth / 10.0
            if self._fits(slack):
                return

    def _shortest_time(self, strength, shortest, longest):
        """The shortest duration in which the nominal muscles can follow, to within 4 %."""
        points, e = [], 1e-3
        for k in range(SAMPLES):
            x = (k + 0.5) / SAMPLES
            before, here, after = (self._path(progress(x + d)) for d in (-e, 0.0, e))
            slope = [(b - a) / (2.0 * e) for a, b in zip(before, after)]
            curve = [(a - 2.0 * m + b) / (e * e) for a, m, b in zip(before, here, after)]
            points.append((here, slope, curve, _coast(x)))
        ceiling = [strength] * len(self._arm.muscles)
        low, high = shortest, longest
        if self._can(points, low, ceiling):
            return low
        while high > 1.04 * low:
            middle = math.sqrt(low * high)
            if self._can(points, middle, ceiling):
                high = middle
            else:
                low = middle
        return high

    def _can(self, points, duration, ceiling):
        arm = self._arm
        for here, slope, curve, (lead, lead1, lead2) in points:
            q, v, a = [], [], []
            for k in (0, 1):
                q.append(here[k] + duration * lead * self._v[k])
                v.append(slope[k] / duration + lead1 * self._v[k])
                a.append(curve[k] / duration**2 + lead2 * self._v[k] / duration)
            t1, t2 = arm.torque(q, v, a)
            w1, w2, p1, p2 = arm.muscle_state(q[0], q[1], v[0], v[1])
            if not within_strength(w1, w2, t1 - p1, t2 - p2, ceiling):
                return False
        return True


def _soft_above(value, low, width):
    """value where it is well above low, and never below it; smooth over the width."""
    over = value - low
    return low + 0.5 * (over + math.sqrt(over * over + width * width))
