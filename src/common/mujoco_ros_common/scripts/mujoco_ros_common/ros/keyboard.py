"""The node that all keyboards share: keys of a terminal at a fixed rate."""

import sys
import threading
import time

import rospy

from mujoco_ros_common.pacing import Pacer
from mujoco_ros_common.terminal import KeyRepeatFilter, RawTerminal

_SENDING = 0.1  # s; rospy sends in a thread, and closes the topics next


class KeyboardNode:
    """Reads keys and hands them on; a system fills in what they do.

    Subclasses implement `press`, `update`, `farewell` and `help`.

    Args:
        toggles: keys that count once however long they are held.
        rate: Hz.
    """

    def __init__(self, toggles=(), rate=50.0):
        self.period = 1.0 / rate
        self._filter, self._said_farewell = KeyRepeatFilter(toggles), False
        # held while something is published: a node can be shut down from another thread
        self._lock = threading.RLock()
        rospy.on_shutdown(self._end)  # called while the topics are still open

    def press(self, key):
        """Act on a key; False ends the node."""
        raise NotImplementedError

    def update(self):
        """Called each period after the keys: publish, where there is something to say."""
        raise NotImplementedError

    def farewell(self):
        """Called once at the end, however it comes: leave the system at rest."""
        raise NotImplementedError

    def help(self):
        """What each key does, as a text."""
        raise NotImplementedError

    def status(self):
        """One line about the present commands, rewritten in place; "" for none."""
        return ""

    def run(self):
        """Loop until a key ends it, the terminal closes or the node is shut down.

        Raises:
            NoTerminalError: standard input is not a terminal.
        """
        with RawTerminal() as terminal:
            print(self.help(), flush=True)
            try:
                self._loop(terminal)
            except EOFError:
                pass  # the window was closed
            finally:
                self._end()
                if sys.stdout.isatty():
                    print(flush=True)

    def _end(self):
        with self._lock:
            if not self._said_farewell:
                self._said_farewell = True
                self.farewell()
                time.sleep(_SENDING)

    def _loop(self, terminal):
        pacer, shown = Pacer(self.period), None
        while not rospy.is_shutdown():
            keys = self._filter.accept(terminal.read_keys())
            with self._lock:
                if self._said_farewell or not all(self.press(key) is not False for key in keys):
                    return
                self.update()
            line = self.status()
            if line != shown and (line or shown):
                print("\r\x1b[K" + line, end="", flush=True)
                shown = line
            pacer.wait()
