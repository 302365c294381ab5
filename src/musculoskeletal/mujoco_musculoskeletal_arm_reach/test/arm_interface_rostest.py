#!/usr/bin/env python3
"""The arm's topics and services, with its simulation running."""

import math
import sys
import unittest

import rospy
import rostest
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32, Float32MultiArray
from std_srvs.srv import SetBool, Trigger

from msk_arm.names import JOINTS, MUSCLES, STATUS_LABELS
from mujoco_ros_common.ros.listener import DiagnosticsListener, Listener
from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
DEFAULT = (0.38, -0.17)
PUBLISHED = {
    "/joint_states": "sensor_msgs/JointState",
    "/end_effector_position": "geometry_msgs/Point",
    "/muscle_activations": "std_msgs/Float32MultiArray",
    "/muscle_excitations": "std_msgs/Float32MultiArray",
    "/muscle_forces": "std_msgs/Float32MultiArray",
    "/msk_arm/status": "std_msgs/Float32MultiArray",
}
HEARD = ("/target_position", "/msk_arm/muscle_cmd", "/msk_arm/co_contraction")
wait = Session.wait


def same(a, b):
    """Whether a value went through a float32 message unchanged, NaN and inf included."""
    return a == b or abs(a - b) < 1e-6 or (math.isnan(a) and math.isnan(b))


