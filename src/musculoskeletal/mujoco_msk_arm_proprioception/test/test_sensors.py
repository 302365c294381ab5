"""The sensing core: its equations, its order of clamping, noise and delay, and its restarts."""

import numpy as np
import pytest
from helpers import TICK, quiet, settings

from msk_proprioception.names import MUSCLES
from msk_proprioception.sensors import Sensors, low_pass_share

CHANNELS = ("length", "velocity", "force", "extension")
FORCES = np.array([10.0, 20.0, 30.0, 40.0, 50.0, 60.0])
POSE = np.array([0.3, 1.1])


def run(sensors, n, angles=lambda k: POSE, forces=lambda k: FORCES, start=0):
    return [sensors.sense((start + k) * TICK, angles(k), forces(k)) for k in range(n)]


def test_extension_length_and_force_follow_their_equations():
    s = quiet()
    sample = Sensors(s).sense(0, POSE, FORCES)
    extension = FORCES / s.tendon_stiffness
    np.testing.assert_allclose(sample.extension, extension, rtol=1e-14)
    np.testing.assert_allclose(
        sample.length, s.resting_lengths + s.moment_arms @ POSE - extension, rtol=1e-14
    )
    np.testing.assert_array_equal(sample.force, FORCES)
    np.testing.assert_array_equal(sample.velocity, 0.0)


def test_peak_force_strains_every_tendon_by_four_percent_of_ten_centimetres():
    s = quiet()
    sample = Sensors(s).sense(0, POSE, s.max_forces)
    np.testing.assert_allclose(sample.extension, 0.04 * 0.10, rtol=1e-12)


def test_force_is_not_zero_under_load():
    samples = [x for x in run(Sensors(settings()), 20) if x is not None]
    assert all((np.abs(x.force - FORCES) < 2.0).all() for x in samples)
    assert len(samples) == 17


@pytest.mark.parametrize("channel", CHANNELS)
def test_step_response_of_each_channel_shows_the_delay_exactly_once(channel):
    """A step at tick 10 arrives at tick 10 + 3, on this channel as on every other."""
    sensors = Sensors(quiet(delay_s=0.03))

    def forces(k):
        return FORCES if k < 10 or channel in ("length", "velocity") else 2.0 * FORCES

    def angles(k):
        return POSE if k < 10 or channel in ("force", "extension") else POSE + 0.2

    values = [x and getattr(x, channel).copy() for x in run(sensors, 25, angles, forces)]
    assert values[:3] == [None] * 3
    before, after = values[3:13], values[13:]
    assert all(np.array_equal(value, before[0]) for value in before)
    assert not any(np.isclose(value, before[0], rtol=1e-6, atol=1e-9).any() for value in after[:3])
    if channel != "velocity":
        assert all(np.array_equal(value, after[0]) for value in after)


def test_velocity_is_a_low_pass_of_the_clean_length():
    s = quiet(velocity_filter_tau_s=0.02)
    rate = np.array([0.5, -1.0])
    samples = run(Sensors(s), 60, angles=lambda k: POSE + 0.01 * k * rate)
    expected = s.moment_arms @ rate
    for k in (1, 2, 5, 20):
        share = 1.0 - np.exp(-0.01 * k / 0.02)
        np.testing.assert_allclose(samples[k].velocity, share * expected, rtol=1e-9)
    np.testing.assert_allclose(samples[-1].velocity, expected, rtol=1e-9)


def test_velocity_comes_from_the_clean_length_not_from_the_noisy_one():
    still = run(Sensors(settings(velocity_noise_std_m_s=0.0, length_noise_std_m=0.05)), 50)
    assert all(not sample.velocity.any() for sample in still if sample)


def test_low_pass_without_a_time_constant_is_the_difference_quotient():
    assert low_pass_share(0.01, 0.0) == 1.0
    samples = run(Sensors(quiet(velocity_filter_tau_s=0.0)), 3, angles=lambda k: POSE * (1 + k))
    np.testing.assert_allclose(samples[1].velocity, quiet().moment_arms @ POSE / 0.01, rtol=1e-9)


def test_extension_and_length_are_clamped_before_the_noise():
    s = settings(delay_s=0.0, tendon_extension_noise_std_m=0.001)
    sensors = Sensors(s)
    samples = run(sensors, 400, forces=lambda k: -FORCES)
    clean = s.resting_lengths + s.moment_arms @ POSE  # no negative stretch lengthens the fibre
    assert abs(np.mean([x.length for x in samples], axis=0) - clean).max() < 1e-4
    extensions = np.array([x.extension for x in samples])
    assert abs(extensions.mean()) < 1e-4  # noise round zero, not cut at zero
    assert (extensions < 0.0).mean() == pytest.approx(0.5, abs=0.05)
    assert sensors.clipped["extension"] == 400 * 6
    assert sensors.clipped_muscles == MUSCLES


