"""The core: stepping, clamping, reading, save and restore, faults, paths."""

import math
import shutil

import mujoco
import numpy as np
import pytest

from msk_hand.core import MODELS, MskHandSim
from msk_hand.names import FINGERS, JOINTS, MUSCLES, SCENES, STATE_LABELS
from mujoco_ros_common.errors import ArgumentError, UserError
from mujoco_ros_common.model import SimulationError

U, A = MUSCLES.index("wrist_flex"), MUSCLES.index("index_flex")


def only(**levels):
    activation = np.zeros(len(MUSCLES))
    for muscle, level in levels.items():
        activation[MUSCLES.index(muscle)] = level
    return activation


def press_button(sim):
    for _ in range(100):
        sim.step(only(wrist_flex=1.0))
    for _ in range(80):
        sim.step(only(wrist_flex=1.0, index_flex=0.3))


def run(sim, ticks, seed=0):
    rng, states = np.random.default_rng(seed), []
    for _ in range(ticks):
        sim.step(rng.random(len(MUSCLES)))
        states.append(np.concatenate((sim.state_vector(), sim.muscle_activations())))
    return np.array(states)


@pytest.mark.parametrize("scene", SCENES)
def test_state_vector_says_what_the_methods_say(scene):
    sim = MskHandSim(scene)
    sim.set_target([0.01, 0.15, 0.08])
    for _ in range(30):
        sim.step(only(wrist_flex=0.7, index_flex=0.4))
    state = dict(zip(STATE_LABELS, sim.state_vector()))
    assert len(STATE_LABELS) == 22 == len(state) and sim.state_vector().shape == (22,)
    assert state["time"] == pytest.approx(0.30)
    assert [state[name] for name in JOINTS] == sim.joint_angles().tolist()
    tips = [[state[f"{finger}_{axis}"] for axis in "xyz"] for finger in FINGERS]
    assert np.array_equal(tips, sim.fingertips())
    for label in ("button_depth", "contact_force", "reach_error"):
        assert state[label] == pytest.approx(getattr(sim, label)(), nan_ok=True)
    assert state["ball_height"] == pytest.approx(sim.ball_center(), nan_ok=True)
    assert math.isnan(sim.button_depth()) == (scene != "button")
    assert math.isnan(sim.ball_center()) == math.isnan(sim.ball_height()) == (scene != "ball")


def test_names_are_in_the_documented_order():
    assert MskHandSim.muscle_names[:4] == ("index_flex", "index_ext", "middle_flex", "middle_ext")
    assert MskHandSim.muscle_names[4:7] == ("thumb_flex", "thumb_ext", "thumb_add")
    assert MskHandSim.muscle_names[7:] == ("wrist_flex", "wrist_ext", "wrist_yaw_l", "wrist_yaw_r")
    assert len(MskHandSim.joint_names) == 8 and MskHandSim.joint_names[0] == "j_wrist_pitch"


def test_ball_height_is_relative_to_the_post():
    sim = MskHandSim("ball")
    assert sim.post_top == pytest.approx(0.040)
    assert sim.ball_height() == pytest.approx(0.0105, abs=2e-4)
    assert sim.ball_center() - sim.ball_height() == pytest.approx(0.040)


@pytest.mark.parametrize(
    "wrong",
    [0.5, [], [0.5], np.zeros(10), np.zeros(12), np.zeros((11, 1)), None, "x" * 11, [None] * 11],
    ids=str,
)
def test_wrong_activation_is_refused_and_nothing_moves(wrong):
    sim = MskHandSim("free")
    before = sim.save().state
    with pytest.raises((ValueError, TypeError)):
        sim.step(wrong)
    assert np.array_equal(sim.save().state, before)


@pytest.mark.parametrize("place", range(11))
def test_nan_is_refused_and_nothing_moves(place):
    sim = MskHandSim("free")
    sim.step(only(wrist_flex=0.5))
    before = sim.save().state
    activation = np.full(len(MUSCLES), 0.5)
    activation[place] = np.nan
    with pytest.raises(ValueError, match="nan"):
        sim.step(activation)
    assert np.array_equal(sim.save().state, before)


@pytest.mark.parametrize(("given", "clamped"), [(-1.0, 0.0), (2.0, 1.0), (np.inf, 1.0)])
def test_activations_are_clamped(given, clamped):
    one, other = MskHandSim("free"), MskHandSim("free")
    for _ in range(20):
        one.step(np.full(11, given))
        other.step(np.full(11, clamped))
    assert np.array_equal(one.state_vector(), other.state_vector(), equal_nan=True)
    assert one.muscle_activations().min() >= 0.0 and one.muscle_activations().max() <= 1.0
    assert one.data.ctrl.tolist() == [clamped] * 11


