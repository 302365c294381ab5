"""The parameters of the car as one checked object, and the folders of the package."""

import dataclasses
import math

from mujoco_ros_common import config
from mujoco_ros_common.paths import home

HOME = home(__file__, "mujoco_car_nn_avoidance")
MODELS = HOME / "models"
ASSETS = HOME / "assets"
WEIGHTS = ASSETS / "nn_weights.npz"
CONFIG = HOME / "config" / "car_nn.yaml"
SCENES = ("basic", "slalom", "dual")


@dataclasses.dataclass(frozen=True)
class Settings:
    """What config/car_nn.yaml says, in SI units (angles in rad)."""

    scene: str
    target_x: float
    timeout_s: float
    settle_s: float
    beams: int
    fan: float
    range_min: float
    range_max: float
    noise_sigma: float
    lost_beams: float
    substeps: int
    max_speed: float
    max_yaw_rate: float
    acceleration: float
    yaw_acceleration: float
    sectors: int
    hidden: int
    epochs: int
    batch_size: int
    learning_rate: float
    train_seed: int
    collect_s: float
    exploration: float
    exploration_hold_s: float
    restart_s: float
    start_box: tuple

    @classmethod
    def of(cls, p):
        """Check mujoco_ros_common.config.Parameters and take what is needed from them.

        Raises:
            ArgumentError: a parameter is missing, of the wrong type, or out of range.
        """
        range_max = p.number("range_max", 0.1)
        sectors = p.integer("sectors", 3)
        return cls(
            scene=p.choice("scene", SCENES),
            target_x=p.number("target_x", 0.0),
            timeout_s=p.number("timeout_s", 0.0),
            settle_s=p.number("settle_s", 0.0),
            beams=p.integer("beams", sectors),
            fan=math.radians(p.number("fan_deg", 1.0, 180.0)),
            range_min=p.number("range_min", 0.0, range_max),
            range_max=range_max,
            noise_sigma=p.number("noise_sigma", 0.0),
            lost_beams=p.number("lost_beams", 0.0, 1.0),
            substeps=p.integer("substeps", 1),
            max_speed=p.number("max_speed", 0.0),
            max_yaw_rate=p.number("max_yaw_rate", 0.0),
            acceleration=p.number("acceleration", 0.01),
            yaw_acceleration=p.number("yaw_acceleration", 0.01),
            sectors=sectors,
            hidden=p.integer("hidden", 1),
            epochs=p.integer("epochs", 1),
            batch_size=p.integer("batch_size", 1),
            learning_rate=p.number("learning_rate", 0.0),
            train_seed=p.integer("train_seed", 0),
            collect_s=p.number("collect_s", 0.0),
            exploration=p.number("exploration", 0.0),
            exploration_hold_s=p.number("exploration_hold_s", 0.0),
            restart_s=p.number("restart_s", 0.0),
            start_box=tuple(p.vector("start_box", 3, 0.0, 10.0).tolist()),
        )

    def replaced(self, **changes):
        """A copy with some values changed."""
        return dataclasses.replace(self, **changes)


def load(**changes):
    """The settings of config/car_nn.yaml, with changes by parameter name (as in the file)."""
    parameters = config.read(CONFIG)
    return Settings.of(parameters.overlaid(changes, parameters.source))
