#!/usr/bin/env python3
"""When the sensing node speaks: all three inputs valid, and none withdrawn. The test is the arm."""

import sys
import time
import unittest

import rospy
import rostest
from diagnostic_msgs.msg import DiagnosticArray
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray

from msk_proprioception.names import JOINTS, PACKAGE
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

NAN, INF = float("nan"), float("inf")
wait = Session.wait


class Inputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("proprioception_inputs_rostest")
        cls.joints = rospy.Publisher("joint_states", JointState, queue_size=10)
        cls.forces = rospy.Publisher("muscle_forces", Float32MultiArray, queue_size=10)
        cls.activations = rospy.Publisher("muscle_activations", Float32MultiArray, queue_size=10)
        cls.output = Listener("proprioception/spindle_length", Float32MultiArray)
        cls.sensed = Listener("proprioception/sensed", JointState)
        cls.strict = Listener("strict/proprioception/sensed", JointState)
        cls.diagnostics = Listener("/diagnostics", DiagnosticArray)
        for publisher in (cls.joints, cls.forces, cls.activations):
            wait(lambda p=publisher: p.get_num_connections() >= 2, "the sensing nodes")
        cls.time = 1000.0

    def send(self, joints=True, forces=True, activations=True):
        """One tick; True: a sound message, None: none, else that very message."""
        Inputs.time += 0.01
        sound = {
            "forces": Float32MultiArray(data=[10.0] * 6),
            "activations": Float32MultiArray(data=[0.1] * 6),
            "joints": JointState(name=list(JOINTS), position=[0.1, 0.2], velocity=[0.0, 0.0]),
        }
        given = {"forces": forces, "activations": activations, "joints": joints}
        for name, value in given.items():
            message = sound[name] if value is True else value
            if message is None:
                continue
            if name == "joints":
                message.header.stamp = rospy.Time.from_sec(Inputs.time)
            getattr(self, name).publish(message)
        time.sleep(0.01)

    def speaks(self, n=15, **what):
        """How many samples come out in n ticks."""
        start = len(self.output.messages)
        for _ in range(n):
            self.send(**what)
        time.sleep(0.1)
        return len(self.output.messages) - start

    def setUp(self):
        wait(lambda: self.speaks() >= 12, "the node speaking on sound inputs", 20.0)

    def test_it_needs_all_three_inputs(self):
        for name in ("joints", "forces", "activations"):
            time.sleep(0.6)  # longer than input_timeout_s
            self.assertEqual(self.speaks(10, **{name: None}), 0, name)
            self.assertGreater(self.speaks(), 5, name)

    def test_a_bad_message_withdraws_its_input_until_a_good_one_comes(self):
        joint = dict(name=list(JOINTS), position=[0.1, 0.2], velocity=[0.0, 0.0])
        bad = {
            "joints": [
                JointState(**{**joint, "name": ["shoulder", "wrist"]}),
                JointState(**{**joint, "name": ["shoulder", "shoulder"]}),
                JointState(
                    name=[*JOINTS, "wrist"], position=[0.1, 0.2, 0.3], velocity=[0.0, 0.0, 0.0]
                ),
                JointState(**{**joint, "name": ["shoulder"], "position": [0.1], "velocity": [0.0]}),
                JointState(**{**joint, "position": [0.1, NAN]}),
                JointState(**{**joint, "velocity": [INF, 0.0]}),
                JointState(**{**joint, "velocity": []}),
            ],
            "forces": [
                Float32MultiArray(data=[1.0] * 5),
                Float32MultiArray(data=[1.0] * 7),
                Float32MultiArray(data=[]),
                Float32MultiArray(data=[1.0] * 5 + [NAN]),
                Float32MultiArray(data=[1.0] * 5 + [-INF]),
            ],
            "activations": [
                Float32MultiArray(data=[0.1] * 5 + [1.5]),
                Float32MultiArray(data=[0.1] * 5 + [NAN]),
                Float32MultiArray(data=[0.1] * 12),
            ],
        }
        for name, messages in bad.items():
            for message in messages:
                with self.subTest(input=name, message=str(message)[-60:]):
                    # the bad one, then ticks without this input: nothing is ready
                    self.assertGreater(self.speaks(), 5)
                    self.send(**{name: message})
                    time.sleep(0.05)
                    if name != "joints":
                        self.assertEqual(self.speaks(6, **{name: None}), 0)
                    else:
                        self.assertEqual(self.speaks(6, joints=message), 0)
        self.assertGreater(self.speaks(), 5)

    def test_joints_in_another_order_are_fine(self):
        names, positions = ["elbow", "shoulder"], [0.2, 0.1]
        message = JointState(name=names, position=positions, velocity=[0.0, 0.0])
        plain = self.sensed.last.position
        self.assertGreater(self.speaks(joints=message), 10)
        for a, b in zip(self.sensed.last.position, plain):
            self.assertAlmostEqual(a, b, delta=0.005)

    def test_nothing_is_said_twice_when_a_stamp_comes_twice(self):
        start = len(self.sensed.messages)
        for _ in range(20):
            self.send()
            Inputs.time -= 0.01
            self.send()
        time.sleep(0.1)
        stamps = [m.header.stamp.to_nsec() for m in self.sensed.messages[start:]]
        self.assertEqual(len(stamps), len(set(stamps)))
        self.assertEqual(stamps, sorted(stamps))

    def test_time_that_goes_back_begins_anew(self):
        Inputs.time = 10.0
        start = len(self.sensed.messages)
        self.assertGreater(self.speaks(), 8)
        stamps = [m.header.stamp.to_sec() for m in self.sensed.messages[start:]]
        self.assertLess(max(stamps), 11.0)  # nothing from before
        self.assertEqual(stamps, sorted(stamps))

    def test_old_stamps_are_refused_where_that_is_asked_for(self):
        seen = len(self.strict.messages)
        self.assertGreater(self.speaks(), 10)  # stamps of long ago
        self.assertEqual(len(self.strict.messages), seen)
        Inputs.time = rospy.Time.now().to_sec()
        self.assertGreater(self.speaks(), 5)
        self.assertGreater(len(self.strict.messages), seen + 5)

    def test_dropped_messages_are_counted(self):
        def rejected():
            for status in self.diagnostics.last.status:
                if "strict" in status.name:
                    continue
                for pair in status.values:
                    if pair.key == "rejected muscle_forces":
                        return int(pair.value)
            return None

        self.diagnostics.wait_for(lambda _: rejected() is not None, "diagnostics")
        before = rejected()
        for _ in range(5):
            self.send(forces=Float32MultiArray(data=[1.0]))
        self.diagnostics.wait_for(lambda _: (rejected() or 0) >= before + 5, "the count")


if __name__ == "__main__":
    rostest.rosrun(PACKAGE, "proprioception_inputs", Inputs, sys.argv)
