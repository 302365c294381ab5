"""Efference copy and Kalman filter: exact where nothing is unknown, and honest where it is not."""

import numpy as np
import pytest
from helpers import TICK, quiet, settings

from msk_arm import controller, plant
from msk_arm.core import MskArmSim
from msk_arm.dynamics import ArmDynamics
from msk_arm.target import TargetCheck
from msk_proprioception.efference import Efference
from msk_proprioception.episodes import Episode, drive, loop_parameters
from msk_proprioception.estimate import Delayed, Inversion
from msk_proprioception.filter import Filter

MUSCLES = ArmDynamics(plant.build()).muscles


def episode(sensing, factors=None, target=(0.3, -0.2)):
    run = Episode(sensing, factors, pose=[0.2, 1.0])
    control = controller.make("inverse", loop_parameters("true_state"))
    control.set_target(TargetCheck(control.dynamics)(*target))
    return run, control


def listen(sensing, estimator, factors=None, seconds=1.0):
    """True states and estimates (n, 4), and standard deviations (n, 4)."""
    run, control = episode(sensing, factors)
    truth, told, std = [], [], []
    for _, q, v, (estimate,), _ in drive(run, control, [estimator], seconds):
        if estimate is not None:
            truth.append(np.concatenate([q, v]))
            told.append(np.concatenate(estimate[:2]))
            std.append(estimate.std)
    return np.array(truth), np.array(told), np.array(std)


def test_the_efference_copy_follows_the_plants_activations_to_the_last_bit():
    sim, copy = MskArmSim(), Efference(MUSCLES, 0.002, 5)
    rng = np.random.default_rng(0)
    for k in range(100):
        excitations = rng.random(6)
        np.testing.assert_allclose(copy.at(k * TICK)[1], sim.muscle_activations(), atol=1e-13)
        copy.push(k * TICK, excitations)
        sim.step(excitations)
    np.testing.assert_allclose(copy.activations, sim.muscle_activations(), atol=1e-13)
    assert copy.at(99 * TICK)[0] == excitations.tolist()
    np.testing.assert_array_equal(copy.recent(100 * TICK, 2)[0], excitations)


def test_missing_commands_count_as_held_and_repeated_ones_once():
    copy, whole = Efference(MUSCLES, 0.002, 5), Efference(MUSCLES, 0.002, 5)
    for k in range(5):
        whole.push(k * TICK, [0.4] * 6)
    copy.push(0, [0.4] * 6)
    copy.push(4 * TICK, [0.4] * 6)
    copy.push(4 * TICK, [0.9] * 6)
    assert copy.activations == whole.activations
    copy.push(0, [0.1] * 6)  # time went back
    assert copy.at(4 * TICK)[0] == [0.1] * 6
    assert copy.at(-TICK)[0] == [0.0] * 6


def test_inversion_undoes_the_tendons_exactly():
    s = quiet()
    inversion, pose = Inversion(s), np.array([0.4, 1.3])
    force = np.linspace(0.0, 800.0, 6)
    length = s.resting_lengths + s.moment_arms @ pose - force / s.tendon_stiffness
    np.testing.assert_allclose(inversion.angles(length, force), pose, atol=1e-13)


def test_inversion_covariance_is_that_of_many_noisy_samples():
    s, rng = quiet(), np.random.default_rng(1)
    inversion = Inversion(s)
    noise = 0.001 * rng.standard_normal((40000, 6))
    angles = np.array([inversion.angles(s.resting_lengths + row, np.zeros(6)) for row in noise])
    np.testing.assert_allclose(np.cov(angles.T), 1e-6 * inversion.spread, rtol=0.05, atol=1e-5)


@pytest.mark.parametrize("delay_s", [0.0, 0.03, 0.1])
def test_the_exact_arm_without_noise_is_known_exactly_at_any_delay(delay_s):
    sensing = quiet(delay_s=delay_s)
    truth, told, _ = listen(sensing, Filter(sensing))
    assert len(truth) == 100 - round(100 * delay_s)
    assert np.abs(truth[:, 2:]).max() > 1.0  # it moves
    np.testing.assert_allclose(told, truth, atol=1e-8)


def test_plain_inversion_is_late_where_the_filter_is_not():
    sensing = quiet(delay_s=0.03)
    truth, told, _ = listen(sensing, Delayed(sensing))
    np.testing.assert_allclose(told[3:, :2], truth[:-3, :2], atol=1e-9)


def test_a_wrong_arm_with_noise_is_tracked_and_the_doubt_is_honest():
    sensing = settings(delay_s=0.03, random_seed=4)
    factors = {"strength": [1.1, 0.9, 0.9, 1.1, 1.05, 0.95], "mass": [1.1, 0.9]}
    factors["moment_arms"] = [1.05, 0.95, 1.05, 0.95, 1.0, 1.0]
    kalman = Filter(sensing)
    truth, told, std = listen(sensing, kalman, factors, seconds=2.0)
    off = told - truth
    assert np.sqrt((off[:, :2] ** 2).mean()) < 0.006
    assert np.sqrt((off[:, 2:] ** 2).mean()) < 0.12
    assert (np.abs(off) <= 2.0 * std).mean() > 0.8
    assert (np.abs(off) <= 0.2 * std).mean() < 0.7


def test_strength_is_learned_from_felt_force():
    sensing = settings(delay_s=0.03)
    kalman = Filter(sensing)
    factors = {"strength": [0.8, 0.85, 1.2, 0.9, 1.0, 1.1]}
    listen(sensing, kalman, factors, seconds=1.5)
    np.testing.assert_allclose(kalman.strength, factors["strength"], atol=0.06)


def test_a_gap_in_the_samples_starts_the_filter_anew():
    sensing = quiet(delay_s=0.0)
    kalman = Filter(sensing)
    run, control = episode(sensing)
    ticks = drive(run, control, [kalman], 0.3)
    for _ in ticks:
        pass
    before = kalman.disturbance
    assert before is not None
    late = run.sensors.sense(run.now_ns + 10**9, [1.0, 2.0], np.zeros(6))
    kalman.sense(late)
    estimate = kalman.estimate(run.now_ns + 10**9)
    np.testing.assert_allclose(estimate.angles, [1.0, 2.0], atol=1e-9)
    np.testing.assert_array_equal(kalman.disturbance, 0.0)


def test_reset_makes_two_runs_the_same():
    sensing = settings(delay_s=0.03)
    kalman = Filter(sensing)
    first = listen(sensing, kalman, {"strength": 0.9}, seconds=0.5)[1]
    kalman.reset()
    again = listen(sensing, kalman, {"strength": 0.9}, seconds=0.5)[1]
    np.testing.assert_array_equal(first, again)
