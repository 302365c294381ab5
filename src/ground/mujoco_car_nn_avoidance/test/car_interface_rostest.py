#!/usr/bin/env python3
"""The car's topics and services, with its simulation and its network running."""

import math
import sys
import unittest

import rospy
import rostest
from car_nn_state import STATE, state_of
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Bool, Float32MultiArray
from std_srvs.srv import SetBool, Trigger
from tf2_msgs.msg import TFMessage

from car_nn import settings
from car_nn.core import CarEnv
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

wait = Session.wait


class CarInterface(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("car_interface_rostest")
        cls.states = Listener("car_nn/state", Float32MultiArray)
        cls.scans = Listener("scan", LaserScan)
        cls.odoms = Listener("odom", Odometry)
        cls.commands = Listener("cmd_vel", Twist)
        cls.transforms = Listener("/tf", TFMessage)
        cls.fixed = Listener("/tf_static", TFMessage)
        cls.diagnostics = Listener("/diagnostics", DiagnosticArray)
        cls.command = rospy.Publisher("cmd_vel", Twist, queue_size=1)
        cls.scan = rospy.Publisher("scan", LaserScan, queue_size=1)
        cls.autopilot = rospy.Publisher("car_nn/autopilot", Bool, queue_size=1)
        # the simulation, the network and this test listen to commands
        wait(lambda: cls.command.get_num_connections() >= 3, "listeners of commands")
        wait(lambda: cls.scan.get_num_connections() >= 2, "listeners of scans")
        wait(lambda: cls.autopilot.get_num_connections() >= 1, "the network")
        cls.reset = rospy.ServiceProxy("car_nn_sim/reset", Trigger)
        cls.pause = rospy.ServiceProxy("car_nn_sim/set_pause", SetBool)
        cls.step = rospy.ServiceProxy("car_nn_sim/step", Trigger)
        cls.reset.wait_for_service(20.0)

    def setUp(self):
        self.autopilot.publish(Bool(True))
        self.assertTrue(self.pause(False).success)
        self.assertTrue(self.reset().success)
        self.state()  # one from after the reset

    def state(self):
        return state_of(self.states.next())

    def wait_until(self, condition, what, timeout=20.0):
        wait(lambda: condition(state_of(self.states.last)), what, timeout)

    def say(self, speed, rate):
        message = Twist()
        message.linear.x, message.angular.z = speed, rate
        self.command.publish(message)

    def rejected(self, node, topic):
        """How many messages of a topic a node says it has dropped; -1 while it has not said."""
        for array in reversed(self.diagnostics.messages):
            for status in array.status:
                if status.name.startswith(node):
                    values = {item.key: item.value for item in status.values}
                    return int(values[f"rejected {topic}"])
        return -1

    def test_state_says_what_it_is(self):
        message = self.states.next()
        self.assertEqual(message.layout.dim[0].label.split(","), list(STATE))
        self.assertEqual(message.layout.dim[0].size, len(message.data))

    def test_scan(self):
        self.pause(True)
        self.reset()
        self.step()
        scan = self.scans.last
        self.assertEqual(len(scan.ranges), 25)
        self.assertEqual(scan.header.frame_id, "laser")
        end = scan.angle_min + (len(scan.ranges) - 1) * scan.angle_increment
        self.assertAlmostEqual(scan.angle_max, end, places=5)
        self.assertAlmostEqual(math.degrees(scan.angle_min), -60.0, places=4)
        truth = CarEnv("dual", settings.load()).scan()
        wait(lambda: self.scans.last.header.stamp >= scan.header.stamp, "the scan")
        for got, expected in zip(self.scans.last.ranges, truth):
            if expected == 6.0:
                self.assertEqual(got, math.inf)
            else:
                self.assertAlmostEqual(got, expected, delta=0.01)

    def test_odometry_frames_and_transforms_agree(self):
        self.wait_until(lambda s: s["x"] > 0.5, "some way")
        odom = self.odoms.next()
        self.assertEqual((odom.header.frame_id, odom.child_frame_id), ("odom", "base_link"))
        position = odom.pose.pose.position
        wait(lambda: self.tf_at(odom.header.stamp), "the transform of that stamp")
        transform = self.tf_at(odom.header.stamp)
        self.assertEqual(transform.header.frame_id, "odom")
        self.assertEqual(transform.child_frame_id, "base_link")
        self.assertAlmostEqual(transform.transform.translation.x, position.x)
        self.assertAlmostEqual(transform.transform.translation.y, position.y)
        self.assertAlmostEqual(transform.transform.rotation.z, odom.pose.pose.orientation.z)
        # in the car's own frame it hardly moves sideways, whatever its heading
        self.assertLess(abs(odom.twist.twist.linear.y), 0.03)
        self.assertGreater(odom.twist.twist.linear.x, 0.3)

    def tf_at(self, stamp):
        for message in reversed(self.transforms.messages):
            for transform in message.transforms:
                if transform.header.stamp == stamp:
                    return transform
        return None

    def test_the_laser_sits_where_the_rays_start(self):
        wait(lambda: self.fixed.last, "the static transform")
        (transform,) = self.fixed.last.transforms
        self.assertEqual(transform.header.frame_id, "base_link")
        self.assertEqual(transform.child_frame_id, "laser")
        offset = CarEnv("basic", settings.load()).laser_offset
        shift = transform.transform.translation
        for got, expected in zip((shift.x, shift.y, shift.z), offset):
            self.assertAlmostEqual(got, expected)
        self.assertEqual(transform.transform.rotation.w, 1.0)

    def test_a_twist_that_is_not_finite_is_dropped_and_counted(self):
        self.wait_until(lambda s: s["x"] > 0.2, "a start")
        wait(lambda: self.rejected("car_nn_sim", "cmd_vel") >= 0, "diagnostics")
        before = self.rejected("car_nn_sim", "cmd_vel")
        for speed, rate in ((math.nan, 0.0), (0.3, math.inf), (-math.inf, math.nan)):
            self.say(speed, rate)
            rospy.sleep(0.1)
        wait(lambda: self.rejected("car_nn_sim", "cmd_vel") == before + 3, "3 rejections", 10.0)
        state = self.state()
        self.assertTrue(all(map(math.isfinite, state.values())))
        self.wait_until(lambda s: s["x"] > state["x"] + 0.3, "the network driving on", 5.0)

    def test_malformed_scans_are_dropped_and_counted(self):
        self.wait_until(lambda s: s["x"] > 0.2, "a start")
        wait(lambda: self.rejected("car_nn_nn", "scan") >= 0, "diagnostics")
        before = self.rejected("car_nn_nn", "scan")
        good = self.scans.last
        layout = dict(angle_min=good.angle_min, angle_max=good.angle_max, range_max=6.0)
        layout.update(angle_increment=good.angle_increment, range_min=good.range_min)
        for changes in (
            dict(ranges=[1.0] * 26),
            dict(ranges=[]),
            dict(ranges=[1.0] * 25, angle_increment=math.nan),
            dict(ranges=[1.0] * 25, range_max=math.nan),
        ):
            self.scan.publish(LaserScan(**{**layout, **changes}))
            rospy.sleep(0.1)
        wait(lambda: self.rejected("car_nn_nn", "scan") == before + 4, "4 rejections", 10.0)
        x = self.state()["x"]
        self.wait_until(lambda s: s["x"] > x + 0.3, "the network driving on", 5.0)

    def test_a_reset_in_the_middle(self):
        self.wait_until(lambda s: s["x"] > 1.0, "some way")
        before = self.state()
        self.assertTrue(self.reset().success)
        after = self.state()
        self.assertLess(abs(after["x"]), 0.2)
        self.assertGreater(after["time"], before["time"])
        self.wait_until(lambda s: s["x"] > 1.0, "the network driving again")
        for listener in (self.scans, self.odoms):
            stamps = [message.header.stamp for message in listener.messages]
            self.assertEqual(stamps, sorted(stamps))  # this test's own scans have stamp 0
        self.assertEqual(state_of(self.states.last)["collided"], 0.0)

    def test_pause_and_step(self):
        self.assertFalse(self.step().success)
        self.assertTrue(self.pause(True).success)
        rospy.sleep(0.2)
        stamp = self.odoms.last.header.stamp
        rospy.sleep(0.3)
        self.assertEqual(self.odoms.last.header.stamp, stamp)
        self.assertTrue(self.step().success)
        wait(lambda: self.odoms.last.header.stamp > stamp, "the step")
        self.assertAlmostEqual((self.odoms.last.header.stamp - stamp).to_sec(), 0.02, places=6)

    def test_a_person_pre_empts_the_network_which_then_goes_on(self):
        self.wait_until(lambda s: s["v"] > 0.3, "a start")
        end = rospy.get_time() + 1.5
        while rospy.get_time() < end:  # as the keyboard does: a stream
            self.say(0.0, 1.0)
            rospy.sleep(0.03)
        state = self.state()
        self.assertLess(abs(state["v"]), 0.05)
        self.assertGreater(state["w"], 0.8)
        self.wait_until(lambda s: s["v"] > 0.3, "the network going on", 6.0)

    def test_the_autopilot_switch(self):
        self.wait_until(lambda s: s["v"] > 0.3, "a start")
        self.autopilot.publish(Bool(False))
        self.wait_until(lambda s: abs(s["v"]) < 0.01, "a standing car", 3.0)
        rospy.sleep(0.5)
        self.assertLess(abs(self.state()["v"]), 0.01)
        self.autopilot.publish(Bool(True))
        self.wait_until(lambda s: s["v"] > 0.3, "a driving car", 3.0)

    def test_it_drives_the_scene_to_its_end(self):
        self.wait_until(lambda s: s["reached"] == 1.0, "the target line", 30.0)
        state = self.state()
        self.assertEqual(state["collided"], 0.0)
        self.assertGreaterEqual(state["x"], 6.0)


if __name__ == "__main__":
    rostest.rosrun("mujoco_car_nn_avoidance", "car_interface", CarInterface, sys.argv)
