#!/usr/bin/env python3
"""SIGINT, SIGTERM and rosnode kill end every node of the hand within 3 s; wrong starts say why."""

import os
import pty
import signal
import subprocess
import sys
import time
import unittest

import rosnode
import rosparam
import rostest

from mujoco_ros_common.session import Session

PACKAGE = "mujoco_msk_hand_teleop"
NODES = ("msk_hand_sim", "msk_hand_nn", "msk_hand_keyboard")


class HandShutdown(unittest.TestCase):
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

    def tearDown(self):
        # parameters given on a command line stay on the server when their node has ended
        for node in NODES:
            if rosparam.list_params(f"/{node}"):
                rosparam.delete_param(f"/{node}")

    def wait_for(self, node):
        Session.wait(lambda: f"/{node}" in rosnode.get_node_names(), f"the node {node}", 30.0)
        time.sleep(0.5)  # past its start-up

    def ends(self, process):
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
            ("msk_hand_sim", "_scene:=pool", b"expected one of", 2),
            ("msk_hand_sim", "_state_rate:=fast", b"expected a number", 2),
            ("msk_hand_sim", "_seed:=-1", b"expected a whole number >= 0", 2),
            ("msk_hand_nn", "_weights:=/no/such.npz", b"expected network weights", 1),
        )
        for node, argument, words, code in wrong:
            with self.subTest(node=node, argument=argument):
                process = self.start(node, argument)
                self.assertEqual(self.ends(process)[0], code)
                self.tearDown()
                output = process.stdout.read()
                self.assertIn(words, output)
                self.assertNotIn(b"Traceback", output)

    def test_keyboard_without_a_terminal(self):
        process = subprocess.run(
            ["rosrun", PACKAGE, "msk_hand_keyboard_node.py"],
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
    rostest.rosrun(PACKAGE, "hand_shutdown", HandShutdown, sys.argv)
