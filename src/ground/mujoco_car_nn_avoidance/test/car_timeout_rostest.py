#!/usr/bin/env python3
"""A car whose driver dies stands still; with ~command_timeout 0 it does not."""

import os
import signal
import sys
import time
import unittest
import xmlrpc.client

import rosgraph
import rospy
import rostest
from car_nn_state import state_of
from geometry_msgs.msg import Twist
from std_msgs.msg import Float32MultiArray

from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

TIMEOUT_S, BRAKING_S, MARGIN_S = 0.5, 0.3, 0.4


class CarTimeout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("car_timeout_rostest")

    def test_a_dead_network_leaves_a_standing_car(self):
        states = Listener("car_nn/state", Float32MultiArray)
        Session.wait(lambda: states.last and state_of(states.last)["v"] > 0.5, "a driving car")
        uri = rosgraph.Master("/car_timeout_rostest").lookupNode("/car_nn_nn")
        pid = xmlrpc.client.ServerProxy(uri).getPid("/car_timeout_rostest")[2]
        os.kill(pid, signal.SIGKILL)
        begin = time.monotonic()
        Session.wait(lambda: abs(state_of(states.last)["v"]) < 0.01, "a standing car", 5.0, 0.01)
        self.assertLess(time.monotonic() - begin, TIMEOUT_S + BRAKING_S + MARGIN_S)
        rospy.sleep(0.5)
        self.assertLess(abs(state_of(states.last)["v"]), 0.01)

    def test_zero_switches_it_off(self):
        states = Listener("patient/car_nn/state", Float32MultiArray)
        command = rospy.Publisher("patient/cmd_vel", Twist, queue_size=1)
        Session.wait(lambda: command.get_num_connections() and states.last, "the simulation")
        message = Twist()
        message.angular.z = 1.0
        command.publish(message)
        rospy.sleep(2.0)
        self.assertGreater(state_of(states.last)["w"], 0.9)


if __name__ == "__main__":
    rostest.rosrun("mujoco_car_nn_avoidance", "car_timeout", CarTimeout, sys.argv)
