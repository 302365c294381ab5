"""The scaffold of a keyboard node, on a real pseudo-terminal and under a master of its own."""

import contextlib
import os
import pty
import shutil
import signal
import subprocess
import sys
import termios
import time
import xmlrpc.client
from pathlib import Path

import pytest

pytest.importorskip("rospy")
if shutil.which("roscore") is None:
    pytest.skip("no roscore here", allow_module_level=True)

import rosgraph  # noqa: E402

from mujoco_ros_common.session import Session  # noqa: E402

NODE = [sys.executable, str(Path(__file__).with_name("toy_keyboard_node.py"))]
LISTEN = [
    sys.executable,
    "-c",
    "import rospy, sys; from std_msgs.msg import String\n"
    "rospy.init_node('listener')\n"
    "show = lambda message, name: print(name, message.data, flush=True)\n"
    "for n in sys.argv[1:]: rospy.Subscriber(f'/{n}/toy/keys', String, show, n)\n"
    "rospy.spin()",
]
NAMES = ["quit", "fault", "hangup", "sigint", "sigterm", "killed"]


@pytest.fixture(scope="module")
def ros():
    with Session() as session:
        yield session


class Keyboard:
    """A keyboard node on a pseudo-terminal, and a listener to what it publishes."""

    def __init__(self, session, name):
        self.session, self.name = session, name
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [*NODE, f"__ns:={name}"],
            stdin=self.slave,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def ready(self):
        Session.wait(self.connected, "the connection")
        Session.wait(lambda: not termios.tcgetattr(self.slave)[3] & termios.ICANON, "raw keys")
        return self

    def connected(self):
        state = rosgraph.Master("/tester").getSystemState()
        wanted = f"/{self.name}/toy/keys"
        if not all(any(wanted == topic for topic, _ in side) for side in state[:2]):
            return False
        uri = rosgraph.Master("/tester").lookupNode(f"/{self.name}/toy_keyboard")
        return any(
            bus[4] == wanted for bus in xmlrpc.client.ServerProxy(uri).getBusInfo("/tester")[2]
        )

    def type(self, text):
        os.write(self.master, text)

    def heard(self):
        lines = [line.split(" ", 1) for line in self.session.log("listener").splitlines()]
        return [word for name, word in lines if name == self.name]

    def end(self):
        """Wait for its end; what it printed."""
        out, err = self.process.communicate(timeout=5.0)
        assert termios.tcgetattr(self.slave) == self.before
        return out.decode(), err.decode()


@pytest.fixture(scope="module")
def keyboards(ros):
    """All keyboards that the tests use, started at once."""
    ros.start([*LISTEN, *NAMES], "listener")
    made = {name: Keyboard(ros, name) for name in NAMES}
    yield made
    for keyboard in made.values():
        with contextlib.suppress(ProcessLookupError):
            keyboard.process.kill()
        keyboard.process.wait()
        for end in (keyboard.master, keyboard.slave):
            with contextlib.suppress(OSError):
                os.close(end)


def test_keys_are_pressed_once_and_the_farewell_comes_last(keyboards):
    keyboard = keyboards["quit"].ready()
    time.sleep(0.1)
    assert keyboard.heard() == []  # nothing to say, nothing said
    keyboard.type(b"a\x1b[A" + b"t" * 5)  # a toggle that repeats
    Session.wait(lambda: "t" in keyboard.heard(), "the toggle")
    keyboard.type(b"q")
    out, err = keyboard.end()
    assert (keyboard.process.returncode, err) == (0, "")
    Session.wait(lambda: "farewell" in keyboard.heard(), "the farewell")
    keys = [word for word in keyboard.heard() if word != "update"]
    assert keys == ["a", "up", "t", "q", "farewell"]
    assert keyboard.heard()[-1] == "farewell"
    assert out.startswith("q ends it\n")
    assert "3 keys" in out


def test_a_fault_says_farewell_and_restores_the_terminal(keyboards):
    keyboard = keyboards["fault"].ready()
    keyboard.type(b"b")
    _, err = keyboard.end()
    assert keyboard.process.returncode == 1
    assert "a fault" in err
    Session.wait(lambda: keyboard.heard() == ["farewell"], "the farewell")


def end_by_rosnode(keyboard):
    uri = rosgraph.Master("/tester").lookupNode(f"/{keyboard.name}/toy_keyboard")
    with contextlib.suppress(OSError):  # it may be gone before it has answered
        xmlrpc.client.ServerProxy(uri).shutdown("/rosnode", "killed")


@pytest.mark.parametrize("name", ["sigint", "sigterm", "killed"])
def test_however_it_is_ended_it_says_farewell_once_and_restores_the_terminal(keyboards, name):
    keyboard = keyboards[name].ready()
    keyboard.type(b"a")
    Session.wait(lambda: "update" in keyboard.heard(), "the key")
    begin = time.monotonic()
    if name == "killed":
        end_by_rosnode(keyboard)
    else:
        keyboard.process.send_signal(getattr(signal, name.upper()))
    _, err = keyboard.end()
    assert time.monotonic() - begin < 3.0
    assert keyboard.process.returncode == 0
    assert "Traceback" not in err
    Session.wait(lambda: "farewell" in keyboard.heard(), "the farewell")
    assert keyboard.heard().count("farewell") == 1
    with pytest.raises(rosgraph.MasterError):  # the master was told
        rosgraph.Master("/tester").lookupNode(f"/{keyboard.name}/toy_keyboard")
    assert keyboard.heard()[-1] == "farewell"


def test_a_window_that_is_closed_ends_it(keyboards):
    keyboard = keyboards["hangup"].ready()
    os.close(keyboard.slave)
    os.close(keyboard.master)
    _, err = keyboard.process.communicate(timeout=5.0)
    assert keyboard.process.returncode == 0
    assert b"Traceback" not in err
    Session.wait(lambda: "farewell" in keyboard.heard(), "the farewell")


def test_without_a_terminal_it_is_one_clear_line(ros):
    process = ros.start(NODE, "no-terminal")  # standard input is /dev/null
    assert process.wait(20.0) == 1
    lines = ros.log("no-terminal").splitlines()
    assert len(lines) == 1
    assert "expected a terminal" in lines[0]
    assert "terminal:=" in lines[0]
