#!/usr/bin/env python3
"""The network node drives the simulated arm over its topics alone."""

import math
import sys
import unittest

import rospy
import rostest
from geometry_msgs.msg import Point
from std_msgs.msg import Float32MultiArray
from std_srvs.srv import Trigger

from msk_arm.names import MUSCLES
from mujoco_ros_common.ros.listener import DiagnosticsListener, Listener
from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
wait = Session.wait


class ArmNetwork(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("arm_network_rostest")
        cls.hand = Listener("end_effector_position", Point)
        cls.commands = Listener("msk_arm/muscle_cmd", Float32MultiArray)
        cls.excitations = Listener("muscle_excitations", Float32MultiArray)
        cls.target = rospy.Publisher("target_position", Point, queue_size=1)
        wait(lambda: cls.target.get_num_connections() >= 2, "arm and network", 30.0)
        wait(lambda: cls.hand.last and cls.commands.last, "the hand and the network's commands")

    def error(self, place):
        return math.hypot(self.hand.last.x - place[0], self.hand.last.z - place[1])

    def test_it_reaches_targets(self):
        for place in ((0.38, -0.17), (0.30, -0.10), (0.45, 0.15)):
            self.target.publish(Point(place[0], 0.0, place[1]))
            wait(lambda p=place: self.error(p) < 0.01, f"the hand at {place}", 10.0)
            rospy.sleep(0.5)
            self.assertLess(self.error(place), 0.01)
        self.assertEqual(self.commands.last.layout.dim[0].label.split(","), list(MUSCLES))

    def test_the_arm_says_that_it_has_arrived(self):
        status = Listener("msk_arm/status", Float32MultiArray)
        self.target.publish(Point(0.38, 0.0, -0.17))
        status.wait_for(
            lambda m: m.data[4] == 1.0 and abs(m.data[0] - 0.38) < 1e-6, "a settled status"
        )
        self.assertLess(self.error((0.38, -0.17)), 0.001)

    def test_its_commands_are_what_drives(self):
        rospy.sleep(0.5)
        sent = [tuple(m.data) for m in self.commands.messages[-60:]]
        driven = [tuple(m.data) for m in self.excitations.messages[-20:]]
        self.assertTrue(set(driven) & set(sent))

    def test_a_bad_target_is_dropped_and_the_last_stays(self):
        self.target.publish(Point(0.30, 0.0, -0.10))
        wait(lambda: self.error((0.30, -0.10)) < 0.01, "the hand at the target", 10.0)
        diagnostics = DiagnosticsListener("msk_arm_nn")
        before = int(diagnostics.values()["rejected target_position"])
        self.target.publish(Point(5.0, 0.0, 0.0))
        wait(
            lambda: int(diagnostics.values()["rejected target_position"]) == before + 1,
            "a rejection",
        )
        self.assertLess(self.error((0.30, -0.10)), 0.01)

    def test_a_reset_of_the_arm_sends_the_network_to_the_default_target(self):
        self.target.publish(Point(0.45, 0.0, 0.15))
        wait(lambda: self.error((0.45, 0.15)) < 0.01, "the hand at the target", 10.0)
        self.assertTrue(rospy.ServiceProxy(f"{NODE}/reset", Trigger)().success)
        wait(lambda: self.error((0.38, -0.17)) < 0.01, "the hand at the default target", 10.0)
        rospy.sleep(0.5)
        self.assertLess(self.error((0.38, -0.17)), 0.01)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_network", ArmNetwork, sys.argv)
