#!/usr/bin/env python3
"""The simulation node's topics and services, without anybody else who commands the hand."""

import math
import sys
import unittest

import rospy
import rostest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray
from std_srvs.srv import SetBool, Trigger

from msk_hand.names import JOINTS, MUSCLES, STATE_LABELS
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

wait = Session.wait


class HandSimulation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("hand_simulation_rostest")
        cls.states = Listener("msk_hand/state", Float32MultiArray)
        cls.joints = Listener("msk_hand/joint_states", JointState)
        cls.diagnostics = Listener("/diagnostics", DiagnosticArray)
        cls.command = rospy.Publisher("msk_hand/muscle_cmd", Float32MultiArray, queue_size=1)
        cls.target = rospy.Publisher("msk_hand/target", Point, queue_size=1)
        wait(lambda: cls.command.get_num_connections(), "a listener of commands")
        wait(lambda: cls.target.get_num_connections(), "a listener of targets")
        cls.reset = rospy.ServiceProxy("msk_hand_sim/reset", Trigger)
        cls.pause = rospy.ServiceProxy("msk_hand_sim/set_pause", SetBool)
        cls.step = rospy.ServiceProxy("msk_hand_sim/step", Trigger)
        cls.reset.wait_for_service(20.0)

    def setUp(self):
        self.assertTrue(self.pause(False).success)
        self.assertTrue(self.reset().success)

    def state(self):
        return dict(zip(STATE_LABELS, self.states.next().data))

    def wait_sim(self, seconds):
        """Let simulated time pass; the state after it."""
        end = self.state()["time"] + seconds
        message = self.states.wait_for(lambda m: m.data[0] >= end, f"{seconds} s of simulation")
        return dict(zip(STATE_LABELS, message.data))

    def bend(self):
        """Bend the index finger by one message; the joint's angle when it is at rest, rad."""
        data = [0.0] * len(MUSCLES)
        data[MUSCLES.index("index_flex")] = 0.4
        rest = self.state()["j_index_mcp"]
        self.command.publish(Float32MultiArray(data=data))
        bent = self.wait_sim(1.5)["j_index_mcp"]
        self.assertGreater(bent, rest + 0.3)
        return bent

    def rejected(self):
        """Counts of dropped commands and targets, from the next diagnostics."""
        values = {item.key: item.value for item in self.diagnostics.next().status[0].values}
        topics = ("msk_hand/muscle_cmd", "msk_hand/target")
        return tuple(int(values[f"rejected {topic}"]) for topic in topics)

    def test_state_says_what_it_is(self):
        message = self.states.next()
        self.assertEqual(message.layout.dim[0].label.split(","), list(STATE_LABELS))
        self.assertEqual((message.layout.dim[0].size, len(message.data)), (22, 22))
        state = dict(zip(STATE_LABELS, message.data))
        self.assertTrue(math.isnan(state["button_depth"]) and math.isnan(state["ball_height"]))

    def test_joint_states(self):
        message = self.joints.next()
        self.assertEqual(message.name, list(JOINTS))
        for values in (message.position, message.velocity, message.effort):
            self.assertEqual(len(values), len(JOINTS))
        stamps = [message.header.stamp for message in self.joints.messages]
        self.assertTrue(all(b > a for a, b in zip(stamps[:-1], stamps[1:])))

    def test_a_target_is_shown(self):
        self.target.publish(Point(0.0, 0.0, 0.1))
        message = self.states.wait_for(lambda m: not math.isnan(m.data[-1]), "a reach error")
        state = dict(zip(STATE_LABELS, message.data))
        tip = (state["index_x"], state["index_y"], state["index_z"] - 0.1)
        self.assertAlmostEqual(state["reach_error"], math.sqrt(sum(v * v for v in tip)), places=5)

    def test_malformed_messages_are_dropped_and_counted(self):
        (commands, targets), joint = self.rejected(), self.bend()
        for data in ([0.0] * 10, [math.nan] * 11, [0.0] * 10 + [1.5], [-0.1] + [0.0] * 10, []):
            self.command.publish(Float32MultiArray(data=data))
            commands += 1  # one by one: a subscriber keeps the newest alone
            wait(lambda n=commands: self.rejected() == (n, targets), f"rejection of {data}")
        self.target.publish(Point(math.inf, 0.0, 0.0))
        wait(lambda: self.rejected() == (commands, targets + 1), "rejection of the target")
        # the last good command still holds
        self.assertAlmostEqual(self.wait_sim(0.2)["j_index_mcp"], joint, delta=0.02)

    def test_reset_returns_and_time_goes_on(self):
        rest = self.state()["j_index_mcp"]
        self.bend()
        before = self.state()["time"]
        self.assertTrue(self.reset().success)
        after = self.wait_sim(0.5)
        self.assertGreater(after["time"], before)
        self.assertAlmostEqual(after["j_index_mcp"], rest, delta=0.02)
        self.bend()  # control goes on

    def test_pause_and_step(self):
        self.assertFalse(self.step().success)  # only while paused
        self.assertTrue(self.pause(True).success)
        rospy.sleep(0.2)  # what was under way has arrived
        seen, stamp = len(self.joints.messages), self.joints.last.header.stamp
        rospy.sleep(0.3)
        self.assertEqual(len(self.joints.messages), seen)
        self.assertTrue(self.step().success)
        message = self.joints.wait_for(lambda m: m.header.stamp > stamp, "the step")
        self.assertAlmostEqual((message.header.stamp - stamp).to_sec(), 0.01, places=6)
        self.assertTrue(self.pause(False).success)
        self.wait_sim(0.1)


if __name__ == "__main__":
    rostest.rosrun("mujoco_msk_hand_teleop", "hand_simulation", HandSimulation, sys.argv)
