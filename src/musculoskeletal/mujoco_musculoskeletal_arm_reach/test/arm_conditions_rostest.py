#!/usr/bin/env python3
"""A tired arm on elastic tendons with a weight in its hand."""

import sys
import unittest

import rospy
import rostest
from std_msgs.msg import Float32MultiArray

from msk_arm.names import FATIGUE_LABELS
from mujoco_ros_common.ros.listener import Listener

NODE = "mujoco_musculoskeletal_arm_reach"


class ArmConditions(unittest.TestCase):
    def test_it_reaches_and_tells_of_its_fatigue(self):
        rospy.init_node("arm_conditions_rostest")
        fatigue = Listener("msk_arm/fatigue", Float32MultiArray)
        status = Listener("msk_arm/status", Float32MultiArray)
        status.wait_for(lambda m: m.data[4] == 1.0 and m.data[5] < 0.001, "the arm at its target")
        message = fatigue.next()
        self.assertEqual(message.layout.dim[0].label, ",".join(FATIGUE_LABELS))
        self.assertEqual(len(message.data), 18)
        for k in range(6):
            self.assertAlmostEqual(sum(message.data[3 * k : 3 * k + 3]), 1.0, places=5)
            self.assertGreater(message.data[3 * k + 2], 0.3)
        begin, seen = rospy.get_time(), len(fatigue.messages)
        rospy.sleep(2.0)
        rate = (len(fatigue.messages) - seen) / (rospy.get_time() - begin)
        self.assertAlmostEqual(rate, 10.0, delta=2.5)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_conditions", ArmConditions, sys.argv)
