"""The models: tables of joints and muscles, moment arms, length ranges, scenes that stay sound."""

import mujoco
import numpy as np
import pytest

from msk_hand import anatomy, check
from msk_hand.core import MskHandSim
from msk_hand.names import JOINTS, MUSCLES, REACH_S, SCENES

_JOINT_TABLE = {  # axis, range, stiffness
    "j_wrist_pitch": ("x", (-0.6, 1.2), 1.5),
    "j_wrist_yaw": ("z", (-0.5, 0.5), 0.3),
    "j_index_mcp": ("x", (0.0, 1.9), 0.12),
    "j_index_pip": ("x", (0.0, 1.9), 0.12),
    "j_middle_mcp": ("x", (0.0, 1.9), 0.12),
    "j_middle_pip": ("x", (0.0, 1.9), 0.12),
    "j_thumb_abd": ("z", (-0.5, 0.9), 0.08),
    "j_thumb_mcp": ("x", (0.0, 1.6), 0.12),
}
_PEAK_FORCES = (22, 14, 24, 14, 18, 12, 10, 30, 20, 16, 16)


@pytest.fixture(scope="module")
def sim():
    return MskHandSim("free")


@pytest.mark.parametrize("joint", JOINTS)
def test_joint_table(sim, joint):
    axis, span, stiffness = _JOINT_TABLE[joint]
    found = sim.model.joint(joint)
    assert np.abs(found.axis).tolist() == [float(name == axis) for name in "xyz"]
    assert tuple(found.range) == span and bool(found.limited[0])
    assert found.stiffness[0] == stiffness


def test_muscle_table(sim):
    model = sim.model
    assert model.nu == model.na == model.ntendon == len(MUSCLES)
    assert [model.actuator(f"m_{name}").gainprm[2] for name in MUSCLES] == list(_PEAK_FORCES)
    assert (model.actuator_dyntype == mujoco.mjtDyn.mjDYN_MUSCLE).all()
    assert (model.actuator_trntype == mujoco.mjtTrn.mjTRN_TENDON).all()
    assert np.allclose(model.actuator_dynprm[:, :2], [0.04, 0.06])
    assert model.opt.timestep == 0.002
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST


def test_length_ranges_are_those_of_the_compiler_and_lengths_positive():
    for muscle, row in anatomy.length_ranges().items():
        assert row["off_um"] < 1.0, muscle
        assert row["L0_mm"] > 0.0 and row["LT_mm"] > 0.0, muscle


def test_length_ranges_cover_the_travel(sim):
    low, high = sim.model.actuator_lengthrange.T
    for pose in anatomy.random_poses(sim.model, 5, 3000):
        sim.data.qpos[:] = pose
        anatomy.moment_arms(sim.model, sim.data)
        lengths = sim.data.ten_length
        assert (lengths > low - 5e-5).all() and (lengths < high + 5e-5).all()


def test_signs_of_all_moment_arms():
    rows = anatomy.moment_arm_ranges(seed=11, n=20000)
    assert len(rows) == 21
    assert [name for name, row in rows.items() if not row["sign_kept"]] == []
    for name, row in rows.items():
        assert max(abs(row["min_mm"]), abs(row["max_mm"])) < 30.0, name


def test_moment_arms_are_the_slopes_of_the_lengths(sim):
    step = 1e-6
    for pose in anatomy.random_poses(sim.model, 2, 20):
        pose = np.clip(pose, *(sim.model.jnt_range.T + [[0.01], [-0.01]]))
        sim.data.qpos[:] = pose
        arms = anatomy.moment_arms(sim.model, sim.data)
        for joint in range(len(JOINTS)):
            lengths = []
            for sign in (-1, 1):
                sim.data.qpos[:] = pose
                sim.data.qpos[joint] += sign * step
                anatomy.moment_arms(sim.model, sim.data)
                lengths.append(sim.data.ten_length.copy())
            slope = (lengths[1] - lengths[0]) / (2 * step)
            assert np.allclose(arms[:, joint], -slope, atol=2e-6)


@pytest.mark.parametrize("joint", range(len(JOINTS)))
def test_moment_arms_are_continuous_over_the_range(sim, joint):
    low, high = sim.model.jnt_range[joint]
    for pose in anatomy.random_poses(sim.model, joint, 5):
        before = None
        for angle in np.arange(low, high, 0.002):
            pose[joint] = angle
            sim.data.qpos[:] = pose
            arms = anatomy.moment_arms(sim.model, sim.data)
            if before is not None:
                assert np.abs(arms - before).max() < 2e-4  # m; a jump would be millimetres
            before = arms.copy()


