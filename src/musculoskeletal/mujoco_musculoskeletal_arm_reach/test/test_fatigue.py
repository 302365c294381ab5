"""The three compartments against what can be worked out by hand."""

import math

import numpy as np
import pytest

from msk_arm.core import MskArmSim
from msk_arm.fatigue import Fatigue
from msk_arm.names import parameters
from mujoco_ros_common.muscle import Muscles

F, R = 0.00912, 0.00094


def test_shares_always_sum_to_one():
    rng, fatigue = np.random.default_rng(0), Fatigue(6, F, R, 15.0, 0.3)
    for load in rng.uniform(0, 1, (5000, 6)).tolist():
        fatigue.step(load, 0.5)
        shares = np.array(fatigue.shares()).reshape(6, 3)
        assert np.abs(shares.sum(axis=1) - 1.0).max() < 1e-12
        assert shares.min() >= 0.0


def test_the_active_share_settles_at_its_limit():
    fatigue = Fatigue(1, F, R)
    for _ in range(200000):
        fatigue.step([1.0], 0.1)
    assert fatigue.active[0] == pytest.approx(R / (F + R), rel=1e-6)
    assert pytest.approx(0.09344, abs=1e-5) == R / (F + R)


def test_endurance_at_half_load_is_the_closed_form():
    fatigue, time, dt = Fatigue(1, F, R), 0.0, 0.01
    while fatigue.step([0.5], dt)[0] == 1.0:
        time += dt
    assert time == pytest.approx(-math.log(1.0 - R / F) / R, abs=0.1)
    assert time == pytest.approx(116.0, abs=0.5)


def test_rest_recovers_faster_than_light_work():
    resting, working = Fatigue(1, F, R, 15.0, 0.5), Fatigue(1, F, R, 15.0, 0.5)
    for _ in range(1000):
        resting.step([0.0], 0.01)
        working.step([0.05], 0.01)
    assert resting.fatigued[0] == pytest.approx(0.5 * math.exp(-15.0 * R * 10.0), rel=1e-4)
    assert working.fatigued[0] > resting.fatigued[0] + 0.05


def test_a_tired_muscle_gives_what_is_left():
    tired, fresh = MskArmSim("fatigued"), MskArmSim()
    for _ in range(30):
        tired.step([1.0] * 6)
    able = Muscles(fresh.model).force(
        tired.muscle_activations(),
        tired.muscle_lengths(),
        tired.moment_arms() @ tired.joint_velocities(),
    )
    left = 1.0 - parameters().number("fatigued_share")
    assert able.min() > 100.0
    np.testing.assert_allclose(tired.muscle_forces() / able, left, atol=0.01)
    assert max(tired.strength_ceiling()) <= left + 0.01
    # below what is left, a tired muscle gives all that is wanted
    tired.reset()
    fresh.reset()
    for _ in range(30):
        tired.step([0.3] * 6)
        fresh.step([0.3] * 6)
    np.testing.assert_allclose(tired.muscle_forces(), fresh.muscle_forces(), rtol=1e-9)


def test_shares_are_reported_per_muscle():
    sim = MskArmSim("fatigued")
    shares = sim.fatigue_shares()
    assert shares.shape == (18,)
    np.testing.assert_allclose(shares.reshape(6, 3), [[0.0, 0.5, 0.5]] * 6)
    assert MskArmSim().fatigue_shares() is None
