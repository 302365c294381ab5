"""What the keys do."""

import unittest

import car_nn_paths  # noqa: F401

from car_nn.keyboard import KeyboardPolicy
from car_nn.settings import CONFIG
from mujoco_ros_common import config
from mujoco_ros_common.errors import ArgumentError


def policy(**changes):
    parameters = config.read(CONFIG)
    return KeyboardPolicy(parameters.overlaid({"start_speed": 0.5, **changes}, "test"))


class Keys(unittest.TestCase):
    def setUp(self):
        self.keys = policy()

    def press(self, *keys, now=0.0):
        for key in keys:
            self.assertTrue(self.keys.handle(key, now))
        return self.keys.update(now)

    def test_idle_it_says_nothing(self):
        self.assertIsNone(self.keys.update(0.0))
        self.assertIsNone(self.press("x", "f1"))

    def test_drive_keys(self):
        for keys, twist in (
            (["w"], (0.3, 0.0)),
            (["down"], (-0.3, 0.0)),
            (["left"], (0.0, 0.75)),
            (["d"], (0.0, -0.75)),
            (["up", "a"], (0.3, 0.75)),
        ):
            self.keys = policy()
            got = self.press(*keys)
            self.assertAlmostEqual(got[0], twist[0])
            self.assertAlmostEqual(got[1], twist[1])

    def test_letting_go_stops_after_the_time_out_and_is_said_once(self):
        self.assertEqual(self.press("w", now=1.0)[0], 0.3)
        self.assertEqual(self.keys.update(1.6)[0], 0.3)
        self.assertEqual(self.keys.update(1.8), (0.0, 0.0))
        self.assertIsNone(self.keys.update(1.9))

    def test_holding_goes_on(self):
        for tick in range(100):
            self.assertEqual(self.press("w", now=0.03 * tick)[0], 0.3)

    def test_each_axis_has_its_own_time_out(self):
        self.press("w", now=0.0)
        self.press("a", now=0.5)
        self.assertEqual(self.keys.update(0.9), (0.0, 0.75))

    def test_time_out_zero_holds_until_stop(self):
        self.keys = policy(key_timeout=0.0)
        self.press("w")
        self.assertEqual(self.keys.update(1000.0)[0], 0.3)
        self.assertEqual(self.press("space", now=1001.0), (0.0, 0.0))
        self.assertIsNone(self.keys.update(1002.0))

    def test_speed_up_and_down_within_bounds(self):
        self.assertAlmostEqual(self.press("e", "w")[0], 0.36)
        for _ in range(20):
            self.press("e")
        self.assertAlmostEqual(self.press("w")[0], 0.6)
        for _ in range(20):
            self.press("q")
        self.assertAlmostEqual(self.press("w")[0], 0.06)

    def test_stop_is_said_even_at_rest(self):
        self.assertEqual(self.press("space"), (0.0, 0.0))

    def test_handing_over_is_silent_and_driving_takes_over(self):
        self.press("w")
        self.assertIsNone(self.press("n", now=0.1))
        self.assertTrue(self.keys.network)
        self.assertIsNone(self.keys.update(5.0))
        self.assertEqual(self.press("a", now=6.0), (0.0, 0.75))
        self.assertFalse(self.keys.network)

    def test_n_again_takes_over_and_space_does_too(self):
        self.press("n", "n")
        self.assertFalse(self.keys.network)
        self.press("n")
        self.assertEqual(self.press("space"), (0.0, 0.0))
        self.assertFalse(self.keys.network)
        self.assertEqual(self.keys.toggles, ("n",))

    def test_quit_ends_and_stops(self):
        self.press("w", "n")
        self.assertFalse(self.keys.handle("esc", 0.1))
        self.assertEqual(self.keys.update(0.1), (0.0, 0.0))
        self.assertFalse(self.keys.network)

    def test_help_and_status_name_what_matters(self):
        for word in ("w or up", "esc", "network"):
            self.assertIn(word, self.keys.help())
        self.assertIn("you drive", self.keys.status())
        self.press("n")
        self.assertIn("the network drives", self.keys.status())

    def test_a_key_with_two_meanings_is_refused(self):
        with self.assertRaisesRegex(ArgumentError, "two meanings"):
            policy(stop_key="w")


if __name__ == "__main__":
    unittest.main()
