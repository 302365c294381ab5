"""The scaffold of a simulation node, with a system of next to nothing under a master of its own."""

import contextlib
import os
import shutil
import signal
import socket
import struct
import sys
import threading
import time
import xmlrpc.client
from pathlib import Path

import pytest

rospy = pytest.importorskip("rospy")
if shutil.which("roscore") is None:
    pytest.skip("no roscore here", allow_module_level=True)

import rosgraph  # noqa: E402
from diagnostic_msgs.msg import DiagnosticArray  # noqa: E402
from rosgraph_msgs.msg import Clock, Log  # noqa: E402
from std_msgs.msg import Float32, Float32MultiArray, Header  # noqa: E402
from std_srvs.srv import SetBool, Trigger  # noqa: E402

from mujoco_ros_common.session import Session, free_port, stop  # noqa: E402

NODE = [sys.executable, str(Path(__file__).with_name("toy_node.py"))]
PATIENCE = 20.0


class Heard:
    """All messages of a topic."""

    def __init__(self, topic, kind):
        self.messages = []
        self._subscriber = rospy.Subscriber(topic, kind, self.messages.append)

    def wait(self, condition, what):
        """The first message, from now on, that satisfies a condition."""
        begin = len(self.messages)
        found = []

        def search():
            found.extend(message for message in self.messages[begin:] if condition(message))
            return bool(found)

        Session.wait(search, what, PATIENCE)
        return found[0]

    def close(self):
        self._subscriber.unregister()


@pytest.fixture(scope="module")
def ros():
    """A master, and this process as a node under it."""
    with Session() as session:
        rospy.init_node("tester", disable_signals=True, log_level=rospy.FATAL)
        yield session
        rospy.signal_shutdown("done")


class Toy:
    """A toy node, in a namespace of its own, and what it says."""

    def __init__(self, session, name, *arguments):
        self.name, self.session = name, session
        command = [*NODE, f"__ns:={name}", *arguments]
        self.process = session.start(command, name)
        self.states = Heard(f"/{name}/toy/state", Float32MultiArray)
        self.headers = Heard(f"/{name}/toy/header", Header)
        self.command = self.publisher("cmd", Float32MultiArray)
        self.load = self.publisher("load", Float32)

    def publisher(self, topic, kind):
        return rospy.Publisher(f"/{self.name}/toy/{topic}", kind, queue_size=10)

    def ready(self):
        self.state(lambda state: True)
        Session.wait(lambda: self.command.get_num_connections(), "a connection", PATIENCE)
        Session.wait(lambda: self.load.get_num_connections(), "a connection", PATIENCE)
        return self

    def state(self, condition=lambda state: True, what="a state"):
        """(t, x, rejected, received, relaxed) of the next state that is as wanted."""
        message = self.states.wait(lambda message: condition(message.data), what)
        assert message.layout.dim[0].label == "t,x,rejected,received,relaxed"
        return message.data

    def order(self, *values):
        """Send a command, and wait until it has been looked at."""
        state = self.state()
        self.command.publish(Float32MultiArray(data=values))
        return self.state(lambda now: now[2] + now[3] > state[2] + state[3], "an answer")

    def call(self, service, kind, *arguments):
        name = f"/{self.name}/toy/{service}"
        rospy.wait_for_service(name, PATIENCE)
        return rospy.ServiceProxy(name, kind)(*arguments)

    def log(self):
        return self.session.log(self.name)

    def quiet(self):
        """Whether nothing is published for a while."""
        time.sleep(0.1)
        count = len(self.states.messages)
        time.sleep(0.2)
        return len(self.states.messages) == count

    def times(self):
        return [message.data[0] for message in self.states.messages]

    def stamps(self):
        return [message.stamp.to_sec() for message in self.headers.messages]


@pytest.fixture(scope="module")
def nodes(ros):
    """All nodes that the tests use, started at once: each takes a second to come up."""
    started = {
        "plain": Toy(ros, "plain"),
        "fast": Toy(ros, "fast", "_realtime_factor:=0"),
        "clock": Toy(ros, "clock", "_publish_clock:=true", "_realtime_factor:=0.5", "_mispelt:=1"),
        "bulk": Toy(ros, "bulk", "_bulk:=5000"),
        "slow": Toy(ros, "slow", "_realtime_factor:=0.0005"),
        "sigterm": Toy(ros, "sigterm"),
        "killed": Toy(ros, "killed"),
    }
    yield started
    for toy in started.values():  # all at once: each takes a second to go, too
        if toy.process.poll() is None:
            toy.process.send_signal(signal.SIGINT)
    for toy in started.values():
        stop(toy.process)


