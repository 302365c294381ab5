#!/usr/bin/env python3
"""The keyboard in a real xterm on a virtual screen: what the keys change in the running system."""

import sys

import rospy
import rostest
from dynamic_reconfigure.client import Client
from std_msgs.msg import Float32, Float32MultiArray

from msk_proprioception.names import PACKAGE
from mujoco_ros_common.ros.cases import WindowCase
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

wait = Session.wait


class Keyboard(WindowCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("proprioception_keyboard_rostest")
        cls.stiffness = Listener("msk_arm/co_contraction", Float32)
        cls.joint_stiffness = Listener("proprioception/joint_stiffness", Float32MultiArray)

    def setUp(self):
        self.open_window(PACKAGE, "keyboard_teleop.launch", "msk_proprioception_keyboard")
        self.client = Client(PACKAGE, timeout=30.0)
        self.joint_stiffness.next(30.0)

    def setting(self, name):
        return self.client.get_configuration(timeout=5.0)[name]

    def press_until(self, key, condition, what):
        """Press a key once it is listened to: again only as long as nothing has come of it."""
        self.press(key)
        wait(condition, what, 10.0)

    def test_keys_change_delay_noise_and_co_contraction(self):
        rospy.sleep(1.0)  # the node reads keys from now on
        self.press_until("Up", lambda: abs(self.setting("delay_s") - 0.04) < 1e-9, "40 ms")
        self.press_until("Down", lambda: abs(self.setting("delay_s") - 0.03) < 1e-9, "30 ms")
        self.press_until("plus", lambda: self.setting("noise_scale") == 1.5, "more noise")
        self.press_until("0", lambda: self.setting("noise_scale") == 0.0, "no noise")
        self.joint_stiffness.wait_for(lambda m: m.data[0] < 4.0, "an arm that only holds itself")
        for _ in range(6):
            self.press("c")
        self.stiffness.wait_for(lambda m: abs(m.data - 0.3) < 1e-6, "co-contraction 0.3")
        self.joint_stiffness.wait_for(lambda m: m.data[0] > 9.0, "a stiffer arm")
        self.press("Escape")
        self.stiffness.wait_for(lambda m: m.data == 0.0, "a relaxed arm at the end")
        self.assertIsNone(self.launch.poll())  # the rest lives
        self.joint_stiffness.wait_for(lambda m: m.data[0] < 4.0, "the arm as before")


if __name__ == "__main__":
    rostest.rosrun(PACKAGE, "proprioception_keyboard", Keyboard, sys.argv)
