#!/usr/bin/env python3
"""SIGINT, SIGTERM and rosnode kill end every node of the car in time; wrong starts say why."""

import sys

import rostest

from mujoco_ros_common.ros.cases import ShutdownCase


class CarShutdown(ShutdownCase):
    package = "mujoco_car_nn_avoidance"
    nodes = {f"{node}_node": node for node in ("car_nn_sim", "car_nn_nn", "car_nn_keyboard")}
    keyboard = "car_nn_keyboard_node"
    wrong = (
        ("car_nn_sim_node", ["_scene:=pool"], "expected one of basic slalom dual", 2),
        ("car_nn_sim_node", ["_scenes:=[basic, pool]"], "scenes: expected some of basic", 2),
        ("car_nn_sim_node", ["_lost_beams:=2.0"], "expected a number in [0, 1]", 2),
        ("car_nn_nn_node", ["_weights:=/no/such.npz"], "expected network weights", 1),
        ("car_nn_nn_node", ["_max_speed:=fast"], "expected a number", 2),
        ("car_nn_keyboard_node", ["_stop_key:=w"], "no key with two meanings", 2),
    )


if __name__ == "__main__":
    rostest.rosrun(CarShutdown.package, "car_shutdown", CarShutdown, sys.argv)
