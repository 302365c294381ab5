#!/usr/bin/env python3
"""Keyboard node of proprioception: delay, noise and co-contraction while the arm runs."""

import sys

import rospy
from dynamic_reconfigure import DynamicReconfigureCallbackException
from dynamic_reconfigure.client import Client
from std_msgs.msg import Float32, Float32MultiArray

from msk_proprioception.keyboard import SENSES, KeyboardPolicy
from msk_proprioception.names import PACKAGE, PARAMETERS
from mujoco_ros_common import ros

TOPICS = dict(
    zip(SENSES, ("spindle_length", "spindle_velocity", "golgi_force", "tendon_extension"))
)
PATIENCE = 0.3  # s, for the sensing node to answer


class ProprioceptionKeyboard(ros.KeyboardNode):
    """Sets delay and noise of the sensing node, and the arm's co-contraction, and shows senses.

    Subscribes:
        proprioception/spindle_length, ... (Float32MultiArray[6]): to show them.
    Publishes:
        msk_arm/co_contraction (std_msgs/Float32): when a key changes it, and 0 at the end.
    Calls: dynamic_reconfigure of the node mujoco_msk_arm_proprioception.
    Parameters: ~keyboard_rate (Hz) and the steps of the keys; config/simulation.yaml.
    """

    def __init__(self):
        parameters = ros.read_parameters(PARAMETERS)
        self.policy = KeyboardPolicy(parameters)
        self.client, self.note = None, ""
        self.co_contraction = rospy.Publisher("msk_arm/co_contraction", Float32, queue_size=1)
        self.senses = {
            name: ros.Checked(f"proprioception/{topic}", Float32MultiArray, ros.array_of(6))
            for name, topic in TOPICS.items()
        }
        super().__init__(self.policy.toggles, parameters.number("keyboard_rate", 1.0, 200.0))
        self._connect()

    def press(self, key):
        return self.policy.handle(key)

    def update(self):
        changes = self.policy.take_changes()
        if "co_contraction" in changes:
            self.co_contraction.publish(changes.pop("co_contraction"))
        if changes:
            self._set(changes)

    def farewell(self):
        if self.policy.co_contraction:
            self.co_contraction.publish(0.0)

    def help(self):
        return self.policy.help()

    def status(self):
        values = {name: sense.value(1.0) for name, sense in self.senses.items()}
        return self.note + self.policy.status(values)

    def _connect(self):
        """Find the sensing node, and go on from what it is set to."""
        try:
            self.client = Client(PACKAGE, timeout=PATIENCE)
            now = self.client.get_configuration(timeout=PATIENCE)
        except rospy.ROSException:
            self.client, now = None, None
        self.note = "" if now else "(no sensing node) "
        if now:
            self.policy.adopt(now["delay_s"], now["noise_scale"])

    def _set(self, changes):
        if self.client is None:
            wanted = dict(changes)
            self._connect()
            if self.client is None:
                return
            changes = wanted
        try:
            now = self.client.update_configuration(changes)
            self.policy.adopt(now["delay_s"], now["noise_scale"])
            self.note = ""
        except (rospy.ServiceException, rospy.ROSException, DynamicReconfigureCallbackException):
            self.client, self.note = None, "(no sensing node) "


if __name__ == "__main__":
    sys.exit(ros.main("msk_proprioception_keyboard", ProprioceptionKeyboard))
