#!/usr/bin/env python3
"""main.launch drives the three scenes, writes its report and ends; the same as without ROS."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import rosnode
import rostest

from car_nn import evaluate, settings
from mujoco_ros_common.session import Session, stop


class CarTour(unittest.TestCase):
    def test_three_scenes_as_without_ros(self):
        with tempfile.TemporaryDirectory(prefix="car tour ") as out:
            command = ["roslaunch", "mujoco_car_nn_avoidance", "main.launch", f"out:={out}"]
            launch = subprocess.Popen(command, start_new_session=True)
            self.addCleanup(stop, launch)
            launch.wait(120.0)
            report = json.loads((Path(out) / "ros_report.json").read_text(encoding="utf-8"))
            self.assertGreater((Path(out) / "ros_tracks.png").stat().st_size, 5000)
            self.assertEqual(len((Path(out) / "ros_report.csv").read_text().splitlines()), 4)
        self.assertFalse({"/car_nn_sim", "/car_nn_nn"} & set(rosnode.get_node_names()))
        alone = evaluate.scenes(settings.load(), settings.WEIGHTS, ("clone",))
        for scene in settings.SCENES:
            got, expected = report["results"][f"ros.{scene}"], alone[f"clone.{scene}"]
            self.assertTrue(got["reached"])
            self.assertEqual(got["contacts"], 0)
            self.assertAlmostEqual(got["time_s"], expected.time_s, delta=0.05 * expected.time_s)
            self.assertAlmostEqual(got["final_x_m"], expected.final_x_m, delta=0.05 * 6.0)

    def test_without_its_network_it_ends_too(self):
        command = ["roslaunch", "mujoco_car_nn_avoidance", "main.launch"]
        with tempfile.TemporaryDirectory() as out:
            launch = subprocess.Popen([*command, f"out:={out}"], start_new_session=True)
            self.addCleanup(stop, launch)
            Session.wait(lambda: "/car_nn_nn" in rosnode.get_node_names(), "the network", 30.0)
            rosnode.kill_nodes(["/car_nn_nn"])
            launch.wait(30.0)


if __name__ == "__main__":
    rostest.rosrun("mujoco_car_nn_avoidance", "car_tour", CarTour, sys.argv)
