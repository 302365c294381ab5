#!/usr/bin/env python3
"""Keyboard node of the arm: target, co-contraction and single muscles, from a terminal."""

import sys

import rospy
from geometry_msgs.msg import Point
from std_msgs.msg import Float32, Float32MultiArray

from msk_arm.keyboard import KeyboardPolicy
from msk_arm.names import MUSCLES, PARAMETERS, STATUS_LABELS
from mujoco_ros_common import ros


class ArmKeyboard(ros.KeyboardNode):
    """Publishes what the keys command, while they command anything.

    Subscribes:
        msk_arm/status (Float32MultiArray[6]): which target is good.
        end_effector_position (geometry_msgs/Point): where the hand is, to hold it there.
    Publishes:
        target_position (geometry_msgs/Point): when a key moves it, m.
        msk_arm/co_contraction (std_msgs/Float32): when a key changes it, 0..1.
        msk_arm/muscle_cmd (Float32MultiArray[6], ~keyboard_rate): while a muscle is driven.
    Parameters: ~keyboard_rate (Hz) and the keys; defaults and units in config/simulation.yaml.
    """

    def __init__(self):
        parameters = ros.read_parameters(PARAMETERS)
        self.policy = KeyboardPolicy(parameters)
        self.target = rospy.Publisher("target_position", Point, queue_size=1)
        self.stiffness = rospy.Publisher("msk_arm/co_contraction", Float32, queue_size=1)
        self.command = ros.ArrayPublisher("msk_arm/muscle_cmd", MUSCLES)
        self.status_of_arm = ros.Checked(
            "msk_arm/status", Float32MultiArray, _any_values(len(STATUS_LABELS))
        )
        self.hand = ros.Checked("end_effector_position", Point, ros.point)
        super().__init__(self.policy.toggles, parameters.number("keyboard_rate", 1.0, 200.0))

    def press(self, key):
        self._listen()
        return self.policy.handle(key)

    def update(self):
        self._listen()
        target, stiffness = self.policy.take_target(), self.policy.take_co_contraction()
        if target is not None:
            self.target.publish(Point(target[0], 0.0, target[1]))
        if stiffness is not None:
            self.stiffness.publish(Float32(stiffness))
        busy = self.policy.busy  # before the update, so that the last message is all zeros
        command = self.policy.update(self.period)
        if busy:
            self.command.publish(command)

    def farewell(self):
        if self.policy.busy:
            self.command.publish([0.0] * len(MUSCLES))

    def help(self):
        return self.policy.help()

    def status(self):
        return self.policy.status()

    def _listen(self):
        hand, status = self.hand.take(), self.status_of_arm.take()
        if hand is not None:
            self.policy.hear_hand(hand[0], hand[2])
        if status is not None:
            self.policy.hear_status(status[0], status[1], status[2] > 0.5)


def _any_values(size):
    """A check for Checked: an array of that size, NaN allowed (a target may have been NaN)."""

    def check(message):
        if len(message.data) != size:
            raise ValueError(f"expected {size} values, got {len(message.data)}")
        return message.data

    return check


if __name__ == "__main__":
    sys.exit(ros.main("msk_arm_keyboard", ArmKeyboard))