@pytest.fixture(scope="module")
def refused(ros):
    """Nodes that cannot start, started at once."""
    rospy.set_param("/scalar/toy", 5)
    return {
        "text": ros.start([*NODE, "__ns:=text", "_realtime_factor:=fast"], "text"),
        "scalar": ros.start([*NODE, "__ns:=scalar"], "scalar"),
        "other": ros.start([*NODE, "__ns:=other", "_names:=[x]"], "other"),
    }


@pytest.fixture
def toy(nodes):
    """The plain node, at its start and without a command."""
    plain = nodes["plain"].ready()
    plain.call("set_pause", SetBool, False)
    plain.call("reset", Trigger)
    return plain


def status(diagnostics, node, condition):
    """The next status of a node that is as wanted: (level, message, values)."""
    found = []

    def matches(message):
        for entry in message.status:
            values = {pair.key: pair.value for pair in entry.values}
            level = ord(entry.level) if isinstance(entry.level, (str, bytes)) else entry.level
            result = (level, entry.message, values)
            if entry.name.startswith(f"{node}/toy") and "ticks" in values and condition(*result):
                found.append(result)
                return True
        return False

    diagnostics.wait(matches, f"a status of {node}")
    return found[0]


@pytest.fixture(scope="module")
def diagnostics(ros):
    return Heard("/diagnostics", DiagnosticArray)


def test_commands_act_and_time_grows_over_a_reset(toy):
    toy.order(1.0, 0.0)
    assert toy.state(lambda state: state[1] > 5.0)[2] == 0.0
    assert toy.call("reset", Trigger).success
    first = toy.state(lambda state: state[1] == 0.0, "a state after the reset")
    toy.order(2.0, 0.0)  # control goes on
    assert toy.state(lambda state: state[1] > 5.0)[0] > first[0]
    times = toy.times()
    assert all(late > early for early, late in zip(times, times[1:]))
    stamps = toy.stamps()
    assert all(late > early for early, late in zip(stamps, stamps[1:]))
    assert abs(stamps[-1] - time.time()) < 60.0  # the node's start plus simulation time


def test_a_value_too_large_for_its_message_does_not_spoil_the_next_ones(toy):
    toy.order(1.0, 5.0)
    assert toy.state()[1] == float("inf")
    toy.order(1.0, 0.0)
    assert 0.0 < toy.state()[1] < 1e6


def test_pause_and_step(toy):
    refused = toy.call("step", Trigger)
    assert not refused.success
    assert "expected a paused simulation" in refused.message
    assert toy.call("set_pause", SetBool, True).message == "paused"
    assert toy.quiet()
    before = toy.times()
    for _ in range(3):
        assert toy.call("step", Trigger).success
    Session.wait(lambda: len(toy.times()) == len(before) + 3, "three states", PATIENCE)
    assert toy.times()[-3:] == pytest.approx(
        [before[-1] + 0.01 * (i + 1) for i in range(3)], abs=1e-4
    )
    assert toy.quiet()
    assert toy.call("reset", Trigger).success  # also while it is paused
    assert toy.call("set_pause", SetBool, False).message == "running"
    assert toy.state()[0] > before[-1]


