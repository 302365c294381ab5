"""The URDF is made of the MJCF's numbers."""

from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest

from msk_arm import plant, urdf
from msk_arm.names import JOINTS, URDF


@pytest.fixture(scope="module")
def robot():
    return ElementTree.parse(str(URDF)).getroot()


def numbers(text):
    return [float(value) for value in text.split()]


def test_file_is_what_the_model_gives():
    assert URDF.read_text(encoding="utf-8") == urdf.text()


def test_joints_are_the_models(robot):
    model = plant.build()
    for name in JOINTS:
        joint = robot.find(f"./joint[@name='{name}']")
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
        assert numbers(joint.find("axis").get("xyz")) == model.jnt_axis[number].tolist()
        limit = joint.find("limit")
        assert [float(limit.get(k)) for k in ("lower", "upper")] == model.jnt_range[number].tolist()
        assert float(limit.get("effort")) > 30.0


def test_hand_is_where_the_models_is(robot):
    """Forward kinematics along the URDF's own chain."""
    model = plant.build()
    data = mujoco.MjData(model)
    for q in np.random.default_rng(0).uniform([-1.25, -0.1], [1.45, 2.3], (50, 2)):
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        place, turn = np.zeros(3), np.eye(3)
        for name, angle in zip((*JOINTS, "wrist"), (*q, 0.0)):
            joint = robot.find(f"./joint[@name='{name}']")
            place = place + turn @ numbers(joint.find("origin").get("xyz"))
            c, s = np.cos(angle), np.sin(angle)  # about +y
            turn = turn @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        np.testing.assert_allclose(place, data.site("hand").xpos, atol=1e-12)


def test_masses_are_the_models(robot):
    model = plant.build()
    for name in ("upper_arm", "forearm"):
        inertial = robot.find(f"./link[@name='{name}']/inertial")
        body = model.body(name)
        assert float(inertial.find("mass").get("value")) == body.mass[0]
        assert numbers(inertial.find("origin").get("xyz")) == body.ipos.tolist()
        assert float(inertial.find("inertia").get("iyy")) == body.inertia[1]
