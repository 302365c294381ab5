#!/usr/bin/env python3
"""The keyboard in a real xterm on a virtual screen, driven by xdotool."""

import sys

import rospy
import rostest
from std_msgs.msg import Float32MultiArray

from msk_hand.names import MUSCLES
from mujoco_ros_common.ros.cases import WindowCase
from mujoco_ros_common.session import Session

U, A = MUSCLES.index("wrist_flex"), MUSCLES.index("index_flex")
wait = Session.wait


class HandKeyboard(WindowCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("hand_keyboard_rostest")
        cls.commands = []
        rospy.Subscriber(
            "msk_hand/muscle_cmd", Float32MultiArray, lambda m: cls.commands.append(m.data)
        )

    def setUp(self):
        del self.commands[:]
        self.open_window("mujoco_msk_hand_teleop", "keyboard_teleop.launch", "msk_hand_keyboard")
        wait(self.connected, "the keyboard's topic", 20.0)

    @staticmethod
    def connected():
        publishers = dict(rospy.get_master().getSystemState()[2][0])
        return "/msk_hand_keyboard" in publishers.get("/msk_hand/muscle_cmd", ())

    def last(self):
        return self.commands[-1] if self.commands else [0.0] * len(MUSCLES)

    def test_keys_move_muscles_and_esc_quits(self):
        self.press("u")
        wait(lambda: self.last()[U] > 0.99, "the wrist flexor on")
        self.press("l", "a")
        wait(lambda: abs(self.last()[A] - 0.3) < 0.01, "the index flexor at level 0.3")
        self.assertGreater(self.last()[U], 0.99)
        self.press("Up")  # an arrow is one key, not ESC: nothing happens
        self.press("space")
        wait(lambda: sum(self.last()) == 0.0, "all muscles relaxed")
        seen = len(self.commands)
        rospy.sleep(0.5)
        self.assertEqual(len(self.commands), seen)  # at rest it says nothing
        self.press("u")
        wait(lambda: self.last()[U] > 0.29, "the wrist flexor on again")
        self.press("Escape")
        wait(lambda: not self.window(), "the window closed")
        wait(lambda: sum(self.last()) == 0.0, "all muscles relaxed at the end")

    def test_a_held_key_counts_once(self):
        self.xdotool("keydown", "a")
        rospy.sleep(1.5)  # X repeats it after 0.66 s, 25 times a second
        self.xdotool("keyup", "a")
        rospy.sleep(0.3)
        self.assertGreater(self.last()[A], 0.99)

    def test_closing_the_window_relaxes(self):
        self.press("u")
        wait(lambda: self.last()[U] > 0.99, "the wrist flexor on")
        self.xdotool("windowkill", self.window())
        wait(lambda: sum(self.last()) == 0.0, "all muscles relaxed")
        self.assertIsNone(self.launch.poll())  # the simulation lives


if __name__ == "__main__":
    rostest.rosrun("mujoco_msk_hand_teleop", "hand_keyboard", HandKeyboard, sys.argv)