FAULTS = {
    1: "SimulationError: the toy broke",
    2: "ValueError: expected 5 values, got 1",
    3: "relaxing failed too",
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_fault_stops_it_safely_and_reset_brings_it_back(toy, diagnostics, fault):
    relaxed = toy.state()[4]
    toy.command.publish(Float32MultiArray(data=[1.0, fault]))
    level, message, _ = status(diagnostics, "plain", lambda level, *_: level == 2)
    assert message.startswith("stopped at ")
    assert FAULTS[fault] in message
    assert toy.quiet()
    assert toy.process.poll() is None
    assert "call ~reset to go on" in toy.log()
    toy.call("set_pause", SetBool, True)
    step = toy.call("step", Trigger)
    assert not step.success
    assert "stopped at" in step.message
    toy.call("set_pause", SetBool, False)
    begin = toy.times()[-1]
    assert toy.call("reset", Trigger).success
    state = toy.state()
    assert (state[1], state[4]) == (0.0, relaxed + 1)
    assert state[0] > begin
    status(diagnostics, "plain", lambda level, *_: level < 2)


def test_a_reset_that_fails_says_why_and_can_be_tried_again(toy, diagnostics):
    toy.command.publish(Float32MultiArray(data=[1.0, 4.0]))
    status(diagnostics, "plain", lambda level, *_: level == 2)
    first = toy.call("reset", Trigger)
    assert not first.success
    assert "the toy stays broken" in first.message
    assert toy.quiet()
    assert toy.call("reset", Trigger).success
    assert toy.state()[1] == 0.0


def test_malformed_messages_are_dropped_counted_and_warned_of_once_a_second(toy, diagnostics):
    toy.order(0.5, 0.0)
    base = toy.state()[2]
    log = Heard("/rosout", Log)
    Session.wait(lambda: log._subscriber.get_num_connections() > 0, "the log", PATIENCE)
    nan, inf = float("nan"), float("inf")
    bad = [(), (1.0,), (1.0,) * 3, (nan, 0.0), (0.0, inf), (-1.0, 0.0), (11.0, 0.0)]
    begin = time.monotonic()
    for number, values in enumerate(bad):  # one by one: a subscriber keeps the newest alone
        toy.command.publish(Float32MultiArray(data=values))
        toy.state(lambda state, n=base + 2 * number + 1: state[2] >= n, "a rejected command")
        toy.load.publish(Float32(7.0))
        toy.state(lambda state, n=base + 2 * number + 2: state[2] >= n, "a rejected load")
    took = time.monotonic() - begin
    state = toy.state(lambda state: state[2] >= base + 2 * len(bad))
    assert state[2] == base + 2 * len(bad)
    later = toy.state(lambda now: now[1] > state[1])  # the last good command stays
    assert later[1] > state[1]
    _, message, values = status(
        diagnostics,
        "plain",
        lambda level, message, values: values.get("rejected toy/load") not in (None, "0"),
    )
    assert int(values["rejected toy/cmd"]) + int(values["rejected toy/load"]) == state[2]
    assert message == f"{int(state[2])} messages dropped"
    time.sleep(0.2)
    warnings = [entry.msg for entry in log.messages if entry.level == Log.WARN]
    log.close()
    for topic, expected in (("toy/cmd", "expected 2 values, got 0"), ("toy/load", "in [0, 1]")):
        own = [text for text in warnings if text.startswith(topic)]
        assert 1 <= len(own) <= 1 + int(took + 1.0)
        assert expected in own[0]


def test_as_fast_as_it_goes(nodes, diagnostics):
    fast = nodes["fast"].ready()
    begin, started = time.monotonic(), fast.state()[0]
    time.sleep(0.5)
    simulated, elapsed = fast.state()[0] - started, time.monotonic() - begin
    assert simulated > 2.0 * elapsed
    _, _, values = status(diagnostics, "fast", lambda *_: True)
    assert float(values["real-time factor"]) > 2.0
    stop(fast.process)  # it would take the others' time
    assert "stopped at" not in fast.log()  # closed topics are no fault while a node ends


def test_clock_and_stamps_are_simulation_time(nodes):
    clock = nodes["clock"]
    ticks = Heard("/clock", Clock)
    clock.ready()
    Session.wait(lambda: len(ticks.messages) > 30, "the clock", PATIENCE)
    times = [message.clock.to_nsec() for message in ticks.messages]
    stamps = [message.stamp.to_nsec() for message in clock.headers.messages]
    assert all(late > early for early, late in zip(times, times[1:]))
    assert {time % 10**7 for time in times + stamps} == {0}  # whole ticks
    assert 0 < times[-1] < 100e9
    assert 0 < stamps[-1] < 100e9
    clock.call("reset", Trigger)
    assert ticks.wait(lambda message: True, "the clock").clock.to_nsec() > times[-1]
    ticks.close()


def test_a_misspelt_parameter_is_warned_about(nodes):
    nodes["clock"].ready()
    assert "unknown parameters are ignored: mispelt" in nodes["clock"].log()
    assert "unknown parameters" not in nodes["plain"].log()


class Subscriber:
    """A subscriber on a bare socket, which reads nothing at all, or everything in a thread."""

    def __init__(self, topic, node, name, reads):
        uri = rosgraph.Master("/tester").lookupNode(node)
        answer = xmlrpc.client.ServerProxy(uri).requestTopic(name, topic, [["TCPROS"]])
        _, host, port = answer[2]
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect((host, port))
        fields = {"topic": topic, "callerid": name, "type": "*", "md5sum": "*"}
        parts = [f"{key}={value}".encode() for key, value in fields.items()]
        header = b"".join(struct.pack("<I", len(part)) + part for part in parts)
        self.socket.sendall(struct.pack("<I", len(header)) + header)
        self.received = 0
        if reads:
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            try:
                count = len(self.socket.recv(65536))
            except OSError:
                return
            if not count:
                return
            self.received += count


def test_a_stuck_subscriber_and_four_more_do_not_slow_the_loop(nodes):
    bulk = nodes["bulk"].ready()
    subscribers = [Subscriber("/bulk/toy/bulk", "/bulk/toy", f"/bare{i}", i > 0) for i in range(5)]
    Session.wait(lambda: all(s.received > 10**5 for s in subscribers[1:]), "all", PATIENCE)
    stuck, begin, first = subscribers[0], time.monotonic(), bulk.state()[0]
    before = [s.received for s in subscribers]
    time.sleep(1.5)
    ticks, elapsed = (bulk.state()[0] - first) / 0.01, time.monotonic() - begin
    assert ticks > 80.0 * elapsed  # of 100
    assert all(s.received > b + 10**6 for s, b in zip(subscribers[1:], before[1:]))
    assert stuck.received == 0
    assert bulk.call("reset", Trigger).success
    for subscriber in subscribers:
        subscriber.socket.close()
    assert stop(bulk.process) < 3.0


def wait_for_node(name):
    """Wait until the master knows a node, which is early in its start."""

    def is_known():
        with contextlib.suppress(rosgraph.MasterError):
            return bool(rosgraph.Master("/tester").lookupNode(name))
        return False

    Session.wait(is_known, name, PATIENCE, 0.005)


def end_by_signal(number):
    return lambda toy: os.kill(toy.process.pid, number)


def end_by_rosnode(toy):
    uri = rosgraph.Master("/tester").lookupNode(f"/{toy.name}/toy")
    with contextlib.suppress(OSError):  # it may be gone before it has answered
        xmlrpc.client.ServerProxy(uri).shutdown("/rosnode", "killed")


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("sigterm", end_by_signal(signal.SIGTERM)),
        ("killed", end_by_rosnode),
    ],
)
def test_a_node_ends_within_three_seconds(nodes, name, end):
    toy = nodes[name].ready()
    end(toy)
    assert toy.process.wait(3.0) == 0
    assert "Traceback" not in toy.log()


