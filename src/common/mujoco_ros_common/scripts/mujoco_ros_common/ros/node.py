"""Starting a node: its parameters, and one clear line where it can't start."""

import signal
import sys
import threading
import time

import rosgraph
import rospy

from mujoco_ros_common import config
from mujoco_ros_common.errors import ArgumentError, UserError


def read_parameters(path):
    """The parameters of this node: the YAML file, overlaid by the private ones (`~`).

    A private name that the file does not know is warned about: it is most likely misspelt.
    """
    defaults = config.read(path)
    private = rospy.get_param(rospy.get_name(), {})
    if not isinstance(private, dict):
        raise ArgumentError(
            f"{rospy.get_name()}: expected a mapping of parameters, got {private!r}"
        )
    unknown = sorted(set(private) - set(defaults.values) - {"diagnostic_period"})
    if unknown:
        rospy.logwarn(
            "unknown parameters are ignored: %s (known: %s)",
            " ".join(unknown),
            " ".join(sorted(defaults.values)),
        )
    return defaults.overlaid(private, rospy.get_name())


def is_ending():
    """Whether the node is being shut down; rospy.is_shutdown() tells it only afterwards."""
    return rospy.core.is_shutdown_requested() or rospy.is_shutdown()


def main(name, make, **init):
    """Run a node to its end.

    Args:
        name: the node's name. make: builds the node; what it returns has `run()`.
        init: for rospy.init_node.

    Returns:
        the exit code: 0 when it was shut down, that of the UserError when it could not start,
        or what `run()` returned.
    """
    ending = _Ending()
    try:
        rospy.init_node(name, disable_signals=True, **init)
        return make().run() or 0
    except UserError as error:
        rospy.logfatal("%s", error)
        return error.exit_code
    except rospy.ROSException:
        if not is_ending():  # publishing fails while a node is shut down: no fault
            raise
        return 0
    finally:
        rospy.signal_shutdown("done")
        ending.wait()
        _wait_until_forgotten()
        sys.stdout.flush()


def _wait_until_forgotten(patience=2.0):
    """Stay until the master has forgotten this node.

    `rosnode kill` shuts a node down in one of rospy's threads, which ends with the main thread:
    half-way, the node would stay registered, and whoever waits for its successor be misled.
    """
    master, deadline = rosgraph.Master(rospy.get_name()), time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if master.lookupNode(rospy.get_name()) != rospy.get_node_uri():
                return  # a successor of the same name
        except (rosgraph.MasterException, OSError):
            return  # forgotten, or there is no master any more
        time.sleep(0.02)


class _Ending:
    """Shuts the node down on SIGINT and SIGTERM, in a thread.

    rospy does it within the signal's handler: where the main thread was just talking to the master
    (all through the start), it then waits for ever for the lock that it holds itself. And while
    there is no master, the main thread keeps that lock until there is one: it is interrupted.

    Args:
        patience: s until the main thread counts as stuck.
    """

    def __init__(self, patience=1.5):
        self._patience, self._threads = patience, []
        self._leaving, self._stuck = threading.Event(), False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number, _):
        if self._stuck:
            sys.exit(128 + number)
        if self._threads:
            return  # it is on its way
        for work in (self._shut_down, self._insist):
            thread = threading.Thread(target=work, args=(number,), daemon=True)
            self._threads.append(thread)
            thread.start()

    @staticmethod
    def _shut_down(number):
        rospy.signal_shutdown(f"signal-{number}")

    def _insist(self, number):
        if not self._leaving.wait(self._patience):
            self._stuck = True
            signal.pthread_kill(threading.main_thread().ident, number)

    def wait(self, patience=2.0):
        """Let the master know before the process ends, whichever thread is telling it."""
        self._leaving.set()
        end = time.monotonic() + patience
        while not rospy.is_shutdown() and time.monotonic() < end:
            time.sleep(0.01)
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
