"""The network controller and its training."""

import json
import math

import numpy as np
import pytest

from msk_arm import controller, evaluate, nn, plant, train
from msk_arm.names import METRICS, WEIGHTS, parameters
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.mlp import Mlp, WeightsError


@pytest.fixture(scope="module")
def small():
    """A training in miniature: network, inputs, commands, errors."""
    return train.dagger(5, jobs=1, rounds=2, reaches=4, say=lambda _: None)


def test_stored_network_reaches_new_targets():
    row = evaluate.run_row("nn", evaluate.random_pairs(123456, 12), jobs=1)
    assert row["success"] == 1.0
    assert row["final_mm_mean"] < 2.0 and row["final_mm_max"] < 6.0


def test_metrics_are_those_of_the_stored_weights():
    metrics = json.loads(METRICS.read_text(encoding="utf-8"))
    network = Mlp.load(WEIGHTS, nn.SIZES)
    assert metrics["system"] == "msk_arm" and metrics["command"] == "train"
    assert metrics["seed"] == network.metadata["seed"]
    assert metrics["n"] == network.metadata["samples"]
    assert metrics["training"]["round_errors"] == network.metadata["round_errors"]
    assert metrics["results"]["nn"]["final_mm_mean"] < metrics["results"]["ridge"]["final_mm_mean"]


def test_features_are_bounded_and_named():
    lead = 0.3
    seen = nn.features([0.1, 0.2], [1.0, -2.0], [1.4, -0.05], [0.1] * 6, lead)
    assert len(seen) == len(nn.FEATURES) == nn.SIZES[0]
    named = dict(zip(nn.FEATURES, seen))
    assert named["shoulder"] == 0.1 and named["elbow_velocity"] == -2.0
    assert named["shoulder_error"] == pytest.approx(lead * math.tanh(1.3 / lead))
    assert abs(named["elbow_error"]) <= lead and abs(named["elbow_error_fine"]) <= 1.0


def test_commands_are_the_networks_clipped_to_0_and_1():
    driver, check = controller.make("nn"), evaluate.nominal_check()
    assert driver.update([0.0, 0.5], [0.0, 0.0], [0.0] * 6) == [0.0] * 6  # no target yet
    target = check(0.38, -0.17)
    driver.set_target(target)
    rng = np.random.default_rng(0)
    for _ in range(100):
        q, v = rng.uniform([-1.2, 0], [1.4, 2.2]).tolist(), rng.normal(0, 5, 2).tolist()
        act = rng.uniform(0, 1, 6).tolist()
        out = driver.update(q, v, act)
        seen = nn.features(q, v, target.q, act, parameters().number("step_lead"))
        np.testing.assert_allclose(out, np.clip(driver.network.predict(np.array(seen)), 0, 1))
    driver.co_contraction = 0.4
    assert min(driver.update([0.0, 0.5], [0.0, 0.0], [0.0] * 6)) == 0.4
    driver.set_target(check(5.0, 0.0))
    assert driver.target == target


def test_teacher_depends_on_the_present_state_alone():
    guide = nn.teacher(plant.build(), parameters())
    guide.set_target(evaluate.nominal_check()(0.3, -0.3))
    state = ([0.2, 0.9], [1.0, -1.0], [0.2] * 6)
    first = guide.update(*state)
    for _ in range(5):
        guide.update([0.5, 0.4], [3.0, 2.0], [0.5] * 6)
    assert guide.update(*state) == pytest.approx(first, abs=1e-9)


def test_training_is_the_same_from_the_same_seed(small):
    network, inputs, commands, errors = small
    again = train.dagger(5, jobs=2, rounds=2, reaches=4, say=lambda _: None)
    assert (inputs == again[1]).all() and (commands == again[2]).all() and errors == again[3]
    for one, two in zip(network.parameters, again[0].parameters):
        assert (one == two).all()
    other = train.dagger(6, jobs=1, rounds=1, reaches=4, say=lambda _: None)
    assert not np.array_equal(inputs[: len(other[1])], other[1])


def test_training_learns(small):
    network, inputs, commands, errors = small
    assert inputs.shape == (2 * 4 * 120, 14) and commands.shape == (2 * 4 * 120, 6)
    assert commands.min() >= 0.0 and commands.max() <= 1.0
    guess = np.abs(commands - commands.mean(axis=0)).mean()
    assert np.abs(network.predict(inputs) - commands).mean() < 0.6 * guess


def test_collections_are_kept_whole(tmp_path, small):
    path = tmp_path / "data.npz"
    train.save_data(path, small[1], small[2])
    inputs, commands = train.load_data(path)
    assert (inputs == small[1]).all() and (commands == small[2]).all()
    with pytest.raises(UserError, match="found none"):
        train.load_data(tmp_path / "none.npz")
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(UserError, match="expected a collection"):
        train.load_data(path)
    train.save_data(path, small[1][:, :5], small[2])
    with pytest.raises(UserError, match="expected a collection"):
        train.load_data(path)


def test_missing_and_foreign_weights_are_refused(tmp_path):
    for path in (tmp_path / "none.npz", tmp_path / "other.npz"):
        if path.name == "other.npz":
            Mlp((3, 4, 2)).save(path)
        settings = parameters().overlaid({"weights": str(path)}, "test")
        with pytest.raises(WeightsError):
            controller.make("nn", settings)