def test_length_keeps_its_lower_bound_and_is_never_negative():
    s = settings(resting_lengths_m=[0.05] * 6, delay_s=0.0, length_noise_std_m=0.02)
    sensors = Sensors(s)
    samples = run(sensors, 300, angles=lambda k: np.array([1.4, 2.2]))
    lengths = np.array([x.length for x in samples])
    assert (lengths >= 0.0).all()
    assert sensors.clipped["length"] == 300 * 3  # the three flexors
    assert sensors.clipped["noisy_length"] > 0
    clean = Sensors(quiet(resting_lengths_m=[0.05] * 6))
    shortest = clean.sense(0, np.array([1.4, 2.2]), FORCES).length
    np.testing.assert_array_equal(shortest[::2], s.minimum_fibre_length_m)


def test_same_seed_same_bits_and_another_seed_another_sequence():
    def noise(seed, **changes):
        samples = run(Sensors(settings(random_seed=seed, delay_s=0.0, **changes)), 200)
        return np.array([[x.length, x.velocity, x.force, x.extension] for x in samples])

    assert np.array_equal(noise(5), noise(5))
    assert not np.array_equal(noise(5), noise(6))
    # the delay and the other channels' strength change nothing in the sequence
    late = [x for x in run(Sensors(settings(random_seed=5, delay_s=0.05)), 205) if x]
    assert np.array_equal([x.force for x in late], noise(5)[:, 2])
    assert np.array_equal(noise(5, length_noise_std_m=0.0)[:, 1:], noise(5)[:, 1:])


def test_noise_has_its_deviations_and_no_correlation():
    s = settings(delay_s=0.0)
    samples = run(Sensors(s), 20000)
    clean = Sensors(quiet()).sense(0, POSE, FORCES)
    for channel, std in zip(CHANNELS, s.noise_std()):
        error = np.array([getattr(x, channel) for x in samples]) - getattr(clean, channel)
        assert error.std() == pytest.approx(std, rel=0.02)
        assert abs(error.mean()) < 4.0 * std / np.sqrt(error.size)
        assert abs(np.corrcoef(error[:-1, 0], error[1:, 0])[0, 1]) < 0.04
        assert abs(np.corrcoef(error[:, 0], error[:, 1])[0, 1]) < 0.04


def test_reset_repeats_the_sequence():
    sensors = Sensors(settings())
    first = run(sensors, 50)
    sensors.reset()
    again = run(sensors, 50)
    assert all(
        (a is None and b is None) or np.array_equal(a.force, b.force) for a, b in zip(first, again)
    )


def test_a_live_seed_starts_the_sequence_anew():
    s = settings(random_seed=1, delay_s=0.0)
    sensors = Sensors(s)
    run(sensors, 10)
    s.random_seed = 2
    sensors.refresh()
    changed = sensors.sense(10 * TICK, POSE, FORCES)
    fresh = Sensors(settings(random_seed=2, delay_s=0.0)).sense(0, POSE, FORCES)
    np.testing.assert_array_equal(changed.force, fresh.force)


def test_sampling_is_decimated_to_its_rate():
    sensors, taken = Sensors(quiet(sample_rate_hz=30.0)), []
    for k in range(1000):
        if sensors.due(k * TICK):
            taken.append(k)
            sensors.sense(k * TICK, POSE, FORCES)
    assert len(taken) == 300
    assert set(np.diff(taken)) == {3, 4}


def test_a_gap_begins_anew_and_gives_nothing_from_before():
    sensors = Sensors(quiet(delay_s=0.05))
    run(sensors, 20)
    after = run(sensors, 10, angles=lambda k: POSE + 0.5, start=120)
    assert after[:5] == [None] * 5
    assert all(sample.time_ns >= 120 * TICK for sample in after[5:])
    assert not after[5].velocity.any()  # the jump of the pose is no velocity
    assert sensors.restarts == 1


def test_time_that_goes_back_begins_anew():
    sensors = Sensors(quiet(delay_s=0.02))
    run(sensors, 20, start=1000)
    back = run(sensors, 5)
    assert back[:2] == [None, None]
    assert [x.time_ns for x in back[2:]] == [0, TICK, 2 * TICK]
    assert sensors.restarts == 1


def test_the_same_stamp_twice_is_one_sample():
    sensors = Sensors(quiet())
    assert sensors.sense(0, POSE, FORCES) is not None
    assert sensors.sense(0, POSE, FORCES) is None
