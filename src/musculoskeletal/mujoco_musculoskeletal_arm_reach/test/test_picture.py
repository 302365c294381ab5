"""The picture: it follows the arm, and its muscles run along the bones."""

import mujoco
import numpy as np
import pytest

from msk_arm.core import MskArmSim
from msk_arm.names import MUSCLES
from msk_arm.picture import Picture
from mujoco_ros_common import render
from mujoco_ros_common.errors import UserError


@pytest.fixture(scope="module", params=["rigid", "elastic"])
def sim(request):
    return MskArmSim(tendon=request.param, load_kg=0.5)


def _tube(picture, muscle):
    kind = mujoco.mjtObj.mjOBJ_TENDON
    return mujoco.mj_name2id(picture.model, kind, f"draw_{MUSCLES[muscle]}")


def test_it_follows_the_arm(sim):
    picture, rng = Picture(sim), np.random.default_rng(0)
    for _ in range(20):
        sim.reset(rng.uniform([-1.2, 0.0], [1.4, 2.2]))
        picture.update()
        hand = sim.end_effector()
        np.testing.assert_allclose(picture.data.site("hand").xpos[::2], hand, atol=1e-9)
    picture.set_target(0.3, -0.2)
    picture.update()
    np.testing.assert_allclose(picture.data.geom("target").xpos, [0.3, 0.0, -0.2])


def test_drawing_changes_nothing_of_the_plant(sim):
    picture = Picture(sim)
    sim.reset((0.1, 0.8))
    before = [sim.joint_angles().tolist(), sim.time]
    picture.update()
    assert [sim.joint_angles().tolist(), sim.time] == before


def test_colours_show_the_activation(sim):
    picture = Picture(sim)
    sim.reset()
    picture.update()
    rest = picture.model.tendon_rgba.copy()
    sim.data.act[2] = 1.0
    picture.update()
    changed = np.abs(picture.model.tendon_rgba - rest).max(axis=1) > 0.1
    assert changed.sum() == 1
    assert picture.model.tendon_rgba[_tube(picture, 2), 0] > 0.9


def test_drawn_muscles_keep_their_side():
    """A flexor's drawn path shortens with the angle over the whole range, an extensor's grows."""
    sim = MskArmSim()
    picture, arms = Picture(sim), sim.moment_arms()
    limits = sim.joint_limits()
    for k in range(len(MUSCLES)):
        for joint in np.flatnonzero(arms[k]):
            lengths = []
            for angle in np.linspace(limits[joint, 0], limits[joint, 1], 40):
                pose = np.array([0.0, 1.0])
                pose[joint] = angle
                sim.reset(pose)
                picture.update()
                lengths.append(picture.data.ten_length[_tube(picture, k)])
            slopes = np.diff(lengths) * np.sign(arms[k, joint])
            assert slopes.min() > -1e-6, (MUSCLES[k], joint)


def test_a_frame_shows_arm_and_muscles(sim):
    picture = Picture(sim)
    sim.reset((-0.3, 1.5))
    try:
        with render.Offscreen(picture.model, 160, 120, camera="view") as screen:
            frames = []
            for level in (0.0, 1.0):
                sim.data.act[:] = level
                picture.update()
                frames.append(screen.frame(picture.data, picture.decorate).astype(int))
    except UserError as error:
        pytest.skip(str(error))
    red = [(frame[..., 0] - frame[..., 2] > 100).sum() for frame in frames]
    assert red[1] > red[0] + 50
