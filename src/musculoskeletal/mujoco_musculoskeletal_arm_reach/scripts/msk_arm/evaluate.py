"""How well the arm reaches: many random reaches, measured the same way for every controller."""

import functools
import math

import numpy as np

from msk_arm import brute_force, controller, plant
from msk_arm import target as target_module
from msk_arm.core import MskArmSim
from msk_arm.dynamics import ArmDynamics
from msk_arm.names import TICK, parameters
from msk_arm.target import TargetCheck
from mujoco_ros_common import parallel

SECONDS = 3.0  # of a reach
LAST = 0.1  # s at the end of a reach over which its final error is the largest
NEAR = 0.02  # m, "there" for the time it takes
SUCCESS = 0.01  # m
APART = 0.05  # m, least distance of start and target
MISMATCH = {"strength": 0.2, "mass": 0.2, "moment_arms": 0.1}  # largest relative error of each

# row -> controller, what is different about the arm, whether its numbers are off too
ROWS = {
    "pd": ("pd", {}, False),
    "inverse": ("inverse", {}, False),
    "inverse_mismatch": ("inverse", {}, True),
    "weak": ("inverse", {"condition": "weak"}, False),
    "fatigued": ("inverse", {"condition": "fatigued"}, False),
    "loaded": ("inverse", {"load_kg": 2.0}, False),
    "elastic": ("inverse", {"tendon": "elastic"}, False),
    "nn": ("nn", {}, False),
    "nn_mismatch": ("nn", {}, True),
}


def random_pairs(seed, n):
    """Random reaches: a list of (start angles (2,), target (x, z), seed of the mismatch).

    Start and target are drawn evenly from the joint ranges, at least APART from each other.
    """
    check, rng = nominal_check(), np.random.default_rng(seed)
    low, high = np.array(check.dynamics.limits).T
    pairs = []
    while len(pairs) < n:
        start, goal = rng.uniform(low, high), rng.uniform(low, high)
        number = int(rng.integers(2**31))
        target = check(*check.dynamics.forward(*goal))
        away = math.dist(check.dynamics.forward(*start), (target.x, target.z))
        if target.accepted and away >= APART:
            pairs.append((start.tolist(), (target.x, target.z), number))
    return pairs


def random_mismatch(seed):
    """Arguments of MskArmSim for an arm that is not as its controller believes."""
    rng = np.random.default_rng(seed)
    return {
        "strength": 1.0 + MISMATCH["strength"] * rng.uniform(-1.0, 1.0, 6),
        "mass": 1.0 + MISMATCH["mass"] * rng.uniform(-1.0, 1.0, 2),
        "moment_arms": 1.0 + MISMATCH["moment_arms"] * rng.uniform(-1.0, 1.0, 6),
    }


def record(sim, driver, target, seconds=SECONDS, each_tick=None):
    """Reach for a target.

    Args:
        sim: MskArmSim, at its start. driver: a controller. target: Target.
        each_tick: function() called before every tick.

    Returns:
        dict of arrays over the ticks: time (n,), hand (n, 2), angles (n, 2), velocities (n, 2),
        activations (n, 6), excitations (n, 6), forces (n, 6).
    """
    driver.reset()
    driver.set_target(target)
    names = ("time", "hand", "angles", "velocities", "activations", "excitations", "forces")
    rows = {name: [] for name in names}
    for _ in range(round(seconds / TICK)):
        if each_tick is not None:
            each_tick()
        sim.step(driver.update(*sim.state()))
        values = (sim.time, sim.end_effector(), sim.joint_angles(), sim.joint_velocities())
        values += (sim.muscle_activations(), sim.muscle_excitations(), sim.muscle_forces())
        for name, value in zip(names, values):
            rows[name].append(value)
    return {name: np.array(values) for name, values in rows.items()}


def figures(hand, start, target):
    """Figures of one reach.

    Args:
        hand: places after each tick (n, 2). start, target: (2,). m.

    Returns:
        dict: final_mm (largest error of the last LAST s), t2cm_s (from then on within NEAR; the
        whole time where never), overshoot_mm (beyond the target, along the line to it),
        curvature_pct (largest distance from that line, over its length).
    """
    hand, start, target = (np.asarray(values) for values in (hand, start, target))
    error = np.linalg.norm(hand - target, axis=1)
    length = np.linalg.norm(target - start)
    along = (target - start) / length
    across = np.array([-along[1], along[0]])
    far = np.flatnonzero(error > NEAR)
    ticks = min(far[-1] + 2, len(error)) if len(far) else 1
    return {
        "final_mm": 1e3 * error[-round(LAST / TICK) :].max(),
        "t2cm_s": ticks * TICK,
        "overshoot_mm": 1e3 * max(0.0, ((hand - target) @ along).max()),
        "curvature_pct": 100.0 * np.abs((hand - start) @ across).max() / length,
    }


