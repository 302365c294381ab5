"""Drives of all policies through all scenes, without noise and over a grid of sensor faults."""

import itertools

import numpy as np

from car_nn.core import CarEnv
from car_nn.episode import drive
from car_nn.expert import Expert
from car_nn.gap import GapFollower
from car_nn.nn import NetworkPolicy
from car_nn.settings import SCENES
from mujoco_ros_common import parallel
from mujoco_ros_common.errors import ArgumentError

POLICIES = ("clone", "expert", "gap")
NOISE = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)  # m
LOST = (0.0, 0.1, 0.2)  # share of the beams


def make_policy(name, settings, weights):
    """A policy by name; "nn" is another name of the shipped network, "clone".

    Args:
        weights: file of the network's weights; read only for the network.

    Raises:
        ArgumentError: unknown name. WeightsError: the weights are missing or damaged.
    """
    if name in ("clone", "nn"):
        return NetworkPolicy.load(weights, settings)
    if name == "expert":
        return Expert()
    if name == "gap":
        return GapFollower(settings.fan)
    raise ArgumentError(f"unknown policy {name!r}, expected one of {' '.join(POLICIES)}")


def scenes(settings, weights, policies=POLICIES, jobs=1, dask=None):
    """One drive per policy and scene, without noise.

    Returns:
        {"policy.scene": Drive}
    """
    quiet = settings.replaced(noise_sigma=0.0, lost_beams=0.0)
    pairs = list(itertools.product(policies, SCENES))
    items = [(quiet, make_policy(name, quiet, weights), scene, 0) for name, scene in pairs]
    drives = parallel.run(_drive, items, jobs, dask, label="drives")
    return {f"{name}.{scene}": result for (name, scene), result in zip(pairs, drives)}


def summary(drives):
    """Rows of the table: each drive, and for each policy the mean over its scenes."""
    rows = {name: result.figures() for name, result in drives.items()}
    for policy in dict.fromkeys(name.split(".")[0] for name in drives):
        own = [result for name, result in drives.items() if name.startswith(policy + ".")]
        rows[policy] = {
            "reached": all(result.reached for result in own),
            "contacts": sum(result.contact for result in own),
            "time_s": float(np.mean([result.time_s for result in own])),
            "clearance_m": min(result.clearance_m for result in own),
            "min_ray_m": min(result.min_ray_m for result in own),
            "max_steer": max(result.max_steer for result in own),
        }
    return rows


def robustness(settings, policy, seed, n, jobs=None, dask=None):
    """Drives over 6 noises x 3 shares of lost beams x 3 scenes x n noise seeds.

    Args:
        policy: as from `make_policy`. seed: gives the n noise seeds.

    Returns:
        {(sigma, lost): list of 3 n Drives}
    """
    cells = list(itertools.product(NOISE, LOST))
    items = [
        (settings.replaced(noise_sigma=sigma, lost_beams=lost), policy, scene, child)
        for sigma, lost in cells
        for scene in SCENES
        for child in parallel.seeds(seed, n)
    ]
    drives = parallel.run(_drive, items, jobs, dask, label="drives")
    size = len(items) // len(cells)
    return {cell: drives[i * size : (i + 1) * size] for i, cell in enumerate(cells)}


def robustness_rows(cells):
    """Rows of the table: one per cell, and the sum of all."""
    rows = {}
    for (sigma, lost), drives in cells.items():
        rows[f"sigma {sigma:.2f} lost {100 * lost:.0f} %"] = _cell(drives)
    rows["robustness"] = _cell([result for drives in cells.values() for result in drives])
    return rows


def _cell(drives):
    clearances = [result.clearance_m for result in drives]
    return {
        "runs": len(drives),
        "passed": sum(result.passed for result in drives),
        "reached": sum(result.reached for result in drives),
        "contacts": sum(result.contact for result in drives),
        "time_s": float(np.mean([result.time_s for result in drives])),
        "clearance_m": min(clearances),
        "clearance_mean_m": float(np.mean(clearances)),
        "min_ray_m": min(result.min_ray_m for result in drives),
    }


def _drive(item):
    settings, policy, scene, seed = item
    return drive(CarEnv(scene, settings), policy, seed)
