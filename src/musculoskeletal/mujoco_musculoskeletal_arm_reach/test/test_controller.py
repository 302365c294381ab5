"""The controllers in closed loop at 100 Hz."""

import math

import mujoco
import numpy as np
import pytest

from msk_arm import controller, plant
from msk_arm.core import MskArmSim
from msk_arm.dynamics import ArmDynamics
from msk_arm.evaluate import figures, random_mismatch, record
from msk_arm.names import parameters
from msk_arm.target import TargetCheck
from mujoco_ros_common.errors import ArgumentError

SEED_TARGET = (0.38, -0.17)


@pytest.fixture(scope="module")
def check():
    return TargetCheck(ArmDynamics(plant.build()))


def run(check, name, goal=SEED_TARGET, seconds=1.5, start=(0.0, 0.0), settings=None, **plant_args):
    sim = MskArmSim(initial_pose=start, **plant_args)
    rows = record(sim, controller.make(name, settings), check(*goal), seconds)
    return figures(rows["hand"], check.dynamics.forward(*start), goal), rows


def test_default_controller_at_the_default_target(check):
    found, _ = run(check, "inverse", seconds=3.0)
    assert found["final_mm"] < 0.01
    assert found["t2cm_s"] <= 0.26
    assert found["overshoot_mm"] < 1.0 and found["curvature_pct"] < 2.0


def test_pd_is_the_baseline(check):
    found, _ = run(check, "pd", seconds=3.0)
    assert 1.0 < found["final_mm"] <= 8.0  # gravity is not compensated
    assert found["t2cm_s"] <= 0.35


@pytest.mark.parametrize("number", range(4))
def test_a_wrong_model_is_corrected(check, number):
    """Also case: a steady offset from gravity."""
    found, _ = run(check, "inverse", seconds=2.0, **random_mismatch(number))
    assert found["final_mm"] < 0.1 and found["t2cm_s"] < 0.4 and found["overshoot_mm"] < 15.0


@pytest.mark.parametrize(
    "arguments",
    [{"condition": "weak"}, {"condition": "fatigued"}, {"tendon": "elastic"}, {"load_kg": 2.0}],
)
def test_other_arms_are_reached_too(check, arguments):
    found, _ = run(check, "inverse", seconds=3.0, **arguments)
    assert found["final_mm"] < 1.0


@pytest.mark.parametrize("name", ["pd", "inverse"])
def test_excitations_are_six_within_0_and_1(check, name):
    driver, rng = controller.make(name), np.random.default_rng(0)
    for _ in range(300):
        q, v = rng.uniform([-1.25, -0.1], [1.45, 2.3]), rng.normal(0, 8, 2)
        driver.set_target(check(*check.dynamics.forward(*rng.uniform([-1.2, 0], [1.4, 2.2]))))
        out = driver.update(q.tolist(), v.tolist(), rng.uniform(0, 1, 6).tolist())
        assert len(out) == 6 and all(0.0 <= u <= 1.0 for u in out)
        assert all(math.isfinite(u) for u in out)


@pytest.mark.parametrize("name", ["pd", "inverse"])
@pytest.mark.parametrize(
    "change, agonist, antagonist",
    [((0.5, 0), 0, 1), ((-0.5, 0), 1, 0), ((0, 0.5), 2, 3), ((0, -0.5), 3, 2)],
)
def test_agonists_are_chosen(check, name, change, agonist, antagonist):
    start = (0.1, 1.1)
    goal = check.dynamics.forward(start[0] + change[0], start[1] + change[1])
    _, rows = run(check, name, goal, 0.01, start)
    excitations = rows["excitations"].mean(axis=0)
    assert excitations[agonist] > 2.0 * excitations[antagonist] + 0.02


def test_both_joints_call_the_biarticular_muscles(check):
    """With one sign of torque at both joints, the pair of that sign works; not the other."""
    for sign, busy, idle in ((1, 4, 5), (-1, 5, 4)):
        start = (0.0, 1.1)
        goal = check.dynamics.forward(0.5 * sign, 1.1 + 0.5 * sign)
        for name in ("pd", "inverse"):
            _, rows = run(check, name, goal, 0.01, start)
            excitations = rows["excitations"].mean(axis=0)
            assert excitations[busy] > excitations[idle] + 0.05


def test_refused_target_leaves_the_last(check):
    for name in ("pd", "inverse"):
        driver = controller.make(name)
        driver.set_target(check(*SEED_TARGET))
        driver.set_target(check(3.0, 0.0))
        driver.set_target(check(math.nan, 0.0))
        assert (driver.target.x, driver.target.z) == SEED_TARGET


