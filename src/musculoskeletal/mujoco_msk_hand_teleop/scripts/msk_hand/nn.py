"""The inverse model: where the index fingertip is to be -> the activations that bring it there.

A network 3-64-64-11 (ReLU, sigmoid output, which keeps activations in 0..1), fitted by Adam to
the mean squared error of the activations. Pure numpy: the node that uses it needs no MuJoCo.
"""

import math

import numpy as np

from msk_hand.names import MUSCLES
from mujoco_ros_common.mlp import Mlp, Ridge, WeightsError

LAYERS = (3, 64, 64, len(MUSCLES))
EPOCHS = 250
BATCH = 32
RATE = 0.01  # learning rate of the first epoch; it falls linearly to nothing
_MICRO = 1e6  # the training fingertips are stored in whole micrometres


def fit(dataset, seed, progress=True):
    """Fit one network to a data set.

    Returns:
        Mlp, and the mean loss of each epoch (250,)
    """
    network = Mlp(LAYERS, hidden="relu", output="sigmoid", seed=seed)
    network.normalize(dataset.tips)
    losses = network.fit(
        dataset.tips,
        dataset.activations,
        EPOCHS,
        batch_size=BATCH,
        learning_rate=lambda epoch: RATE * (1.0 - epoch / EPOCHS),
        seed=seed,
        progress=progress,
    )
    return network, losses


def fit_ridge(dataset):
    """The linear baseline as (slopes (3, 11), offset (11,))."""
    ridge = Ridge(dataset.tips, dataset.activations)
    slopes = ridge.slopes / ridge.scale[:, None]
    return slopes, ridge.offset - ridge.shift @ slopes


class InverseModel:
    """A trained network, the linear baseline, and the region in which both were trained.

    Args:
        network: Mlp of LAYERS. ridge: (slopes, offset). tips: training fingertips (n, 3) m.
        reachable_within: distance to the nearest training fingertip below which a target counts
            as reachable, m (see config/hand.yaml).
    """

    def __init__(self, network, ridge, tips, reachable_within):
        self.network, self.tips = network, np.asarray(tips, dtype=float)
        self.slopes, self.offset = (np.asarray(part, dtype=float) for part in ridge)
        self.reachable_within = reachable_within

    @classmethod
    def load(cls, path, reachable_within):
        """Read what `save` wrote.

        Raises:
            WeightsError: missing, damaged, or another network.
        """
        network = Mlp.load(path, LAYERS)
        data = network.metadata
        try:
            tips = np.array(data["tips_um"], dtype=float) / _MICRO
            model = cls(network, (data["slopes"], data["offset"]), tips, reachable_within)
        except (KeyError, TypeError, ValueError):
            raise WeightsError(f"{path}: expected the training data beside the weights") from None
        shapes = model.tips.shape[1:], model.slopes.shape, model.offset.shape
        if shapes != ((3,), (3, len(MUSCLES)), (len(MUSCLES),)) or not len(model.tips):
            raise WeightsError(f"{path}: expected the training data beside the weights")
        return model

    def save(self, path, **metadata):
        """Write weights, baseline and training fingertips, whole or not at all."""
        notes = dict(self.metadata, slopes=self.slopes.tolist(), offset=self.offset.tolist())
        notes["tips_um"] = np.round(_MICRO * self.tips).astype(int).tolist()
        self.network.save(path, **dict(notes, **metadata))

    @property
    def metadata(self):
        """What the training noted: seed, samples, sampler, losses."""
        return self.network.metadata

    def activations(self, target):
        """Activations for a target, (11,) 0..1; for targets (n, 3), (n, 11).

        Raises:
            ValueError: not finite coordinates x, y, z.
        """
        return self.network.predict(_points(target))

    def baseline(self, target):
        """The same from the linear baseline, clamped to 0..1."""
        return np.clip(_points(target) @ self.slopes + self.offset, 0.0, 1.0)

    def distance(self, target):
        """Distance of a target from the nearest training fingertip, m."""
        return float(np.sqrt(((self.tips - _points(target)) ** 2).sum(axis=1).min()))

    def reachable(self, target):
        """Whether the target lies where the fingertip has been in training."""
        return self.distance(target) <= self.reachable_within

    def residual(self, target):
        """Predicted distance from the target at rest, m; NaN: no forward model is trained."""
        _points(target)
        return math.nan


def _points(target):
    points = np.asarray(target, dtype=float)
    if points.ndim not in (1, 2) or points.shape[-1] != 3 or not np.isfinite(points).all():
        raise ValueError(f"expected a target of 3 finite numbers (m), got {points.tolist()}")
    return points