def test_a_node_that_is_just_starting_ends_as_soon(ros):
    """rospy's own handler may wait for ever for a lock that the main thread holds."""
    started = [ros.start([*NODE, f"__ns:=early{i}"], f"early{i}") for i in range(3)]
    ends = []
    for index, process in enumerate(started):
        wait_for_node(f"/early{index}/toy")
        time.sleep(0.02 * index)
        process.send_signal(signal.SIGTERM)
        ends.append(time.monotonic() + 3.0)
    for process, end in zip(started, ends):
        assert process.wait(max(0.1, end - time.monotonic())) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_node_that_waits_for_a_master_ends_as_soon(ros, number):
    """rospy holds a lock while it waits, and its shutdown wants that lock first."""
    name = f"alone{int(number)}"
    process = ros.start(NODE, name, ROS_MASTER_URI=f"http://localhost:{free_port()}/")
    Session.wait(lambda: "master may not be running yet" in ros.log(name), "it to wait", PATIENCE)
    process.send_signal(number)
    assert process.wait(3.0) == 128 + number
    assert "Traceback" not in ros.log(name)


def test_a_node_in_slow_motion_answers_and_ends_as_soon(nodes):
    slow = nodes["slow"]  # a tick takes 20 s
    rospy.wait_for_service("/slow/toy/reset", PATIENCE)
    os.kill(slow.process.pid, signal.SIGINT)
    assert slow.process.wait(3.0) == 0
    assert "Traceback" not in slow.log()


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("text", 2, "parameter realtime_factor: expected a number >= 0, got 'fast'"),
        ("scalar", 2, "/scalar/toy: expected a mapping of parameters, got 5"),
        ("other", 1, "expected the names a b"),
    ],
)
def test_a_wrong_parameter_is_one_line_and_an_exit_code(ros, refused, name, code, words):
    assert refused[name].wait(PATIENCE) == code
    lines = ros.log(name).splitlines()
    assert len(lines) == 1
    assert words in lines[0]


def test_diagnostics_tell_the_timing(toy, diagnostics):
    _, _, first = status(diagnostics, "plain", lambda *_: True)
    _, _, second = status(
        diagnostics, "plain", lambda _, __, values: int(values["ticks"]) > int(first["ticks"]) + 50
    )
    assert {
        "loop rate (Hz)",
        "late ticks",
        "resynchronisations",
        "period error p50 (ms)",
        "period error p99 (ms)",
        "real-time factor",
    } <= set(first)
    assert 50.0 < float(second["loop rate (Hz)"]) < 101.0
    assert 0.5 < float(second["real-time factor"]) < 1.5
