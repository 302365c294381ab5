#!/usr/bin/env python3
"""The keyboard in a real xterm on a virtual screen, driven by xdotool."""

import sys

import rospy
import rostest
from car_nn_state import state_of
from geometry_msgs.msg import Twist
from std_msgs.msg import Float32MultiArray

from mujoco_ros_common.ros.cases import WindowCase
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

wait = Session.wait


class CarKeyboard(WindowCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("car_keyboard_rostest")
        cls.states = Listener("car_nn/state", Float32MultiArray)
        cls.commands = Listener("cmd_vel", Twist)

    def setUp(self):
        self.open_window("mujoco_car_nn_avoidance", "keyboard_teleop.launch", "car_nn_keyboard")
        wait(lambda: "/car_nn_keyboard" in self.publishers(), "the keyboard's topic", 20.0)
        wait(lambda: "/car_nn_nn" in self.publishers(), "the network node", 20.0)
        self.states.next()

    @staticmethod
    def publishers():
        return dict(rospy.get_master().getSystemState()[2][0]).get("/cmd_vel", ())

    def state(self):
        return state_of(self.states.last)

    def test_a_held_key_drives_and_letting_go_stops(self):
        seen = len(self.commands.messages)
        rospy.sleep(0.5)
        self.assertEqual(len(self.commands.messages), seen)  # idle it says nothing
        self.xdotool("keydown", "Up")  # an arrow is one key, not ESC
        wait(lambda: self.state()["v"] > 0.3, "a driving car")
        rospy.sleep(1.5)  # X repeats it
        self.assertGreater(self.state()["v"], 0.3)
        self.xdotool("keyup", "Up")
        wait(lambda: abs(self.state()["v"]) < 0.01, "a standing car", 3.0)
        self.xdotool("keydown", "a")
        wait(lambda: self.state()["w"] > 0.5, "a car turning left")
        self.xdotool("keyup", "a")
        self.press("space")
        wait(lambda: abs(self.state()["w"]) < 0.01, "a car at rest", 1.0)

    def test_handing_over_to_the_network_and_back(self):
        self.press("n")
        wait(lambda: self.state()["x"] > 0.5, "the network driving", 10.0)
        self.xdotool("keydown", "s")  # a drive key takes over
        wait(lambda: self.state()["v"] < -0.1, "the person driving back", 3.0)
        self.xdotool("keyup", "s")
        wait(lambda: abs(self.state()["v"]) < 0.01, "a standing car", 3.0)
        rospy.sleep(1.5)
        self.assertLess(abs(self.state()["v"]), 0.01)  # the network stays off
        self.press("n")
        wait(lambda: self.state()["v"] > 0.3, "the network driving again", 3.0)
        self.press("Escape")
        wait(lambda: not self.window(), "the window closed")
        wait(lambda: abs(self.state()["v"]) < 0.01, "a standing car at the end", 3.0)

    def test_closing_the_window_stops_the_car(self):
        self.press("n")
        wait(lambda: self.state()["v"] > 0.3, "the network driving", 10.0)
        self.xdotool("windowkill", self.window())
        wait(lambda: abs(self.state()["v"]) < 0.01, "a standing car", 3.0)
        self.assertIsNone(self.launch.poll())  # the simulation lives


if __name__ == "__main__":
    rostest.rosrun("mujoco_car_nn_avoidance", "car_keyboard", CarKeyboard, sys.argv)