def test_substeps_add_up():
    one, other = MskHandSim("free"), MskHandSim("free")
    activation = only(index_flex=0.8, wrist_yaw_l=0.4)
    for _ in range(20):
        one.step(activation)
    other.step(activation, n_sub=100)
    assert np.array_equal(one.save().state, other.save().state)
    assert one.time == pytest.approx(0.2) and one.tick == pytest.approx(0.01)


def test_activation_follows_with_two_time_constants():
    """Millard et al. 2013: tau_act (0.5 + 1.5 a) upwards, tau_deact / (0.5 + 1.5 a) downwards."""
    sim, dt, activation = MskHandSim("free"), 0.002, 0.0
    for excitation, ticks in ((1.0, 30), (0.0, 30)):
        for _ in range(ticks):
            sim.step(only(index_flex=excitation))
            for _ in range(5):
                pace = 0.5 + 1.5 * activation
                tau = 0.04 * pace if excitation > activation else 0.06 / pace
                activation += dt * (excitation - activation) / tau
            assert sim.muscle_activations()[A] == pytest.approx(activation, abs=2e-3)
    assert 0.0 < activation < 0.03


def test_rise_and_fall_differ():
    sim = MskHandSim("free")
    sim.step(only(index_flex=0.1), 1000)
    weak, start = sim.save(), sim.muscle_activations()[A]
    sim.step(only(index_flex=0.15), 1)
    sim.step(only(index_flex=0.15), 5)
    rise = sim.muscle_activations()[A] - start
    sim.restore(weak)
    sim.step(only(index_flex=0.05), 1)
    sim.step(only(index_flex=0.05), 5)
    fall = start - sim.muscle_activations()[A]
    assert start == pytest.approx(0.1, abs=1e-6) and rise > 2.5 * fall > 0.0


@pytest.mark.parametrize("scene", SCENES)
def test_replay_after_restore_is_identical(scene):
    sim = MskHandSim(scene)
    sim.set_target([0.0, 0.16, 0.07])
    if scene == "button":
        press_button(sim)  # in contact: the solver's warm start matters
    else:
        run(sim, 40, seed=1)
    snapshot = sim.save()
    first = run(sim, 150)
    sim.set_target(None)
    sim.restore(snapshot)
    assert np.array_equal(run(sim, 150), first, equal_nan=True)
    other = MskHandSim(scene)
    other.restore(snapshot)
    assert np.array_equal(run(other, 150), first, equal_nan=True)


def test_restored_state_reads_as_it_was_saved():
    sim = MskHandSim("button")
    press_button(sim)
    snapshot, before = sim.save(), sim.state_vector()
    sim.reset()
    sim.restore(snapshot)
    labels = np.array(STATE_LABELS) != "contact_force"  # which belongs to the step that led here
    assert np.array_equal(sim.state_vector()[labels], before[labels], equal_nan=True)
    assert sim.contact_force() == pytest.approx(
        before[STATE_LABELS.index("contact_force")], rel=0.05
    )


def test_snapshot_is_not_changed_by_what_follows():
    sim = MskHandSim("free")
    sim.set_target([0.0, 0.16, 0.07])
    snapshot = sim.save()
    kept = snapshot.state.copy()
    run(sim, 10)
    sim.set_target([0.1, 0.1, 0.1])
    assert np.array_equal(snapshot.state, kept) and snapshot.target.tolist() == [0.0, 0.16, 0.07]


@pytest.mark.parametrize("scene", SCENES)
def test_reset_brings_the_start_back(scene):
    sim = MskHandSim(scene)
    start = sim.state_vector()
    first = run(sim, 60)
    sim.reset()
    assert sim.time == 0.0
    assert np.array_equal(sim.state_vector(), start, equal_nan=True)
    assert np.array_equal(run(sim, 60), first, equal_nan=True)


def test_the_hand_rests_at_the_start():
    sim = MskHandSim("free")
    start = sim.joint_angles()
    sim.step(np.zeros(11), 500)
    assert np.abs(sim.joint_angles() - start).max() < 1e-4


def test_fault_is_named_and_reset_cures_it():
    sim = MskHandSim("free")
    sim.check()
    sim.data.qvel[2] = np.nan
    with pytest.raises(SimulationError):
        sim.check()
    sim.step(np.zeros(11))
    with pytest.raises(SimulationError):  # MuJoCo has reset the state by itself; the warning stays
        sim.check()
    sim.reset()
    sim.check()
    assert np.isfinite(sim.joint_angles()).all()


