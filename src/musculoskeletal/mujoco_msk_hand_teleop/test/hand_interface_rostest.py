#!/usr/bin/env python3
"""The hand's topics and services, with its simulation and its network running."""

import math
import sys
import unittest

import rospy
import rostest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32, Float32MultiArray
from std_srvs.srv import SetBool, Trigger

from msk_hand.names import JOINTS, MUSCLES, STATE_LABELS
from mujoco_ros_common.session import Session

TARGET = (0.014, 0.182, 0.085)
REACH_S, REACHED_M = 1.2, 0.010
wait = Session.wait


class Listener:
    """Keeps what comes on a topic."""

    def __init__(self, topic, kind):
        self.messages = []
        self._subscriber = rospy.Subscriber(topic, kind, self.messages.append, queue_size=100)

    @property
    def last(self):
        return self.messages[-1] if self.messages else None

    def next(self, what):
        """The first message that comes from now on."""
        seen = len(self.messages)
        wait(lambda: len(self.messages) > seen, what)
        return self.messages[seen]


class HandInterface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("hand_interface_rostest")
        cls.states = Listener("msk_hand/state", Float32MultiArray)
        cls.joints = Listener("msk_hand/joint_states", JointState)
        cls.commands = Listener("msk_hand/muscle_cmd", Float32MultiArray)
        cls.diagnostics = Listener("/diagnostics", DiagnosticArray)
        cls.command = rospy.Publisher("msk_hand/muscle_cmd", Float32MultiArray, queue_size=1)
        cls.target = rospy.Publisher("msk_hand/target", Point, queue_size=1)
        cls.stiffness = rospy.Publisher("msk_hand/co_contraction", Float32, queue_size=1)
        # the simulation and the network both listen to commands and to targets
        wait(lambda: cls.command.get_num_connections() >= 3, "listeners of commands")
        wait(lambda: cls.target.get_num_connections() >= 2, "listeners of targets")
        wait(lambda: cls.stiffness.get_num_connections() >= 1, "the network")
        cls.reset = rospy.ServiceProxy("msk_hand_sim/reset", Trigger)
        cls.pause = rospy.ServiceProxy("msk_hand_sim/set_pause", SetBool)
        cls.step = rospy.ServiceProxy("msk_hand_sim/step", Trigger)
        cls.reset.wait_for_service(20.0)

    def setUp(self):
        self.assertTrue(self.pause(False).success)
        self.assertTrue(self.reset().success)

    def state(self):
        return dict(zip(STATE_LABELS, self.states.next("a state").data))

    def wait_sim(self, seconds):
        """Let simulated time pass; the state after it."""
        end = self.state()["time"] + seconds
        wait(lambda: self.states.last.data[0] >= end, f"{seconds} s of simulation", 30.0)
        return dict(zip(STATE_LABELS, self.states.last.data))

    def reach(self, target):
        self.target.publish(Point(*target))
        return self.wait_sim(REACH_S)["reach_error"]

    def test_state_says_what_it_is(self):
        message = self.states.next("a state")
        self.assertEqual(message.layout.dim[0].label.split(","), list(STATE_LABELS))
        self.assertEqual(message.layout.dim[0].size, 22)
        state = dict(zip(STATE_LABELS, message.data))
        self.assertTrue(math.isnan(state["button_depth"]) and math.isnan(state["ball_height"]))

    def test_joint_states(self):
        message = self.joints.next("joint states")
        self.assertEqual(message.name, list(JOINTS))
        for values in (message.position, message.velocity, message.effort):
            self.assertEqual(len(values), len(JOINTS))
        gaps = [
            (b.header.stamp - a.header.stamp).to_sec()
            for a, b in zip(self.joints.messages[:-1], self.joints.messages[1:])
        ]
        self.assertGreater(min(gaps), 0.0)

    def test_target_is_reached(self):
        self.assertLess(self.reach(TARGET), REACHED_M)
        # latched: a late comer still gets it
        message = rospy.wait_for_message("msk_hand/nn_status", Float32MultiArray, 10.0)
        self.assertEqual(
            message.layout.dim[0].label, "target_x,target_y,target_z,predicted_residual,reachable"
        )
        for got, sent in zip(message.data, TARGET):
            self.assertAlmostEqual(got, sent, places=6)
        self.assertEqual(message.data[4], 1.0)

    def test_out_of_reach_is_said(self):
        listener = Listener("msk_hand/nn_status", Float32MultiArray)
        self.target.publish(Point(0.5, 0.5, 0.5))
        wait(lambda: listener.last and abs(listener.last.data[0] - 0.5) < 1e-6, "a status")
        self.assertEqual(listener.last.data[4], 0.0)

    def test_malformed_messages_are_dropped_and_counted(self):
        before, joint = self.rejected(), self.bent()
        for data in ([0.0] * 10, [math.nan] * 11, [0.0] * 10 + [1.5], [-0.1] + [0.0] * 10, []):
            self.command.publish(Float32MultiArray(data=data))
            rospy.sleep(0.1)
        self.target.publish(Point(math.inf, 0.0, 0.0))
        wait(lambda: self.rejected() == (before[0] + 5, before[1] + 1), "6 rejections", 10.0)
        # the last good command still holds
        self.assertAlmostEqual(self.wait_sim(0.2)["j_index_mcp"], joint, delta=0.02)

    def bent(self):
        """Bend the index finger with a command of our own; its angle at rest, rad."""
        data = [0.0] * len(MUSCLES)
        data[MUSCLES.index("index_flex")] = 0.4
        rest = self.state()["j_index_mcp"]
        self.command.publish(Float32MultiArray(data=data))
        bent = self.wait_sim(1.5)["j_index_mcp"]
        self.assertGreater(bent, rest + 0.3)
        return bent

    def rejected(self):
        """Counts of dropped commands and targets that the simulation reports."""
        for array in reversed(self.diagnostics.messages):
            for status in array.status:
                if status.name.startswith("msk_hand_sim"):
                    values = {item.key: item.value for item in status.values}
                    return tuple(
                        int(values[f"rejected {topic}"])
                        for topic in ("msk_hand/muscle_cmd", "msk_hand/target")
                    )
        self.diagnostics.next("diagnostics")
        return self.rejected()

    def test_reset_pause_step(self):
        self.bent()
        before = self.state()["time"]
        self.assertTrue(self.reset().success)
        after = self.wait_sim(0.5)
        self.assertGreater(after["time"], before)  # published time never goes back
        self.assertLess(after["j_index_mcp"], 0.5)
        self.assertFalse(self.step().success)
        self.assertTrue(self.pause(True).success)
        frozen = len(self.joints.messages)
        rospy.sleep(0.5)
        self.assertLessEqual(len(self.joints.messages) - frozen, 1)
        stamp = self.joints.last.header.stamp
        self.assertTrue(self.step().success)
        wait(lambda: self.joints.last.header.stamp > stamp, "the step")
        self.assertAlmostEqual((self.joints.last.header.stamp - stamp).to_sec(), 0.01, places=6)
        self.assertTrue(self.pause(False).success)
        self.wait_sim(0.1)

    def test_a_person_pre_empts_the_network(self):
        self.assertLess(self.reach(TARGET), REACHED_M)
        end = rospy.get_time() + 1.5
        while rospy.get_time() < end:  # as the keyboard does: a stream
            self.command.publish(Float32MultiArray(data=[0.0] * len(MUSCLES)))
            rospy.sleep(0.02)
        self.assertGreater(self.states.last.data[-1], 0.03)
        wait(lambda: self.states.last.data[-1] < REACHED_M, "the network going on", 6.0)

    def test_co_contraction_is_added(self):
        self.assertLess(self.reach(TARGET), REACHED_M)
        plain = self.commands.next("a command").data
        self.stiffness.publish(Float32(0.3))
        wait(lambda: sum(self.commands.last.data) > sum(plain) + 0.3, "co-contraction")
        stiff = self.commands.last.data
        self.assertTrue(all(b >= a - 1e-6 for a, b in zip(plain, stiff)))
        self.stiffness.publish(Float32(0.0))
        wait(lambda: self.commands.last.data == plain, "the plain command again")


if __name__ == "__main__":
    rostest.rosrun("mujoco_msk_hand_teleop", "hand_interface", HandInterface, sys.argv)
