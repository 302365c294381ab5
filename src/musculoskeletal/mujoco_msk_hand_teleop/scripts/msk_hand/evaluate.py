"""Training and measuring the inverse model by what counts: the simulated fingertip."""

import numpy as np

from msk_hand import data, nn
from mujoco_ros_common import parallel

RESTARTS = 3  # networks from different initial weights; the best on training targets is kept
_TRIALS = 200  # training fingertips that a restart has to reach again


def reach_errors(predict, targets, jobs=None, dask=None):
    """Distance of the fingertip from each target 1.2 s after its activation was given.

    Args:
        predict: targets (n, 3) m -> activations (n, 11).
        targets: (n, 3) m.

    Returns:
        (n,) m
    """
    tips = data.settled_tips(predict(targets), jobs, dask, "reaching")
    return np.linalg.norm(tips - targets, axis=1)


def figures(errors):
    """mean, 90th percentile and maximum of errors (n,) m, in mm."""
    millimetres = 1e3 * np.asarray(errors)
    return {
        "mean_mm": float(millimetres.mean()),
        "p90_mm": float(np.percentile(millimetres, 90)),
        "max_mm": float(millimetres.max()),
    }


def held_out_targets(seed, n, jobs=None, dask=None):
    """n points (n, 3) m that the hand can reach, from random activations not used in training.

    They come from the wider of the two distributions: independent activations of the six
    muscles, also where the network was trained on reciprocal ones.
    """
    held_out = parallel.seeds(seed, 4)[3]  # those before belong to the training
    return data.collect(held_out, n, "uniform", jobs, dask).tips


def evaluate(model, targets, jobs=None, dask=None):
    """The rows of `main.py eval`: the linear baseline and the network, on the same targets."""
    return {
        "ridge": figures(reach_errors(model.baseline, targets, jobs, dask)),
        "regression": figures(reach_errors(model.activations, targets, jobs, dask)),
    }


def train(dataset, seed, reachable_within, jobs=None, dask=None, **metadata):
    """Fit RESTARTS networks and keep the one that reaches training targets best.

    Args:
        dataset: data.Dataset. seed: of the initial weights and the order of the samples.
        reachable_within: m, see nn.InverseModel.
        metadata: noted with the weights.

    Returns:
        nn.InverseModel
    """
    trials = dataset.tips[:_TRIALS]
    best, best_error = None, np.inf
    for restart in parallel.seeds(seed, RESTARTS):
        network, losses = nn.fit(dataset, restart)
        error = reach_errors(network.predict, trials, jobs, dask).mean()
        if error < best_error:
            best, best_error = (network, losses), error
    network, losses = best
    model = nn.InverseModel(network, nn.fit_ridge(dataset), dataset.tips, reachable_within)
    network.metadata = {"seed": seed, "samples": len(dataset.tips), "losses": losses.tolist()}
    network.metadata.update(metadata)
    return model
