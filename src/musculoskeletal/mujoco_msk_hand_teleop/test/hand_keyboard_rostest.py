#!/usr/bin/env python3
"""The keyboard in a real xterm on a virtual screen, driven by xdotool."""

import subprocess
import sys
import unittest

import rospy
import rostest
from std_msgs.msg import Float32MultiArray

from msk_hand.names import MUSCLES
from mujoco_ros_common.session import Session, stop, virtual_screen

U, A = MUSCLES.index("wrist_flex"), MUSCLES.index("index_flex")
wait = Session.wait


class HandKeyboard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("hand_keyboard_rostest")
        cls.commands = []
        rospy.Subscriber(
            "msk_hand/muscle_cmd", Float32MultiArray, lambda m: cls.commands.append(m.data)
        )

    def setUp(self):
        del self.commands[:]
        screen = virtual_screen()
        self.display = screen.__enter__()
        self.addCleanup(screen.__exit__, None, None, None)
        launch = ["roslaunch", "mujoco_msk_hand_teleop", "keyboard_teleop.launch", "viewer:=false"]
        self.launch = subprocess.Popen(launch, env=self.display, start_new_session=True)
        self.addCleanup(stop, self.launch)
        wait(self.focused, "the xterm with the keyboard's focus", 30.0)
        wait(self.connected, "the keyboard node", 20.0)

    def xdotool(self, *arguments):
        done = subprocess.run(
            ["xdotool", *arguments],
            env=self.display,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            universal_newlines=True,
            check=False,
        )
        return done.stdout.strip()

    def window(self):
        return self.xdotool("search", "--onlyvisible", "--class", "xterm").split("\n")[0]

    def focused(self):
        """Give the window the focus (there is no window manager); whether it has it."""
        window = self.window()
        if window:
            self.xdotool("windowfocus", window)
        return bool(window) and self.xdotool("getwindowfocus") == window

    @staticmethod
    def connected():
        publishers = dict(rospy.get_master().getSystemState()[2][0])
        return "/msk_hand_keyboard" in publishers.get("/msk_hand/muscle_cmd", ())

    def last(self):
        return self.commands[-1] if self.commands else [0.0] * len(MUSCLES)

    def test_keys_move_muscles_and_esc_quits(self):
        self.xdotool("key", "u")
        wait(lambda: self.last()[U] > 0.99, "the wrist flexor on")
        self.xdotool("key", "l", "a")
        wait(lambda: abs(self.last()[A] - 0.3) < 0.01, "the index flexor at level 0.3")
        self.assertGreater(self.last()[U], 0.99)
        self.xdotool("key", "Up")  # an arrow is one key, not ESC: nothing happens
        self.xdotool("key", "space")
        wait(lambda: sum(self.last()) == 0.0, "all muscles relaxed")
        seen = len(self.commands)
        rospy.sleep(0.5)
        self.assertEqual(len(self.commands), seen)  # at rest it says nothing
        self.xdotool("key", "u")
        wait(lambda: self.last()[U] > 0.29, "the wrist flexor on again")
        self.xdotool("key", "Escape")
        wait(lambda: not self.window(), "the window closed")
        wait(lambda: sum(self.last()) == 0.0, "all muscles relaxed at the end")

    def test_a_held_key_counts_once(self):
        self.xdotool("keydown", "a")
        rospy.sleep(1.5)  # X repeats it after 0.66 s, 25 times a second
        self.xdotool("keyup", "a")
        rospy.sleep(0.3)
        self.assertGreater(self.last()[A], 0.99)

    def test_closing_the_window_relaxes(self):
        self.xdotool("key", "u")
        wait(lambda: self.last()[U] > 0.99, "the wrist flexor on")
        self.xdotool("windowkill", self.window())
        wait(lambda: sum(self.last()) == 0.0, "all muscles relaxed")
        self.assertIsNone(self.launch.poll())  # the simulation lives


if __name__ == "__main__":
    rostest.rosrun("mujoco_msk_hand_teleop", "hand_keyboard", HandKeyboard, sys.argv)