class ArmInterface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("arm_interface_rostest")
        cls.joints = Listener("joint_states", JointState)
        cls.hand = Listener("end_effector_position", Point)
        cls.forces = Listener("muscle_forces", Float32MultiArray)
        cls.activations = Listener("muscle_activations", Float32MultiArray)
        cls.excitations = Listener("muscle_excitations", Float32MultiArray)
        cls.status = Listener("msk_arm/status", Float32MultiArray)
        cls.diagnostics = DiagnosticsListener(NODE)
        cls.target = rospy.Publisher("target_position", Point, queue_size=1)
        cls.command = rospy.Publisher("msk_arm/muscle_cmd", Float32MultiArray, queue_size=1)
        cls.stiffness = rospy.Publisher("msk_arm/co_contraction", Float32, queue_size=1)
        for publisher in (cls.target, cls.command, cls.stiffness):
            wait(lambda p=publisher: p.get_num_connections() >= 1, "the arm's subscribers")
        wait(lambda: cls.hand.last and cls.joints.last, "the arm's state")
        cls.reset = rospy.ServiceProxy(f"{NODE}/reset", Trigger)
        cls.pause = rospy.ServiceProxy(f"{NODE}/set_pause", SetBool)
        cls.step = rospy.ServiceProxy(f"{NODE}/step", Trigger)
        cls.reset.wait_for_service(20.0)

    def setUp(self):
        self.assertTrue(self.pause(False).success)
        self.assertTrue(self.reset().success)

    def state(self):
        return dict(zip(STATUS_LABELS, self.status.next().data))

    def error(self, place):
        return math.hypot(self.hand.last.x - place[0], self.hand.last.z - place[1])

    def reach(self, place, within=0.001):
        self.target.publish(Point(place[0], 0.0, place[1]))
        wait(lambda: self.error(place) < within, f"the hand at {place}", 10.0)
        self.status.wait_for(
            lambda m: m.data[4] == 1.0 and abs(m.data[0] - place[0]) < 1e-6, "a settled status"
        )

    def test_graph_is_as_documented(self):
        publishers, subscribers, _ = rospy.get_master().getSystemState()[2]
        types = dict(rospy.get_published_topics())
        for topic, kind in PUBLISHED.items():
            self.assertIn(f"/{NODE}", dict(publishers)[topic])
            self.assertEqual(types[topic], kind)
        for topic in HEARD:
            self.assertIn(f"/{NODE}", dict(subscribers)[topic])

    def test_messages_say_what_they_are(self):
        for listener in (self.forces, self.activations, self.excitations):
            message = listener.next()
            self.assertEqual(message.layout.dim[0].label.split(","), list(MUSCLES))
            self.assertEqual(message.layout.dim[0].size, len(message.data))
            self.assertTrue(all(value >= 0.0 for value in message.data))
        joints = self.joints.next()
        self.assertEqual(joints.name, list(JOINTS))
        for values in (joints.position, joints.velocity, joints.effort):
            self.assertEqual(len(values), 2)
        gaps = [
            (b.header.stamp - a.header.stamp).to_sec()
            for a, b in zip(self.joints.messages[:-1], self.joints.messages[1:])
        ]
        self.assertGreater(min(gaps), 0.0)

    def test_it_drives_to_the_default_target(self):
        wait(lambda: self.error(DEFAULT) < 0.001, "the hand at the default target", 10.0)
        self.status.wait_for(lambda m: m.data[4] == 1.0, "a settled status")
        late = rospy.wait_for_message("msk_arm/status", Float32MultiArray, 10.0)  # latched
        self.assertEqual(
            late.layout.dim[0].label, "target_x,target_z,accepted,reason,settled,error"
        )
        self.assertLess(late.data[5], 0.001)

    def test_targets_are_reached_within_a_millimetre(self):
        for place in ((0.30, -0.10), (0.45, 0.15), (0.10, -0.50)):
            self.reach(place)

    def test_y_is_ignored(self):
        self.target.publish(Point(0.30, math.nan, -0.10))
        wait(lambda: self.error((0.30, -0.10)) < 0.001, "the hand at the target", 10.0)

    def test_refusals_have_their_reasons_and_the_last_target_stays(self):
        self.reach((0.30, -0.10))
        before = int(self.diagnostics.values()["rejected target_position"])
        wrong = (((math.nan, 0.0), 1), ((0.3, math.inf), 1), ((0.6, 0.0), 2), ((0.1, 0.1), 3))
        wrong += (((-0.4, 0.0), 4),)
        for place, reason in wrong:
            self.target.publish(Point(place[0], 0.0, place[1]))
            message = self.status.wait_for(
                lambda m, p=place: same(m.data[0], p[0]) and same(m.data[1], p[1]),
                f"a status of {place}",
            )
            self.assertEqual(list(message.data[2:4]), [0.0, reason])
            rospy.sleep(0.05)
            self.assertLess(self.error((0.30, -0.10)), 0.001)
        wait(
            lambda: int(self.diagnostics.values()["rejected target_position"])
            == before + len(wrong),
            "as many rejections in the diagnostics",
        )

    def test_malformed_commands_are_dropped_and_counted(self):
        self.reach((0.30, -0.10))
        before = self.diagnostics.values()
        bad = ([0.0] * 5, [math.nan] * 6, [0.0] * 5 + [1.5], [-0.1] + [0.0] * 5, [])
        for data in bad:
            self.command.publish(Float32MultiArray(data=data))
            rospy.sleep(0.1)
        for value in (-0.1, 1.1, math.nan):
            self.stiffness.publish(Float32(value))
            rospy.sleep(0.1)

        def counted():
            now = self.diagnostics.values()
            return [
                int(now[f"rejected {topic}"]) - int(before[f"rejected {topic}"])
                for topic in ("msk_arm/muscle_cmd", "msk_arm/co_contraction")
            ]

        wait(lambda: counted() == [5, 3], "8 rejections", 10.0)
        self.assertLess(self.error((0.30, -0.10)), 0.001)

    def test_outside_commands_replace_the_controller_while_they_are_fresh(self):
        self.reach((0.30, -0.10))
        for _ in range(40):  # the shoulder flexor alone: the arm goes down
            self.command.publish(Float32MultiArray(data=[0.4, 0.0, 0.0, 0.0, 0.0, 0.0]))
            rospy.sleep(0.02)
        self.assertAlmostEqual(self.excitations.last.data[0], 0.4, places=6)
        self.assertEqual(list(self.excitations.last.data[1:]), [0.0] * 5)
        self.assertGreater(self.error((0.30, -0.10)), 0.1)
        wait(lambda: self.error((0.30, -0.10)) < 0.001, "the controller taking over again", 5.0)

    def test_co_contraction_is_a_lower_bound(self):
        self.reach((0.30, -0.10))
        self.assertLess(min(self.activations.last.data), 0.1)
        self.stiffness.publish(Float32(0.25))
        self.activations.wait_for(lambda m: min(m.data) > 0.249, "all muscles active")
        rospy.sleep(0.3)
        self.assertLess(self.error((0.30, -0.10)), 0.001)
        self.stiffness.publish(Float32(0.0))
        self.activations.wait_for(lambda m: min(m.data) < 0.1, "the bound gone")

    def test_reset_pause_step(self):
        self.reach((0.10, -0.50))
        stamp = self.joints.last.header.stamp
        self.assertTrue(self.reset().success)
        wait(lambda: self.error(DEFAULT) < 0.001, "the hand at the default target", 10.0)
        self.assertGreater(self.joints.last.header.stamp, stamp)  # time never goes back
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

    def test_activations_come_before_their_joint_states(self):
        """A subscriber that samples at joint_states finds the tick's own muscle values."""
        rospy.sleep(0.3)
        counts = [len(x.messages) for x in (self.forces, self.activations, self.joints)]
        rospy.sleep(0.5)
        gained = [
            len(x.messages) - before
            for x, before in zip((self.forces, self.activations, self.joints), counts)
        ]
        self.assertLessEqual(max(gained) - min(gained), 2)
        self.assertGreater(min(gained), 30)


if __name__ == "__main__":
    rostest.rosrun(NODE, "arm_interface", ArmInterface, sys.argv)
