#!/usr/bin/env python3
"""A numerical fault: all activations zero, the loop stops with its cause, ~reset brings it back."""

import sys
import unittest

import rospy
import rostest
from diagnostic_msgs.msg import DiagnosticStatus
from rosgraph_msgs.msg import Log
from std_msgs.msg import Float32MultiArray
from std_srvs.srv import Trigger

from mujoco_ros_common.ros.listener import DiagnosticsListener, Listener
from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
wait = Session.wait


class ArmFault(unittest.TestCase):
    def test_a_fault_stops_safely_and_reset_goes_on(self):
        rospy.init_node("arm_fault_rostest")
        activations = Listener("muscle_activations", Float32MultiArray)
        excitations = Listener("muscle_excitations", Float32MultiArray)
        status = Listener("msk_arm/status", Float32MultiArray)
        log = Listener("/rosout", Log)
        diagnostics = DiagnosticsListener(NODE)
        spoil = rospy.ServiceProxy(f"{NODE}/spoil", Trigger)
        reset = rospy.ServiceProxy(f"{NODE}/reset", Trigger)
        spoil.wait_for_service(30.0)
        status.wait_for(lambda m: m.data[4] == 1.0, "the arm at its target")
        self.assertEqual(diagnostics.status().level, DiagnosticStatus.OK)
        self.assertGreater(sum(activations.last.data), 0.01)

        spoil()
        activations.wait_for(lambda m: not any(m.data), "activations at zero")
        self.assertEqual(sum(excitations.last.data), 0.0)
        rospy.sleep(0.5)
        seen = len(activations.messages)
        rospy.sleep(0.5)
        self.assertEqual(len(activations.messages), seen)  # the loop has stopped
        wait(lambda: diagnostics.status().level == DiagnosticStatus.ERROR, "the error", 5.0)
        self.assertIn("SimulationError", diagnostics.status().message)
        self.assertTrue(any("SimulationError" in entry.msg for entry in log.messages))

        self.assertTrue(reset().success)
        activations.wait_for(lambda m: any(m.data), "the simulation going on")
        status.wait_for(lambda m: m.data[4] == 1.0 and m.data[5] < 0.001, "the arm at its target")
        wait(lambda: diagnostics.status().level == DiagnosticStatus.OK, "no error", 5.0)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_fault", ArmFault, sys.argv)
