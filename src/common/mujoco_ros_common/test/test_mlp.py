"""The network: gradients, training, files, and the linear baseline."""

import numpy as np
import pytest

from mujoco_ros_common import mlp, optimizers
from mujoco_ros_common.mlp import Mlp

SIZES = (3, 7, 5, 2)
ACTIVATIONS = [(h, o) for h in ("relu", "tanh") for o in ("linear", "sigmoid", "tanh")]


def trained(hidden="tanh", output="linear", seed=3):
    """A network whose biases, normalisation and metadata are not the trivial ones."""
    network = Mlp(SIZES, hidden, output, seed=seed)
    rng = np.random.default_rng(seed + 1)
    for bias in network.parameters[1::2]:
        bias += rng.normal(size=bias.shape)
    network.normalize(rng.normal(2.0, 3.0, (50, 3)), rng.normal(-1.0, 0.2, (50, 2)))
    return network


def numeric(function, array, step=1e-6):
    """Central differences of a scalar function with respect to each entry, changed in place."""
    slopes = np.zeros_like(array)
    for index in np.ndindex(array.shape):
        kept = array[index]
        array[index] = kept + step
        high = function()
        array[index] = kept - step
        slopes[index] = (high - function()) / (2.0 * step)
        array[index] = kept
    return slopes


@pytest.mark.parametrize(("hidden", "output"), ACTIVATIONS)
def test_backward_agrees_with_finite_differences(hidden, output):
    network = trained(hidden, output)
    rng = np.random.default_rng(5)
    x, weight = rng.normal(size=(4, 3)), rng.normal(size=(4, 2))

    def loss():
        return float((weight * network.forward(x)[0]).sum())

    grads, dx = network.backward(network.forward(x)[1], weight)
    for value, grad in zip(network.parameters, grads):
        np.testing.assert_allclose(grad, numeric(loss, value), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(dx, numeric(loss, x), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("hidden", "output"), ACTIVATIONS)
def test_jacobian_agrees_with_finite_differences_in_the_units_of_the_data(hidden, output):
    network = trained(hidden, output)
    x = np.array([2.5, -1.0, 4.0])
    rows = [numeric(lambda i=i: float(network.predict(x)[i]), x) for i in range(2)]
    jacobian = network.jacobian(x)
    assert jacobian.shape == (2, 3)
    np.testing.assert_allclose(jacobian, rows, rtol=1e-5, atol=1e-8)


def test_predict_of_a_batch_is_that_of_its_rows_and_applies_the_normalisation():
    network = trained()
    x = np.random.default_rng(0).normal(size=(6, 3))
    batch = network.predict(x)
    assert batch.shape == (6, 2)
    np.testing.assert_allclose(batch, [network.predict(row) for row in x], rtol=1e-12)
    raw = network.forward((x - network.input_shift) / network.input_scale)[0]
    np.testing.assert_allclose(batch, raw * network.output_scale + network.output_shift)


def test_initial_weights_have_the_variance_of_he_and_the_seed_fixes_them():
    wide = Mlp((400, 300, 1), seed=1)
    assert wide.parameters[0].std() == pytest.approx(np.sqrt(2.0 / 400), rel=0.02)
    assert not wide.parameters[1].any()
    for first, second in zip(wide.parameters, Mlp((400, 300, 1), seed=1).parameters):
        np.testing.assert_array_equal(first, second)
    assert (wide.parameters[0] != Mlp((400, 300, 1), seed=2).parameters[0]).all()


@pytest.mark.parametrize("sizes", [(3,), (3, 0, 1), ()])
def test_impossible_sizes_are_refused(sizes):
    with pytest.raises(ValueError, match="layers"):
        Mlp(sizes)


def test_unknown_activation_is_refused():
    with pytest.raises(ValueError, match="'swish'"):
        Mlp((1, 1), hidden="swish")


def test_copy_is_independent():
    network = trained()
    network.metadata = {"a": 1}
    twin = network.copy()
    x = np.ones(3)
    np.testing.assert_array_equal(twin.predict(x), network.predict(x))
    twin.parameters[0] += 1.0
    twin.input_shift += 1.0
    twin.metadata["a"] = 2
    assert network.metadata == {"a": 1}
    assert (twin.predict(x) != network.predict(x)).all()


# optimisers


def test_sgd_step_is_the_closed_form():
    value = np.array([1.0, -2.0])
    optimizers.Sgd([value], learning_rate=0.1).step([np.array([3.0, 4.0])])
    np.testing.assert_allclose(value, [0.7, -2.4], rtol=1e-15)


def test_sgd_on_a_quadratic_converges_at_the_rate_of_theory():
    value = np.array([1.0])  # loss = value^2: each step multiplies by 1 - 2 * rate
    stepper = optimizers.Sgd([value], learning_rate=0.1)
    for _ in range(10):
        stepper.step([2.0 * value])
    assert value[0] == pytest.approx(0.8**10, rel=1e-12)


def test_adam_steps_are_those_computed_by_hand():
    value = np.array([0.5])
    stepper = optimizers.Adam([value], learning_rate=0.01)
    stepper.step([np.array([2.0])])
    # first step: unbiased mean 2, unbiased square 4
    assert value[0] == pytest.approx(0.5 - 0.01 * 2.0 / (2.0 + 1e-8), rel=1e-12)
    before = value[0]
    stepper.step([np.array([-1.0])])
    mean = (0.9 * 0.2 + 0.1 * -1.0) / (1 - 0.9**2)
    square = (0.999 * 0.004 + 0.001 * 1.0) / (1 - 0.999**2)
    assert value[0] == pytest.approx(before - 0.01 * mean / (np.sqrt(square) + 1e-8), rel=1e-9)


def test_one_full_batch_sgd_step_of_fit_is_the_gradient_step():
    network = Mlp((2, 1), seed=0)
    x, y = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[1.0], [0.0]])
    weight, bias = network.parameters[0].copy(), network.parameters[1].copy()
    error = x @ weight + bias - y
    losses = network.fit(x, y, 1, batch_size=2, optimizer="sgd", learning_rate=0.05)
    assert losses == pytest.approx([(error**2).mean()])
    np.testing.assert_allclose(network.parameters[0], weight - 0.05 * 2 * x.T @ error / 2)
    np.testing.assert_allclose(network.parameters[1], bias - 0.05 * 2 * error.sum(axis=0) / 2)


