"""What is taken from messages, and what is refused."""

import math
import unittest
from types import SimpleNamespace as Message

import car_nn_paths  # noqa: F401

from car_nn import messages


def vector(x=0.0, y=0.0, z=0.0):
    return Message(x=x, y=y, z=z)


def odometry(yaw, x=0.0, y=0.0, scale=1.0):
    half = 0.5 * yaw
    turn = Message(x=0.0, y=0.0, z=scale * math.sin(half), w=scale * math.cos(half))
    return Message(pose=Message(pose=Message(position=vector(x, y), orientation=turn)))


class Twists(unittest.TestCase):
    def test_speed_and_yaw_rate(self):
        message = Message(linear=vector(x=0.3), angular=vector(z=-0.5))
        self.assertEqual(messages.twist_of(message), (0.3, -0.5))

    def test_nothing_that_is_not_finite_reaches_the_wheels(self):
        for part in ("linear", "angular"):
            for axis in "xyz":
                for bad in (math.nan, math.inf, -math.inf):
                    message = Message(linear=vector(), angular=vector())
                    setattr(getattr(message, part), axis, bad)
                    with self.assertRaisesRegex(ValueError, "finite twist"):
                        messages.twist_of(message)

    def test_there_and_back(self):
        message = messages.twist_to(Message(linear=vector(), angular=vector()), 0.2, 0.4)
        self.assertEqual(messages.twist_of(message), (0.2, 0.4))


class Odometry(unittest.TestCase):
    def test_pose(self):
        for scale in (1.0, 0.999, 1.5):  # not quite normalised is taken
            x, y, yaw = messages.pose_of(odometry(0.7, 1.0, -2.0, scale))
            self.assertEqual((x, y), (1.0, -2.0))
            self.assertAlmostEqual(yaw, 0.7)

    def test_nonsense_is_refused(self):
        for bad in (
            odometry(0.0, scale=0.0),
            odometry(0.0, scale=9.0),
            odometry(math.nan),
            odometry(0.0, x=math.inf),
            odometry(0.0, y=math.nan),
        ):
            with self.assertRaisesRegex(ValueError, "unit quaternion"):
                messages.pose_of(bad)


if __name__ == "__main__":
    unittest.main()
