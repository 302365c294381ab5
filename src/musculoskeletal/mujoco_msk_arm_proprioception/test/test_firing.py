"""Firing rates against published constants, closed forms and the full equations of their source."""

import math

import numpy as np
import pytest
from helpers import TICK, settings

from msk_proprioception import firing
from msk_proprioception.firing import Afferents, GolgiOrgan, MileusnicSpindle


def test_prochazka_rates_at_hand_computed_points():
    """82 + 4.3 * 32^0.6 + 2 * 5 = 82 + 34.4 + 10, since 32^0.6 is 8."""
    assert firing.prochazka_ia(0.005, 0.032) == pytest.approx(126.4, abs=1e-9)
    assert firing.prochazka_ia(0.0, 0.0) == 82.0
    assert firing.prochazka_ia(0.0, -0.032) == pytest.approx(82.0 - 34.4, abs=1e-9)
    assert firing.prochazka_ia(-0.1, -1.0) == 0.0
    assert firing.prochazka_ii(0.002) == pytest.approx(107.0)
    assert firing.prochazka_ii(-0.1) == 0.0


def full_spindle(start, end, speed, dynamic, static, h=2e-5):
    """The source's second-order equation with its mass, in fine steps: tensions at the end (3,)."""
    f, mass = firing, 0.0002
    drive = MileusnicSpindle._drive(dynamic, static)
    beta = f.BETA_0 + f.BETA_DYNAMIC * drive[0] + f.BETA_STATIC * drive
    gamma = f.GAMMA_DYNAMIC * drive[0] + f.GAMMA_STATIC * drive
    tensions = MileusnicSpindle.rest_tension(np.array([start]), drive)[0].tolist()
    for k, (b, g) in enumerate(zip(beta.tolist(), gamma.tolist())):
        t, rate = tensions[k], f.K_SR * speed  # the mass M L'' starts with the polar region at rest
        for i in range(round((end - start) / speed / h)):
            polar = start + speed * (i + 1) * h - f.L0_SR - t / f.K_SR
            u = speed - rate / f.K_SR
            c = 1.0 if u > 0.0 else f.C_SHORTENING
            drag = c * b * math.copysign(abs(u) ** f.POWER_A, u) * (polar - f.SLACK_R)
            rate += h * f.K_SR / mass * (drag + f.K_PR * (polar - f.L0_PR) + g - t)
            t += h * rate
        tensions[k] = t
    return np.array(tensions)


@pytest.mark.parametrize("speed", [0.11, 0.66, 1.55])
@pytest.mark.parametrize("dynamic, static", [(0.0, 0.0), (70.0, 0.0), (0.0, 70.0)])
def test_spindle_follows_the_full_equations_of_its_source(speed, dynamic, static):
    """The ramps from 0.95 to 1.08 L0 of Mileusnic et al. 2006, with and without gamma drive."""
    spindle, n = MileusnicSpindle(1), 13
    spindle.advance([0.95], 0.01, dynamic, static)
    for length in np.linspace(0.95, 1.08, n + 1)[1:]:
        ia, ii = spindle.advance([length], 0.13 / speed / n, dynamic, static)
    tension = full_spindle(0.95, 1.08, speed, dynamic, static)
    expected_ia, expected_ii = MileusnicSpindle.rates(np.array([1.08]), tension[None])
    assert ia[0] == pytest.approx(expected_ia[0], rel=0.02)
    assert ii[0] == pytest.approx(expected_ii[0], rel=0.02)


def test_gamma_drive_does_what_it_is_known_for():
    """Dynamic drive raises the ramp's peak, static drive the level that is held."""

    def ramp(dynamic, static):
        spindle = MileusnicSpindle(1)
        held = spindle.advance([0.95], 0.01, dynamic, static)[0][0]
        for length in np.linspace(0.95, 1.08, 21)[1:]:
            peak = spindle.advance([length], 0.01, dynamic, static)[0][0]
        return held, peak

    (held, peak), (held_d, peak_d), (held_s, peak_s) = ramp(0, 0), ramp(70, 0), ramp(0, 70)
    assert peak_d - held_d > 1.5 * (peak - held)
    assert held_s > held + 40.0
    assert peak_s - held_s < peak - held


