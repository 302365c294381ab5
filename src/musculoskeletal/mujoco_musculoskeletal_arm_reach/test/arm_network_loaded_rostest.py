#!/usr/bin/env python3
"""A target that the loaded arm refuses is no target of the network's either."""

import sys
import unittest

import numpy as np
import rospy
import rostest
from geometry_msgs.msg import Point
from std_msgs.msg import Float32MultiArray

from msk_arm.target import TOO_WEAK
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
wait = Session.wait


class ArmNetworkLoaded(unittest.TestCase):
    def test_a_refused_target_leaves_the_arm_where_it_is(self):
        rospy.init_node("arm_network_loaded_rostest")
        hand = Listener("end_effector_position", Point)
        status = Listener("msk_arm/status", Float32MultiArray)
        target = rospy.Publisher("target_position", Point, queue_size=1)
        wait(lambda: target.get_num_connections() >= 2, "arm and network", 30.0)

        def place():
            """Where the hand has been in the last half second, on average."""
            return np.mean([(m.x, m.z) for m in hand.messages[-50:]], axis=0)

        def rests():
            recent = hand.messages[-100:]
            return len(recent) == 100 and np.ptp([m.z for m in recent]) < 0.02

        rospy.sleep(2.0)
        wait(rests, "a hand that rests", 20.0)
        before = place()
        target.publish(Point(0.57, 0.0, -0.05))
        status.wait_for(lambda m: int(m.data[3]) == TOO_WEAK, "a refusal")
        rospy.sleep(2.0)
        np.testing.assert_allclose(place(), before, atol=0.03)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_network_loaded", ArmNetworkLoaded, sys.argv)
