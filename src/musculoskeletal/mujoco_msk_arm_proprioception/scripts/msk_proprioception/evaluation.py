"""How good the senses and the estimators are: the tables of `eval`."""

import math

import numpy as np

from msk_arm import controller, names, plant
from msk_arm.dynamics import ArmDynamics
from msk_arm.target import TargetCheck
from msk_proprioception import loop
from msk_proprioception.episodes import (
    Episode,
    drive,
    loop_parameters,
    random_plant,
    random_pose,
    random_target,
    settings_with,
)
from msk_proprioception.nn import rmse
from msk_proprioception.sensors import Sensors
from msk_proprioception.stiffness import LumpedStiffness, SimulatedStiffness, smallest
from mujoco_ros_common import parallel

GRID_NOISE = (0.0, 0.5, 1.0, 2.0)  # factors on the default noise
GRID_DELAY_MS = (0, 10, 20, 30, 40, 60, 80, 100)
CHANNELS = ("length", "velocity", "force", "extension")
UNITS = {"length": 1e3, "velocity": 1e3, "force": 1.0, "extension": 1e3}  # mm, mm/s, N, mm
LABELS = ("length_mm", "velocity_mm_s", "force_n", "extension_mm")
ESTIMATORS = ("delayed", "ridge", "network", "filter")
RAW_DELAYS_MS = (10, 20, 30, 40, 50, 60, 70, 80, 100)
RAW_FAILS_BELOW = 0.5  # success


STIFFNESS_POSES = ((0.0, 0.5), (0.5, 1.2), (-0.8, 1.8), (1.0, 2.1))  # rad
STIFFNESS_LEVEL = 0.2  # -, co-contraction at which stiffness is compared


