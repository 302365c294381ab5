"""Reaching on what the arm feels, and the tables of `eval`."""

import math

import numpy as np
import pytest
from helpers import settings

from msk_arm import controller
from msk_proprioception import evaluation, loop
from msk_proprioception.episodes import Episode, drive, loop_parameters, settings_with
from msk_proprioception.estimate import Delayed, TrueState
from msk_proprioception.filter import Filter
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
