"""What a node tells of itself on /diagnostics, once a second, off its main loop."""

import threading

import diagnostic_updater
import rospy
from diagnostic_msgs.msg import DiagnosticStatus

from mujoco_ros_common.ros.node import is_ending


class Diagnostics:
    """Publishes the health of a node.

    Args:
        hardware: what it stands for, e.g. "simulated hand".
        subscribers: Checked subscribers whose dropped messages are counted.
        pacer: of the main loop, or None. tick: simulated time of a tick, s.
    """

    def __init__(self, hardware, subscribers=(), pacer=None, tick=None):
        self.subscribers, self.pacer, self.tick = list(subscribers), pacer, tick
        self.fault, self.notes, self.ticks = None, {}, 0
        self._seen = (0, pacer.now() if pacer is not None else 0.0, 0.0)
        self._updater = diagnostic_updater.Updater()
        self._updater.setHardwareID(hardware)
        self._updater.add("state", self._state)
        self._stop = threading.Event()
        # a thread of its own: the updater asks the parameter server, which takes milliseconds
        threading.Thread(target=self._loop, name="diagnostics", daemon=True).start()

    def set_fault(self, cause):
        """Report an error with its cause at once; None ends it."""
        self.fault = cause
        self._update()

    def rejected(self):
        """Number of dropped messages, by topic."""
        return {subscriber.topic: subscriber.rejected for subscriber in self.subscribers}

    def _loop(self):
        while not self._stop.wait(1.0) and not rospy.is_shutdown():
            self._update()

    def _update(self):
        try:
            self._updater.force_update()
        except Exception as error:  # noqa: BLE001 (a thread that dies would go unnoticed)
            if not is_ending():
                rospy.logerr_throttle(10.0, f"diagnostics failed: {error}")

    def _state(self, status):
        rejected = self.rejected()
        if self.fault:
            status.summary(DiagnosticStatus.ERROR, str(self.fault))
        elif sum(rejected.values()):
            status.summary(DiagnosticStatus.WARN, f"{sum(rejected.values())} messages dropped")
        else:
            status.summary(DiagnosticStatus.OK, "running")
        if self.pacer is not None:
            self._timing(status)
        for topic, count in rejected.items():
            status.add(f"rejected {topic}", str(count))
        for name, value in self.notes.items():
            status.add(name, str(value))
        return status

    def _timing(self, status):
        pacer = self.pacer
        status.add("loop rate (Hz)", f"{pacer.rate():.4f}")
        status.add("ticks", str(pacer.ticks))
        status.add("late ticks", str(pacer.late))
        status.add("resynchronisations", str(pacer.resynchronised))
        status.add("period error p50 (ms)", f"{1e3 * pacer.period_error(0.5):.4f}")
        status.add("period error p99 (ms)", f"{1e3 * pacer.period_error(0.99):.4f}")
        status.add("real-time factor", f"{self.ticks_per_second() * self.tick:.4f}")

    def ticks_per_second(self):
        """Simulated ticks in a second of wall clock, since this was last asked."""
        now, (before, then, rate) = self.pacer.now(), self._seen
        if now - then > 0.5:
            rate = (self.ticks - before) / (now - then)
            self._seen = (self.ticks, now, rate)
        return rate
