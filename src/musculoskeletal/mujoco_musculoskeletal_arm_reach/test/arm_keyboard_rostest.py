#!/usr/bin/env python3
"""The keyboard in a real xterm on a virtual screen, driven by xdotool, with the arm running."""

import sys

import rospy
import rostest
from geometry_msgs.msg import Point
from std_msgs.msg import Float32, Float32MultiArray

from mujoco_ros_common.ros.cases import WindowCase
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
wait = Session.wait


class ArmKeyboard(WindowCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("arm_keyboard_rostest")
        cls.targets = Listener("target_position", Point)
        cls.hand = Listener("end_effector_position", Point)
        cls.stiffness = Listener("msk_arm/co_contraction", Float32)
        cls.commands = Listener("msk_arm/muscle_cmd", Float32MultiArray)
        cls.status = Listener("msk_arm/status", Float32MultiArray)

    def setUp(self):
        for listener in (self.targets, self.stiffness, self.commands, self.status, self.hand):
            del listener.messages[:]
        self.open_window(NODE, "keyboard_teleop.launch", "msk_arm_keyboard")
        wait(self.connected, "the keyboard's topic", 20.0)
        self.status.wait_for(lambda m: m.data[4] == 1.0, "the arm at its target")
        rospy.sleep(0.5)  # the keyboard has heard of it

    @staticmethod
    def connected():
        publishers = dict(rospy.get_master().getSystemState()[2][0])
        return "/msk_arm_keyboard" in publishers.get("/target_position", ())

    def still(self):
        heights = [message.z for message in self.hand.messages[-60:]]
        return max(heights) - min(heights) < 0.003

    def moved(self, x, z):
        wait(
            lambda: self.targets.last is not None
            and abs(self.targets.last.x - x) < 1e-6
            and abs(self.targets.last.z - z) < 1e-6,
            f"a target at {x} {z}",
        )
        wait(
            lambda: abs(self.hand.last.x - x) < 0.001 and abs(self.hand.last.z - z) < 0.001,
            f"the hand at {x} {z}",
        )

    def test_keys(self):
        self.assertEqual(len(self.commands.messages), 0)  # idle, it says nothing
        self.press("Up")
        self.moved(0.38, -0.16)
        self.press("Right")
        self.press("Right")
        self.moved(0.40, -0.16)
        self.press("Left")
        self.press("Down")
        self.moved(0.39, -0.17)
        self.press("Prior")
        self.stiffness.wait_for(lambda m: abs(m.data - 0.02) < 1e-6, "more co-contraction")
        self.press("Next")
        self.stiffness.wait_for(lambda m: m.data == 0.0, "less co-contraction")
        self.assertEqual(len(self.commands.messages), 0)

        self.press("l")
        self.press("2")  # the shoulder extensor alone lets the arm sink, and stops it
        self.commands.wait_for(lambda m: abs(m.data[1] - 0.1) < 0.01, "the shoulder extensor on")
        wait(lambda: self.hand.last.z < -0.3 and self.still(), "the hand at rest below", 30.0)
        self.press("space")  # hold it there
        wait(lambda: self.targets.last.z < -0.25, "a target where the hand is")
        place = (self.targets.last.x, self.targets.last.z)
        self.status.wait_for(
            lambda m: m.data[4] == 1.0 and abs(m.data[1] - place[1]) < 1e-6, "the hand held"
        )
        held = [abs(message.z - place[1]) for message in self.hand.messages[-50:]]
        self.assertLess(max(held[-5:]), 0.002)
        seen = len(self.commands.messages)
        rospy.sleep(0.5)
        self.assertEqual(len(self.commands.messages), seen)

        self.press("Escape")
        wait(lambda: not self.window(), "the window closed")
        self.assertIsNone(self.launch.poll())  # the simulation lives

    def test_closing_the_window_relaxes_what_was_driven(self):
        self.press("3")
        self.commands.wait_for(lambda m: abs(m.data[2] - 0.3) < 0.01, "the elbow flexor on")
        self.xdotool("windowkill", self.window())
        self.commands.wait_for(lambda m: not any(m.data), "zeros at the end")
        self.status.wait_for(lambda m: m.data[4] == 1.0, "the controller taking over", 10.0)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_keyboard", ArmKeyboard, sys.argv)
