"""Test cases that every system has: its nodes end on time, its keyboard works in a window."""

import os
import pty
import signal
import subprocess
import time
import unittest

import rosnode
import rosparam

from mujoco_ros_common.session import Session, stop, virtual_screen

END_S = 3.0  # a node must have ended this long after it was told to


class ShutdownCase(unittest.TestCase):
    """SIGINT, SIGTERM and rosnode kill end every node in time; a wrong start says why.

    Subclasses set what follows, and are run by rostest.rosrun.
    """

    package = ""
    nodes = {}  # {executable without .py: the name that the node gives itself}
    keyboard = ""  # the executable that needs a terminal
    wrong = ()  # (executable, arguments, words that it must say, exit code)

    def start(self, executable, *arguments):
        """Start a node on a terminal of its own; it is killed at the end whatever happens."""
        controller, terminal = pty.openpty()
        process = subprocess.Popen(
            ["rosrun", self.package, f"{executable}.py", *arguments],
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
        for node in self.nodes.values():
            if rosparam.list_params(f"/{node}"):
                rosparam.delete_param(f"/{node}")

    def wait_for(self, node):
        Session.wait(lambda: f"/{node}" in rosnode.get_node_names(), f"the node {node}", 30.0)
        time.sleep(0.5)  # past its start-up

    def ends(self, process, node):
        """The exit code of a node that has been told to end, in time; the master forgets it."""
        begin = time.monotonic()
        code = process.wait(10.0)
        self.assertLess(time.monotonic() - begin, END_S)
        self.assertNotIn(f"/{node}", rosnode.get_node_names())
        return code

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for executable, node in self.nodes.items():
                with self.subTest(node=node, signal=number.name):
                    process = self.start(executable)
                    self.wait_for(node)
                    os.killpg(process.pid, number)
                    self.assertIn(self.ends(process, node), (0, 128 + number))
                    self.assertNotIn(b"Traceback", process.stdout.read())

    def test_rosnode_kill(self):
        for executable, node in self.nodes.items():
            with self.subTest(node=node):
                process = self.start(executable)
                self.wait_for(node)
                rosnode.kill_nodes([f"/{node}"])
                self.assertEqual(self.ends(process, node), 0)

    def test_a_wrong_start_says_why(self):
        for executable, arguments, words, code in self.wrong:
            with self.subTest(executable=executable, arguments=arguments):
                process = self.start(executable, *arguments)
                self.assertEqual(process.wait(30.0), code)
                ShutdownCase.tearDown(self)
                output = process.stdout.read().decode()
                self.assertIn(words, output)
                self.assertNotIn("Traceback", output)

    def test_keyboard_without_a_terminal(self):
        process = subprocess.run(
            ["rosrun", self.package, f"{self.keyboard}.py"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=30.0,
            check=False,
        )
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"expected a terminal", process.stdout)
        self.assertNotIn(b"Traceback", process.stdout)


class WindowCase(unittest.TestCase):
    """A keyboard in a real xterm on a virtual screen, driven by xdotool."""

    def open_window(self, package, file, node, *arguments):
        """Launch a file with a keyboard on a screen of its own, and give it the focus.

        Args:
            package, file, arguments: for roslaunch; the viewer stays closed.
            node: name of the keyboard node.
        """
        screen = virtual_screen()
        self.display = screen.__enter__()
        self.addCleanup(screen.__exit__, None, None, None)
        command = ["roslaunch", package, file, "viewer:=false", *arguments]
        self.launch = subprocess.Popen(command, env=self.display, start_new_session=True)
        self.addCleanup(stop, self.launch)
        Session.wait(self.focused, "the xterm with the keyboard's focus", 30.0)
        Session.wait(lambda: f"/{node}" in rosnode.get_node_names(), f"the node {node}", 30.0)

    def xdotool(self, *arguments):
        """What xdotool answers."""
        done = subprocess.run(
            ["xdotool", *arguments],
            env=self.display,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            universal_newlines=True,
            check=False,
        )
        return done.stdout.strip()

    def press(self, *keys):
        """Type keys, by xdotool's names."""
        self.xdotool("key", *keys)

    def window(self):
        """The xterm's number, "" when there is none."""
        return self.xdotool("search", "--onlyvisible", "--class", "xterm").split("\n")[0]

    def focused(self):
        """Give the window the focus (there is no window manager); whether it has it."""
        window = self.window()
        if window:
            self.xdotool("windowfocus", window)
        return bool(window) and self.xdotool("getwindowfocus") == window
