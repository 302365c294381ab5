"""Differential drive: commands, wheel speeds, slew limits, heading. Pure functions and numbers."""

import math


def drive_command(steer, throttle, max_speed, max_yaw_rate):
    """Normalised outputs to a twist: the only bound on what a policy asks for.

    Args:
        steer: left positive, clamped to [-1, 1]. throttle: clamped to [0, 1].
        max_speed: m/s at throttle 1. max_yaw_rate: rad/s at steer 1.

    Returns:
        speed (m/s), yaw rate (rad/s)
    """
    return max_speed * clamp(throttle, 0.0, 1.0), max_yaw_rate * clamp(steer, -1.0, 1.0)


def differential_wheel_vels(speed, yaw_rate, track, radius, limit):
    """Wheel speeds of a twist.

    Args:
        speed: m/s. yaw_rate: rad/s, left positive. track, radius: of the wheels, m.
        limit: largest wheel speed, rad/s; both are scaled down together, which keeps the curve.

    Returns:
        left, right (rad/s)
    """
    left = (speed - 0.5 * track * yaw_rate) / radius
    right = (speed + 0.5 * track * yaw_rate) / radius
    scale = min(1.0, limit / max(abs(left), abs(right), limit))
    return scale * left, scale * right


def twist_of_wheels(left, right, track, radius):
    """The inverse: speed (m/s) and yaw rate (rad/s) of wheels that do not slip."""
    return 0.5 * radius * (left + right), radius * (right - left) / track


def yaw_of_quaternion(w, x, y, z):
    """Yaw in [-pi, pi] of a unit quaternion."""
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def wrap(angle):
    """An angle brought into [-pi, pi]."""
    return math.remainder(angle, 2.0 * math.pi)


def clamp(value, low, high):
    """value, but not outside [low, high]."""
    return min(high, max(low, value))


class Slew:
    """A twist that follows the commanded one no faster than the limits.

    Args:
        acceleration: m/s^2. yaw_acceleration: rad/s^2. period: s between calls.
    """

    def __init__(self, acceleration, yaw_acceleration, period):
        self._step = acceleration * period
        self._yaw_step = yaw_acceleration * period
        self.reset()

    def reset(self):
        """Stand still at once."""
        self.speed = self.yaw_rate = 0.0

    def follow(self, speed, yaw_rate):
        """One period towards the command; returns the limited (speed, yaw rate)."""
        self.speed += clamp(speed - self.speed, -self._step, self._step)
        self.yaw_rate += clamp(yaw_rate - self.yaw_rate, -self._yaw_step, self._yaw_step)
        return self.speed, self.yaw_rate


class Heading:
    """Yaw without the jump at +-pi: counts the turns, so that steering never flips.

    A real car moves little between two poses. A jump of more than `max_turn` or `max_move` is
    a car that was put elsewhere, and the count starts anew.
    """

    max_turn = 1.0  # rad between two poses
    max_move = 0.5  # m between two poses

    def __init__(self):
        self.reset()

    def reset(self):
        self._last = None
        self.value = 0.0

    def update(self, yaw, x=0.0, y=0.0):
        """The heading (rad, continuous) after a pose with this yaw at x, y (m)."""
        if self._last is None:
            self.value = wrap(yaw)
        else:
            turn = wrap(yaw - self.value)
            jumped = math.hypot(x - self._last[0], y - self._last[1]) > self.max_move
            self.value = wrap(yaw) if jumped or abs(turn) > self.max_turn else self.value + turn
        self._last = (x, y)
        return self.value
