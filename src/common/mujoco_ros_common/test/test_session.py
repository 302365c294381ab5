"""A master of one's own, and everything ended by process id."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

from mujoco_ros_common import session
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.session import Session

needs_ros = pytest.mark.skipif(
    shutil.which("roscore") is None or importlib.util.find_spec("rospy") is None,
    reason="no ROS here",
)
STUBBORN = """
import signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(60)
"""
PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
time.sleep(0.5)
print(child.pid, flush=True)
if len(sys.argv) == 2:
    time.sleep(60)
"""


def alive(pid):
    """Whether a process is there and not just waiting to be reaped."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stream:
            return stream.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def python(program, *arguments):
    return [sys.executable, "-c", program, *arguments]


@pytest.fixture
def plain():
    """A session that was not entered: it starts and ends processes, but has no master."""
    made = Session()
    yield made
    made.__exit__()


def test_output_goes_to_the_log_and_the_process_ends_with_the_session():
    made = Session()
    process = made.start(python("import time; print('你好'); time.sleep(60)"), "my/name")
    made.wait(lambda: "你好" in made.log("my/name"), "a greeting")
    assert made.log("nobody") == ""
    folder = made.log_dir
    made.__exit__()
    assert process.returncode == -signal.SIGINT
    assert not folder.exists()


def test_the_environment_can_be_added_to(plain):
    plain.start(python("import os; print(os.environ['TEST_WORD'])"), "a", TEST_WORD="word")
    plain.wait(lambda: "word" in plain.log("a"), "a word")


def test_a_program_that_is_not_there_is_one_line(plain):
    with pytest.raises(UserError, match="expected the program no-such-program") as caught:
        plain.start(["no-such-program"])
    assert "\n" not in str(caught.value)


def test_waiting_has_an_end_and_says_for_what():
    with pytest.raises(UserError, match=r"expected a miracle within 0\.1 s"):
        Session.wait(lambda: False, "a miracle", timeout=0.1, period=0.01)
    answers = iter([OSError("not yet"), False, True])

    def condition():
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    Session.wait(condition, "the third answer", timeout=5.0, period=0.0)


def test_a_process_that_ignores_signals_is_killed():
    process = subprocess.Popen(python(STUBBORN), stdout=subprocess.PIPE, start_new_session=True)
    process.stdout.readline()
    assert 0.2 <= session.stop(process, patience=0.1) < 5.0
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("dies_first", [False, True])
def test_what_a_process_started_ends_with_it(dies_first):
    arguments = [STUBBORN, "die"] if dies_first else [STUBBORN]
    process = subprocess.Popen(
        python(PARENT, *arguments), stdout=subprocess.PIPE, start_new_session=True
    )
    lines = [process.stdout.readline(), process.stdout.readline()]
    child = int(next(line for line in lines if line != b"ready\n"))
    assert alive(child)
    if dies_first:
        process.wait(10.0)
    session.stop(process)
    deadline = time.monotonic() + 5.0
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(child)


def test_stopping_what_has_ended_is_quick():
    process = subprocess.Popen(python("pass"), start_new_session=True)
    process.wait()
    assert session.stop(process) < 1.0
    assert process.returncode == 0


def test_a_free_port_is_free():
    with socket.socket() as probe:
        probe.bind(("localhost", session.free_port()))


@needs_ros
def test_a_master_of_ones_own_ends_with_everything_and_the_environment_comes_back():
    before = {key: os.environ.get(key) for key in ("ROS_MASTER_URI", "ROS_LOG_DIR")}
    with Session() as own:
        assert os.environ["ROS_MASTER_URI"] == own.uri != "http://localhost:11311/"
        topics = own.start(["rostopic", "list"], "topics")
        assert topics.wait(30) == 0
        assert "/rosout" in own.log("topics")
        own.start(python(STUBBORN.replace("[signal.SIGINT, signal.SIGTERM]", "()")), "sleeper")
        processes = list(own._processes)
        log_dir = own.log_dir
    assert all(process.poll() is not None for process in processes)
    assert {key: os.environ.get(key) for key in before} == before
    assert not log_dir.exists()
    with pytest.raises(OSError), socket.create_connection(  # noqa: PT012
        ("localhost", int(own.uri.rsplit(":", 1)[1].strip("/"))), 1.0
    ):
        pass


@needs_ros
def test_without_ros_on_the_path_entering_is_one_line_and_leaves_no_trace(monkeypatch):
    before = os.environ.get("ROS_MASTER_URI")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="expected the program roscore"):
        Session().__enter__()
    assert os.environ.get("ROS_MASTER_URI") == before
