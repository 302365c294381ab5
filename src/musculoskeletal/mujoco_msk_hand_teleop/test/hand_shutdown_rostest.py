#!/usr/bin/env python3
"""SIGINT, SIGTERM and rosnode kill end every node of the hand in time; wrong starts say why."""

import sys

import rostest

from mujoco_ros_common.ros.cases import ShutdownCase


class HandShutdown(ShutdownCase):
    package = "mujoco_msk_hand_teleop"
    nodes = {f"{node}_node": node for node in ("msk_hand_sim", "msk_hand_nn", "msk_hand_keyboard")}
    keyboard = "msk_hand_keyboard_node"
    wrong = (
        ("msk_hand_sim_node", ["_scene:=pool"], "expected one of", 2),
        ("msk_hand_sim_node", ["_state_rate:=fast"], "expected a number", 2),
        ("msk_hand_sim_node", ["_seed:=-1"], "expected a whole number >= 0", 2),
        ("msk_hand_nn_node", ["_weights:=/no/such.npz"], "expected network weights", 1),
    )


if __name__ == "__main__":
    rostest.rosrun(HandShutdown.package, "hand_shutdown", HandShutdown, sys.argv)
