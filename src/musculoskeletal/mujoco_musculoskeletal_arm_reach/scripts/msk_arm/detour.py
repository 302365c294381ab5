"""Smooth ways round what a straight line of the hand would cross: inner radius, joint limits."""

import math

KNOTS = 33
MARGIN = 0.002  # m, kept from the inner radius
SOFT_RADIUS, SOFT_ANGLE = 0.02, 0.03  # m, rad: how gently the line is bent
PASSES = 3  # of smoothing


class Detour:
    """Joint angles along a way from one pose to another that keeps near the straight line.

    The line is pushed out of the inner radius and of the shoulder's limits, softly; the straight
    line in joint space, which keeps all limits, is mixed in. Equal shares of the way take equal
    kinetic energy's root, so that a hand near the shoulder does not whirl.

    Args:
        arm: ArmDynamics. q0, q1: both poses (2 each). elbow: 1 up, -1 down.
        mix: share of the straight line in joint space, 0..1.
    """

    def __init__(self, arm, q0, q1, elbow, mix):
        self._arm, self._elbow = arm, elbow
        self._start, self._end = arm.forward(*q0), arm.forward(*q1)
        bent = [self._bent(k / (KNOTS - 1.0)) for k in range(KNOTS)]
        points = []
        for k, q in enumerate(bent):
            f = k / (KNOTS - 1.0)
            point = []
            for j in (0, 1):  # meet both ends, which the bending may have moved
                own = q[j] + (1.0 - f) * (q0[j] - bent[0][j]) + f * (q1[j] - bent[-1][j])
                point.append(own + mix * (q0[j] + f * (q1[j] - q0[j]) - own))
            points.append(tuple(point))
        points = self._even(points)
        for _ in range(PASSES):
            points = _smoothed(points)
        self.points = points

    def at(self, f):
        """Joint angles (2) a share f, 0..1, along the way: a uniform cubic B-spline."""
        points, last = self.points, len(self.points) - 1
        place = min(max(f, 0.0), 1.0) * last
        k = min(int(place), last - 1)
        t = place - k
        s = 1.0 - t
        weights = (
            s * s * s / 6.0,
            (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0,
            (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0,
            t * t * t / 6.0,
        )
        q1 = q2 = 0.0
        for weight, index in zip(weights, range(k - 1, k + 3)):
            p1, p2 = _mirrored(points, index)
            q1 += weight * p1
            q2 += weight * p2
        return q1, q2

    def _bent(self, f):
        arm = self._arm
        x = self._start[0] + f * (self._end[0] - self._start[0])
        z = self._start[1] + f * (self._end[1] - self._start[1])
        radius = math.hypot(x, z) or 1e-9
        scale = _soft_above(radius, arm.inner + MARGIN, SOFT_RADIUS) / radius
        q1, q2 = arm.inverse(x * scale, z * scale, self._elbow)
        low, high = arm.limits[0]
        q1 = _soft_above(q1, low, SOFT_ANGLE)
        return -_soft_above(-q1, -high, SOFT_ANGLE), q2

    def _even(self, points):
        """The same way with knots at equal lengths, measured by the root of kinetic energy."""
        lengths = [0.0]
        for (a1, a2), (b1, b2) in zip(points, points[1:]):
            m11, m12, m22 = self._arm.mass(0.5 * (a2 + b2))
            d1, d2 = b1 - a1, b2 - a2
            lengths.append(
                lengths[-1] + math.sqrt(m11 * d1 * d1 + 2.0 * m12 * d1 * d2 + m22 * d2 * d2)
            )
        even, k = [], 0
        for step in range(KNOTS):
            wanted = lengths[-1] * step / (KNOTS - 1.0)
            while k < KNOTS - 2 and lengths[k + 1] < wanted:
                k += 1
            gap = lengths[k + 1] - lengths[k]
            t = (wanted - lengths[k]) / gap if gap > 0.0 else 0.0
            (a1, a2), (b1, b2) = points[k], points[k + 1]
            even.append((a1 + t * (b1 - a1), a2 + t * (b2 - a2)))
        return even


def _mirrored(points, index):
    """A knot, also one beyond an end: mirrored there, so that the spline meets the end."""
    last = len(points) - 1
    if 0 <= index <= last:
        return points[index]
    end, inner = (
        (points[0], points[-index]) if index < 0 else (points[-1], points[2 * last - index])
    )
    return 2.0 * end[0] - inner[0], 2.0 * end[1] - inner[1]


def _smoothed(points):
    inner = [
        (0.25 * (a[0] + c[0]) + 0.5 * b[0], 0.25 * (a[1] + c[1]) + 0.5 * b[1])
        for a, b, c in zip(points, points[1:], points[2:])
    ]
    return [points[0], *inner, points[-1]]


def _soft_above(value, low, width):
    """value where it is well above low, and never below it; smooth over the width."""
    over = value - low
    return low + 0.5 * (over + math.sqrt(over * over + width * width))
