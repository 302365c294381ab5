#!/usr/bin/env python3
"""The keyboard in a real xterm on a virtual screen, driven by xdotool."""

import subprocess
import sys
import unittest

import rospy
import rostest
from car_nn_listener import Listener, state_of
from geometry_msgs.msg import Twist
from std_msgs.msg import Float32MultiArray

from mujoco_ros_common.session import Session, stop, virtual_screen

wait = Session.wait


class CarKeyboard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("car_keyboard_rostest")
        cls.states = Listener("car_nn/state", Float32MultiArray)
        cls.commands = Listener("cmd_vel", Twist)

    def setUp(self):
        screen = virtual_screen()
        self.display = screen.__enter__()
        self.addCleanup(screen.__exit__, None, None, None)
        launch = ["roslaunch", "mujoco_car_nn_avoidance", "keyboard_teleop.launch", "viewer:=false"]
        self.launch = subprocess.Popen(launch, env=self.display, start_new_session=True)
        self.addCleanup(stop, self.launch)
        wait(self.focused, "the xterm with the keyboard's focus", 30.0)
        wait(lambda: "/car_nn_keyboard" in self.publishers(), "the keyboard node", 20.0)
        wait(lambda: "/car_nn_nn" in self.publishers(), "the network node", 20.0)
        self.states.next("a state")

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
        self.xdotool("key", "space")
        wait(lambda: abs(self.state()["w"]) < 0.01, "a car at rest", 1.0)

    def test_handing_over_to_the_network_and_back(self):
        self.xdotool("key", "n")
        wait(lambda: self.state()["x"] > 0.5, "the network driving", 10.0)
        self.xdotool("keydown", "s")  # a drive key takes over
        wait(lambda: self.state()["v"] < -0.1, "the person driving back", 3.0)
        self.xdotool("keyup", "s")
        wait(lambda: abs(self.state()["v"]) < 0.01, "a standing car", 3.0)
        rospy.sleep(1.5)
        self.assertLess(abs(self.state()["v"]), 0.01)  # the network stays off
        self.xdotool("key", "n")
        wait(lambda: self.state()["v"] > 0.3, "the network driving again", 3.0)
        self.xdotool("key", "Escape")
        wait(lambda: not self.window(), "the window closed")
        wait(lambda: abs(self.state()["v"]) < 0.01, "a standing car at the end", 3.0)

    def test_closing_the_window_stops_the_car(self):
        self.xdotool("key", "n")
        wait(lambda: self.state()["v"] > 0.3, "the network driving", 10.0)
        self.xdotool("windowkill", self.window())
        wait(lambda: abs(self.state()["v"]) < 0.01, "a standing car", 3.0)
        self.assertIsNone(self.launch.poll())  # the simulation lives


if __name__ == "__main__":
    rostest.rosrun("mujoco_car_nn_avoidance", "car_keyboard", CarKeyboard, sys.argv)