def test_muscles_only_pull(sim):
    rng = np.random.default_rng(4)
    for pose in anatomy.random_poses(sim.model, 4, 3000):
        sim.data.qpos[:] = pose
        sim.data.qvel[:] = rng.normal(0.0, 10.0, sim.model.nv)
        sim.data.act[:] = rng.random(sim.model.na)
        mujoco.mj_forward(sim.model, sim.data)
        assert (sim.data.actuator_force <= 0.0).all()


def test_muscles_only_pull_also_beyond_their_length_range():
    sim = MskHandSim("free")
    sim.model.actuator_lengthrange[:] *= 0.8  # every tendon is now longer than its range
    sim.data.act[:] = 1.0
    mujoco.mj_forward(sim.model, sim.data)
    assert (sim.muscle_forces() >= 0.0).all() and sim.muscle_forces().max() > 1.0


def test_each_muscle_turns_its_joints_the_right_way():
    rows = anatomy.sweep()
    assert [muscle for muscle, row in rows.items() if not row["right"]] == []
    assert rows["index_flex"]["j_index_mcp"] > 1.0 and rows["wrist_flex"]["j_wrist_pitch"] > 0.2


def test_forward_kinematics_by_hand():
    row = check.forward_kinematics(seed=3, n=200)
    assert row["passed"] and row["off_um"] < 1e-3


@pytest.mark.parametrize("scene", SCENES)
def test_fresh_scene_is_sound(scene):
    row = check.fresh_scene(scene)
    assert row["initial_contacts"] == 0 and row["warnings"] == 0 and row["passed"]
    assert row["fastest_rad_s"] < 20.0


@pytest.mark.parametrize("scene", SCENES)
def test_hundred_thousand_random_steps_stay_finite(scene):
    sim, rng = MskHandSim(scene), np.random.default_rng(8)
    for _ in range(100_000 // 100 // len(SCENES)):
        sim.step(rng.random(11) * (rng.random(11) < 0.6), n_sub=100)
    sim.check()
    assert np.isfinite(sim.data.qpos).all() and (sim.muscle_forces() >= 0.0).all()


def test_pose_settles_within_the_time_of_a_reach(sim):
    rng, moved = np.random.default_rng(6), []
    for _ in range(60):
        activation = np.zeros(11)
        activation[[0, 1, 7, 8, 9, 10]] = rng.random(6)
        sim.reset()
        sim.step(activation, round(REACH_S / 0.002))
        tip = sim.fingertips()[0]
        sim.step(activation, round((4.0 - REACH_S) / 0.002))
        moved.append(np.linalg.norm(sim.fingertips()[0] - tip))
    assert np.mean(moved) <= 1e-5  # m


def test_button_is_a_preloaded_spring_with_a_stop():
    sim = MskHandSim("button")
    cap = sim.model.body("button_cap").id
    weight = 9.81 * sim.model.body_mass[cap]
    assert sim.model.joint("j_button").range.tolist() == [0.0, 0.006]

    def depth_under(force):
        sim.reset()
        sim.data.xfrc_applied[cap, 2] = -force
        sim.step(np.zeros(11), 500)
        return sim.button_depth()

    assert depth_under(0.0) == pytest.approx(0.0, abs=1e-4)  # the preload carries the cap
    assert depth_under(0.30) == pytest.approx((0.30 + weight - 0.12) / 60.0, abs=1e-4)
    assert 0.0060 < depth_under(2.0) < 0.0066


def test_ball_stays_on_its_post_when_nobody_touches_it():
    sim = MskHandSim("ball")
    place = sim.data.body("ball").xpos.copy()
    sim.step(np.zeros(11), 2500)
    sim.fingertips()
    assert np.linalg.norm(sim.data.body("ball").xpos - place) < 1e-3


def test_thumb_opposes_the_index_finger(sim):
    sim.reset()
    activation = np.zeros(11)
    for muscle, level in (("index_flex", 0.35), ("thumb_flex", 0.3), ("thumb_add", 1.0)):
        activation[MUSCLES.index(muscle)] = level
    sim.step(activation, 1000)
    forces = sim.contact_forces()
    assert forces[0] > 0.2 and forces[0] == pytest.approx(forces[2], rel=1e-6)
    (contact,) = [sim.data.contact[i] for i in range(sim.data.ncon)]
    assert abs(contact.frame[1]) > 0.8  # the pads press along the fingers, not upwards
    sim.reset()
    assert not sim.contact_forces().any()  # at rest they are apart
