"""Minimum-jerk reaches: a straight line of the hand where the arm can follow one, timed so that
the muscles can too.

Flash & Hogan 1985, doi:10.1523/JNEUROSCI.05-07-01688.1985.
"""

import math

from msk_arm.detour import Detour
from msk_arm.dynamics import within_strength

SAMPLES = 12  # points of a path at which its limits and torques are looked at
DETOUR = 2.0  # how much longer than by joint angles alone a bent path may take


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
        here = dynamics.inverse(*self._start, self._elbow)
        # not nothing where the start is bent the other way than the target
        self._aside = (self._from[0] - here[0], self._from[1] - here[1])
        self._path, slack = self._line, self._slack()
        self.straight = self._fits(slack)
        if self.straight:
            self.duration = self._shortest_time(strength, shortest, longest)
        else:
            self.duration = self._go_round(strength, shortest, longest, slack + 0.004)

    def at(self, time):
        """Joint angles (2) at a time (s) since the start."""
        x = time / self.duration
        q1, q2 = self._path(progress(x))
        lead = _coast(x)[0] * self.duration
        return q1 + lead * self._v[0], q2 + lead * self._v[1]

    def _slack(self):
        """How far outside the joint limits (rad) a path may be: the start may be, where a limit
        has given way."""
        outside = 0.0
        for angle, (low, high) in zip(self._from, self._arm.limits):
            outside = max(outside, low - angle, angle - high)
        return 0.002 + outside

    def _line(self, f):
        """Joint angles a share f along the straight line of the hand."""
        x = self._start[0] + f * (self._end[0] - self._start[0])
        z = self._start[1] + f * (self._end[1] - self._start[1])
        q1, q2 = self._arm.inverse(x, z, self._elbow)
        return q1 + (1.0 - f) * self._aside[0], q2 + (1.0 - f) * self._aside[1]

    def _fits(self, slack):
        points = [self._path(k / (2.0 * SAMPLES)) for k in range(2 * SAMPLES + 1)]
        return all(self._arm.inside(*q, slack=slack) for q in points)

    def _go_round(self, strength, shortest, longest, slack):
        """Take the way nearest to the line that keeps the limits and is nearly as fast as the
        straight line in joint space, which always keeps them; its duration."""
        direct = Detour(self._arm, self._from, self._to, self._elbow, 1.0)
        self._path = direct.at
        fastest = self._shortest_time(strength, shortest, longest)
        limit = min(DETOUR * fastest, longest)
        for quarter in range(4):
            self._path = Detour(self._arm, self._from, self._to, self._elbow, quarter / 4.0).at
            if self._fits(slack) and self._can(self._points(), limit, strength):
                return self._shortest_time(strength, shortest, limit)
        self._path = direct.at
        return fastest

    def _points(self):
        """Samples of the path: angles, their first two derivatives by the share of time, coast."""
        points, e = [], 1e-3
        for k in range(SAMPLES):
            x = (k + 0.5) / SAMPLES
            before, here, after = (self._path(progress(x + d)) for d in (-e, 0.0, e))
            slope = [(b - a) / (2.0 * e) for a, b in zip(before, after)]
            curve = [(a - 2.0 * m + b) / (e * e) for a, m, b in zip(before, here, after)]
            points.append((here, slope, curve, _coast(x)))
        return points

    def _shortest_time(self, strength, shortest, longest):
        """The shortest duration in which the nominal muscles can follow, to within 4 %."""
        points, low, high = self._points(), shortest, longest
        if self._can(points, low, strength):
            return low
        while high > 1.04 * low:
            middle = math.sqrt(low * high)
            if self._can(points, middle, strength):
                high = middle
            else:
                low = middle
        return high

    def _can(self, points, duration, strength):
        arm, ceiling = self._arm, [strength] * len(self._arm.muscles)
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
