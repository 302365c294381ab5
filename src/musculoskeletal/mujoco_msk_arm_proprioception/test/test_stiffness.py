"""Co-contraction stiffness: the calibrated curve, and the simulated arm's in two ways."""

import numpy as np
import pytest
from helpers import settings

from msk_arm import plant
from msk_proprioception.stiffness import LumpedStiffness, SimulatedStiffness, ellipse, smallest


def lumped():
    s = settings()
    return LumpedStiffness(s.moment_arms, s.max_forces, s.stiffness_per_activation_nm_rad)


@pytest.mark.parametrize("activation, expected", [(0.02, 0.41), (0.40, 8.20)])
def test_the_curve_is_that_of_the_calibration(activation, expected):
    assert smallest(lumped().matrix([activation] * 6)) == pytest.approx(expected, rel=0.01)


def test_muscle_stiffness_is_proportional_to_peak_force():
    k, s = lumped(), settings()
    assert k.per_force == pytest.approx(4.983, abs=0.001)
    for i in range(6):
        alone = np.eye(6)[i] * 0.5
        expected = 0.5 * k.per_force * s.max_forces[i]
        expected = expected * np.outer(s.moment_arms[i], s.moment_arms[i])
        np.testing.assert_allclose(k.matrix(alone), expected, rtol=1e-12, atol=1e-15)


def test_stiffness_is_symmetric_positive_and_rises_with_every_muscle():
    k, rng = lumped(), np.random.default_rng(0)
    for a in rng.uniform(0.01, 1.0, (50, 6)):
        matrix = k.matrix(a)
        assert matrix[0, 1] == matrix[1, 0]
        assert smallest(matrix) > 0.0
        for i in range(6):
            more = a.copy()
            more[i] += 0.1
            assert smallest(k.matrix(more)) > smallest(matrix) - 1e-12
            assert np.trace(k.matrix(more)) > np.trace(matrix)


def test_analytic_and_measured_stiffness_of_the_simulated_arm_agree():
    arm, rng = SimulatedStiffness(), np.random.default_rng(1)
    limits = plant.build().jnt_range[:2]
    for _ in range(300):
        pose, a = rng.uniform(*limits.T), rng.uniform(0.02, 1.0, 6)
        analytic, measured = arm.analytic(pose, a), arm.measured(pose, a)
        assert np.linalg.norm(analytic - measured) <= 0.02 * np.linalg.norm(analytic)


def test_slopes_are_those_of_the_force_length_curve():
    arm = SimulatedStiffness(plant.build(strength=1.1))
    a, h = np.full(6, 0.3), 1e-6
    for share in np.linspace(-1.5, 1.5, 61):
        length = share * 0.14 * np.ones(6)
        high, low = (arm.muscles.force(a, length + s * h, 0.0) for s in (1.0, -1.0))
        np.testing.assert_allclose(
            arm.slopes(length, a), (high - low) / (2 * h), atol=0.05, rtol=1e-3
        )


def test_the_ellipse_has_the_eigenvalues_as_half_axes():
    matrix = lumped().matrix([0.1, 0.2, 0.3, 0.1, 0.2, 0.4])
    radius = np.linalg.norm(ellipse(matrix, 7201), axis=0)
    low, high = np.linalg.eigvalsh(matrix)
    assert radius.min() == pytest.approx(low, rel=1e-5)
    assert radius.max() == pytest.approx(high, rel=1e-5)
