#!/usr/bin/env python3
"""SIGINT, SIGTERM and rosnode kill end every node of the car within 3 s; wrong starts say why."""

import os
import pty
import signal
import subprocess
import sys
import time
import unittest

import rosgraph
import rosnode
import rostest

from mujoco_ros_common.session import Session

PACKAGE = "mujoco_car_nn_avoidance"
NODES = ("car_nn_sim", "car_nn_nn", "car_nn_keyboard")


class CarShutdown(unittest.TestCase):
    def start(self, node, *arguments):
        """Start a node on a terminal of its own; it is killed at the end whatever happens."""
        controller, terminal = pty.openpty()
        process = subprocess.Popen(
            ["rosrun", PACKAGE, f"{node}_node.py", *arguments],
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        os.close(terminal)
        self.addCleanup(os.close, controller)
        self.addCleanup(process.stdout.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    @staticmethod
    def wait_for(node):
        Session.wait(lambda: f"/{node}" in rosnode.get_node_names(), f"the node {node}", 30.0)
        time.sleep(0.5)  # past its start-up

    @staticmethod
    def ends(process):
        begin = time.monotonic()
        code = process.wait(10.0)
        return code, time.monotonic() - begin

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for node in NODES:
                with self.subTest(node=node, signal=number.name):
                    process = self.start(node)
                    self.wait_for(node)
                    os.killpg(process.pid, number)
                    code, seconds = self.ends(process)
                    self.assertLess(seconds, 3.0)
                    self.assertIn(code, (0, 128 + number))
                    self.assertNotIn(b"Traceback", process.stdout.read())

    def test_rosnode_kill(self):
        for node in NODES:
            with self.subTest(node=node):
                process = self.start(node)
                self.wait_for(node)
                rosnode.kill_nodes([f"/{node}"])
                code, seconds = self.ends(process)
                self.assertLess(seconds, 3.0)
                self.assertEqual(code, 0)

    def test_a_wrong_start_says_why(self):
        wrong = (
            ("car_nn_sim", "_scene:=pool", b"expected one of basic slalom dual", 2),
            ("car_nn_sim", "_scenes:=[basic, pool]", b"scenes: expected some of basic", 2),
            ("car_nn_sim", "_lost_beams:=2.0", b"expected a number in [0, 1]", 2),
            ("car_nn_nn", "_weights:=/no/such.npz", b"expected network weights", 1),
            ("car_nn_nn", "_max_speed:=fast", b"expected a number", 2),
            ("car_nn_keyboard", "_stop_key:=w", b"no key with two meanings", 2),
        )
        for node, argument, words, code in wrong:
            with self.subTest(node=node, argument=argument):
                process = self.start(node, argument)
                self.assertEqual(self.ends(process)[0], code)
                rosgraph.Master("/car_shutdown").deleteParam(f"/{node}")  # it outlives the node
                output = process.stdout.read()
                self.assertIn(words, output)
                self.assertNotIn(b"Traceback", output)

    def test_keyboard_without_a_terminal(self):
        process = subprocess.run(
            ["rosrun", PACKAGE, "car_nn_keyboard_node.py"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=30.0,
            check=False,
        )
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"expected a terminal", process.stdout)
        self.assertNotIn(b"Traceback", process.stdout)


if __name__ == "__main__":
    rostest.rosrun(PACKAGE, "car_shutdown", CarShutdown, sys.argv)
