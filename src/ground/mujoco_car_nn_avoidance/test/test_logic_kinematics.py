"""Wheel speeds, limits, slew, heading."""

import math
import unittest

import car_nn_paths  # noqa: F401

from car_nn import kinematics as k

TRACK, RADIUS, LIMIT = 0.26, 0.05, 60.0


def wheels(speed, rate, limit=LIMIT):
    return k.differential_wheel_vels(speed, rate, TRACK, RADIUS, limit)


class DifferentialDrive(unittest.TestCase):
    def test_straight_turns_both_wheels_alike(self):
        left, right = wheels(0.6, 0.0)
        self.assertAlmostEqual(left, 12.0)
        self.assertAlmostEqual(right, 12.0)

    def test_left_turn_has_the_faster_right_wheel(self):
        left, right = wheels(0.3, 1.0)
        self.assertAlmostEqual(right - left, TRACK / RADIUS)
        self.assertAlmostEqual(0.5 * (left + right), 6.0)
        self.assertLess(*reversed(wheels(0.3, -1.0)))

    def test_turning_on_the_spot(self):
        left, right = wheels(0.0, 1.5)
        self.assertAlmostEqual(left, -right)
        self.assertGreater(right, 0.0)

    def test_the_limit_keeps_the_curve(self):
        left, right = wheels(6.0, 3.0)
        self.assertAlmostEqual(max(abs(left), abs(right)), LIMIT)
        speed, rate = k.twist_of_wheels(left, right, TRACK, RADIUS)
        self.assertAlmostEqual(speed / rate, 6.0 / 3.0)
        self.assertLess(speed, 6.0)

    def test_what_goes_out_comes_back(self):
        for twist in ((0.6, 0.0), (0.2, -1.4), (-0.3, 0.7), (0.0, 0.0)):
            for got, sent in zip(k.twist_of_wheels(*wheels(*twist), TRACK, RADIUS), twist):
                self.assertAlmostEqual(got, sent)

    def test_a_command_is_clamped(self):
        self.assertEqual(k.drive_command(3.0, 2.0, 0.6, 1.5), (0.6, 1.5))
        self.assertEqual(k.drive_command(-3.0, -2.0, 0.6, 1.5), (0.0, -1.5))
        self.assertEqual(k.drive_command(0.5, 0.5, 0.6, 1.5), (0.3, 0.75))


class SlewLimits(unittest.TestCase):
    def test_follows_no_faster_than_allowed(self):
        slew, last, ticks = k.Slew(2.0, 8.0, 0.02), (0.0, 0.0), 0
        while last != (0.6, 1.5):
            now = slew.follow(0.6, 1.5)
            self.assertLessEqual(now[0] - last[0], 2.0 * 0.02 + 1e-12)
            self.assertLessEqual(now[1] - last[1], 8.0 * 0.02 + 1e-12)
            last, ticks = now, ticks + 1
        self.assertEqual(ticks, 15)  # 0.6 m/s at 2 m/s^2 is 0.3 s

    def test_braking_is_limited_too_and_reset_is_at_once(self):
        slew = k.Slew(2.0, 8.0, 0.02)
        for _ in range(50):
            slew.follow(0.6, 0.0)
        self.assertAlmostEqual(slew.follow(0.0, 0.0)[0], 0.56)
        slew.reset()
        self.assertEqual((slew.speed, slew.yaw_rate), (0.0, 0.0))


class Headings(unittest.TestCase):
    def test_yaw_of_a_quaternion(self):
        for yaw in (-3.0, -0.4, 0.0, 1.2, 3.1):
            got = k.yaw_of_quaternion(math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
            self.assertAlmostEqual(got, yaw)

    def test_turns_are_counted_through_pi(self):
        heading, true = k.Heading(), 0.0
        for step in [0.1] * 100 + [-0.1] * 250:
            true += step
            self.assertAlmostEqual(heading.update(k.wrap(true)), true)
        self.assertLess(true, -2.0 * math.pi)

    def test_jitter_at_pi_does_not_flip(self):
        heading = k.Heading()
        heading.update(3.0)
        values = [heading.update(yaw) for yaw in (3.14, -3.14, 3.14, -3.14)]
        self.assertLess(max(values) - min(values), 0.01)

    def test_a_car_that_was_put_elsewhere_starts_anew(self):
        for pose in ((0.0, 0.0, 0.0), (0.1, 6.0, 1.0)):
            heading = k.Heading()
            for step in range(1, 40):
                heading.update(k.wrap(0.1 * step), 6.0, 1.0)
            self.assertGreater(heading.value, math.pi)
            self.assertAlmostEqual(heading.update(*pose), pose[0])


if __name__ == "__main__":
    unittest.main()
