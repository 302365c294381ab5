"""A ROS of one's own: a master on a free port, launch files, and everything ended by process id.

For demonstrations, measurements and tests, which must not touch a master that already runs.
"""

import contextlib
import os
import signal
import socket
import subprocess
import tempfile
import time
import xmlrpc.client
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mujoco_ros_common.errors import UserError


def free_port():
    """A TCP port that nobody uses."""
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


class Session:
    """A master and what is started under it; a context manager that ends all of it.

    While it is entered, this process's environment names the master, so rospy.init_node and
    the ros* tools use it.

    Args:
        log_dir: where logs go; a temporary folder by default.
        patience: s to wait for the master.
    """

    def __init__(self, log_dir=None, patience=30.0):
        self._patience, self._processes, self._files = patience, [], []
        self._temporary = tempfile.TemporaryDirectory(prefix="ros-session-")
        self.log_dir = Path(log_dir or self._temporary.name)
        self.uri = f"http://localhost:{free_port()}/"
        self._environment = {"ROS_MASTER_URI": self.uri, "ROS_HOSTNAME": "localhost"}
        self._environment["ROS_LOG_DIR"] = str(self.log_dir / "ros")
        self._saved = {}

    def __enter__(self):
        for name, value in self._environment.items():
            self._saved[name] = os.environ.get(name)
            os.environ[name] = value
        try:
            port = self.uri.rstrip("/").rsplit(":", 1)[1]
            self.start(["roscore", "-p", port], "roscore")
            master = xmlrpc.client.ServerProxy(self.uri)
            self.wait(lambda: master.getPid("/session")[0] == 1, "the ROS master", self._patience)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with ThreadPoolExecutor() as pool:  # each takes a second; the master ends last
            list(pool.map(stop, reversed(self._processes[1:])))
        for process in self._processes[:1]:
            stop(process)
        for stream in self._files:
            stream.close()
        for name, value in self._saved.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._temporary.cleanup()

    def start(self, command, name=None, **environment):
        """Start a command under this master; its output goes to `log(name)`.

        Returns:
            subprocess.Popen

        Raises:
            UserError: there is no such program.
        """
        self.log_dir.mkdir(parents=True, exist_ok=True)
        stream = open(self.log_path(name or Path(command[0]).name), "ab")  # noqa: SIM115
        self._files.append(stream)
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env=dict(os.environ, PYTHONUNBUFFERED="1", **environment),
                start_new_session=True,
            )
        except FileNotFoundError:
            raise UserError(
                f"expected the program {command[0]} (a sourced ROS workspace), found none"
            ) from None
        self._processes.append(process)
        return process

    def launch(self, package, file, *arguments, **environment):
        """roslaunch a file of a package, with arguments such as "scene:=ball"."""
        command = ["roslaunch", package, file, *arguments]
        return self.start(command, f"{package}-{file}", **environment)

    def log_path(self, name):
        return self.log_dir / f"{name.replace('/', '_')}.log"

    def log(self, name):
        """What the command of that name has printed so far."""
        path = self.log_path(name)
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @staticmethod
    def wait(condition, what, timeout=20.0, period=0.05):
        """Poll until condition() is true.

        Raises:
            UserError: it was not in time.
        """
        deadline = time.monotonic() + timeout
        while True:
            with contextlib.suppress(OSError, xmlrpc.client.Error):
                if condition():
                    return
            if time.monotonic() > deadline:
                raise UserError(f"expected {what} within {timeout:g} s, but it did not come")
            time.sleep(period)


def stop(process, patience=10.0):
    """End a process and its group: SIGINT, then SIGTERM, then SIGKILL.

    Returns:
        seconds until the process had ended.
    """
    begin = time.monotonic()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    taken = time.monotonic() - begin
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # what its group left behind
    return taken


@contextlib.contextmanager
def virtual_screen(width=1024, height=768):
    """An X server without a screen (Xvfb) on a free display; yields an environment that uses it.

    Raises:
        UserError: Xvfb is not installed or did not start.
    """
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24"]
    try:
        process = subprocess.Popen(
            [*command, "-nolisten", "tcp"],
            pass_fds=[writer],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except FileNotFoundError:
        os.close(reader)
        raise UserError("expected the program Xvfb, found none (install xvfb)") from None
    finally:
        os.close(writer)
    try:
        with open(reader, encoding="ascii") as stream:
            number = stream.readline().strip()
        if not number:
            raise UserError("expected Xvfb to name its display, but it ended")
        yield dict(os.environ, DISPLAY=f":{number}")
    finally:
        stop(process)
