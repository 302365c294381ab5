"""What several tests need: settings that are the package's own but for what a test says."""

from msk_proprioception.names import PARAMETERS
from msk_proprioception.settings import SensorSettings
from mujoco_ros_common import config

TICK = 10_000_000  # ns


def parameters(**changes):
    return config.read(PARAMETERS).overlaid(changes, "test")


def settings(**changes):
    return SensorSettings(parameters(**changes))


def quiet(**changes):
    """Settings without noise and delay, unless told."""
    return settings(**{"noise_scale": 0.0, "delay_s": 0.0, **changes})
