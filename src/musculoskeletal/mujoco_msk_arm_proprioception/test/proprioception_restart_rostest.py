#!/usr/bin/env python3
"""The arm dies and comes back, is reset, is paused: senses and feedback fall silent and go on."""

import signal
import subprocess
import sys
import time
import unittest

import numpy as np
import rospy
import rostest
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray
from std_srvs.srv import SetBool, Trigger

from msk_proprioception.names import PACKAGE
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session, stop

ARM = "mujoco_musculoskeletal_arm_reach"
DEFAULT = (0.38, -0.17)
wait = Session.wait


class Restart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("proprioception_restart_rostest")
        cls.sensed = Listener("proprioception/sensed", JointState)
        cls.commands = Listener("msk_arm/muscle_cmd", Float32MultiArray)
        cls.hand = Listener("end_effector_position", Point)

    def start_arm(self):
        process = subprocess.Popen(
            ["rosrun", ARM, "msk_arm_sim_node.py", "_viewer:=false"], start_new_session=True
        )
        self.addCleanup(stop, process)
        self.sensed.next(30.0)
        self.commands.next(10.0)
        return process

    def silent(self):
        time.sleep(0.5)
        seen = len(self.sensed.messages), len(self.commands.messages)
        time.sleep(0.7)
        return seen == (len(self.sensed.messages), len(self.commands.messages))

    def arrives(self):
        def near():
            points = np.array([(m.x, m.z) for m in self.hand.messages[-40:]])
            return len(points) and np.hypot(*(points - DEFAULT).T).mean() < 0.005

        wait(near, "the hand at its default target", 20.0)

    def test_the_arm_dies_and_comes_back(self):
        self.assertTrue(self.silent())  # no arm, no senses
        for number in (signal.SIGKILL, signal.SIGINT):
            process = self.start_arm()
            self.arrives()
            process.send_signal(number)
            process.wait(10.0)
            self.assertTrue(self.silent())
        last = self.sensed.last.header.stamp
        process = self.start_arm()
        after = self.sensed.next().header.stamp
        self.assertGreater((after - last).to_sec(), 1.0)  # nothing from before
        self.arrives()

    def test_reset_and_pause(self):
        self.start_arm()
        self.arrives()
        rospy.ServiceProxy(f"/{ARM}/set_pause", SetBool)(True)
        self.assertTrue(self.silent())
        rospy.ServiceProxy(f"/{ARM}/set_pause", SetBool)(False)
        self.sensed.next()
        self.arrives()
        start = len(self.sensed.messages)
        self.assertTrue(rospy.ServiceProxy(f"/{ARM}/reset", Trigger)().success)
        time.sleep(1.0)
        stamps = [m.header.stamp.to_nsec() for m in self.sensed.messages[start:]]
        self.assertEqual(stamps, sorted(set(stamps)))
        self.arrives()


if __name__ == "__main__":
    rostest.rosrun(PACKAGE, "proprioception_restart", Restart, sys.argv)
