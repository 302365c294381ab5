#!/usr/bin/env python3
"""The frames of the URDF, moved by joint_states, are where the simulated hand is."""

import sys
import unittest

import rospy
import rostest
import tf2_ros
from geometry_msgs.msg import Point
from std_msgs.msg import Float32MultiArray

from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
wait = Session.wait


class ArmUrdf(unittest.TestCase):
    def test_the_hand_frame_is_at_the_hand(self):
        rospy.init_node("arm_urdf_rostest")
        buffer = tf2_ros.Buffer()
        tf2_ros.TransformListener(buffer)
        hand = Listener("end_effector_position", Point)
        status = Listener("msk_arm/status", Float32MultiArray)
        status.wait_for(lambda m: m.data[4] == 1.0 and m.data[5] < 0.001, "the arm at its target")
        rospy.sleep(0.5)  # the frames follow
        wait(lambda: buffer.can_transform("base_link", "hand", rospy.Time(0)), "the frames")
        place = buffer.lookup_transform("base_link", "hand", rospy.Time(0)).transform.translation
        for got, expected in zip((place.x, place.y, place.z), (hand.last.x, 0.0, hand.last.z)):
            self.assertAlmostEqual(got, expected, delta=0.0005)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_urdf", ArmUrdf, sys.argv)
