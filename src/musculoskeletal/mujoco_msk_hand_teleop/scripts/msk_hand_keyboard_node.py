#!/usr/bin/env python3
"""Keyboard node of the hand: muscle by muscle, from a terminal."""

import sys

from msk_hand.keyboard import KeyboardPolicy
from msk_hand.names import MUSCLES, PARAMETERS
from mujoco_ros_common import ros


class HandKeyboard(ros.KeyboardNode):
    """Publishes what the keys command, while they command anything.

    Publishes:
        msk_hand/muscle_cmd (Float32MultiArray[11], 50 Hz): smoothed activations; nothing while
        all muscles are at rest, so that another controller is not disturbed.
    Parameters: ~keyboard_rate (Hz) and the keys; defaults and units in config/hand.yaml.
    """

    def __init__(self):
        parameters = ros.read_parameters(PARAMETERS)
        self.policy = KeyboardPolicy(parameters)
        self.command = ros.ArrayPublisher("msk_hand/muscle_cmd", MUSCLES)
        super().__init__(self.policy.toggles, parameters.number("keyboard_rate", 1.0, 200.0))

    def press(self, key):
        return self.policy.handle(key)

    def update(self):
        busy = self.policy.busy  # before the update, so that the last message is all zeros
        command = self.policy.update(self.period)
        if busy:
            self.command.publish(command)

    def farewell(self):
        self.command.publish([0.0] * len(MUSCLES))

    def help(self):
        return self.policy.help()

    def status(self):
        return self.policy.status()


if __name__ == "__main__":
    sys.exit(ros.main("msk_hand_keyboard", HandKeyboard))