def reach(item):
    """One reach: the figures of a (controller, plant arguments, mismatch seed, start, target,
    seconds); in a process of its own or not."""
    name, arguments, mismatch, start, goal, seconds = item
    arguments = dict(arguments)
    if mismatch is not None:
        arguments.update(random_mismatch(mismatch))
    sim = MskArmSim(initial_pose=start, settings=_settings(), **arguments)
    driver, check = _driver(name), nominal_check()
    rows = record(sim, driver, check(*goal), seconds)
    found = figures(rows["hand"], check.dynamics.forward(*start), goal)
    plan = getattr(driver, "reach", None)
    found["straight"] = plan.straight if plan is not None else True
    return found


def summary(results):
    """A row of the table from the figures of many reaches."""
    final, time = (np.array([r[name] for r in results]) for name in ("final_mm", "t2cm_s"))
    bend = np.array([r["curvature_pct"] for r in results])
    straight = np.array([r["straight"] for r in results])
    return {
        "final_mm_mean": float(final.mean()),
        "final_mm_p95": float(np.percentile(final, 95)),
        "final_mm_max": float(final.max()),
        "success": float((final < 1e3 * SUCCESS).mean()),
        "t2cm_s_mean": float(time.mean()),
        "t2cm_s_p95": float(np.percentile(time, 95)),
        "overshoot_mm_p95": float(np.percentile([r["overshoot_mm"] for r in results], 95)),
        "curvature_pct": float(bend.mean()),
        "curvature_straight_pct": float(bend[straight].mean()) if straight.any() else math.nan,
    }


def run_row(row, pairs, jobs=None, dask=None):
    """Run one row of ROWS over random pairs; its summary."""
    name, arguments, mismatched = ROWS[row]
    items = [
        (name, arguments, number if mismatched else None, start, goal, SECONDS)
        for start, goal, number in pairs
    ]
    return summary(parallel.run(reach, items, jobs, dask, label=row))


def seed_target(name):
    """The default target from the start pose, exact model: its figures."""
    settings = _settings()
    start = settings.vector("initial_pose", 2).tolist()
    goal = tuple(settings.vector("default_target", 2).tolist())
    found = reach((name, {}, None, start, goal, SECONDS))
    return {
        "final_mm_max": found["final_mm"],
        "t2cm_s_mean": found["t2cm_s"],
        "overshoot_mm_p95": found["overshoot_mm"],
        "curvature_pct": found["curvature_pct"],
    }


@functools.lru_cache(maxsize=1)
def nominal_check():
    """The target check of the healthy, unloaded arm."""
    return TargetCheck(ArmDynamics(plant.build()))


@functools.lru_cache(maxsize=1)
def _settings():
    return parameters()


@functools.lru_cache(maxsize=3)
def _driver(name):
    return controller.make(name, _settings())


# arms whose refusals are compared: one that can hold everything, one that cannot
REFUSAL_ARMS = ({}, {"load_kg": 5.0, "strength": 0.5})
REFUSAL_HALF = 0.65  # m, half width of the square of targets
CHUNK = 250  # targets that a process judges at a time


def refusals(side, jobs=None, dask=None):
    """The target check against brute force, on side x side targets for each of REFUSAL_ARMS.

    Returns:
        dict: agreement (share of the compared targets with the same reason), compared, border
        (left out), accepted, too_weak (counts over both arms, by brute force).
    """
    count = side * side
    items = [
        (arm, side, begin, min(begin + CHUNK, count))
        for arm in range(len(REFUSAL_ARMS))
        for begin in range(0, count, CHUNK)
    ]
    verdicts = np.concatenate(parallel.run(judge, items, jobs, dask, label="refusals"))
    slow, fast = verdicts[:, 0], verdicts[:, 1]
    sure = slow != brute_force.BORDER
    return {
        "agreement": float((slow == fast)[sure].mean()),
        "compared": int(sure.sum()),
        "border": int((~sure).sum()),
        "accepted": int((slow == target_module.ACCEPTED).sum()),
        "too_weak": int((slow == target_module.TOO_WEAK).sum()),
    }


def judge(item):
    """Verdicts of brute force and of the check: int array (n, 2)."""
    arm, side, begin, end = item
    slow, fast = _judges(arm)
    targets = brute_force.target_grid(side, REFUSAL_HALF)[begin:end]
    return np.column_stack([slow.verdicts(targets), [fast(*place).reason for place in targets]])


@functools.lru_cache(maxsize=len(REFUSAL_ARMS))
def _judges(arm):
    model = plant.build(**REFUSAL_ARMS[arm])
    return brute_force.BruteForce(model), TargetCheck(ArmDynamics(model))
