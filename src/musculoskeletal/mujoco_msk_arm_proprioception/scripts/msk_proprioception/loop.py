"""Reaching on what the arm feels: one simulated reach, and the table of many."""

import math

import numpy as np

from msk_arm import controller, plant
from msk_arm.dynamics import ArmDynamics
from msk_arm.target import TargetCheck
from msk_proprioception.episodes import (
    Episode,
    drive,
    loop_parameters,
    random_plant,
    random_pose,
    random_target,
    settings_with,
)
from msk_proprioception.estimate import Delayed, TrueState
from msk_proprioception.filter import Filter
from mujoco_ros_common import parallel
from mujoco_ros_common.errors import ArgumentError

SECONDS = 3.0  # s, a reach
FINAL = 0.5  # s at its end, over which the error is averaged
HELD_FROM, HELD_WITHIN = 2.0, 0.02  # s, m: success is to be this near from then on


def make_estimator(feedback, settings, weights=None):
    """The Estimator behind a source of feedback.

    Raises:
        ArgumentError: unknown feedback. WeightsError: no network.
    """
    if feedback == "true_state":
        return TrueState(settings)
    if feedback == "delayed":
        return Delayed(settings)
    if feedback in ("predicted", "filter"):
        return Filter(settings)
    if feedback in ("network", "ridge"):
        from msk_proprioception.nn import LearnedEstimator  # noqa: PLC0415 (it imports episodes)

        return LearnedEstimator(settings, feedback, weights)
    raise ArgumentError(f"unknown feedback {feedback!r}")


def reach(job):
    """One reach of a random arm from a random pose to a random target.

    Args:
        job: dict with seed, feedback, delay_s, mismatch, and parameters of the arm's controller.

    Returns:
        dict: error_mm (mean over the last 0.5 s), held (within 2 cm from 2 s on), reached_s (when
        the hand first came within 2 cm; NaN if never), tip (n, 2) in m, target (2,).
    """
    rng = np.random.default_rng(job["seed"])
    settings = settings_with(job["seed"], job["delay_s"], job.get("noise_scale", 1.0))
    dynamics = ArmDynamics(plant.build())
    episode = Episode(settings, random_plant(rng, job["mismatch"]), random_pose(rng, dynamics))
    parameters = loop_parameters(job["feedback"])
    changes = {name: job[name] for name in parameters.values if name in job}
    control = controller.make("inverse", parameters.overlaid(changes, "job"))
    target = random_target(rng, dynamics, TargetCheck(dynamics))
    control.set_target(target)
    feedback = make_estimator(job["feedback"], settings)
    tips = []
    for _, q, _, _, _ in drive(episode, control, [feedback], SECONDS, feedback):
        tips.append(dynamics.forward(*q))
    tips = np.array(tips)
    errors = np.hypot(*(tips - [target.x, target.z]).T)
    step = episode.sim.control_step
    near = np.flatnonzero(errors <= HELD_WITHIN)
    return {
        "error_mm": 1e3 * float(errors[-round(FINAL / step) :].mean()),
        "held": bool((errors[round(HELD_FROM / step) :] <= HELD_WITHIN).all()),
        "reached_s": float(near[0] * step) if near.size else math.nan,
        "tip": tips,
        "target": (target.x, target.z),
    }


def run(feedback, delay_s, mismatch, n, seed, jobs=None, dask=None, **changes):
    """A row of the closed-loop table: n reaches with one source of feedback."""
    job = {"feedback": feedback, "delay_s": delay_s, "mismatch": mismatch, **changes}
    work = [{**job, "seed": number} for number in parallel.seeds(seed, n)]
    results = parallel.run(reach, work, jobs, dask, f"{feedback} {1e3 * delay_s:.0f} ms")
    errors = np.array([result["error_mm"] for result in results])
    times = np.array([result["reached_s"] for result in results])
    return {
        "final_mm_mean": float(errors.mean()),
        "final_mm_max": float(errors.max()),
        "t2cm_s_mean": float(np.nanmean(times)) if np.isfinite(times).any() else math.nan,
        "success": float(np.mean([result["held"] for result in results])),
        "n": n,
    }
