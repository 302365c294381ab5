#!/usr/bin/env python3
"""The frames of the URDF, moved by joint_states, are where the simulated hand is."""

import sys
import unittest

import mujoco
import numpy as np
import rospy
import rostest
from geometry_msgs.msg import Point
from std_msgs.msg import Float32MultiArray
from tf2_msgs.msg import TFMessage

from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
wait = Session.wait


class Frames:
    """The newest transform of every frame, chained here: tf2_ros is compiled for one Python."""

    def __init__(self):
        self.parents = {}
        for topic in ("/tf", "/tf_static"):
            rospy.Subscriber(topic, TFMessage, self._on)

    def _on(self, message):
        for stamped in message.transforms:
            self.parents[stamped.child_frame_id] = (stamped.header.frame_id, stamped.transform)

    def position(self, frame, base):
        """Origin of a frame in a base frame, (3,) m; None while the chain is not complete."""
        place = np.zeros(3)
        while frame != base:
            if frame not in self.parents:
                return None
            frame, transform = self.parents[frame]
            offset, turn = transform.translation, transform.rotation
            turned = np.empty(3)
            mujoco.mju_rotVecQuat(turned, place, np.array([turn.w, turn.x, turn.y, turn.z]))
            place = turned + [offset.x, offset.y, offset.z]
        return place


class ArmUrdf(unittest.TestCase):
    def test_the_hand_frame_is_at_the_hand(self):
        rospy.init_node("arm_urdf_rostest")
        frames = Frames()
        hand = Listener("end_effector_position", Point)
        status = Listener("msk_arm/status", Float32MultiArray)
        wait(lambda: hand.messages, "the arm")
        status.wait_for(lambda m: m.data[4] == 1.0 and m.data[5] < 0.001, "the arm at its target")
        rospy.sleep(0.5)  # the frames follow
        wait(lambda: frames.position("hand", "base_link") is not None, "the frames")
        place = frames.position("hand", "base_link")
        for got, expected in zip(place, (hand.last.x, 0.0, hand.last.z)):
            self.assertAlmostEqual(got, expected, delta=0.0005)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_urdf", ArmUrdf, sys.argv)
