"""The rule-based teacher. It labels training data and is a baseline; the network never asks it.

It knows what the network knows: the distances of the sectors and the heading.
"""

import dataclasses

import numpy as np

from car_nn.kinematics import clamp

RIGHT, FRONT, LEFT = slice(0, 10), slice(10, 15), slice(15, 25)  # -60..-15, -10..10, 15..60 deg


@dataclasses.dataclass(frozen=True)
class Expert:
    """Steer to the more open side as far as something is near, else back to heading 0.

    Distances count up to `horizon` only, so that what is far away does not disturb. All terms
    are continuous, except at the tie straight in front of an obstacle, which goes to the left.
    """

    horizon: float = 3.6  # m
    front_gain: float = 1.3  # steer at an obstacle touching the front
    side_gain: float = 2.4  # steer per difference of the sides' openness (0..1 each)
    heading_gain: float = 1.0  # steer per rad
    tie: float = 0.001  # difference of openness below which neither side is more open
    decided: float = 0.03  # difference of openness at which the side is clear
    steps: tuple = ((0.9, 1.0), (0.6, 0.8), (0.35, 0.6))  # nearer than (m): throttle below
    slowest: float = 0.4  # throttle when nearer than all steps

    def act(self, distances, heading):
        """A command for a scan.

        Args:
            distances: m, (25,), right to left. heading: rad, left positive.

        Returns:
            steer in [-1, 1], left positive, and throttle in [0, 1]
        """
        openness = np.minimum(distances, self.horizon) / self.horizon
        side = float(openness[LEFT].mean() - openness[RIGHT].mean())
        blocked = 1.0 - float(openness[FRONT].min())
        ahead = openness[FRONT]
        lean = side + float(ahead[3:].mean() - ahead[:2].mean())  # the front's own sides count too
        to = np.tanh(lean / self.decided) if abs(lean) > self.tie else 1.0
        steer = self.front_gain * blocked * to + self.side_gain * side
        steer -= self.heading_gain * heading
        return clamp(float(steer), -1.0, 1.0), self.throttle(float(distances.min()))

    def throttle(self, nearest):
        """Throttle by the nearest distance (m), in steps."""
        for beyond, throttle in self.steps:
            if nearest > beyond:
                return throttle
        return self.slowest
