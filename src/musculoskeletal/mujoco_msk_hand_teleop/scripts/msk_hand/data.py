"""Training data of the inverse model: activations, and where they bring the index fingertip."""

import functools
from collections import namedtuple
from pathlib import Path

import numpy as np

from msk_hand.core import MskHandSim
from msk_hand.names import MUSCLES, REACH_MUSCLES, REACH_S
from mujoco_ros_common import parallel, report
from mujoco_ros_common.errors import UserError

_CHUNK = 40  # samples that a worker simulates at a time
_REACH = [MUSCLES.index(name) for name in REACH_MUSCLES]
_PAIRS = [(_REACH[i], _REACH[i + 1]) for i in (0, 2, 4)]  # flexor and extensor, left and right
# range of each pair's drive; beyond it a joint only leans on its stop, and many drives look alike
_DRIVE_LOW, _DRIVE_HIGH = (-0.6, -1.0, -0.8), (1.0, 1.0, 0.8)

Dataset = namedtuple("Dataset", "activations tips")  # (n, 11) 0..1 and (n, 3) m


def uniform(rng, n):
    """n independent activations of the six muscles that move the index, (n, 11), uniform in 0..1.

    Many of them reach the same point: antagonists that both pull hold each other.
    """
    activations = np.zeros((n, len(MUSCLES)))
    activations[:, _REACH] = rng.random((n, len(_REACH)))
    return activations


def reciprocal(rng, n):
    """n activations in which an antagonist yields as much as its partner pulls, (n, 11).

    Each pair follows one uniform number u as ((1 + u) / 2)^2 and ((1 - u) / 2)^2 (reciprocal
    innervation, Sherrington 1906), over the range in which its joint is off the stops. Three
    numbers for three coordinates of the fingertip: the map to be inverted is then nearly one to
    one, and smooth.
    """
    drive = rng.uniform(_DRIVE_LOW, _DRIVE_HIGH, (n, len(_PAIRS)))
    activations = np.zeros((n, len(MUSCLES)))
    for column, (agonist, antagonist) in enumerate(_PAIRS):
        activations[:, agonist] = (0.5 + 0.5 * drive[:, column]) ** 2
        activations[:, antagonist] = (0.5 - 0.5 * drive[:, column]) ** 2
    return activations


SAMPLERS = {"reciprocal": reciprocal, "uniform": uniform}


@functools.lru_cache(maxsize=1)
def _simulation():
    return MskHandSim("free")


def _settle(chunk):
    sim = _simulation()
    substeps = round(REACH_S / sim.model.opt.timestep)
    tips = np.empty((len(chunk), 3))
    for row, activation in enumerate(chunk):
        sim.reset()
        sim.step(activation, substeps)
        tips[row] = sim.fingertips()[0]
    sim.check()
    return tips


def settled_tips(activations, jobs=None, dask=None, label="simulations"):
    """Index fingertip after 1.2 s from rest under each constant activation.

    Args:
        activations: (n, 11) 0..1.
        jobs, dask: see parallel.run; they do not change the result.

    Returns:
        (n, 3) m
    """
    activations = np.asarray(activations, dtype=float)
    chunks = [activations[i : i + _CHUNK] for i in range(0, len(activations), _CHUNK)]
    if not chunks:
        return np.empty((0, 3))
    return np.concatenate(parallel.run(_settle, chunks, jobs, dask, label))


def collect(seed, n, sampler="reciprocal", jobs=None, dask=None):
    """Simulate n samples; the same for the same seed, whatever the number of workers."""
    activations = SAMPLERS[sampler](np.random.default_rng(seed), n)
    return Dataset(activations, settled_tips(activations, jobs, dask, f"collecting ({sampler})"))


def save(path, dataset, **metadata):
    """Write a data set as npz, whole or not at all."""
    with report.atomic(path) as temporary, open(temporary, "wb") as stream:
        np.savez(stream, activations=dataset.activations, tips=dataset.tips, **metadata)


def load(path):
    """Read a data set that `save` wrote.

    Raises:
        UserError: missing, damaged, or not such a data set.
    """
    if not Path(path).is_file():
        raise UserError(f"expected a data set at {path}, found none (main.py collect makes one)")
    try:
        with np.load(path, allow_pickle=False) as archive:
            dataset = Dataset(archive["activations"], archive["tips"])
    except Exception as error:  # noqa: BLE001 (zipfile, numpy and zlib each have their own)
        reason = " ".join(str(error).split())
        raise UserError(f"{path}: expected a data set, but: {reason}") from None
    n = len(dataset.tips)
    fits = dataset.activations.shape == (n, len(MUSCLES)) and dataset.tips.shape == (n, 3)
    if not (n and fits and all(np.isfinite(array).all() for array in dataset)):
        raise UserError(f"{path}: expected finite activations (n, {len(MUSCLES)}) and tips (n, 3)")
    return dataset
