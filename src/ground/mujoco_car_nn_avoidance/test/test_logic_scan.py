"""LaserScan conventions, and beams to sectors."""

import math
import unittest

import car_nn_paths  # noqa: F401
import numpy as np

from car_nn import scan

FAN = math.radians(60.0)
INF, NAN = math.inf, math.nan


def reader():
    return scan.ScanReader(25, FAN, 6.0)


def fan(beams=25):
    """angle_min, angle_max, increment of a fan."""
    return -FAN, FAN, 2.0 * FAN / (beams - 1)


def some_distances(beams=25, seed=0):
    return np.random.default_rng(seed).uniform(0.5, 5.5, beams)


class Ranges(unittest.TestCase):
    def test_published_as_rep_117_says(self):
        ranges = scan.to_ranges(np.array([6.0, 0.01, 2.5]), 0.02, 6.0)
        self.assertEqual(ranges.tolist(), [INF, -INF, 2.5])

    def test_inf_and_nan_become_the_limit(self):
        got = scan.from_ranges([INF, NAN, 9.0, 2.0], 0.02, 6.0, 6.0)
        self.assertEqual(got.tolist(), [6.0, 6.0, 6.0, 2.0])

    def test_zeros_are_no_obstacles(self):
        got = scan.from_ranges([0.0, 0.01, -1.0, 0.02], 0.02, 6.0, 6.0)
        self.assertEqual(got.tolist(), [6.0, 6.0, 6.0, 0.02])

    def test_minus_inf_is_an_obstacle_too_near_to_measure(self):
        self.assertEqual(scan.from_ranges([-INF], 0.05, 6.0, 6.0).tolist(), [0.05])

    def test_a_longer_laser_is_cut_at_the_networks_range(self):
        got = scan.from_ranges([8.0, 31.0, 5.0], 0.1, 30.0, 6.0)
        self.assertEqual(got.tolist(), [6.0, 6.0, 5.0])

    def test_there_and_back(self):
        distances = some_distances()
        distances[3] = 6.0
        ranges = scan.to_ranges(distances, 0.02, 6.0)
        np.testing.assert_array_equal(scan.from_ranges(ranges, 0.02, 6.0, 6.0), distances)


class Layout(unittest.TestCase):
    def test_the_plain_fan_passes_as_it_is(self):
        distances = some_distances()
        np.testing.assert_array_equal(reader().read(distances, *fan(), 0.02, 6.0), distances)

    def test_float32_angles_pass(self):
        angles = [float(np.float32(value)) for value in fan()]
        distances = some_distances()
        np.testing.assert_array_equal(reader().read(distances, *angles, 0.02, 6.0), distances)

    def test_reversed_beams_give_the_same_sectors(self):
        distances = some_distances()
        low, high, increment = fan()
        got = reader().read(distances[::-1], high, low, -increment, 0.02, 6.0)
        np.testing.assert_array_equal(got, distances)

    def test_one_beam_too_many_or_too_few_is_refused(self):
        for beams in (24, 26, 0):
            with self.assertRaisesRegex(ValueError, "angle_max = angle_min"):
                reader().read(some_distances(beams), *fan(), 0.02, 6.0)

    def test_nonsense_is_refused(self):
        low, high, increment = fan()
        for angles in ((NAN, high, increment), (low, high, 0.0), (low, INF, increment)):
            with self.assertRaises(ValueError):
                reader().read(some_distances(), *angles, 0.02, 6.0)
        for limits in ((0.02, NAN), (NAN, 6.0), (6.0, 0.02), (-1.0, 6.0)):
            with self.assertRaisesRegex(ValueError, "range_min"):
                reader().read(some_distances(), low, high, increment, *limits)

    def test_a_fan_that_leaves_sectors_empty_is_refused(self):
        with self.assertRaisesRegex(ValueError, "each of 25 sectors"):
            reader().read(some_distances(13), *fan(13), 0.02, 6.0)
        half = (0.0, FAN, FAN / 24)
        with self.assertRaisesRegex(ValueError, "each of 25 sectors"):
            reader().read(some_distances(), *half, 0.02, 6.0)

    def test_layouts_may_change_from_scan_to_scan(self):
        one = reader()
        for beams in (25, 121, 25):
            self.assertEqual(one.read(np.full(beams, 2.0), *fan(beams), 0.02, 6.0).shape, (25,))


class Pooling(unittest.TestCase):
    def test_a_thin_pole_between_two_sectors_is_seen(self):
        for beams in (121, 125, 361):
            angles = scan.beam_angles(beams, FAN)
            for beam in range(beams):
                distances = np.full(beams, 6.0)
                distances[beam] = 1.0
                pooled = scan.Sectors(angles, 25, FAN).pool(distances)
                self.assertEqual((pooled == 1.0).sum(), 1)
                centre = math.radians(-60.0 + 5.0 * int(pooled.argmin()))
                self.assertLessEqual(abs(angles[beam] - centre), math.radians(2.5) + 1e-9)

    def test_a_full_circle_is_cut_to_the_fan(self):
        angles = np.radians(np.arange(-180, 180))
        distances = np.where(np.abs(angles) > math.radians(63.0), 0.3, 4.0)
        np.testing.assert_array_equal(scan.Sectors(angles, 25, FAN).pool(distances), np.full(25, 4))


if __name__ == "__main__":
    unittest.main()
