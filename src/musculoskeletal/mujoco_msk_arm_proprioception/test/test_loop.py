"""Reaching on what the arm feels, and the tables of `eval`."""

import math

import numpy as np
import pytest
from helpers import settings

from msk_arm import controller
from msk_arm.target import TargetCheck
from msk_proprioception import evaluation, loop
from msk_proprioception.episodes import Episode, drive, loop_parameters, settings_with
from msk_proprioception.estimate import Delayed, TrueState
from msk_proprioception.filter import Filter
from msk_proprioception.speed import Ear
from mujoco_ros_common.errors import ArgumentError


def reach(feedback, delay_s=0.03, mismatch=0.1, seed=5, **more):
    job = {"feedback": feedback, "delay_s": delay_s, "mismatch": mismatch, "seed": seed, **more}
    return loop.reach(job)


@pytest.mark.parametrize("feedback", ["true_state", "predicted", "network", "delayed"])
def test_the_hand_arrives_on_every_kind_of_feedback(feedback):
    result = reach(feedback)
    assert result["error_mm"] < 12.0
    assert result["held"]
    assert 0.0 < result["reached_s"] < 2.0
    assert result["tip"].shape == (300, 2)


@pytest.mark.parametrize("seed", range(4))
def test_prediction_bears_a_delay_that_raw_feedback_does_not(seed):
    felt = reach("predicted", 0.1, 0.2, seed)
    raw = reach("delayed", 0.1, 0.1, seed)
    assert felt["held"] and felt["error_mm"] < 12.0
    assert not raw["held"] and raw["error_mm"] > 20.0


def test_the_same_seed_gives_the_same_reach_and_another_another():
    one, two, other = reach("predicted"), reach("predicted"), reach("predicted", seed=6)
    np.testing.assert_array_equal(one["tip"], two["tip"])
    assert other["target"] != one["target"]


def test_a_row_is_the_same_whatever_the_number_of_workers():
    one = loop.run("predicted", 0.03, 0.1, 4, 9, jobs=1)
    two = loop.run("predicted", 0.03, 0.1, 4, 9, jobs=2)
    assert one == two
    assert one["n"] == 4 and 0.0 <= one["success"] <= 1.0


def test_the_arms_own_controller_holds_until_the_first_estimate():
    sensing = settings(delay_s=0.2)
    episode = Episode(sensing, pose=[0.5, 1.0])
    control = controller.make("inverse", loop_parameters("predicted"))
    feedback = Filter(sensing)
    before = []
    for _, q, _, (estimate,), _ in drive(episode, control, [feedback], 0.2, feedback):
        assert estimate is None
        before.append(q)
    assert np.abs(np.array(before) - [0.5, 1.0]).max() < 0.002


def test_the_spindles_velocity_is_the_muscles_own():
    """One definition of velocity: that of the actuator which MuJoCo's force-velocity curve sees."""
    sensing = settings_with(0, 0.0, 0.0)
    sensing.velocity_filter_tau_s = 0.0
    episode = Episode(sensing, pose=[0.2, 1.0])
    control = controller.make("inverse", loop_parameters("true_state"))
    control.set_target(TargetCheck(control.dynamics)(0.3, -0.2))
    ear = Ear(sensing)
    own = []
    for _ in drive(episode, control, [ear], 0.6):
        episode.sim.muscle_forces()  # brings what MuJoCo derives up to date
        own.append(episode.sim.data.actuator_velocity.copy())
    felt = [sample.velocity for sample in ear.samples]
    stretch = np.diff([sample.extension for sample in ear.samples], axis=0) / 0.01
    middle = 0.5 * (np.array(own[1:]) + np.array(own[:-1]))  # where a difference quotient belongs
    off = np.array(felt[1:]) + stretch - middle
    assert np.linalg.norm(off) < 0.06 * np.linalg.norm(middle)
    assert np.abs(middle).max() > 0.1


def test_an_arm_on_elastic_tendons_stretches_them_as_the_senses_say():
    sensing = settings_with(0, 0.0, 0.0)
    episode = Episode(sensing, pose=[0.2, 1.0], tendon="elastic")
    control = controller.make("inverse", loop_parameters("true_state"))
    control.set_target(TargetCheck(control.dynamics)(0.3, -0.2))
    ear = Ear(sensing)
    for _ in drive(episode, control, [ear], 1.5):
        pass
    still = ear.samples[-1].extension
    np.testing.assert_allclose(still, episode.sim.tendon_extensions(), rtol=0.02, atol=1e-7)
    assert still.max() > 2e-5


def test_the_hand_arrives_on_elastic_tendons_and_with_half_the_strength():
    for others in ({"tendon": "elastic"}, {"condition": "weak"}):
        sensing = settings_with(3, 0.03)
        episode = Episode(sensing, pose=[0.2, 1.0], **others)
        control = controller.make("inverse", loop_parameters("predicted"))
        control.set_target(TargetCheck(control.dynamics)(0.3, -0.2))
        feedback = Filter(sensing)
        for _ in drive(episode, control, [feedback], 2.0, feedback):
            pass
        assert np.hypot(*(episode.sim.end_effector() - [0.3, -0.2])) < 0.005


def test_estimators_have_the_names_of_the_feedbacks():
    sensing = settings()
    assert isinstance(loop.make_estimator("predicted", sensing), Filter)
    assert isinstance(loop.make_estimator("delayed", sensing), Delayed)
    assert isinstance(loop.make_estimator("true_state", sensing), TrueState)
    with pytest.raises(ArgumentError, match="unknown feedback 'hope'"):
        loop.make_estimator("hope", sensing)


def test_errors_of_the_senses_grow_with_noise_and_delay():
    recording = evaluation.Recording(2.0, 0.5)
    quiet, late, noisy = (
        evaluation.sense_errors(recording, settings_with(1, delay, scale))
        for delay, scale in ((0.0, 0.0), (0.08, 0.0), (0.0, 1.0))
    )
    for label in ("length_mm", "force_n", "extension_mm"):
        assert quiet[label] < 1e-9
        assert late[label] > 0.003
    assert noisy["length_mm"] == pytest.approx(0.5, rel=0.1)
    assert noisy["force_n"] == pytest.approx(0.2, rel=0.1)
    assert quiet["velocity_mm_s"] > 0.1  # its low-pass lags


def test_the_error_of_a_delay_is_that_of_the_shifted_signal():
    recording = evaluation.Recording(2.0, 0.5)
    error = evaluation.sense_errors(recording, settings_with(1, 0.05, 0.0))["force_n"]
    forces = recording.forces
    shifted = (forces[5:] - forces[:-5])[len(forces) // 4 - 5 :]
    assert error == pytest.approx(float(np.sqrt((shifted**2).mean())), rel=1e-9)


def test_stiffness_rows_agree_where_they_must():
    rows = evaluation.stiffness_table(settings())
    assert len(rows) == len(evaluation.STIFFNESS_POSES)
    for row in rows.values():
        assert row["disagreement_pct"] < 2.0
        assert row["lumped"] == pytest.approx(20.5 * evaluation.STIFFNESS_LEVEL, rel=0.01)
        assert 0.98 * row["analytic"] < row["with_elastic_tendon"] < row["analytic"]


def test_the_delay_at_which_raw_feedback_fails():
    rows = {"loop_raw_10ms": {"success": 1.0}, "loop_raw_20ms": {"success": 0.4}}
    assert evaluation.raw_failure_ms(rows) == 20.0
    fine = {f"loop_raw_{d}ms": {"success": 1.0} for d in evaluation.RAW_DELAYS_MS}
    assert math.isnan(evaluation.raw_failure_ms(fine))
