#!/usr/bin/env python3
"""The network moves the fingertip to its target, gives way to a person, and says what it can't."""

import sys
import unittest

import rospy
import rostest
from geometry_msgs.msg import Point
from rosgraph_msgs.msg import Log
from std_msgs.msg import Float32, Float32MultiArray

from msk_hand.demo import REACH_S, REACHED_M, TARGETS
from msk_hand.names import MUSCLES
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

NEAR, FAR = TARGETS[0], TARGETS[1]  # near to where the hand hangs at rest, and far from it
wait = Session.wait


class HandNetwork(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("hand_network_rostest")
        cls.states = Listener("msk_hand/state", Float32MultiArray)
        cls.commands = Listener("msk_hand/muscle_cmd", Float32MultiArray)
        cls.command = rospy.Publisher("msk_hand/muscle_cmd", Float32MultiArray, queue_size=1)
        cls.target = rospy.Publisher("msk_hand/target", Point, queue_size=1)
        cls.stiffness = rospy.Publisher("msk_hand/co_contraction", Float32, queue_size=1)
        # simulation, network and this test listen to commands; the first two to targets
        wait(lambda: cls.command.get_num_connections() >= 3, "listeners of commands")
        wait(lambda: cls.target.get_num_connections() >= 2, "listeners of targets")
        wait(lambda: cls.stiffness.get_num_connections() >= 1, "the network")

    def reach(self, target):
        """Error after the time that a reach may take, m."""
        start = self.states.next().data[0]
        self.target.publish(Point(*target))
        end = start + REACH_S + 0.04  # the message itself takes a state's period at most
        return self.states.wait_for(lambda m: m.data[0] >= end, "the reach").data[-1]

    def test_targets_are_reached(self):
        for target in TARGETS:
            self.assertLess(self.reach(target), REACHED_M)

    def test_status_is_latched(self):
        self.reach(NEAR)
        message = rospy.wait_for_message("msk_hand/nn_status", Float32MultiArray, 10.0)
        label = "target_x,target_y,target_z,predicted_residual,reachable"
        self.assertEqual(message.layout.dim[0].label, label)
        for got, sent in zip(message.data, NEAR):
            self.assertAlmostEqual(got, sent, places=6)
        self.assertEqual(message.data[4], 1.0)

    def test_out_of_reach_is_said(self):
        status = Listener("msk_hand/nn_status", Float32MultiArray)
        self.target.publish(Point(0.5, 0.5, 0.5))
        message = status.wait_for(lambda m: abs(m.data[0] - 0.5) < 1e-6, "its status")
        self.assertEqual(message.data[4], 0.0)

    def test_a_stream_out_of_reach_is_said_once_a_second(self):
        log = Listener("/rosout", Log)
        status = Listener("msk_hand/nn_status", Float32MultiArray)
        # simulation, network and this test have a log
        wait(lambda: log.connections() >= 3 and status.connections(), "log and status")
        begin = rospy.get_time()
        for number in range(25):
            self.target.publish(Point(0.6, 0.6, 0.01 * number))
            rospy.sleep(0.05)
        status.wait_for(lambda m: abs(m.data[2] - 0.24) < 1e-6, "the last one's status")
        rospy.sleep(0.2)
        said = [m.msg for m in log.messages if "target (0.6" in m.msg]
        self.assertTrue(1 <= len(said) <= 1 + int(rospy.get_time() - begin), said)

    def test_a_person_pre_empts_the_network(self):
        self.assertLess(self.reach(FAR), REACHED_M)
        end = rospy.get_time() + 1.5
        while rospy.get_time() < end:  # as the keyboard does: a stream
            self.command.publish(Float32MultiArray(data=[0.0] * len(MUSCLES)))
            rospy.sleep(0.02)
        self.assertGreater(self.states.last.data[-1], 0.03)
        self.states.wait_for(lambda m: m.data[-1] < REACHED_M, "the network going on")

    def test_co_contraction_is_added(self):
        self.assertLess(self.reach(NEAR), REACHED_M)
        plain = self.commands.next().data
        self.stiffness.publish(Float32(0.3))
        more = self.commands.wait_for(lambda m: sum(m.data) > sum(plain) + 0.3, "co-contraction")
        self.assertTrue(all(b >= a - 1e-6 for a, b in zip(plain, more.data)))
        self.stiffness.publish(Float32(0.0))
        self.commands.wait_for(lambda m: m.data == plain, "the plain command again")


if __name__ == "__main__":
    rostest.rosrun("mujoco_msk_hand_teleop", "hand_network", HandNetwork, sys.argv)
