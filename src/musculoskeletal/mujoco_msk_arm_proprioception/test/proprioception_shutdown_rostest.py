#!/usr/bin/env python3
"""SIGINT, SIGTERM and rosnode kill end every node in time; wrong starts say why."""

import sys

import rostest

from mujoco_ros_common.ros.cases import ShutdownCase

SIM, NN = "msk_proprioception_sim_node", "msk_proprioception_nn_node"
FEEDBACK, KEYBOARD = "msk_proprioception_feedback_node", "msk_proprioception_keyboard_node"
SWAPPED = "[shoulder_extensor, shoulder_flexor, elbow_flexor, elbow_extensor, "
SWAPPED += "biarticular_flexor, biarticular_extensor]"
ONES = "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]"


class Shutdown(ShutdownCase):
    package = "mujoco_msk_arm_proprioception"
    nodes = {
        SIM: package,
        NN: "msk_proprioception_nn",
        FEEDBACK: "msk_proprioception_feedback",
        KEYBOARD: "msk_proprioception_keyboard",
    }
    keyboard = KEYBOARD
    wrong = (
        (SIM, [f"_muscle_names:={SWAPPED}"], "expected shoulder_flexor shoulder_extensor", 2),
        (SIM, [f"_max_forces_n:={ONES}"], "expected the arm's 800", 2),
        (SIM, ["_delay_s:=fast"], "delay_s: expected a number", 2),
        (SIM, ["_delay_s:=-0.01"], "delay_s: expected a number in [0, 1]", 2),
        (NN, ["_estimator:=guess"], "expected one of filter network", 2),
        (FEEDBACK, ["_feedback:=hope"], "expected one of true_state delayed", 2),
        (
            FEEDBACK,
            ["_weights:=/no/such.npz", "_feedback:=network"],
            "expected network weights",
            1,
        ),
    )


if __name__ == "__main__":
    rostest.rosrun(Shutdown.package, "proprioception_shutdown", Shutdown, sys.argv)
