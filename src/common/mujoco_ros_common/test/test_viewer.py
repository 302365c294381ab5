"""The viewer's helpers, and what happens where there is no display."""

import os
import shutil
import subprocess
import sys
import textwrap

import mujoco
import numpy as np
import pytest

from mujoco_ros_common import viewer
from mujoco_ros_common.session import Session, virtual_screen

XML = '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>'


@pytest.fixture
def scene():
    return mujoco.MjvScene(mujoco.MjModel.from_xml_string(XML), maxgeom=2)


def test_label(scene):
    viewer.add_label(scene, [1.0, 2.0, 3.0], "目标 1", rgba=(1.0, 0.5, 0.0, 1.0), size=0.02)
    geom = scene.geoms[0]
    assert scene.ngeom == 1
    assert geom.label == "目标 1"
    np.testing.assert_allclose(geom.pos, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(geom.rgba, [1.0, 0.5, 0.0, 1.0])
    assert geom.size[0] == pytest.approx(0.02)


@pytest.mark.parametrize("letter", ["x", "目"])
def test_a_long_label_is_cut(scene, letter):
    text = letter * 150
    viewer.add_label(scene, [0.0, 0.0, 0.0], text)
    assert scene.geoms[0].label
    assert text.startswith(scene.geoms[0].label)


def test_capsule_reaches_from_start_to_end(scene):
    viewer.add_capsule(scene, [0.0, 0.0, 1.0], [0.0, 4.0, 1.0], 0.1, (0.0, 1.0, 0.0, 0.5))
    geom = scene.geoms[0]
    assert geom.type == mujoco.mjtGeom.mjGEOM_CAPSULE
    np.testing.assert_allclose(geom.pos, [0.0, 2.0, 1.0])
    np.testing.assert_allclose(geom.size, [0.1, 0.1, 2.0], rtol=1e-6)
    np.testing.assert_allclose(np.abs(geom.mat[:, 2]), [0.0, 1.0, 0.0], atol=1e-6)


def test_a_full_scene_is_left_as_it_is(scene):
    for _ in range(5):
        viewer.add_label(scene, [0.0, 0.0, 0.0], "label")
    assert scene.ngeom == scene.maxgeom == 2
    viewer.add_capsule(scene, [9.0, 9.0, 9.0], [0.0, 0.0, 0.0], 0.1, (1, 1, 1, 1))
    assert scene.ngeom == 2
    assert [scene.geoms[i].label for i in range(2)] == ["label", "label"]


class Log:
    """What stands for the log (rospy, once it is imported, has its own ways with it)."""

    def __init__(self, monkeypatch):
        self.warnings, self.notes = [], []
        monkeypatch.setattr(viewer, "_log", self)

    def warning(self, text):
        self.warnings.append(text)

    def info(self, text):
        self.notes.append(text)


@pytest.fixture
def log(monkeypatch):
    return Log(monkeypatch)


def test_a_viewer_that_nobody_wants_does_nothing(monkeypatch, log):
    monkeypatch.delenv("DISPLAY", raising=False)
    window = viewer.Viewer(None, None, wanted=False)
    window.sync()
    window.close()
    assert log.warnings == []


def test_without_a_display_one_line_says_so(monkeypatch, log):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    window = viewer.Viewer(None, None)
    window.sync()
    window.close()
    assert len(log.warnings) == 1
    assert "DISPLAY is not set" in log.warnings[0]


DEAD = f"""
    import mujoco
    from mujoco_ros_common import viewer
    model = mujoco.MjModel.from_xml_string('{XML}')
    window = viewer.Viewer(model, mujoco.MjData(model))
    window.sync()
    window.close()
    print("alive")
"""


def test_a_dead_display_does_not_end_the_simulation(tmp_path):
    """MuJoCo's viewer ends the process when it can't open its window."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(DEAD)],
        env={**os.environ, "DISPLAY": ":4242", "WAYLAND_DISPLAY": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=str(tmp_path),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"alive\n")
    assert len(done.stderr.decode().splitlines()) == 1
    assert "no window can be opened" in done.stderr.decode()


class Window:
    """What stands for MuJoCo's window."""

    def __init__(self):
        self.open, self.synced, self.closed, self.user_scn = True, 0, 0, None

    def is_running(self):
        return self.open

    def sync(self):
        self.synced += 1

    def close(self):
        self.closed += 1


def test_a_window_that_is_closed_ends_the_picture_alone(monkeypatch, log):
    window, shown = Window(), viewer.Viewer(None, None, wanted=False)
    monkeypatch.setattr(shown, "_handle", window)
    monkeypatch.setattr(shown, "_period", 0.0)
    shown.sync()
    window.open = False
    for _ in range(3):
        shown.sync()
    shown.close()
    assert (window.synced, window.closed) == (1, 1)
    assert len(log.notes) == 1
    assert "the simulation goes on without it" in log.notes[0]


LIVING = f"""
    import logging, time, mujoco
    from mujoco_ros_common import viewer
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model = mujoco.MjModel.from_xml_string('{XML}')
    window = viewer.Viewer(model, mujoco.MjData(model))
    print("open", flush=True)
    end = time.monotonic() + 60.0
    while window._handle is not None and time.monotonic() < end:
        window.sync()
        time.sleep(0.01)
    for _ in range(10):
        window.sync()
    window.close()
    print("alive", flush=True)
"""
CLOSE = """
    import ctypes, sys
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype, x.XInternAtom.restype = ctypes.c_void_p, ctypes.c_ulong
    display, window = ctypes.c_void_p(x.XOpenDisplay(None)), ctypes.c_ulong(int(sys.argv[1]))
    atom = lambda name: x.XInternAtom(display, name, 0)
    class Message(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int),
                    ("display", ctypes.c_void_p), ("window", ctypes.c_ulong),
                    ("kind", ctypes.c_ulong), ("format", ctypes.c_int),
                    ("data", ctypes.c_long * 24)]
    message = Message(33, 0, 1, None, window, atom(b"WM_PROTOCOLS"), 32)
    message.data[0] = atom(b"WM_DELETE_WINDOW")
    x.XSendEvent(display, window, 0, ctypes.c_long(0), ctypes.byref(message))
    x.XSync(display, 0)
"""


def test_a_real_window_can_be_closed(tmp_path):
    """As a window manager closes it, on a screen that nobody sees."""
    if not shutil.which("Xvfb") or not shutil.which("xdotool"):
        pytest.skip("no Xvfb or no xdotool")
    with virtual_screen() as screen:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(LIVING)],
            env=dict(screen, WAYLAND_DISPLAY=""),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=str(tmp_path),
        )
        try:
            windows = []

            def find():
                command = ["xdotool", "search", "--onlyvisible", "--name", "MuJoCo"]
                found = subprocess.run(command, env=screen, stdout=subprocess.PIPE, check=False)
                windows[:] = found.stdout.split()
                return windows

            assert process.stdout.readline() == b"open\n"
            Session.wait(find, "a window", 30.0)
            closer = [sys.executable, "-c", textwrap.dedent(CLOSE), windows[0].decode()]
            subprocess.run(closer, env=screen, check=True)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
            process.wait()
    assert (process.returncode, out) == (0, b"alive\n")
    assert b"the simulation goes on without it" in err


def test_pictures_come_at_their_own_rate_however_often_the_loop_asks(monkeypatch):
    now = [50.0]
    monkeypatch.setattr(viewer.time, "monotonic", lambda: now[0])
    window, shown = Window(), viewer.Viewer(None, None, wanted=False, rate=25.0)
    monkeypatch.setattr(shown, "_handle", window)
    for _ in range(1000):
        shown.sync()
        now[0] += 0.002
    assert 45 <= window.synced <= 51
