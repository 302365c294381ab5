"""The measures themselves, on motions whose figures are known."""

import numpy as np
import pytest

from msk_arm import evaluate
from msk_arm.names import TICK


def test_figures_of_a_known_path():
    start, target = np.array([0.2, 0.1]), np.array([0.5, 0.1])
    x = np.concatenate([np.linspace(0.2, 0.507, 50), np.full(250, 0.501)])
    z = np.full(300, 0.1)
    z[25] += 0.015
    found = evaluate.figures(np.column_stack([x, z]), start, target)
    assert found["final_mm"] == pytest.approx(1.0)
    assert found["overshoot_mm"] == pytest.approx(7.0)
    assert found["curvature_pct"] == pytest.approx(5.0)
    inside = np.flatnonzero(np.abs(x - 0.5) <= 0.02)[0]
    assert found["t2cm_s"] == pytest.approx((inside + 1) * TICK)


def test_leaving_again_counts_from_the_last_time():
    hand = np.zeros((100, 2))
    hand[:50] = [0.3, 0.0]
    hand[60] = [0.05, 0.0]
    found = evaluate.figures(hand, (0.3, 0.0), (0.0, 0.0))
    assert found["t2cm_s"] == pytest.approx(62 * TICK)
    never = evaluate.figures(np.full((100, 2), 0.3), (0.3, 0.0), (0.0, 0.0))
    assert never["t2cm_s"] == pytest.approx(1.0)


def test_pairs_come_from_the_seed():
    a, b, c = (evaluate.random_pairs(seed, 20) for seed in (1, 1, 2))
    assert a == b != c
    check = evaluate.nominal_check()
    for start, goal, _ in a:
        assert check.dynamics.inside(*start) and check(*goal).accepted
        assert np.linalg.norm(np.subtract(check.dynamics.forward(*start), goal)) >= evaluate.APART


def test_mismatch_is_as_large_as_said():
    drawn = [evaluate.random_mismatch(seed) for seed in range(200)]
    for name, most in evaluate.MISMATCH.items():
        values = np.array([m[name] for m in drawn]) - 1.0
        assert 0.95 * most < np.abs(values).max() <= most


def test_rows_do_not_depend_on_the_number_of_workers():
    pairs = evaluate.random_pairs(3, 4)
    one, two = (evaluate.run_row("inverse_mismatch", pairs, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one["final_mm_max"] < 1.0 and one["success"] == 1.0


def test_pd_row_is_worse_than_inverse():
    pairs = evaluate.random_pairs(4, 6)
    pd, inverse = (evaluate.run_row(row, pairs, jobs=1) for row in ("pd", "inverse"))
    assert pd["final_mm_mean"] > 100.0 * inverse["final_mm_mean"]


def test_final_error_is_the_largest_of_the_last_tenth_of_a_second():
    hand = np.tile([0.5, 0.1], (300, 1))
    hand[292] += [0.0, 0.003]
    hand[288] += [0.0, 0.009]
    assert evaluate.figures(hand, (0.2, 0.1), (0.5, 0.1))["final_mm"] == pytest.approx(3.0)


def test_every_row_is_of_an_arm_or_a_controller_of_its_own():
    pairs = evaluate.random_pairs(5, 2)
    rows = {row: evaluate.run_row(row, pairs, jobs=1) for row in evaluate.ROWS}
    assert len({row["overshoot_mm_p95"] for row in rows.values()}) == len(rows)
    # what the controller is not told of costs it something
    for row in ("inverse_mismatch", "weak", "loaded", "elastic"):
        assert rows[row]["curvature_straight_pct"] > rows["inverse"]["curvature_straight_pct"]
