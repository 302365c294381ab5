"""The node that all simulations share: loop, pacing, services, clock, diagnostics, safe stop."""

import threading
import time
from collections import deque

import rospy
from rosgraph_msgs.msg import Clock
from std_srvs.srv import SetBool, SetBoolResponse, Trigger, TriggerResponse

from mujoco_ros_common.pacing import Pacer
from mujoco_ros_common.ros.diagnostics import Diagnostics
from mujoco_ros_common.ros.node import is_ending


class SimulationNode:
    """A loop of control ticks in the main thread; a system fills in what a tick is.

    Subclasses implement `advance`, `publish`, `relax` and `restart`, and may set `self.viewer`.
    Callbacks only store commands (see Checked); everything else happens in the loop.

    Services: ~reset (Trigger), ~set_pause (SetBool), ~step (Trigger: one tick, while paused).
    Parameters: ~realtime_factor (1.0; 0 is as fast as it goes), ~publish_clock (false).

    Args:
        parameters: config.Parameters of the node.
        tick: simulated time of a control tick, s.
        hardware: what /diagnostics calls it.
    """

    def __init__(self, parameters, tick, hardware):
        self.parameters, self.tick, self.viewer = parameters, tick, None
        self.ticks = 0  # simulated since the node started; a reset does not set it back
        self.fault = None  # why the simulation stopped, or None
        self._paused, self._requests = False, deque()
        self._pacer = Pacer(tick, parameters.number("realtime_factor", 0.0), sleep=_sleep)
        with_clock = parameters.boolean("publish_clock")
        self._clock = rospy.Publisher("/clock", Clock, queue_size=1) if with_clock else None
        self._start = rospy.Time(0) if with_clock else rospy.Time.now()
        self.diagnostics = Diagnostics(hardware, pacer=self._pacer, tick=tick)
        rospy.Service("~reset", Trigger, lambda _: self._ask(self._reset, TriggerResponse))
        rospy.Service("~step", Trigger, lambda _: self._ask(self._step, TriggerResponse))
        rospy.Service(
            "~set_pause",
            SetBool,
            lambda request: self._ask(lambda: self._set_pause(request.data), SetBoolResponse),
        )

    # what a system fills in

    def advance(self):
        """Simulate one control tick; raise when the simulation is no longer sound."""
        raise NotImplementedError

    def publish(self):
        """Publish the state after a tick; `time()` and `stamp()` say when that is."""
        raise NotImplementedError

    def relax(self):
        """Make the system safe after a fault: zero activation, zero speed."""
        raise NotImplementedError

    def restart(self):
        """Bring the system back to its start."""
        raise NotImplementedError

    # what a system uses

    def watch(self, *subscribers):
        """Count the dropped messages of these Checked subscribers in /diagnostics."""
        self.diagnostics.subscribers.extend(subscribers)

    def time(self):
        """Simulated time since the node started, s; it never goes back, also over a reset."""
        return self.ticks * self.tick

    def stamp(self):
        """Header stamp of the present state (with ~publish_clock: simulation time)."""
        return self._start + rospy.Duration(0, round(1e9 * self.time()))

    def run(self):
        """Loop until the node is shut down."""
        self._pacer.start()
        try:
            while not rospy.is_shutdown():
                while self._requests:
                    self._requests.popleft()()
                if not self._paused and self.fault is None:
                    self._tick()
                if self.viewer is not None:
                    self.viewer.sync()
                self._pacer.wait()
        finally:
            if self.viewer is not None:
                self.viewer.close()

    # the rest

    def _tick(self):
        try:
            self.advance()
            self.ticks += 1
            self.diagnostics.ticks = self.ticks
            if self._clock is not None:
                self._clock.publish(self.stamp())
            self.publish()
        except Exception as error:  # noqa: BLE001 (whatever it was, the system is made safe)
            if isinstance(error, rospy.ROSException) and is_ending():
                return  # publishing fails while a node is shut down: no fault
            self._stop(error)

    def _stop(self, error):
        self.fault = f"stopped at {self.time():.2f} s: {type(error).__name__}: {error}"
        try:
            self.relax()
        except Exception as second:  # noqa: BLE001 (it stands still all the same)
            self.fault += f"; relaxing failed too: {type(second).__name__}: {second}"
        rospy.logerr("simulation %s (call ~reset to go on)", self.fault)
        self.diagnostics.set_fault(self.fault)

    def _ask(self, action, response, patience=2.0):
        """Have the loop carry out an action; called in a service's thread."""
        answer, taken, done = [], threading.Lock(), threading.Event()

        def carry_out():
            if taken.acquire(blocking=False):
                answer.append(action())
                done.set()

        self._requests.append(carry_out)
        if not done.wait(patience + self._pacer.period) and taken.acquire(blocking=False):
            return response(False, "the simulation loop did not answer")  # and never will
        done.wait()
        return response(*answer[0])

    def _reset(self):
        try:
            self.restart()
        except Exception as error:  # noqa: BLE001
            self._stop(error)
            return False, self.fault
        self.fault = None
        self.diagnostics.set_fault(None)
        return True, "reset"

    def _set_pause(self, paused):
        self._paused = paused
        return True, "paused" if paused else "running"

    def _step(self):
        if not self._paused:
            return False, "expected a paused simulation (~set_pause), but it is running"
        if self.fault is not None:
            return False, self.fault
        self._tick()
        return self.fault is None, self.fault or f"stepped to {self.time():.3f} s"


def _sleep(seconds):
    """Sleep in pieces, so that a slow-motion simulation ends as soon as any other."""
    end = time.monotonic() + seconds
    while seconds > 0.1 and not rospy.is_shutdown():
        time.sleep(0.1)
        seconds = end - time.monotonic()
    time.sleep(max(0.0, min(seconds, 0.1)))
