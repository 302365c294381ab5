"""The keyboard on a real pseudo-terminal: whole keys, and a terminal that is always restored."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import termios
import textwrap
import threading
import time

import pytest

from mujoco_ros_common import terminal
from mujoco_ros_common.terminal import NoTerminalError, RawTerminal

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


@pytest.fixture
def ends():
    """Both ends of a pseudo-terminal, with a setting that is not the usual one."""
    master, slave = pty.openpty()
    settings = termios.tcgetattr(slave)
    settings[3] &= ~termios.ECHOE
    settings[6][termios.VERASE] = b"\x08"
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    yield master, slave
    for end in (master, slave):
        with contextlib.suppress(OSError):  # a test may have closed it
            os.close(end)


CHILD = """
    import os, signal, sys, time
    from mujoco_ros_common.terminal import RawTerminal
    how = sys.argv[1]
    if how == "handler":
        signal.signal(signal.SIGTERM, lambda *_: os.write(1, b"mine\\n"))
    if how == "ignored":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with RawTerminal() as keys:
        print("ready", flush=True)
        end = time.monotonic() + 20.0
        while time.monotonic() < end:
            for key in keys.read_keys(0.05):
                if how == "exception":
                    raise RuntimeError("a fault")
                if how == "exit":
                    sys.exit(4)
                if how in ("normal", "handler", "ignored"):
                    sys.exit(0)
"""


def start(slave, how, program=CHILD):
    """A process that reads keys from the pseudo-terminal, once it does."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), how],
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout.readline() == b"ready\n", process.communicate()
    return process


def is_raw(slave):
    return not termios.tcgetattr(slave)[3] & (termios.ICANON | termios.ECHO)


@pytest.mark.parametrize(("how", "code"), [("normal", 0), ("exit", 4), ("exception", 1)])
def test_restored_when_the_program_ends(ends, how, code):
    master, slave = ends
    before = termios.tcgetattr(slave)
    process = start(slave, how)
    assert is_raw(slave)
    os.write(master, b"q")
    _, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert termios.tcgetattr(slave) == before
    assert (b"a fault" in err) == (how == "exception")


@pytest.mark.parametrize("number", SIGNALS)
def test_restored_after_a_signal(ends, number):
    _, slave = ends
    before = termios.tcgetattr(slave)
    process = start(slave, "wait")
    assert is_raw(slave)
    process.send_signal(number)
    process.communicate(timeout=20)
    assert process.returncode not in (0, None)
    assert termios.tcgetattr(slave) == before


def test_a_handler_that_was_there_before_is_still_called(ends):
    master, slave = ends
    before = termios.tcgetattr(slave)
    process = start(slave, "handler")
    process.send_signal(signal.SIGTERM)
    assert process.stdout.readline() == b"mine\n"
    assert termios.tcgetattr(slave) == before
    os.write(master, b"q\n")  # a line, since the terminal is no longer raw
    process.communicate(timeout=20)
    assert process.returncode == 0


def test_a_signal_that_was_ignored_ends_nothing(ends):
    master, slave = ends
    process = start(slave, "ignored")
    process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    assert process.poll() is None
    os.write(master, b"q\n")
    process.communicate(timeout=20)
    assert process.returncode == 0


BACKGROUND = """
    import fcntl, os, signal, subprocess, sys, termios, time
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # the shell of this terminal
    job = subprocess.Popen(
        [sys.executable, "-c", sys.argv[2], "wait"], stdout=subprocess.PIPE,
        preexec_fn=lambda: (os.setpgid(0, 0), signal.signal(signal.SIGTTOU, signal.SIG_DFL)))
    os.tcsetpgrp(0, job.pid)
    assert job.stdout.readline() == b"ready\\n"
    os.tcsetpgrp(0, os.getpgrp())  # the job is in the background now
    os.kill(job.pid, signal.SIGTERM)
    _, status = os.waitpid(job.pid, os.WUNTRACED)
    print("stopped" if os.WIFSTOPPED(status) else "ended", flush=True)
    if os.WIFSTOPPED(status):
        os.kill(job.pid, signal.SIGKILL)
"""


def test_a_job_in_the_background_is_not_stopped_for_restoring(ends):
    _, slave = ends
    before = termios.tcgetattr(slave)
    program = [sys.executable, "-c", textwrap.dedent(BACKGROUND), "", textwrap.dedent(CHILD)]
    done = subprocess.run(program, stdin=slave, stdout=subprocess.PIPE, timeout=30, check=True)
    assert done.stdout == b"ended\n"
    assert termios.tcgetattr(slave) == before


def test_a_terminal_that_is_closed_ends_the_program(ends):
    master, slave = ends
    process = start(slave, "wait")
    os.close(slave)
    os.close(master)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert b"EOFError: the terminal was closed" in err


NO_TERMINAL = """
    import sys
    from mujoco_ros_common import errors, terminal
    try:
        terminal.RawTerminal().__enter__()
    except errors.UserError as error:
        sys.exit(str(error))
"""


@pytest.mark.parametrize("stdin", ["pipe", "null", "closed"])
def test_without_a_terminal_one_clear_line(stdin):
    program = textwrap.dedent(NO_TERMINAL)
    if stdin == "closed":
        command = ["sh", "-c", 'exec "$0" -c "$1" <&-', sys.executable, program]
    else:
        command = [sys.executable, "-c", program]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL if stdin == "null" else subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=30,
        check=False,
    )
    assert done.returncode == 1
    assert len(done.stderr.decode().splitlines()) == 1
    assert "expected a terminal" in done.stderr.decode()
    assert "terminal:=" in done.stderr.decode()


