"""Pictures with every GL backend that works here, clear words where none does, and GIFs."""

import os
import subprocess
import sys
import textwrap

import mujoco
import numpy as np
import pytest

from mujoco_ros_common import render
from mujoco_ros_common.errors import UserError

XML = (
    '<mujoco><visual><global offwidth="16" offheight="16"/></visual>'
    '<worldbody><light pos="0 0 5"/><camera name="view" pos="0 0 4"/>'
    '<geom size="1" rgba="1 0 0 1"/></worldbody></mujoco>'
)
PROGRAM = f"""
    import sys
    import mujoco_ros_common  # first, as in every main.py
    import mujoco
    from mujoco_ros_common import errors, render, viewer
    model = mujoco.MjModel.from_xml_string('''{XML}''')
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    try:
        with render.Offscreen(model, 64, 48, camera="view") as screen:
            plain = screen.frame(data)
            add = lambda scene: viewer.add_capsule(scene, [-1, 0, 2], [1, 0, 2], 0.3, [0, 1, 0, 1])
            marked = screen.frame(data, decorate=add)
    except errors.UserError as error:
        sys.exit(str(error))
    assert plain.shape == (48, 64, 3) and plain.dtype == "uint8"
    middle = plain[24, 32].astype(int)
    assert middle[0] > 60 and middle[0] > 2 * middle[1], middle
    green = marked[24, 32].astype(int)
    assert green[1] > 60 and green[1] > 2 * green[0], green
    print(render.backend())
"""


def picture(**environment):
    """Take a picture in a process of its own; (exit code, output, errors)."""
    unset = {"MUJOCO_GL", "PYOPENGL_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}
    inherited = {key: value for key, value in os.environ.items() if key not in unset}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)],
        env={**inherited, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout.decode().strip(), done.stderr.decode().strip()


@pytest.mark.parametrize("name", ["egl", "osmesa"])
def test_a_picture_with_each_backend_that_works(name):
    code, out, err = picture(MUJOCO_GL=name)
    if "no picture can be made" in err:
        pytest.skip(f"{name} does not work on this machine")
    assert (code, out, err) == (0, name, "")


def test_a_backend_is_found_by_trying():
    code, out, err = picture()
    if "no picture can be made" in err:
        pytest.skip("no backend works on this machine")
    assert (code, err) == (0, "")
    assert out in ("egl", "osmesa")  # without a display


@pytest.mark.parametrize("value", ["EGL", "1"])
def test_mujocos_other_spellings_are_understood(value):
    code, out, err = picture(MUJOCO_GL=value)
    if "no picture can be made" in err:
        pytest.skip("no backend works on this machine")
    assert (code, err) == (0, "")
    assert out == "egl" if value == "EGL" else out in ("egl", "osmesa")


def test_a_value_that_mujoco_does_not_know_is_one_line():
    code, out, err = picture(MUJOCO_GL="nonsense")
    assert (code, out) == (1, "")
    assert err == "MUJOCO_GL: expected egl, osmesa or glfw, got nonsense"


@pytest.mark.parametrize("value", ["glfw", "off"])
def test_where_nothing_works_one_line_names_the_remedies(value):
    code, out, err = picture(MUJOCO_GL=value)  # there is no display
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    for remedy in (f"MUJOCO_GL={value}", "libegl1", "libosmesa6", "display"):
        assert remedy in err


def test_where_no_driver_works_all_were_tried(monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    asked = []

    def no_driver(command, env, **_):
        asked.append(env["MUJOCO_GL"])
        return subprocess.CompletedProcess(command, -11)

    monkeypatch.setattr(render.subprocess, "run", no_driver)
    render.backend.cache_clear()
    try:
        with pytest.raises(UserError, match="tried egl osmesa glfw; install libegl1"):
            render.Offscreen(mujoco.MjModel.from_xml_string(XML))
    finally:
        render.backend.cache_clear()
    assert asked == ["egl", "osmesa", "glfw"]


def test_a_driver_that_hangs_is_passed_over(monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)

    def slow_egl(command, env, timeout, **_):
        if env["MUJOCO_GL"] == "egl":
            raise subprocess.TimeoutExpired(command, timeout)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(render.subprocess, "run", slow_egl)
    render.backend.cache_clear()
    try:
        assert render.backend() == "osmesa"
    finally:
        render.backend.cache_clear()


def frames(count):
    """A bright square that moves over a still background."""
    pictures = np.full((count, 20, 30, 3), 40, dtype=np.uint8)
    for index in range(count):
        pictures[index, 5:10, index : index + 5] = (250, 200, 0)
    return pictures


@pytest.mark.parametrize("fps", [25.0, 10.0])
def test_gif_has_the_frames_the_duration_and_the_colours(tmp_path, fps):
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "新 a.gif"
    wanted = frames(12)
    render.write_gif(path, wanted, fps)
    with image.open(path) as gif:
        assert (gif.n_frames, gif.size, gif.info["loop"]) == (12, (30, 20), 0)
        total = 0
        for index in range(12):
            gif.seek(index)
            total += gif.info["duration"]
            shown = np.asarray(gif.convert("RGB")).astype(int)
            assert np.abs(shown - wanted[index]).max() < 12
    assert total == round(12 * 1000 / fps)


def test_gif_of_a_still_scene_keeps_its_duration(tmp_path):
    image = pytest.importorskip("PIL.Image")
    render.write_gif(tmp_path / "a.gif", np.repeat(frames(1), 10, axis=0), 20.0)
    with image.open(tmp_path / "a.gif") as gif:
        total = 0
        for index in range(gif.n_frames):
            gif.seek(index)
            total += gif.info["duration"]
    assert total == 500


def test_gif_that_fails_leaves_nothing(tmp_path):
    pytest.importorskip("PIL.Image")
    pictures = list(frames(9))
    pictures[1] = np.zeros((20, 30, 7), dtype=np.uint8)
    with pytest.raises(TypeError):
        render.write_gif(tmp_path / "a.gif", pictures)
    assert list(tmp_path.iterdir()) == []


def test_without_pillow_one_line_says_so(monkeypatch, capsys):
    monkeypatch.setattr(render.util, "find_spec", lambda name: None)
    assert not render.can_write_gif()
    assert capsys.readouterr().err.splitlines() == ["Pillow is not installed: the GIF is skipped"]