# training


def data(n=200, seed=0):
    x = np.random.default_rng(seed).uniform(-2.0, 2.0, (n, 2))
    return x, np.column_stack([np.sin(x[:, 0]) * 5.0 + 20.0, x[:, 0] * x[:, 1]])


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
def test_fit_learns_what_a_line_cannot(optimizer):
    x, y = data()
    network = Mlp((2, 24, 2), "tanh", seed=0)
    network.normalize(x, y)
    rate = 0.01 if optimizer == "adam" else 0.2
    losses = network.fit(x, y, 150, optimizer=optimizer, learning_rate=rate)
    assert losses.shape == (150,)
    fresh = data(seed=9)
    line = mlp.Ridge(x, y)
    assert (
        network.loss(*fresh) < 0.1 * (((line.predict(fresh[0]) - fresh[1]) / y.std(0)) ** 2).mean()
    )


def test_same_seed_same_bits_other_seed_other_weights():
    x, y = data()

    def weights(seed):
        network = Mlp((2, 8, 2), seed=4)
        network.fit(x, y, 3, seed=seed)
        return network.parameters

    for first, second in zip(weights(1), weights(1)):
        assert first.tobytes() == second.tobytes()
    assert weights(1)[0].tobytes() != weights(2)[0].tobytes()


def test_loss_weights_choose_the_output_that_matters():
    x, y = data()
    network = Mlp((2, 8, 2), "tanh", seed=0)
    network.normalize(x, y)
    before = (network.predict(x) - y).var(axis=0)
    network.fit(x, y, 40, learning_rate=0.01, loss_weights=[1.0, 0.0])
    after = (network.predict(x) - y).var(axis=0)
    assert after[0] < 0.3 * before[0]
    assert network.loss(x, y, np.array([0.0, 1.0])) > 0.0


