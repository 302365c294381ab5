"""A plain gap follower: the rule-based baseline that needs no tuning to a scene."""

import dataclasses
import math

import numpy as np

from car_nn.kinematics import clamp


@dataclasses.dataclass(frozen=True)
class GapFollower:
    """Aim at the direction of the goal, or at the nearest edge of the widest free gap.

    After Sezer and Gokasan, "Follow the gap", 2012, reduced: echoes nearer than `reach` close a
    bubble around themselves, the widest run of sectors that are left is the gap.
    """

    fan: float  # rad; the sectors reach from -fan to +fan
    reach: float = 1.5  # m
    bubble: float = 0.45  # m, radius closed around an echo
    gain: float = 1.2  # steer per rad of the aim
    cautious: float = 0.5  # throttle while something ahead is nearer than `reach`

    def act(self, distances, heading):
        """distances m (sectors,), right to left; heading rad -> steer, throttle"""
        angles = np.linspace(-self.fan, self.fan, len(distances))
        near = distances <= self.reach
        shadow = np.arcsin(self.bubble / np.maximum(distances[near], self.bubble))
        apart = np.abs(angles[:, None] - angles[near])
        free = ~near & (apart > shadow).all(axis=1)
        first, last = widest_run(free)
        if last < first:  # no way out: where the view is longest
            aim = float(angles[distances.argmax()])
        else:
            aim = clamp(-heading, float(angles[first]), float(angles[last]))
        ahead = distances[np.abs(angles) <= math.radians(20.0)]
        throttle = 1.0 if float(ahead.min()) > self.reach else self.cautious
        return clamp(self.gain * aim, -1.0, 1.0), throttle


def widest_run(free):
    """First and last index of the longest run of True; (0, -1) where there is none."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.asarray(free, dtype=int), [0]))))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, -1
    best = int((ends - starts).argmax())
    return int(starts[best]), int(ends[best]) - 1
