"""Lost beams and range noise."""

import unittest

import car_nn_paths  # noqa: F401
import numpy as np

from car_nn.sensor_noise import apply_sensor_noise

LIMIT = 6.0


def noisy(distances, sigma, lost, seed=0):
    rng = np.random.default_rng(seed)
    return apply_sensor_noise(np.asarray(distances, dtype=float), sigma, lost, LIMIT, rng)


class SensorNoise(unittest.TestCase):
    def test_without_faults_nothing_changes(self):
        distances = np.linspace(0.1, 6.0, 25)
        np.testing.assert_array_equal(noisy(distances, 0.0, 0.0), distances)

    def test_lost_beams_equal_the_limit_exactly(self):
        got = noisy(np.full(20000, 2.0), 0.4, 0.2)
        self.assertAlmostEqual((got == LIMIT).mean(), 0.2, delta=0.01)
        np.testing.assert_array_equal(noisy(np.full(25, 2.0), 0.4, 1.0), np.full(25, LIMIT))

    def test_noise_is_on_valid_echoes_only(self):
        distances = np.full(1000, LIMIT)
        distances[::2] = 3.0
        got = noisy(distances, 0.3, 0.0)
        np.testing.assert_array_equal(got[1::2], LIMIT)
        self.assertAlmostEqual(got[::2].std(), 0.3, delta=0.03)
        self.assertAlmostEqual(got[::2].mean(), 3.0, delta=0.05)

    def test_stays_within_the_range(self):
        got = noisy(np.tile([0.1, 5.9], 5000), 0.4, 0.1)
        self.assertEqual(got.min(), 0.0)  # clipped: why clearance is not measured with noise
        self.assertEqual(got.max(), LIMIT)

    def test_which_beams_are_lost_does_not_depend_on_the_noise(self):
        distances = np.full(200, 2.0)
        quiet, loud = noisy(distances, 0.0, 0.3), noisy(distances, 0.4, 0.3)
        np.testing.assert_array_equal(quiet == LIMIT, loud == LIMIT)

    def test_the_input_is_left_alone_and_the_seed_decides(self):
        distances = np.full(25, 2.0)
        one, same, other = (noisy(distances, 0.1, 0.1, seed) for seed in (1, 1, 2))
        np.testing.assert_array_equal(distances, 2.0)
        np.testing.assert_array_equal(one, same)
        self.assertFalse(np.array_equal(one, other))


if __name__ == "__main__":
    unittest.main()
