"""The sharing of torques: optimal in thousands of random states, also where it cannot be done."""

import numpy as np
import pytest

from msk_arm.allocation import allocate

REST, WEIGHT = 0.03, 100.0


def problem(rng, size):
    w = rng.normal(0, 25, (6, 2)) * (rng.uniform(0, 1, (6, 2)) > 0.3)
    low = rng.uniform(0, 0.5, 6) * (rng.uniform(0, 1, 6) > 0.5)
    high = low + rng.uniform(0.05, 1, 6) * (1 - low)
    return w, rng.normal(0, size, 2), low, high


@pytest.mark.parametrize("size", [2.0, 20.0, 80.0])
def test_solution_is_optimal(size):
    """The conditions of Karush, Kuhn and Tucker hold: no feasible change lowers the cost."""
    rng, at_limits = np.random.default_rng(0), 0
    for _ in range(2000):
        w, torque, low, high = problem(rng, size)
        a = np.array(allocate(*w.T.tolist(), *torque, low.tolist(), high.tolist(), REST, WEIGHT))
        assert (a >= low).all() and (a <= high).all()
        slope = a - REST + WEIGHT * w @ (w.T @ a - torque)
        scale = 1e-7 * (1.0 + np.abs(w).max() * WEIGHT * np.abs(torque).max())
        down, up = a <= low, a >= high
        assert np.abs(slope[~down & ~up]).max(initial=0.0) < scale
        assert slope[down].min(initial=0.0) > -scale and slope[up].max(initial=0.0) < scale
        at_limits += down.sum() + up.sum()
    assert at_limits > 2000


def test_no_torque_leaves_the_rest_activation():
    w = [[10.0, -10.0, 0.0, 0.0, 5.0, -5.0], [0.0, 0.0, 10.0, -10.0, 5.0, -5.0]]
    assert allocate(*w, 0.0, 0.0, [0.0] * 6, [1.0] * 6, REST, WEIGHT) == pytest.approx([REST] * 6)


def test_torque_is_given_where_it_can_be():
    w = np.array([[48, 0], [-48, 0], [0, 35], [0, -35], [14, 14], [-14, -14]], dtype=float)
    for torque in ([20.0, 5.0], [-15.0, 8.0], [3.0, -12.0]):
        a = allocate(*w.T.tolist(), *torque, [0.0] * 6, [1.0] * 6, REST, WEIGHT)
        np.testing.assert_allclose(w.T @ a, torque, atol=1e-3)


def test_dead_muscles_are_no_trouble():
    a = allocate([0.0] * 6, [0.0] * 6, 5.0, -5.0, [0.0] * 6, [1.0] * 6, REST, WEIGHT)
    assert a == pytest.approx([REST] * 6)