class Recording:
    """The example movement: the nominal arm goes to its default target and back, again and again,
    in calm reaches of CALM s.

    Attributes: time_ns (n ints), angles (n, 2), forces (n, 6), activations (n, 6).
    """

    CALM = 1.2  # s

    def __init__(self, seconds=6.0, period=1.5):
        settings = settings_with(0, 0.0, 0.0)
        arm = names.parameters()
        episode = Episode(settings)
        calm = loop_parameters("true_state").overlaid({"shortest_reach": self.CALM}, "example")
        control = controller.make("inverse", calm)
        check = TargetCheck(ArmDynamics(plant.build()))
        targets = [check(*arm.vector("default_target", 2)), check(*episode.sim.end_effector())]
        every = round(period / episode.sim.control_step)
        self.time_ns, self.angles, self.forces, self.activations = [], [], [], []
        control.set_target(targets[0])
        for k, q, _, _, _ in drive(episode, control, [], seconds):
            self.time_ns.append(episode.now_ns)
            self.angles.append(q)
            self.forces.append(episode.sim.muscle_forces())
            self.activations.append(episode.sim.muscle_activations())
            if (k + 1) % every == 0:
                control.set_target(targets[(k + 1) // every % 2])
        self.angles, self.forces = np.array(self.angles), np.array(self.forces)
        self.activations = np.array(self.activations)

    def sensed(self, settings):
        """What arrives in each tick: list of Sample or None."""
        sensors = Sensors(settings)
        return [
            sensors.sense(*tick) for tick in zip(self.time_ns, self.angles.tolist(), self.forces)
        ]

    def true(self):
        """Clean signals, without low-pass, noise and delay: (n, 4, 6)."""
        settings = settings_with(0, 0.0, 0.0)
        settings.velocity_filter_tau_s = 0.0
        return signals(self.sensed(settings))


def signals(samples):
    """Arrays (n, 4, 6) of Samples; NaN where there is none."""
    nothing = np.full((len(CHANNELS), 6), math.nan)
    return np.array([nothing if s is None else np.array(s[1:5]) for s in samples])


def sense_errors(recording, settings):
    """RMSE of each channel against the truth of the same moment: dict."""
    off = signals(recording.sensed(settings)) - recording.true()
    off = off[len(off) // 4 :]  # the first quarter starts from rest
    return {
        label: UNITS[channel] * float(np.sqrt(np.nanmean(off[:, k] ** 2)))
        for k, (channel, label) in enumerate(zip(CHANNELS, LABELS))
    }


def noise_delay_grid(seed):
    """Rows {noise, delay: RMSE of the four channels} of the example movement."""
    recording, rows = Recording(), {}
    for scale in GRID_NOISE:
        for delay in GRID_DELAY_MS:
            settings = settings_with(seed, delay / 1e3, scale)
            rows[f"noise_{scale:g}_delay_{delay}ms"] = sense_errors(recording, settings)
    return rows


def stiffness_table(settings):
    """Rows of joint stiffness: lumped K beside that of the simulated arm, all muscles equally
    active, as smallest eigenvalues (N m/rad), and their ratio.

    K does not depend on the pose. In the simulated arm a muscle's stiffness is the slope of its
    force-length curve, which falls to 0 at the optimal length. Antagonists lengthen and shorten by
    the same, so while both are on the rising branch the slopes of a pair add up to the same in
    every pose; past the optimum, they do not.
    """
    lumped = LumpedStiffness(
        settings.moment_arms, settings.max_forces, settings.stiffness_per_activation_nm_rad
    )
    arm, levels, rows = SimulatedStiffness(), np.full(6, STIFFNESS_LEVEL), {}
    k = smallest(lumped.matrix(levels))
    for pose in STIFFNESS_POSES:
        q = np.array(pose)
        analytic, measured = arm.analytic(q, levels), arm.measured(q, levels)
        slope = arm.slopes(arm.arms @ q, levels)
        series = slope * settings.tendon_stiffness / (slope + settings.tendon_stiffness)
        elastic = arm.arms.T @ (series[:, None] * arm.arms)
        off = np.linalg.norm(measured - analytic) / np.linalg.norm(analytic)
        rows[f"stiffness_q_{pose[0]:g}_{pose[1]:g}"] = {
            "lumped": k,
            "analytic": smallest(analytic),
            "measured": smallest(measured),
            "with_elastic_tendon": smallest(elastic),
            "ratio_to_lumped": smallest(analytic) / k,
            "disagreement_pct": 100.0 * float(off),
        }
    return rows


def listen(job):
    """One reach on the true state while all estimators listen.

    Args:
        job: dict with seed, delay_s, mismatch, seconds.

    Returns:
        dict of estimator: (estimates (n, 4), std (n, 4)), and "truth": (n, 4), over the ticks at
        which every estimator has an answer.
    """
    rng = np.random.default_rng(job["seed"])
    settings = settings_with(job["seed"], job["delay_s"], job.get("noise_scale", 1.0))
    dynamics = ArmDynamics(plant.build())
    episode = Episode(settings, random_plant(rng, job["mismatch"]), random_pose(rng, dynamics))
    control = controller.make("inverse", loop_parameters("true_state"))
    control.set_target(random_target(rng, dynamics, TargetCheck(dynamics)))
    listeners = [loop.make_estimator(name, settings) for name in ESTIMATORS]
    truth, told = [], []
    for _, q, v, estimates, _ in drive(episode, control, listeners, job["seconds"]):
        if all(estimate is not None for estimate in estimates):
            truth.append(np.concatenate([q, v]))
            told.append([np.concatenate([*e[:2], e.std]) for e in estimates])
    told = np.array(told)
    result = {name: (told[:, k, :4], told[:, k, 4:]) for k, name in enumerate(ESTIMATORS)}
    return {**result, "truth": np.array(truth)}


def estimator_table(n, seed, delay_s=0.03, mismatch=0.1, jobs=None, dask=None, noise_scale=1.0):
    """Rows of RMSE on n reaches of 2 s of arms that no estimator was trained on."""
    job = {"delay_s": delay_s, "mismatch": mismatch, "seconds": 2.0, "noise_scale": noise_scale}
    work = [{**job, "seed": number} for number in parallel.seeds(seed, n)]
    results = parallel.run(listen, work, jobs, dask, "estimators")
    truth = np.concatenate([result["truth"] for result in results])
    rows = {}
    for name in ESTIMATORS:
        told, std = (np.concatenate([r[name][k] for r in results]) for k in (0, 1))
        rows[name] = rmse(told, truth)
        within = np.abs(told - truth) <= 2.0 * std
        rows[name]["within_2_std"] = float(within.mean())
    return rows


def loop_table(n, seed, jobs=None, dask=None):
    """Rows of the closed loop: on the estimate, on the network, and raw at growing delays."""
    rows = {
        "loop_true": loop.run("true_state", 0.03, 0.1, n, seed, jobs, dask),
        "loop_30ms": loop.run("predicted", 0.03, 0.1, n, seed, jobs, dask),
        "loop_100ms": loop.run("predicted", 0.1, 0.2, n, seed, jobs, dask),
        "loop_network_30ms": loop.run("network", 0.03, 0.1, n, seed, jobs, dask),
    }
    for delay in RAW_DELAYS_MS:
        row = loop.run("delayed", delay / 1e3, 0.1, max(1, n // 4), seed, jobs, dask)
        rows[f"loop_raw_{delay}ms"] = row
        if row["success"] == 0.0:
            break
    return rows


def raw_failure_ms(rows):
    """The shortest of the delays at which raw feedback holds fewer than half of its reaches."""
    failed = [
        delay
        for delay in RAW_DELAYS_MS
        if rows.get(f"loop_raw_{delay}ms", {"success": 0.0})["success"] < RAW_FAILS_BELOW
    ]
    return float(failed[0]) if failed else math.nan
