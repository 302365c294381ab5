"""Loading models, addresses by name, and noticing that a simulation has gone bad."""

import warnings

import mujoco
import numpy as np
import pytest

from mujoco_ros_common import model
from mujoco_ros_common.errors import ArgumentError, UserError

XML = """<mujoco><option timestep="0.002"/><worldbody>
  <camera name="view"/>
  <body name="upper"><joint name="shoulder" axis="0 1 0"/><geom name="bone" size="0.1" mass="1"/>
    <site name="tip"/>
    <body name="lower" pos="0 0 1"><joint name="elbow" axis="0 1 0"/><geom size="0.1" mass="1"/>
    </body></body></worldbody>
  <tendon><fixed name="cord"><joint joint="elbow" coef="1"/></fixed></tendon>
  <actuator><general name="pull" joint="elbow" dyntype="filter" dynprm="0.1"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor></mujoco>"""


@pytest.fixture
def arm():
    loaded = mujoco.MjModel.from_xml_string(XML)
    return loaded, mujoco.MjData(loaded)


def test_a_path_with_a_space_and_chinese_characters_and_an_include(tmp_path):
    folder = tmp_path / "my 模型"
    folder.mkdir()
    (folder / "手臂.xml").write_text(XML, encoding="utf-8")
    scene = folder / "scene 场景.xml"
    scene.write_text('<mujoco><include file="手臂.xml"/></mujoco>', encoding="utf-8")
    assert model.load_model(scene).njnt == 2
    assert model.load_model(str(scene)).nu == 1


def test_missing_model(tmp_path):
    for path in (tmp_path / "none.xml", tmp_path):
        with pytest.raises(UserError, match="expected a model file at") as caught:
            model.load_model(path)
        assert str(path) in str(caught.value)
        assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    "content", [b"", b"<mujoco>", b"<html/>", b"\xff\x00\xff", b'<mujoco><geom size="x"/></mujoco>']
)
def test_bad_xml_is_one_line(tmp_path, content):
    path = tmp_path / "bad.xml"
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a model that MuJoCo accepts") as caught:
        model.load_model(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_missing_include_names_it(tmp_path):
    (tmp_path / "a.xml").write_text('<mujoco><include file="b.xml"/></mujoco>', encoding="utf-8")
    with pytest.raises(UserError, match=r"b\.xml"):
        model.load_model(tmp_path / "a.xml")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("body", "lower"),
        ("joint", "elbow"),
        ("geom", "bone"),
        ("site", "tip"),
        ("tendon", "cord"),
        ("actuator", "pull"),
        ("sensor", "angle"),
        ("camera", "view"),
    ],
)
def test_ids_by_name(arm, kind, name):
    loaded, _ = arm
    assert model.ids(loaded, kind, [name]).tolist() == [getattr(loaded, kind)(name).id]
    assert model.has(loaded, kind, name)
    assert not model.has(loaded, kind, "nobody")


def test_ids_keep_the_order_and_unknown_names_are_named(arm):
    loaded, _ = arm
    assert model.ids(loaded, "joint", ["elbow", "shoulder"]).tolist() == [1, 0]
    assert model.ids(loaded, "joint", []).tolist() == []
    with pytest.raises(UserError, match="no joint named knee hip") as caught:
        model.ids(loaded, "joint", ["elbow", "knee", "hip"])
    assert caught.value.exit_code == 1


def test_scene_path(tmp_path):
    assert model.scene_path(tmp_path, "ball", ["free", "ball"]) == tmp_path / "scene_ball.xml"
    with pytest.raises(ArgumentError, match="unknown scene 'moon', expected one of free ball"):
        model.scene_path(tmp_path, "moon", ["free", "ball"])


def test_a_sound_simulation_passes(arm):
    loaded, data = arm
    data.qvel[:] = 3.0
    for _ in range(200):
        mujoco.mj_step(loaded, data)
        model.check(loaded, data)


@pytest.mark.parametrize("name", ["qpos", "qvel", "act"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_state_that_is_not_finite_is_found_before_a_step(arm, name, value):
    loaded, data = arm
    getattr(data, name)[-1] = value
    index = len(getattr(data, name)) - 1
    with pytest.raises(model.SimulationError, match=rf"not finite: {name}\[{index}\]"):
        model.check(loaded, data)


def test_infinities_of_both_signs_are_found_without_a_warning(arm):
    loaded, data = arm
    data.qvel[:] = [np.inf, -np.inf]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(model.SimulationError, match=r"qvel\[0, 1\]"):
            model.check(loaded, data)


@pytest.mark.parametrize(
    ("name", "array", "index", "words"),
    [
        ("BADQPOS", "qpos", 1, "position 1"),
        ("BADQVEL", "qvel", 1, "dof 1"),
        ("BADQACC", "qfrc_applied", 0, "dof 0"),
        ("BADCTRL", "ctrl", 0, "actuator 0"),
    ],
)
def test_mujocos_warnings_are_found_after_it_has_reset_the_state(
    arm, tmp_path, monkeypatch, name, array, index, words
):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes MUJOCO_LOG.TXT where it runs
    loaded, data = arm
    getattr(data, array)[index] = 1e30 if array == "qfrc_applied" else np.nan
    mujoco.mj_step(loaded, data)
    assert np.isfinite(data.qpos).all()  # it hides the fault
    with pytest.raises(model.SimulationError, match=f"warned of {name} at {words}"):
        model.check(loaded, data)
    mujoco.mj_resetData(loaded, data)
    model.check(loaded, data)
