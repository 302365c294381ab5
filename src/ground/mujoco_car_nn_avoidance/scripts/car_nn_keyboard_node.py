#!/usr/bin/env python3
"""Keyboard node of the car: a person drives, or hands over to the network."""

import sys
import time

import rospy
from geometry_msgs.msg import Twist
from std_msgs.msg import Bool

from car_nn.keyboard import KeyboardPolicy
from car_nn.messages import twist_to
from car_nn.settings import CONFIG
from mujoco_ros_common import ros


class CarKeyboard(ros.KeyboardNode):
    """Publishes what the keys command, while they command anything.

    Publishes:
        cmd_vel (geometry_msgs/Twist, ~keyboard_rate): while a drive key is held, and one
            standstill after it; nothing while idle or while the network drives.
        car_nn/autopilot (std_msgs/Bool, latched): whether the network drives, when it changes.
    Parameters: ~keyboard_rate (Hz), keys, ~key_timeout (s), speeds; defaults and units in
        config/car_nn.yaml.
    """

    def __init__(self):
        parameters = ros.read_parameters(CONFIG)
        self.policy = KeyboardPolicy(parameters)
        self.handed_over = False
        self.command = rospy.Publisher("cmd_vel", Twist, queue_size=1)
        self.autopilot = rospy.Publisher("car_nn/autopilot", Bool, queue_size=1, latch=True)
        super().__init__(self.policy.toggles, parameters.number("keyboard_rate", 1.0, 200.0))

    def press(self, key):
        return self.policy.handle(key, time.monotonic())

    def update(self):
        if self.policy.network != self.handed_over:
            self.handed_over = self.policy.network
            self.autopilot.publish(Bool(self.handed_over))
        twist = self.policy.update(time.monotonic())
        if twist is not None:
            self._say(*twist)

    def farewell(self):
        if self.handed_over:
            self.autopilot.publish(Bool(False))
        self._say(0.0, 0.0)

    def help(self):
        return self.policy.help()

    def status(self):
        return self.policy.status()

    def _say(self, speed, rate):
        self.command.publish(twist_to(Twist(), speed, rate))


if __name__ == "__main__":
    sys.exit(ros.main("car_nn_keyboard", CarKeyboard))
