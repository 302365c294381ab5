#!/usr/bin/env python3
"""SIGINT, SIGTERM and rosnode kill end every node within 3 s; wrong starts say why."""

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

from msk_proprioception.names import PACKAGE
from mujoco_ros_common.session import Session

NODES = {
    "msk_proprioception_sim": "mujoco_msk_arm_proprioception",
    "msk_proprioception_nn": "msk_proprioception_nn",
    "msk_proprioception_feedback": "msk_proprioception_feedback",
    "msk_proprioception_keyboard": "msk_proprioception_keyboard",
}


class Shutdown(unittest.TestCase):
    def start(self, script, *arguments):
        """Start a node on a terminal of its own; it is killed at the end whatever happens."""
        controller, terminal = pty.openpty()
        process = subprocess.Popen(
            ["rosrun", PACKAGE, f"{script}_node.py", *arguments],
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
        for node in NODES.values():
            if rosparam.list_params(f"/{node}"):
                rosparam.delete_param(f"/{node}")

    def wait_for(self, node):
        Session.wait(lambda: f"/{node}" in rosnode.get_node_names(), f"the node {node}", 30.0)
        time.sleep(1.0)  # past its start-up

    def ends(self, process):
        begin = time.monotonic()
        code = process.wait(10.0)
        return code, time.monotonic() - begin

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for script, node in NODES.items():
                with self.subTest(node=node, signal=number.name):
                    process = self.start(script)
                    self.wait_for(node)
                    os.killpg(process.pid, number)
                    code, seconds = self.ends(process)
                    self.assertLess(seconds, 3.0)
                    self.assertIn(code, (0, 128 + number))
                    self.assertNotIn(b"Traceback", process.stdout.read())

    def test_rosnode_kill(self):
        for script, node in NODES.items():
            with self.subTest(node=node):
                process = self.start(script)
                self.wait_for(node)
                rosnode.kill_nodes([f"/{node}"])
                code, seconds = self.ends(process)
                self.assertLess(seconds, 3.0)
                self.assertEqual(code, 0)

    def test_a_wrong_start_says_why(self):
        swapped = "[shoulder_extensor, shoulder_flexor, elbow_flexor, elbow_extensor, "
        swapped += "biarticular_flexor, biarticular_extensor]"
        wrong = (
            ("sim", f"_muscle_names:={swapped}", b"expected shoulder_flexor shoulder_extensor", 2),
            ("sim", "_max_forces_n:=[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]", b"expected the arm's 800", 2),
            ("sim", "_delay_s:=fast", b"delay_s: expected a number", 2),
            ("sim", "_delay_s:=-0.01", b"delay_s: expected a number in [0, 1]", 2),
            ("nn", "_estimator:=guess", b"expected one of filter network", 2),
            ("feedback", "_feedback:=hope", b"expected one of true_state delayed", 2),
            ("feedback", "_weights:=/no/such.npz", b"expected network weights", 1),
        )
        for node, argument, words, code in wrong:
            with self.subTest(node=node, argument=argument):
                more = ["_feedback:=network"] if "weights" in argument else []
                process = self.start(f"msk_proprioception_{node}", argument, *more)
                self.assertEqual(self.ends(process)[0], code)
                self.tearDown()
                output = process.stdout.read()
                self.assertIn(words, output)
                self.assertNotIn(b"Traceback", output)

    def test_keyboard_without_a_terminal(self):
        process = subprocess.run(
            ["rosrun", PACKAGE, "msk_proprioception_keyboard_node.py"],
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
    rostest.rosrun(PACKAGE, "proprioception_shutdown", Shutdown, sys.argv)