def test_spindle_comes_to_rest_at_the_closed_form():
    spindle = MileusnicSpindle(2)
    spindle.advance([0.9, 1.1], 0.01, 50.0, 80.0)
    for _ in range(3000):
        ia, ii = spindle.advance([1.05, 0.95], 0.01, 50.0, 80.0)
    drive = MileusnicSpindle._drive(50.0, 80.0)
    assert drive[2] == pytest.approx(80.0**2 / (80.0**2 + 90.0**2))
    tension = MileusnicSpindle.rest_tension(np.array([1.05, 0.95]), drive)
    polar = np.array([[1.05], [0.95]]) - 0.04 - tension / 10.4649 - 0.76
    gamma = firing.GAMMA_DYNAMIC * drive[0] + firing.GAMMA_STATIC * drive
    np.testing.assert_allclose(tension, 0.15 * polar + gamma, rtol=1e-12)
    expected = MileusnicSpindle.rates(np.array([1.05, 0.95]), tension)
    np.testing.assert_allclose(ia, expected[0], rtol=0.03)
    np.testing.assert_allclose(ii, expected[1], rtol=0.03)


def test_occlusion_adds_a_share_of_the_weaker_drive():
    tension = np.array([[0.03, 0.03, 0.03]])
    sensory = 0.03 / 10.4649 - 0.0023
    ia, _ = MileusnicSpindle.rates(np.array([1.0]), tension)
    assert ia[0] == pytest.approx((20000.0 + 0.156 * 20000.0) * sensory)


def golgi_step(dt, n, force=40.0):
    organ = GolgiOrgan(1)
    organ.advance(np.array([0.0]), dt)
    return np.array([organ.advance(np.array([force]), dt)[0] for _ in range(n)])


def test_golgi_static_rate_fast_gain_and_rest():
    rates = golgi_step(0.01, 4000)
    static = 60.0 * math.log(40.0 / 4.0 + 1.0)
    assert GolgiOrgan.static(40.0) == pytest.approx(static)
    assert rates[0] == pytest.approx(1.7 * static, rel=1e-12)
    assert rates[-1] == pytest.approx(static, rel=1e-3)
    assert GolgiOrgan.static(-5.0) == 0.0


def test_golgi_step_response_is_the_closed_form_at_any_step():
    """By partial fractions of H(s)/s with the poles p, q of s^2 + 2.2 s + 0.4."""
    p, q = np.roots([1.0, 2.2, 0.4])

    def residue(pole, other):
        return (1.7 * pole**2 + 2.58 * pole + 0.4) / (pole * (pole - other))

    static = GolgiOrgan.static(40.0)
    for dt in (0.002, 0.01, 0.1):
        t = dt * np.arange(50)
        expected = static * (1.0 + residue(p, q) * np.exp(p * t) + residue(q, p) * np.exp(q * t))
        np.testing.assert_allclose(golgi_step(dt, 50), expected, rtol=1e-9)


@pytest.mark.parametrize("model", ["prochazka", "mileusnic"])
def test_afferents_give_finite_rates_of_the_chosen_model(model):
    s = settings(spindle_model=model)
    afferents = Afferents(s)
    for k in range(100):
        length = s.resting_lengths * (1.0 + 0.1 * np.sin(0.1 * k))
        velocity = s.resting_lengths * np.cos(0.1 * k)
        clean = np.array([length, velocity, np.full(6, 50.0), np.full(6, 0.0003)])
        rates = afferents.advance(k * TICK, clean)
        assert all(rate.shape == (6,) and np.isfinite(rate).all() for rate in rates)
        assert all((rate >= 0.0).all() for rate in rates)
    if model == "prochazka":
        np.testing.assert_allclose(
            rates[0], firing.prochazka_ia(length - s.resting_lengths, velocity)
        )


def test_a_gap_in_time_starts_the_afferents_anew():
    s = settings(spindle_model="mileusnic")
    clean = np.array([s.resting_lengths, np.zeros(6), np.full(6, 50.0), np.zeros(6)])
    afferents = Afferents(s)
    first = afferents.advance(0, clean)
    clean[0] *= 1.05
    assert not np.allclose(afferents.advance(TICK, clean)[0], first[0])
    clean[0] /= 1.05
    again = afferents.advance(TICK + 10**10, clean)
    np.testing.assert_array_equal(again, first)
