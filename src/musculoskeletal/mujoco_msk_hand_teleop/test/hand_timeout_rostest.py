#!/usr/bin/env python3
"""With ~command_timeout the hand relaxes when its commands stop."""

import sys
import unittest

import rospy
import rostest
from std_msgs.msg import Float32MultiArray

from msk_hand.names import MUSCLES, STATE_LABELS
from mujoco_ros_common.session import Session

ANGLE = STATE_LABELS.index("j_index_mcp")


class HandTimeout(unittest.TestCase):
    def test_relaxes_when_commands_stop(self):
        rospy.init_node("hand_timeout_rostest")
        angles = []
        rospy.Subscriber(
            "msk_hand/state", Float32MultiArray, lambda message: angles.append(message.data[ANGLE])
        )
        command = rospy.Publisher("msk_hand/muscle_cmd", Float32MultiArray, queue_size=1)
        Session.wait(lambda: command.get_num_connections() and angles, "the simulation")
        rest = angles[-1]
        bend = [0.0] * len(MUSCLES)
        bend[MUSCLES.index("index_flex")] = 0.5

        def bent():
            command.publish(Float32MultiArray(data=bend))
            return angles[-1] > rest + 0.4

        Session.wait(bent, "a bent finger")
        Session.wait(lambda: abs(angles[-1] - rest) < 0.05, "a relaxed finger", 10.0)


if __name__ == "__main__":
    rostest.rosrun("mujoco_msk_hand_teleop", "hand_timeout", HandTimeout, sys.argv)