def test_weight_decay_shrinks_weights_but_not_biases():
    network = Mlp((1, 1), seed=0)
    network.parameters[1][:] = 2.0
    x = np.zeros((4, 1))  # the loss says nothing about the weight, and the bias is right
    weight = network.parameters[0].copy()
    network.fit(x, np.full((4, 1), 2.0), 1, optimizer="sgd", learning_rate=0.5, weight_decay=0.1)
    np.testing.assert_allclose(network.parameters[0], 0.95 * weight)
    assert network.parameters[1][0] == 2.0


def test_learning_rate_may_be_a_schedule():
    x, y = data()
    network = Mlp((2, 4, 2), seed=0)
    asked = []
    network.fit(x, y, 3, learning_rate=lambda epoch: asked.append(epoch) or 0.0)
    assert asked == [0, 1, 2]
    for value, start in zip(network.parameters, Mlp((2, 4, 2), seed=0).parameters):
        np.testing.assert_array_equal(value, start)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (np.zeros((0, 2)), np.zeros((0, 1)), "expected x"),
        (np.zeros((3, 2)), np.zeros((4, 1)), "expected x"),
        (np.zeros(3), np.zeros(3), "expected x"),
        (np.zeros((3, 5)), np.zeros((3, 1)), "2 inputs and 1 outputs"),
        (np.zeros((3, 2)), np.zeros((3, 2)), "2 inputs and 1 outputs"),
        (np.full((3, 2), np.nan), np.zeros((3, 1)), "finite"),
        (np.zeros((3, 2)), np.full((3, 1), np.inf), "finite"),
    ],
)
def test_fit_refuses_bad_data_and_leaves_the_weights(x, y, words):
    network = Mlp((2, 3, 1), seed=0)
    with pytest.raises(ValueError, match=words):
        network.fit(x, y, 1)
    np.testing.assert_array_equal(network.parameters[0], Mlp((2, 3, 1), seed=0).parameters[0])


def test_normalize_refuses_what_is_not_finite():
    with pytest.raises(ValueError, match="finite"):
        Mlp((1, 1)).normalize([[1.0], [np.nan]])


def test_a_constant_column_keeps_the_scale_one_however_large_it_is():
    network = Mlp((3, 1))
    network.normalize(np.tile([0.0, 0.1, 1234567.1], (1000, 1)))
    np.testing.assert_array_equal(network.input_scale, 1.0)
    network.normalize(np.random.default_rng(0).normal(1e6, 1.0, (1000, 3)))
    np.testing.assert_allclose(network.input_scale, 1.0, rtol=0.1)
    assert (network.input_scale != 1.0).all()


def test_ridge_solves_the_normal_equations():
    rng = np.random.default_rng(0)
    x = rng.normal(1.0, [1.0, 5.0, 0.1], (40, 3))
    y = rng.normal(size=(40, 2))
    ridge = mlp.Ridge(x, y, strength=2.5)
    xn = (x - x.mean(0)) / x.std(0)
    full = np.column_stack([xn, np.ones(40)])
    penalty = np.diag([2.5, 2.5, 2.5, 0.0])  # the offset goes free
    solution = np.linalg.solve(full.T @ full + penalty, full.T @ y)
    np.testing.assert_allclose(ridge.predict(x), full @ solution, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(ridge.predict(x[0]), ridge.predict(x)[0])


def test_ridge_without_penalty_is_exact_on_an_affine_map():
    x = np.random.default_rng(1).normal(size=(20, 2))
    y = x @ [[1.0], [-3.0]] + 7.0
    np.testing.assert_allclose(mlp.Ridge(x, y, 0.0).predict([[10.0, 10.0]]), [[-13.0]])


def test_ridge_refuses_what_is_not_finite():
    with pytest.raises(ValueError, match="finite"):
        mlp.Ridge([[1.0], [np.inf]], [[1.0], [2.0]])