def test_without_a_target_it_holds_still(check):
    sim, driver = MskArmSim(initial_pose=(0.2, 0.9)), controller.make("inverse")
    start = sim.end_effector()
    for _ in range(150):
        sim.step(driver.update(*sim.state()))
    assert np.linalg.norm(sim.end_effector() - start) < 1e-4


def test_co_contraction_is_a_lower_bound(check):
    for name, share in (("pd", 0.2), ("inverse", 0.2)):
        sim, driver = MskArmSim(), controller.make(name)
        driver.co_contraction = share
        rows = record(sim, driver, check(*SEED_TARGET), 1.5)
        assert rows["activations"][-50:].min() > share - 1e-3
    assert figures(rows["hand"], (0.58, 0.0), SEED_TARGET)["final_mm"] < 0.01


def test_a_new_target_on_the_way(check):
    sim, driver = MskArmSim(), controller.make("inverse")
    driver.set_target(check(*SEED_TARGET))
    jumps = []
    for tick in range(250):
        if tick == 12:
            driver.set_target(check(0.45, 0.15))
        before = sim.joint_velocities()
        sim.step(driver.update(*sim.state()))
        jumps.append(np.abs(sim.joint_velocities() - before).max())
    assert np.linalg.norm(sim.end_effector() - [0.45, 0.15]) < 1e-5
    assert max(jumps[12:]) < 3.0  # rad/s in a tick


def test_step_reference_gets_there_too(check):
    settings = parameters().overlaid({"reference": "step", "natural_frequency": 16.0}, "test")
    found, _ = run(check, "inverse", settings=settings, seconds=2.0)
    assert found["final_mm"] < 0.01


def test_reset_forgets_the_disturbance(check):
    sim, driver = MskArmSim(load_kg=2.0), controller.make("inverse")
    driver.set_target(check(*SEED_TARGET))
    for _ in range(100):
        sim.step(driver.update(*sim.state()))
    assert np.abs(driver.disturbance).max() > 1.0 and driver.load.kg > 0.1
    driver.reset()
    assert driver.disturbance == [0.0, 0.0] and driver.target is not None
    assert driver.load.kg == 0.0 and driver.model.body("load").mass[0] == 0.0


def test_a_load_is_recognised_while_it_is_moved(check):
    believed = {}
    for load in (0.0, 0.5, 1.5):
        sim, driver = MskArmSim(load_kg=load), controller.make("inverse")
        driver.set_target(check(*SEED_TARGET))
        most = 0.0
        for _ in range(40):
            sim.step(driver.update(*sim.state()))
            most = max(most, driver.load.kg)
        believed[load] = most
        for _ in range(200):
            sim.step(driver.update(*sim.state()))
        assert driver.load.kg <= parameters().number("load_resting") + 0.01
        assert np.linalg.norm(sim.end_effector() - SEED_TARGET) < 1e-5
    assert believed[0.0] < 0.05
    assert believed[0.5] == pytest.approx(0.5, abs=0.2)
    assert believed[1.5] == pytest.approx(1.5, abs=0.5)


def test_inner_model_with_a_load_is_mujocos(check):
    """Scalar model and MuJoCo model of a controller agree on the load that is believed in."""
    driver, rng = controller.make("inverse"), np.random.default_rng(1)
    data, true = mujoco.MjData(driver.model), ArmDynamics(plant.build(load_kg=0.8))
    driver.load._believe(0.8)
    for _ in range(100):
        q, v = rng.uniform([-1.2, 0], [1.4, 2.2]).tolist(), rng.normal(0, 3, 2).tolist()
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(driver.model, data)
        np.testing.assert_allclose(driver.dynamics.bias(*q, *v), data.qfrc_bias, atol=1e-9)
        np.testing.assert_allclose(true.bias(*q, *v), data.qfrc_bias, atol=1e-3)
        passive = driver.dynamics.muscle_state(*q, *v)[2:]
        free = driver.dynamics.acceleration(q, v, *passive)
        np.testing.assert_allclose(free, data.qacc_smooth, rtol=1e-6)
        np.testing.assert_allclose(true.mass(q[1]), driver.dynamics.mass(q[1]), rtol=0.01)


def test_the_same_state_gives_the_same_command(check):
    outs = []
    for _ in range(2):
        driver = controller.make("inverse")
        driver.set_target(check(*SEED_TARGET))
        outs.append([driver.update([0.1, 0.5], [0.3, -0.2], [0.1] * 6) for _ in range(3)])
    assert outs[0] == outs[1]


def test_wrong_names_and_parameters_are_refused():
    with pytest.raises(ArgumentError, match="unknown controller 'lqr'"):
        controller.make("lqr")
    for name, value in (("natural_frequency", -1.0), ("reference", "bang"), ("patience", "x")):
        with pytest.raises(ArgumentError, match=name):
            controller.make("inverse", parameters().overlaid({name: value}, "test"))