# keys


@pytest.fixture
def typed(ends, monkeypatch):
    """A function that types bytes, in one or more writes, and gives the keys that are read."""
    master, slave = ends
    stream = os.fdopen(slave, "rb", buffering=0, closefd=False)
    with stream, RawTerminal(stream) as keyboard:

        def type_and_read(*writes, patient=False):
            monkeypatch.setattr(terminal, "_ESCAPE_WAIT", 10.0 if patient else 0.03)
            os.write(master, writes[0])
            later = [
                threading.Timer(0.03 * (i + 1), os.write, (master, writes[i + 1]))
                for i in range(len(writes) - 1)
            ]
            for timer in later:
                timer.start()
            keys = keyboard.read_keys(5.0)
            for timer in later:
                timer.join()
            return keys + keyboard.read_keys()

        type_and_read.keyboard = keyboard
        yield type_and_read


KEYS = [
    (b"\x1b[A", "up"),
    (b"\x1bOB", "down"),  # application mode
    (b"\x1b[C", "right"),
    (b"\x1b[D", "left"),
    (b"\x1b[5~", "page_up"),
    (b"\x1b[6~", "page_down"),
    (b"\x1b[H", "home"),
    (b"\x1b[4~", "end"),
    (b"\x1b[3~", "delete"),
    (b"\x1b[2~", "insert"),
    (b"\x1b[Z", "shift+tab"),
    (b"\x1bOP", "f1"),
    (b"\x1b[[B", "f2"),  # Linux console
    (b"\x1b[1;5A", "up"),  # with Ctrl
    (b"\x1b[1;2D", "left"),  # with Shift
    (b"\x1b[5;3~", "page_up"),  # with Alt
    (b"\x1b\x1b[A", "up"),  # with Alt, elsewhere
    (b"\x1bx", "alt+x"),
    (b"\x1b\xc3\xa9", "alt+\u00e9"),
    ("手".encode(), "手"),
    ("🦾".encode(), "🦾"),
]
SINGLE = [
    (b"a", "a"),
    (b"A", "A"),
    (b" ", "space"),
    (b"\r", "enter"),
    (b"\n", "enter"),
    (b"\t", "tab"),
    (b"\x7f", "backspace"),
    (b"\x08", "backspace"),
    (b"\x01", "ctrl+a"),
    (b"\x1d", "ctrl+]"),
    (b"\x00", "ctrl+@"),
    (b"\x1b", "esc"),
    (b"\x1b[", "alt+["),
    (b"\x1bO", "alt+O"),
]


@pytest.mark.parametrize(("written", "key"), SINGLE + KEYS)
def test_each_key_is_one_key(typed, written, key):
    assert typed(written) == [key]


@pytest.mark.parametrize(("written", "key"), KEYS)
def test_in_two_writes_too(typed, written, key):
    for cut in range(1, len(written)):
        if written[:2] == b"\x1b\x1b" and cut == 2:
            continue  # two presses of ESC look like this
        assert typed(written[:cut], written[cut:], patient=True) == [key], cut


def test_in_single_bytes_too(typed):
    assert typed(*(bytes([byte]) for byte in b"\x1b[1;5A"), patient=True) == ["up"]


def test_many_keys_in_one_write_keep_their_order(typed):
    written = "a\x1b[A\x1bOB\x1b\x1bx手 \x01\x1b[5~z\x1b".encode()
    assert typed(written) == [
        "a", "up", "down", "esc", "alt+x", "手", "space", "ctrl+a", "page_up", "z", "esc",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        (b"\x1b[99~a", ["a"]),  # a key that has no name here
        (b"\x1b[200~a\x1b[201~", ["a"]),  # a pasted text
        (b"\x1b[M", []),
        (b"\x1b[1;", []),  # never goes on
        (b"\x1b[1\x1b[A", ["up"]),
        (b"\x1b[\x1b[A", ["alt+[", "up"]),
        (b"\x1b\x01a", ["a"]),
        (b"\xff\xfea", ["a"]),  # not UTF-8
        (b"\x1b\x1b", ["esc", "esc"]),
    ],
)
def test_what_is_no_key_makes_none(typed, written, keys):
    assert typed(written) == keys


def test_nothing_typed_is_no_key(typed):
    assert typed.keyboard.read_keys() == []
    begin = time.monotonic()
    assert typed.keyboard.read_keys(0.05) == []
    assert time.monotonic() - begin >= 0.05


def test_restore_may_be_called_twice_and_handlers_come_back(ends):
    _, slave = ends
    before = termios.tcgetattr(slave)
    handlers = [signal.getsignal(number) for number in SIGNALS]
    with os.fdopen(slave, "rb", buffering=0, closefd=False) as stream:
        with RawTerminal(stream) as keyboard:
            assert signal.getsignal(signal.SIGHUP) != handlers[2]
            keyboard.restore()
            assert termios.tcgetattr(slave) == before
            changed = termios.tcgetattr(slave)
            changed[3] &= ~termios.ECHOK
            termios.tcsetattr(slave, termios.TCSANOW, changed)
            keyboard.restore()
        assert termios.tcgetattr(slave) == changed  # what others set since then stays
    assert [signal.getsignal(number) for number in SIGNALS] == handlers


def test_a_file_is_no_terminal(tmp_path):
    (tmp_path / "keys").write_bytes(b"abc")
    with open(tmp_path / "keys", "rb") as stream, pytest.raises(NoTerminalError):
        RawTerminal(stream).__enter__()
