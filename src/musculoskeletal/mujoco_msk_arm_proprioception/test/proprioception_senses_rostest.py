#!/usr/bin/env python3
"""The senses of the running arm: contents, delay in simulation time, and live parameters."""

import sys
import time
import unittest

import numpy as np
import rospy
import rostest
from dynamic_reconfigure.client import Client
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray

from msk_proprioception import contract
from msk_proprioception.names import MUSCLES, PACKAGE
from msk_proprioception.stiffness import LumpedStiffness
from mujoco_ros_common.ros.listener import Listener
from mujoco_ros_common.session import Session

CHANNELS = ("spindle_length", "spindle_velocity", "golgi_force", "tendon_extension")
RATES = ("spindle_ia", "spindle_ii", "golgi_ib")
TARGETS = (Point(0.30, 0.0, -0.30), Point(0.45, 0.0, 0.10))
TICK = 10_000_000  # ns
wait = Session.wait


class Senses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        rospy.init_node("proprioception_senses_rostest")
        cls.settings = contract.load()
        cls.arrays = {
            name: Listener(f"proprioception/{name}", Float32MultiArray)
            for name in (*CHANNELS, *RATES, "joint_stiffness")
        }
        cls.sensed = Listener("proprioception/sensed", JointState)
        cls.joints = Listener("joint_states", JointState)
        cls.activations = Listener("muscle_activations", Float32MultiArray)
        cls.target = rospy.Publisher("target_position", Point, queue_size=1)
        cls.client = Client(PACKAGE, timeout=30.0)
        wait(lambda: cls.target.get_num_connections() >= 1, "the arm")
        for name in CHANNELS:
            cls.arrays[name].next(30.0)

    def setUp(self):
        self.set(delay_s=0.03, noise_scale=1.0, firing_rates=False, spindle_model="prochazka")

    def set(self, **changes):
        answer = self.client.update_configuration(changes)
        self.sensed.next()
        return answer

    def test_arrays_are_labelled_in_muscle_order(self):
        for name in CHANNELS:
            message = self.arrays[name].next()
            self.assertEqual(len(message.data), 6)
            self.assertEqual(message.layout.dim[0].label, ",".join(MUSCLES))
            self.assertEqual(message.layout.dim[0].size, 6)
            self.assertTrue(np.isfinite(message.data).all())

    def test_without_noise_a_sample_is_what_the_arm_was_when_it_was_taken(self):
        self.set(noise_scale=0.0, delay_s=0.1)
        self.move_for(1.5)
        poses = {m.header.stamp.to_nsec(): m for m in self.joints.messages}
        pairs = [(m, poses.get(m.header.stamp.to_nsec())) for m in self.sensed.messages[-100:]]
        pairs = [(m, pose) for m, pose in pairs if pose is not None]
        self.assertGreater(len(pairs), 90)
        s, worst = self.settings, []
        for sample, pose in pairs:
            stretch = np.array(sample.effort) / s.tendon_stiffness
            expected = s.resting_lengths + s.moment_arms @ np.array(pose.position) - stretch
            worst.append(np.abs(np.array(sample.position) - expected).max())
        self.assertLess(max(worst), 1e-9)
        travel = np.ptp([m.position[0] for m, _ in pairs])
        self.assertGreater(travel, 0.005)  # it moved
        self.assertGreater(max(max(m.effort) for m, _ in pairs), 5.0)

    def test_the_delay_counts_in_the_arms_time(self):
        """The newest tick known when a sample comes is the one that it was due in, or the next."""
        lags = []

        def on_sample(message):
            lags.append((self.joints.last.header.stamp - message.header.stamp).to_nsec())

        rospy.Subscriber("proprioception/sensed", JointState, on_sample)
        for delay in (0.0, 0.05, 0.2):
            self.set(delay_s=delay)
            time.sleep(delay + 0.3)
            del lags[:]
            wait(lambda: len(lags) >= 100, "100 samples")
            late = np.round(np.array(lags) / TICK) - round(delay * 100)
            self.assertIn(np.median(late), (0, 1), delay)

    def test_a_change_of_the_delay_repeats_and_reorders_nothing(self):
        start = len(self.sensed.messages)
        for delay in (0.2, 0.01, 0.5, 0.0, 0.03):
            self.set(delay_s=delay)
            time.sleep(0.15)
        stamps = [m.header.stamp.to_nsec() for m in self.sensed.messages[start:]]
        self.assertGreater(len(stamps), 20)
        steps = np.diff(stamps)
        self.assertTrue((steps > 0).all())
        self.assertGreater(steps.max(), 5 * TICK)  # the shorter delay skipped some

    def test_noise_and_its_strength(self):
        self.rest()
        deviations, listener = {}, self.arrays["spindle_length"]
        for scale in (0.0, 1.0, 4.0):
            self.set(noise_scale=scale)
            time.sleep(0.1)
            start = len(listener.messages)
            wait(lambda n=start: len(listener.messages) >= n + 150, "150 samples")
            values = np.array([m.data for m in listener.messages[start + 10 : start + 150]])
            deviations[scale] = values.std(axis=0).mean()
        self.assertLess(deviations[0.0], 2e-5)
        self.assertAlmostEqual(deviations[1.0], 0.0005, delta=0.0001)
        self.assertAlmostEqual(deviations[4.0], 0.002, delta=0.0004)

    def test_stiffness_is_that_of_the_activations(self):
        self.rest()
        s = self.settings
        lumped = LumpedStiffness(s.moment_arms, s.max_forces, s.stiffness_per_activation_nm_rad)
        stiffness = np.array(self.arrays["joint_stiffness"].next().data)
        np.testing.assert_allclose(stiffness, lumped(self.activations.last.data), rtol=0.02)
        self.assertEqual(stiffness[1], stiffness[2])

    def test_firing_rates_come_when_they_are_asked_for(self):
        time.sleep(0.2)  # what is on its way still carries the rates of before
        seen = {name: len(self.arrays[name].messages) for name in RATES}
        time.sleep(0.3)
        self.assertEqual(seen, {name: len(self.arrays[name].messages) for name in RATES})
        for model in ("prochazka", "mileusnic"):
            self.set(firing_rates=True, spindle_model=model)
            for name in RATES:
                rates = np.array(self.arrays[name].next().data)
                self.assertEqual(rates.shape, (6,))
                self.assertTrue((rates >= 0.0).all() and rates.max() > 1.0)

    def test_wrong_values_are_limited_or_refused(self):
        self.assertEqual(self.set(delay_s=5.0)["delay_s"], 1.0)
        self.assertEqual(self.set(noise_scale=-1.0)["noise_scale"], 0.0)
        self.assertEqual(self.set(delay_s=0.03)["delay_s"], 0.03)
        self.assertEqual(self.set(delay_s=float("nan"))["delay_s"], 0.03)
        self.assertEqual(self.set(spindle_model="other")["spindle_model"], "prochazka")

    def move_for(self, seconds):
        end, k = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            self.target.publish(TARGETS[k % 2])
            time.sleep(0.5)
            k += 1

    def rest(self):
        """Wait until the arm stands still."""
        time.sleep(0.5)
        self.joints.wait_for(lambda m: np.abs(m.velocity).max() < 0.002, "the arm at rest")
        time.sleep(0.3)


if __name__ == "__main__":
    rostest.rosrun(PACKAGE, "proprioception_senses", Senses, sys.argv)
