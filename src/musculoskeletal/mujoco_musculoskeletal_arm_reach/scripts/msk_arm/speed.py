"""How long a control tick takes, beside bare physics."""

import mujoco

from msk_arm import controller, evaluate
from msk_arm.core import MskArmSim
from msk_arm.names import CONTROLLERS, N_SUB, TICK, WEIGHTS, parameters
from mujoco_ros_common import bench


def measure(seconds=3.0):
    """Rows of figures: tick_<controller> (state, controller, physics, forces), physics, inference.

    The arm reaches for two targets in turn all the while, so that moving and holding count.
    """
    settings, check = parameters(), evaluate.nominal_check()
    rows = {}
    for name in CONTROLLERS:
        if name == "nn" and not WEIGHTS.is_file():
            continue
        tick = _ticking(name, settings, check)
        sim = MskArmSim(settings=settings)
        us, physics = bench.compare(sim.model, sim.data, N_SUB, tick, seconds)
        rows[f"tick_{name}"] = {
            "us": us,
            "ratio_to_bare": physics / us,
            "times_real_time": 1e6 * TICK / us,
        }
    rows["physics"] = {"us": physics, "times_real_time": 1e6 * TICK / physics}
    model, data = sim.model, mujoco.MjData(sim.model)
    elastic = MskArmSim(tendon="elastic", settings=settings)
    us = bench.measure(lambda: mujoco.mj_step(elastic.model, elastic.data, N_SUB), seconds)
    rows["physics_elastic"] = {"us": us, "times_real_time": 1e6 * TICK / us}
    rows["bare_step"] = {"us": bench.measure(lambda: mujoco.mj_step(model, data), seconds)}
    rows["inference"] = {"us": _alone("nn", settings, check, seconds)} if WEIGHTS.is_file() else {}
    rows["inverse_alone"] = {"us": _alone("inverse", settings, check, seconds)}
    rows["target_check"] = {"us": bench.measure(lambda: check(0.38, -0.17), seconds)}
    return rows


def _ticking(name, settings, check):
    """A function that is one control tick as a node does it: state in, excitations, five steps,
    forces and the hand's place out; every 100 ticks the target changes."""
    sim, driver = MskArmSim(settings=settings), controller.make(name, settings)
    targets, count = (check(0.38, -0.17), check(0.30, -0.40)), [0]

    def tick():
        if count[0] % 100 == 0:
            driver.set_target(targets[count[0] // 100 % 2])
        count[0] += 1
        sim.step(driver.update(*sim.state()))
        sim.muscle_forces()
        sim.end_effector()

    return tick


def _alone(name, settings, check, seconds):
    sim, driver = MskArmSim(settings=settings), controller.make(name, settings)
    driver.set_target(check(0.38, -0.17))
    for _ in range(20):
        sim.step(driver.update(*sim.state()))
    state = sim.state()
    return bench.measure(lambda: driver.update(*state), seconds)
