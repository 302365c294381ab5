"""The network controller: a perceptron from the arm's state and its target to excitations."""

import math

import numpy as np

from msk_arm import names
from msk_arm.controller import Controller, InverseController
from mujoco_ros_common.mlp import Mlp

FINE = 0.05  # rad, error at which the fine view of it saturates
FEATURES = (
    ("shoulder", "elbow", "shoulder_velocity", "elbow_velocity")
    + ("shoulder_error", "elbow_error", "shoulder_error_fine", "elbow_error_fine")
    + names.MUSCLES
)
SIZES = (len(FEATURES), 64, 64, len(names.MUSCLES))


def features(q, v, goal, activations, lead):
    """What the network sees: list of floats in the order of FEATURES.

    Args:
        q, v: joint angles (rad) and velocities (rad/s). goal: the target's joint angles, as the
        target check gives them. activations: six. lead: rad, at which the error saturates.
    """
    e1, e2 = goal[0] - q[0], goal[1] - q[1]
    coarse = (lead * math.tanh(e1 / lead), lead * math.tanh(e2 / lead))
    return [*q, *v, *coarse, math.tanh(e1 / FINE), math.tanh(e2 / FINE), *activations]


def teacher(model, settings):
    """The controller that the network learns from: inverse on a step reference, whose command
    depends on the present state alone."""
    changes = {
        "reference": "step",
        "observer_gain": 0.0,
        "load_gain": 0.0,
        "natural_frequency": settings.number("teacher_frequency", 1.0, 100.0),
    }
    return InverseController(model, settings.overlaid(changes, settings.source))


class NnController(Controller):
    """Excitations straight from the network; no model, no optimisation.

    Args:
        model: mujoco.MjModel of the nominal arm, of which only names and limits are used.
        settings: Parameters. network: with `predict`; the one of the settings by default.

    Raises:
        WeightsError: no weight file, a damaged one or one of another network.
    """

    def __init__(self, model, settings, network=None):
        super().__init__(model)
        self._lead = settings.number("step_lead", 0.001)
        if network is None:
            network = Mlp.load(settings.text("weights") or names.WEIGHTS, SIZES)
        self.network = network

    def update(self, q, v, activations):
        low = self.co_contraction
        if self.target is None:
            return [low] * len(names.MUSCLES)
        seen = features(q, v, self.target.q, activations, self._lead)
        out = self.network.predict(np.array(seen)).tolist()
        return [min(max(value, low), 1.0) for value in out]