def test_fingertips_belong_to_the_present_angles():
    sim = MskHandSim("free")
    for _ in range(5):
        sim.step(only(index_flex=1.0))  # moving fast: a step's lag would show
    fresh = mujoco.MjData(sim.model)
    fresh.qpos[:] = sim.data.qpos
    mujoco.mj_kinematics(sim.model, fresh)
    expected = [fresh.site(f"tip_{finger}").xpos for finger in FINGERS]
    assert np.allclose(sim.fingertips(), expected, atol=1e-12)


def test_contact_force_is_that_of_the_contacts():
    sim = MskHandSim("button")
    assert sim.contact_force() == 0.0
    press_button(sim)
    mujoco.mj_forward(sim.model, sim.data)
    tip, total, wrench = sim.model.geom("index_tip").id, 0.0, np.zeros(6)
    for index in range(sim.data.ncon):
        if tip in sim.data.contact[index].geom:
            mujoco.mj_contactForce(sim.model, sim.data, index, wrench)
            total += wrench[0]
    assert total > 0.5
    assert sim.contact_force() == pytest.approx(total, rel=1e-6)
    assert sim.contact_forces().tolist() == [sim.contact_force(), 0.0, 0.0]


def test_what_is_read_is_a_copy():
    sim = MskHandSim("free")
    sim.set_target([0.0, 0.16, 0.07])
    before = sim.save().state
    for read in (
        sim.joint_angles,
        sim.joint_velocities,
        sim.joint_efforts,
        sim.fingertips,
        sim.muscle_lengths,
        sim.muscle_velocities,
        sim.muscle_forces,
        sim.muscle_activations,
        sim.contact_forces,
        sim.state_vector,
        lambda: sim.target,
    ):
        kept = read().copy()
        read()[...] = 77.0
        assert np.array_equal(read(), kept, equal_nan=True)
    assert np.array_equal(sim.save().state, before)


def test_target_is_shown_measured_and_taken_away():
    sim = MskHandSim("free")
    assert sim.target is None and math.isnan(sim.reach_error())
    assert sim.model.geom("target").rgba[3] == 0.0
    sim.set_target(sim.fingertips()[0] + [0.0, 0.003, 0.004])
    assert sim.reach_error() == pytest.approx(0.005)
    assert sim.model.geom("target").rgba[3] > 0.5
    sim.reset()
    assert sim.reach_error() == pytest.approx(0.005)
    assert sim.data.mocap_pos[0].tolist() == sim.target.tolist()
    sim.set_target(None)
    assert sim.model.geom("target").rgba[3] == 0.0 and math.isnan(sim.reach_error())


@pytest.mark.parametrize("wrong", [[0, 0], [0, 0, math.nan], [0, 0, math.inf], 3.0, [[0, 0, 0]]])
def test_wrong_target_is_refused(wrong):
    sim = MskHandSim("free")
    sim.set_target([0.0, 0.16, 0.07])
    with pytest.raises(ValueError, match="3 finite numbers"):
        sim.set_target(wrong)
    assert sim.target.tolist() == [0.0, 0.16, 0.07]


def test_tendons_take_the_colour_of_their_activation():
    sim = MskHandSim("free")
    sim.color_tendons()
    relaxed = sim.model.tendon_rgba[A].copy()
    sim.step(only(index_flex=1.0), 100)
    sim.color_tendons()
    assert sim.model.tendon_rgba[A, 0] > relaxed[0] and sim.model.tendon_rgba[A, 2] < relaxed[2]
    assert np.allclose(sim.model.tendon_rgba[U], relaxed, atol=1e-6)


def test_changed_masses_are_taken_over():
    sim = MskHandSim("free")
    before = sim.joint_angles()[0]
    sim.model.body_mass[sim.model.body("palm").id] *= 2.0
    sim.model.body_inertia[sim.model.body("palm").id] *= 2.0
    sim.constants_changed()
    assert sim.time == 0.0 and sim.joint_angles()[0] > before + 0.02  # the hand hangs lower
    assert sim.model.body_subtreemass[sim.model.body("palm").id] > 0.4
    run(sim, 80)
    sim.check()


def test_unknown_scene_names_the_known_ones():
    with pytest.raises(ArgumentError, match="free button ball"):
        MskHandSim("kitchen")


def test_missing_and_foreign_models_are_refused(tmp_path):
    with pytest.raises(UserError, match="found none"):
        MskHandSim(path=tmp_path / "scene.xml")
    foreign = tmp_path / "ball.xml"
    foreign.write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    with pytest.raises(UserError, match="j_wrist_pitch"):
        MskHandSim(path=foreign)


def test_models_load_from_a_path_with_a_space_and_chinese_characters(tmp_path):
    folder = tmp_path / "my 手 模型"
    shutil.copytree(str(MODELS), str(folder))
    sim = MskHandSim(path=folder / "scene_ball.xml")
    assert sim.ball_height() > 0.0
