"""The teacher and the gap follower."""

import math
import unittest

import car_nn_paths  # noqa: F401
import numpy as np

from car_nn.expert import FRONT, LEFT, RIGHT, Expert
from car_nn.gap import GapFollower, widest_run

FREE = np.full(25, 6.0)


def seen(distance, place):
    """A free view but for one band."""
    distances = FREE.copy()
    distances[place] = distance
    return distances


class Teacher(unittest.TestCase):
    def setUp(self):
        self.expert = Expert()

    def test_bands_cover_the_fan_once(self):
        bands = [list(range(25))[band] for band in (RIGHT, FRONT, LEFT)]
        self.assertEqual([len(band) for band in bands], [10, 5, 10])
        self.assertEqual(sum(bands, []), list(range(25)))

    def test_cruises_straight_at_full_throttle(self):
        self.assertEqual(self.expert.act(FREE, 0.0)[1], 1.0)
        self.assertAlmostEqual(self.expert.act(FREE, 0.0)[0], 0.0)

    def test_turns_back_to_heading_zero(self):
        self.assertLess(self.expert.act(FREE, 0.3)[0], -0.1)
        self.assertGreater(self.expert.act(FREE, -0.3)[0], 0.1)

    def test_turns_to_the_open_side(self):
        self.assertGreater(self.expert.act(seen(1.0, RIGHT), 0.0)[0], 0.2)
        self.assertLess(self.expert.act(seen(1.0, LEFT), 0.0)[0], -0.2)

    def test_straight_ahead_the_tie_goes_left(self):
        self.assertGreater(self.expert.act(seen(1.0, FRONT), 0.0)[0], 0.3)

    def test_nearer_means_steering_more(self):
        steers = [self.expert.act(seen(d, FRONT), 0.0)[0] for d in (2.5, 2.0, 1.5, 1.0, 0.5)]
        self.assertEqual(steers, sorted(steers))
        self.assertGreater(steers[-1], steers[0] + 0.3)

    def test_what_is_beyond_the_horizon_does_not_disturb(self):
        far = seen(self.expert.horizon + 0.1, slice(0, 14))
        self.assertEqual(self.expert.act(far, 0.1), self.expert.act(FREE, 0.1))

    def test_throttle_goes_down_in_steps(self):
        throttles = [self.expert.throttle(d) for d in (6.0, 0.8, 0.5, 0.2)]
        self.assertEqual(len(set(throttles)), 4)
        self.assertEqual(throttles, sorted(throttles, reverse=True))
        self.assertGreater(throttles[-1], 0.0)

    def test_outputs_stay_in_range_and_are_mirrored_in_a_mirrored_world(self):
        rng = np.random.default_rng(3)
        for _ in range(300):
            distances, heading = rng.uniform(0.0, 6.0, 25), rng.uniform(-4.0, 4.0)
            steer, throttle = self.expert.act(distances, heading)
            self.assertTrue(-1.0 <= steer <= 1.0 and 0.0 < throttle <= 1.0)
            openness = np.minimum(distances, self.expert.horizon) / self.expert.horizon
            lean = openness[LEFT].mean() - openness[RIGHT].mean()
            lean += openness[13:15].mean() - openness[10:12].mean()
            if abs(lean) <= self.expert.tie:
                continue
            mirrored = self.expert.act(distances[::-1], -heading)
            self.assertAlmostEqual(mirrored[0], -steer)
            self.assertEqual(mirrored[1], throttle)


class Gaps(unittest.TestCase):
    def setUp(self):
        self.gap = GapFollower(math.radians(60.0))

    def test_widest_run(self):
        self.assertEqual(widest_run([0, 1, 1, 0, 1, 1, 1, 0]), (4, 6))
        self.assertEqual(widest_run([1, 1, 1]), (0, 2))
        self.assertEqual(widest_run([0, 0]), (0, -1))

    def test_free_it_goes_for_heading_zero(self):
        self.assertEqual(self.gap.act(FREE, 0.0), (0.0, 1.0))
        self.assertLess(self.gap.act(FREE, 0.3)[0], 0.0)

    def test_goes_round_on_the_wider_side_and_slower(self):
        steer, throttle = self.gap.act(seen(1.0, slice(8, 14)), 0.0)
        self.assertGreater(steer, 0.1)
        self.assertGreater(math.radians(60.0), steer / self.gap.gain)
        self.assertLess(throttle, 1.0)
        self.assertAlmostEqual(self.gap.act(seen(1.0, slice(11, 17)), 0.0)[0], -steer)

    def test_walled_in_it_looks_for_the_longest_view(self):
        distances = np.full(25, 0.5)
        distances[20] = 1.2
        self.assertGreater(self.gap.act(distances, 0.0)[0], 0.5)


if __name__ == "__main__":
    unittest.main()
