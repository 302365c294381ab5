#!/usr/bin/env python3
"""SIGINT, SIGTERM and rosnode kill end every node of the arm in time; wrong starts say why."""

import subprocess
import sys

import rostest

from mujoco_ros_common.ros.cases import ShutdownCase


class ArmShutdown(ShutdownCase):
    package = "mujoco_musculoskeletal_arm_reach"
    nodes = {
        "msk_arm_sim_node": package,
        "msk_arm_nn_node": "msk_arm_nn",
        "msk_arm_keyboard_node": "msk_arm_keyboard",
    }
    keyboard = "msk_arm_keyboard_node"
    wrong = (
        ("msk_arm_sim_node", ["_condition:=strong"], "expected one of", 2),
        ("msk_arm_sim_node", ["_controller:=lqr"], "expected one of", 2),
        ("msk_arm_sim_node", ["_load_kg:=-1"], "expected a number in [0", 2),
        ("msk_arm_sim_node", ["_initial_pose:=[3.0, 0.0]"], "initial_pose: expected", 2),
        ("msk_arm_nn_node", ["_weights:=/no/such.npz"], "expected network weights", 1),
    )

    def test_a_wrong_argument_of_the_launch_file_gets_its_one_line(self):
        done = subprocess.run(
            ["roslaunch", self.package, "main.launch", "viewer:=false", "load_kg:=heavy"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=30.0,
            check=False,
        )
        self.assertIn(b"parameter load_kg: expected a number", done.stdout)
        self.assertNotIn(b"raceback", done.stdout)


if __name__ == "__main__":
    rostest.rosrun(ArmShutdown.package, "arm_shutdown", ArmShutdown, sys.argv)
