"""The settings against the arm's model: who contradicts it is refused."""

import numpy as np

from msk_arm import core, plant
from msk_proprioception.names import JOINTS, MUSCLES, PARAMETERS
from msk_proprioception.settings import SensorSettings
from mujoco_ros_common import config
from mujoco_ros_common.errors import ArgumentError
from mujoco_ros_common.model import ids


def load(parameters=None):
    """SensorSettings that agree with the arm.

    Args:
        parameters: Parameters; the package's own config/simulation.yaml by default.

    Raises:
        ArgumentError: see `check`.
    """
    settings = SensorSettings(parameters or config.read(PARAMETERS))
    check(settings)
    return settings


def check(settings, model=None):
    """Compare settings with the arm's model.

    Args:
        settings: SensorSettings. model: mujoco.MjModel; the arm's own by default.

    Raises:
        ArgumentError: moment arms or peak forces are not the model's, or a fibre
            would not stay longer than the minimum over the joint ranges.
    """
    model = model if model is not None else plant.build()
    peak = model.actuator_gainprm[ids(model, "actuator", MUSCLES), 2]
    _same(settings, "moment_arms_flat", settings.moment_arms, plant.moment_arms(model))
    _same(settings, "max_forces_n", settings.max_forces, peak)
    shortest = shortest_fibres(settings, model)
    if (shortest <= settings.minimum_fibre_length_m).any():
        worst = int(np.argmin(shortest))
        raise ArgumentError(
            f"{settings.source}: parameter resting_lengths_m: expected fibres longer than "
            f"{settings.minimum_fibre_length_m:g} m over the joint ranges, "
            f"got {shortest[worst]:.4f} m for {MUSCLES[worst]}"
        )


def shortest_fibres(settings, model):
    """Length of each fibre (m) in its shortest pose at peak force: (6,)."""
    limits = model.jnt_range[ids(model, "joint", JOINTS)]
    travel = np.minimum(settings.moment_arms * limits[:, 0], settings.moment_arms * limits[:, 1])
    stretch = settings.max_forces / settings.tendon_stiffness
    return settings.resting_lengths + travel.sum(axis=1) - stretch


def same_tendons(settings):
    """Whether the tendons are as stiff as those of the arm's elastic plant."""
    return bool(np.allclose(settings.tendon_stiffness, core.tendon_stiffness(), rtol=1e-9))


def _same(settings, name, given, expected):
    if not np.allclose(given, expected, rtol=1e-9, atol=1e-12):
        wrong = ~np.isclose(given, expected, rtol=1e-9, atol=1e-12).reshape(len(MUSCLES), -1)
        row = int(np.argmax(wrong.any(axis=1)))
        raise ArgumentError(
            f"{settings.source}: parameter {name}: expected the arm's {expected[row].tolist()} "
            f"for {MUSCLES[row]}, got {given[row].tolist()}"
        )
