"""The inverse model: data, fit, what it reaches, reachability, files that are damaged."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest

from msk_hand import data, demo, evaluate, nn
from msk_hand.names import METRICS, MUSCLES, PARAMETERS, REACH_MUSCLES, WEIGHTS
from mujoco_ros_common import config
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.mlp import Mlp, WeightsError

WITHIN = config.read(PARAMETERS).number("reachable_within")
IDLE = [i for i, name in enumerate(MUSCLES) if name not in REACH_MUSCLES]


@pytest.fixture(scope="module")
def model():
    return nn.InverseModel.load(WEIGHTS, WITHIN)


@pytest.fixture(scope="module")
def targets():
    return evaluate.held_out_targets(seed=1234, n=80, jobs=1)


@pytest.fixture(scope="module")
def small():
    return data.collect(seed=5, n=90, jobs=1)


def test_policy_network_and_stiffness_need_no_mujoco():
    code = (
        "import sys; import msk_hand.nn, msk_hand.keyboard, msk_hand.names, msk_hand.stiffness; "
        "assert 'mujoco' not in sys.modules and 'rospy' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, check=True, timeout=60
    )


@pytest.mark.parametrize("sampler", sorted(data.SAMPLERS))
def test_samplers_excite_only_the_muscles_that_move_the_index(sampler):
    activations = data.SAMPLERS[sampler](np.random.default_rng(0), 500)
    assert activations.shape == (500, len(MUSCLES))
    assert not activations[:, IDLE].any()
    busy = np.delete(activations, IDLE, axis=1)
    assert busy.min() >= 0.0 and busy.max() <= 1.0 and (busy.std(axis=0) > 0.15).all()


def test_reciprocal_samples_let_the_antagonist_yield():
    activations = data.reciprocal(np.random.default_rng(0), 200)
    for pair in (("index_flex", "index_ext"), ("wrist_flex", "wrist_ext")):
        agonist, antagonist = (np.sqrt(activations[:, MUSCLES.index(name)]) for name in pair)
        assert np.allclose(agonist + antagonist, 1.0)


def test_collecting_does_not_depend_on_the_workers(small):
    again = data.collect(seed=5, n=90, jobs=2)
    assert np.array_equal(small.activations, again.activations)
    assert np.array_equal(small.tips, again.tips)
    assert not np.array_equal(small.tips, data.collect(seed=6, n=90, jobs=1).tips)


def test_no_sample_depends_on_the_one_before(small):
    alone = data.settled_tips(small.activations[41:42], jobs=1)
    assert np.array_equal(alone[0], small.tips[41])
    assert data.settled_tips(np.empty((0, 11)), jobs=1).shape == (0, 3)


def test_data_set_survives_a_file(small, tmp_path):
    data.save(tmp_path / "data.npz", small, seed=5)
    again = data.load(tmp_path / "data.npz")
    assert np.array_equal(again.tips, small.tips)
    assert np.array_equal(again.activations, small.activations)


def test_wrong_data_sets_are_refused_in_one_line(small, tmp_path):
    path = tmp_path / "data.npz"
    with pytest.raises(UserError, match="found none"):
        data.load(path)
    path.write_bytes(b"no archive")
    with pytest.raises(UserError, match="expected a data set"):
        data.load(path)
    data.save(path, small)
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(UserError, match="expected a data set"):
        data.load(path)
    for wrong in (
        data.Dataset(small.activations[:, :6], small.tips),
        data.Dataset(small.activations[:-1], small.tips),
        data.Dataset(small.activations * np.nan, small.tips),
    ):
        data.save(path, wrong)
        with pytest.raises(UserError) as error:
            data.load(path)
        assert "\n" not in str(error.value)


def test_fit_learns_and_repeats_to_the_last_bit(small):
    network, losses = nn.fit(small, seed=3)
    again, _ = nn.fit(small, seed=3)
    other, _ = nn.fit(small, seed=4)
    assert len(losses) == nn.EPOCHS == 250 and losses[-1] < 0.2 * losses[0]
    assert all(np.array_equal(a, b) for a, b in zip(network.parameters, again.parameters))
    assert not np.array_equal(network.parameters[0], other.parameters[0])
    assert network.sizes == (3, 64, 64, 11)
    assert (network.hidden, network.output) == ("relu", "sigmoid")


def test_ridge_is_the_affine_least_squares_solution(small):
    slopes, offset = nn.fit_ridge(small)
    design = np.column_stack((small.tips, np.ones(len(small.tips))))
    best = np.linalg.lstsq(design, small.activations, rcond=None)[0]
    predicted = small.tips @ slopes + offset
    assert np.abs(predicted - design @ best).max() < 0.05  # the penalty is slight
    assert np.allclose(predicted.mean(axis=0), small.activations.mean(axis=0))


def test_network_reaches_held_out_targets(model, targets):
    rows = evaluate.evaluate(model, targets, jobs=1)
    ridge, network = rows["ridge"], rows["regression"]
    assert network["mean_mm"] <= 4.0 and network["p90_mm"] <= 8.0 and network["max_mm"] <= 15.0
    assert 3.0 * network["mean_mm"] <= ridge["mean_mm"]


def test_documented_targets_are_reached_within_10_mm(model):
    assert demo.TARGETS[0] == (0.014, 0.182, 0.085)
    errors = evaluate.reach_errors(model.activations, np.array(demo.TARGETS), jobs=1)
    assert (errors < 0.010).all()
    assert all(model.reachable(target) for target in demo.TARGETS)


def test_training_files_belong_together(model):
    metrics = json.loads(METRICS.read_text())
    assert metrics["system"] == "msk_hand" and metrics["command"] == "train"
    assert metrics["python"] and metrics["mujoco"] and metrics["n"] == len(model.tips)
    assert metrics["seed"] == model.metadata["command_seed"]
    assert metrics["training"]["loss_last"] == model.metadata["losses"][-1]
    targets = evaluate.held_out_targets(metrics["seed"], 80, jobs=1)
    again = evaluate.evaluate(model, targets, jobs=1)
    for row, figures in again.items():
        for name, value in figures.items():
            assert metrics["results"][row][name] == pytest.approx(value, rel=1e-3), (row, name)


def test_activations_are_activations(model, targets):
    one = model.activations(targets[0])
    assert one.shape == (11,) and one.min() >= 0.0 and one.max() <= 1.0
    assert one[IDLE].max() < 0.05
    assert np.allclose(model.activations(targets)[0], one)
    far = model.activations([5.0, -5.0, 5.0])
    assert np.isfinite(far).all() and far.min() >= 0.0 and far.max() <= 1.0


def test_reachability(model, targets):
    assert np.mean([model.reachable(target) for target in targets]) > 0.95
    for far in ([0.0, 0.0, 0.5], [0.5, 0.18, 0.08], [0.014, 0.23, 0.085], [-0.2, 0.1, 0.1]):
        assert not model.reachable(far)
    tip = model.tips[0]
    assert model.distance(tip) == pytest.approx(0.0, abs=1e-9)
    strict = nn.InverseModel(model.network, (model.slopes, model.offset), model.tips, 0.0001)
    assert strict.reachable(tip) and not strict.reachable(tip + [0.0, 0.0, 0.3])


def test_residual_is_unknown_without_a_forward_model(model, targets):
    assert math.isnan(model.residual(targets[0]))


@pytest.mark.parametrize("wrong", [[1, 2], [1, 2, math.nan], [1, 2, math.inf], 3.0, [[1, 2]]])
def test_wrong_targets_are_refused(model, wrong):
    for method in (model.activations, model.baseline, model.reachable, model.residual):
        with pytest.raises(ValueError, match="3 finite numbers"):
            method(wrong)


def test_model_survives_a_file(model, targets, tmp_path):
    path = tmp_path / "weights 权重.npz"
    model.save(path, note="copy")
    again = nn.InverseModel.load(path, WITHIN)
    assert np.array_equal(again.activations(targets), model.activations(targets))
    assert np.array_equal(again.baseline(targets), model.baseline(targets))
    assert np.array_equal(again.tips, model.tips) and again.metadata["note"] == "copy"


def test_wrong_weights_are_refused_in_one_line(tmp_path):
    path = tmp_path / "weights.npz"
    content = WEIGHTS.read_bytes()

    def refused():
        with pytest.raises(WeightsError) as error:
            nn.InverseModel.load(path, WITHIN)
        assert "\n" not in str(error.value) and "weights" in str(error.value)

    refused()  # missing
    path.write_bytes(content[: len(content) // 2])
    refused()
    Mlp((2, 8, 1)).save(path)
    refused()
    Mlp(nn.LAYERS, output="sigmoid").save(path)  # without the training data
    refused()
    Mlp(nn.LAYERS).save(path, tips_um=[[1, 2]], slopes=[], offset=[])
    refused()


def test_figures_are_in_millimetres():
    figures = evaluate.figures(np.linspace(0.0, 0.010, 11))
    assert figures == {
        "mean_mm": pytest.approx(5.0),
        "p90_mm": pytest.approx(9.0),
        "max_mm": pytest.approx(10.0),
    }
