"""The network that drives: inputs, policy, data set, training. No MuJoCo, no rule at inference."""

import math
import zipfile
from pathlib import Path

import numpy as np

from car_nn.kinematics import clamp
from mujoco_ros_common import report
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.mlp import Mlp

STEERING = 0.05  # a label with more steering than this counts as a steering label


def features(distances, heading, range_max):
    """What the network sees: distances over the range limit, heading over pi.

    Args:
        distances: m, (sectors,). heading: rad. range_max: m.

    Returns:
        (sectors + 1,): 0 near .. 1 far, then the heading
    """
    inputs = np.empty(len(distances) + 1)
    np.divide(distances, range_max, out=inputs[:-1])
    inputs[-1] = heading / math.pi
    return inputs


def new_network(settings):
    """An untrained network of the configured size: tanh inside, linear outputs, He weights.

    Its input scaling is fixed: distances to [-1, 1], a heading of 36 degrees to 1. (Scaled by
    the data's own deviation, sectors in which little happens would answer to noise most.)
    """
    sizes = (settings.sectors + 1, settings.hidden, 2)
    network = Mlp(sizes, hidden="tanh", seed=settings.train_seed)
    network.input_shift[:-1], network.input_scale[:-1] = 0.5, 0.5
    network.input_scale[-1] = 0.2  # of pi
    return network


class NetworkPolicy:
    """Steer and throttle straight from the network, clamped to their ranges and nothing else.

    Args:
        network: Mlp with sectors + 1 inputs and 2 outputs. range_max: m, of the distances.
    """

    def __init__(self, network, range_max):
        self.network, self.range_max = network, range_max

    @classmethod
    def load(cls, path, settings):
        """Read shipped or own weights.

        Raises:
            WeightsError: missing, damaged, or of a network with other layers.
        """
        sizes = (settings.sectors + 1, settings.hidden, 2)
        return cls(Mlp.load(path, sizes), settings.range_max)

    def act(self, distances, heading):
        """distances m (sectors,), heading rad -> steer [-1, 1], throttle [0, 1]"""
        steer, throttle = self.network.predict(features(distances, heading, self.range_max))
        return clamp(float(steer), -1.0, 1.0), clamp(float(throttle), 0.0, 1.0)


def train(settings, inputs, labels, progress=True):
    """Fit a new network to the teacher's labels: mean squared error, plain SGD.

    Args:
        inputs: (n, sectors + 1) as from `features`. labels: (n, 2), steer and throttle.

    Returns:
        Mlp, and the loss of each epoch in the labels' own units (epochs,)
    """
    network = new_network(settings)
    losses = network.fit(
        inputs,
        labels,
        settings.epochs,
        batch_size=settings.batch_size,
        optimizer="sgd",
        learning_rate=settings.learning_rate,
        seed=settings.train_seed,
        progress=progress,
    )
    return network, losses


def save_data(path, inputs, labels, scenes):
    """Write a data set: inputs (n, n_in), labels (n, 2), number of the scene of each (n,)."""
    with report.atomic(path) as temporary, open(temporary, "wb") as stream:
        np.savez_compressed(stream, inputs=inputs, labels=labels, scenes=scenes)


def load_data(path, sectors):
    """Read a data set: inputs (n, sectors + 1), labels (n, 2), scenes (n,).

    Raises:
        UserError: missing, damaged, not finite or of other shapes.
    """
    if not Path(path).is_file():
        raise UserError(f"expected a data set at {path}, found none (collect it first)")
    try:
        with np.load(path, allow_pickle=False) as archive:
            data = [archive[name] for name in ("inputs", "labels", "scenes")]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        reason = " ".join(str(error).split())
        raise UserError(f"{path}: expected a data set, but: {reason}") from None
    inputs, labels, scenes = data
    good = inputs.ndim == 2 and len(inputs) and np.isfinite(inputs).all()
    good = good and np.isfinite(labels).all() and len(scenes) == len(inputs)
    if not good or inputs.shape[1] != sectors + 1 or labels.shape != (len(inputs), 2):
        raise UserError(f"{path}: expected finite inputs (n, {sectors + 1}) and labels (n, 2)")
    return inputs, labels, scenes


def label_figures(labels):
    """How the labels are spread: count, steering shares to both sides, mean throttle."""
    steer = labels[:, 0]
    return {
        "samples": len(labels),
        "steering_pct": 100.0 * float((np.abs(steer) > STEERING).mean()),
        "left_pct": 100.0 * float((steer > STEERING).mean()),
        "right_pct": 100.0 * float((steer < -STEERING).mean()),
        "throttle_mean": float(labels[:, 1].mean()),
    }
