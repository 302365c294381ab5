#!/usr/bin/env python3
"""A keyboard that says which keys it saw: what the keyboard scaffold is tested with."""

import sys
import time

import rospy
from std_msgs.msg import String

from mujoco_ros_common.ros import KeyboardNode, main


class ToyKeyboard(KeyboardNode):
    """Publishes each key; q ends it, b breaks it."""

    def __init__(self):
        super().__init__(toggles={"t"})
        rospy.on_shutdown(lambda: time.sleep(0.4))  # somebody else's end, and a slow one
        self.keys, self.count = rospy.Publisher("toy/keys", String, queue_size=20), 0

    def press(self, key):
        if key == "b":
            raise RuntimeError("a fault")
        self.count += 1
        self.keys.publish(String(key))
        return key != "q"

    def update(self):
        if self.count:
            self.keys.publish(String("update"))

    def farewell(self):
        self.keys.publish(String("farewell"))

    def help(self):
        return "q ends it"

    def status(self):
        return f"{self.count} keys"


if __name__ == "__main__":
    sys.exit(main("toy_keyboard", ToyKeyboard))
