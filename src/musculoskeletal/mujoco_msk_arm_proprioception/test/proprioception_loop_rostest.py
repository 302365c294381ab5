#!/usr/bin/env python3
"""The arm reaches on what it feels, and the estimator knows where its joints are."""

import sys
import time
import unittest

import numpy as np
import rosnode
import rospy
import rostest
from dynamic_reconfigure.client import Client
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray

from msk_proprioception.names import PACKAGE
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

TARGETS = ((0.30, -0.30), (0.45, 0.10), (0.38, -0.17))
wait = Session.wait


class Loop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("proprioception_loop_rostest")
        cls.hand = Listener("end_effector_position", Point)
        cls.joints = Listener("joint_states", JointState)
        cls.estimates = Listener("proprioception/joint_estimate", JointState)
        cls.std = Listener("proprioception/joint_estimate_std", Float32MultiArray)
        cls.commands = Listener("msk_arm/muscle_cmd", Float32MultiArray)
        cls.target = rospy.Publisher("target_position", Point, queue_size=1)
        cls.client = Client(PACKAGE, timeout=30.0)
        wait(lambda: cls.target.get_num_connections() >= 2, "arm and feedback node")
        cls.commands.next(30.0)
        cls.estimates.next(30.0)

    def error(self, target, seconds=0.5):
        """Mean distance (m) of the hand from a target over the next `seconds`."""
        start = len(self.hand.messages)
        time.sleep(seconds)
        points = np.array([(m.x, m.z) for m in self.hand.messages[start:]])
        return float(np.hypot(*(points - target).T).mean())

    def aim(self, target):
        self.target.publish(Point(target[0], 0.0, target[1]))

    def test_1_targets_are_reached_on_the_estimate(self):
        for target in TARGETS:
            self.aim(target)
            wait(lambda t=target: self.error(t) < 0.004, f"the hand at {target}", 15.0)

    def test_2_targets_out_of_reach_are_ignored(self):
        self.aim(TARGETS[0])
        wait(lambda: self.error(TARGETS[0]) < 0.004, "the hand there", 15.0)
        self.aim((2.0, 0.0))
        self.target.publish(Point(float("nan"), 0.0, 0.0))
        self.assertLess(self.error(TARGETS[0], 1.0), 0.005)

    def test_3_the_network_knows_where_the_joints_are(self):
        start = len(self.estimates.messages)
        for target in TARGETS:
            self.aim(target)
            time.sleep(1.0)
        truth = {m.header.stamp.to_nsec(): m for m in self.joints.messages}
        off = [
            np.subtract(m.position, truth[m.header.stamp.to_nsec()].position)
            for m in self.estimates.messages[start:]
            if m.header.stamp.to_nsec() in truth
        ]
        self.assertGreater(len(off), 100)
        # in the median: on a busy machine some samples come a tick late
        self.assertLess(float(np.median(np.abs(off))), 0.006)
        std = self.std.next().data
        self.assertEqual(len(std), 4)
        self.assertTrue(all(0.0 < value < 1.0 for value in std))

    def test_4_a_longer_delay_and_more_noise_are_borne(self):
        self.client.update_configuration({"delay_s": 0.08, "noise_scale": 2.0})
        try:
            time.sleep(0.5)
            for target in TARGETS[:2]:
                self.aim(target)
                wait(lambda t=target: self.error(t) < 0.010, f"the hand at {target}", 15.0)
        finally:
            self.client.update_configuration({"delay_s": 0.03, "noise_scale": 1.0})

    def test_5_without_samples_the_arms_own_controller_takes_over(self):
        rosnode.kill_nodes([f"/{PACKAGE}"])
        time.sleep(0.7)
        seen = len(self.commands.messages)
        self.aim(TARGETS[1])
        wait(lambda: self.error(TARGETS[1]) < 0.002, "the hand there", 15.0)
        self.assertEqual(len(self.commands.messages), seen)


if __name__ == "__main__":
    rostest.rosrun(PACKAGE, "proprioception_loop", Loop, sys.argv)
