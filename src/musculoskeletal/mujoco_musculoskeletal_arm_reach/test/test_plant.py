"""The plant: what the model is made of, and that it behaves."""

import mujoco
import numpy as np
import pytest

from msk_arm import plant
from msk_arm.core import MskArmSim, tendon_stiffness
from msk_arm.names import JOINTS, MUSCLES, parameters
from mujoco_ros_common.errors import ArgumentError
from mujoco_ros_common.model import SimulationError
from mujoco_ros_common.muscle import Muscles

PLANTS = [
    {},
    {"condition": "weak"},
    {"condition": "fatigued"},
    {"tendon": "elastic"},
    {"load_kg": 2.0},
    {"tendon": "elastic", "condition": "fatigued", "load_kg": 1.0},
]


@pytest.fixture(scope="module")
def model():
    return plant.build()


def poses(model, n, seed=0):
    return np.random.default_rng(seed).uniform(*model.jnt_range[:2].T, (n, 2))


def names(model, kind, n):
    return tuple(mujoco.mj_id2name(model, kind, k) for k in range(n))


def test_counts_and_names(model):
    assert (model.nq, model.nv, model.ntendon, model.nu, model.na) == (2, 2, 6, 6, 6)
    assert names(model, mujoco.mjtObj.mjOBJ_JOINT, 2) == JOINTS
    assert names(model, mujoco.mjtObj.mjOBJ_ACTUATOR, 6) == MUSCLES
    assert (model.actuator_trntype == mujoco.mjtTrn.mjTRN_TENDON).all()
    assert (model.wrap_type == mujoco.mjtWrap.mjWRAP_JOINT).all()  # fixed tendons


def test_geometry_of_the_arm(model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.site("hand").xpos, [0.58, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(data.body("forearm").xpos, [0.30, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(model.jnt_range, [[-1.25, 1.45], [-0.10, 2.30]])
    assert model.opt.timestep == 0.002
    np.testing.assert_allclose(
        model.actuator_lengthrange[:, 1], [0.09] * 2 + [0.12] * 2 + [0.14] * 2
    )


def test_length_ranges_cover_the_travel(model):
    corners = np.array([[a, b] for a in model.jnt_range[0] for b in model.jnt_range[1]])
    travel = corners @ plant.moment_arms(model).T
    assert (travel > model.actuator_lengthrange[:, 0]).all()
    assert (travel < model.actuator_lengthrange[:, 1]).all()


def test_zero_pose_is_the_middle_of_the_normalized_length(model):
    middle = model.actuator_gainprm[:, :2].mean(axis=1)
    np.testing.assert_allclose(Muscles(model).normalized_length(np.zeros(6)), middle)


def test_l0_is_that_of_the_ranges(model):
    """Case: L0 from the length range; a negative LT marks the length as an excursion."""
    muscles = Muscles(model)
    np.testing.assert_allclose(muscles.optimal_length, [0.6, 0.6, 0.8, 0.8, 0.28 / 0.3, 0.28 / 0.3])
    assert (muscles.tendon_length < 0).all()


def test_moment_arms_are_the_tendons_slopes(model):
    """Case: sign and continuity of dL/dq over thousands of poses."""
    data, arms = mujoco.MjData(model), plant.moment_arms(model)
    for q in poses(model, 2000):
        lengths = []
        for k in (0, 1):
            for step in (1e-6, -1e-6):
                data.qpos[:] = q
                data.qpos[k] += step
                mujoco.mj_fwdPosition(model, data)
                lengths.append(data.ten_length.copy())
        slopes = np.column_stack([lengths[0] - lengths[1], lengths[2] - lengths[3]]) / 2e-6
        assert np.abs(slopes - arms).max() < 1e-8
    flexors, extensors = arms[::2], arms[1::2]
    assert (flexors <= 0).all() and (extensors >= 0).all()
    assert ((arms != 0) == [[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [1, 1]]).all()


@pytest.mark.parametrize("arms", [1.0, 1.1, 0.9])
def test_no_muscle_pushes(arms):
    """Case: a muscle pushes when its length leaves the range."""
    model = plant.build(moment_arms=arms)
    data, rng = mujoco.MjData(model), np.random.default_rng(1)
    for q in poses(model, 3000):
        data.qpos[:], data.qvel[:] = q, rng.normal(0, 8, 2)
        data.act[:] = rng.uniform(0, 1, 6)
        mujoco.mj_forward(model, data)
        assert (data.actuator_force <= 0).all()


@pytest.mark.parametrize("arguments", PLANTS)
def test_rest_is_quiet(arguments):
    """Case: a freshly loaded model explodes with zero control."""
    sim = MskArmSim(**arguments)
    for _ in range(80):
        sim.step([0.0] * 6)
        assert np.abs(sim.data.qacc).max() < 2e3 and sim.data.ncon == 0
    assert not any(warning.number for warning in sim.data.warning)
    q = sim.joint_angles()
    assert ((q > sim.joint_limits()[:, 0] - 0.1) & (q < sim.joint_limits()[:, 1] + 0.1)).all()


@pytest.mark.parametrize("arguments", PLANTS)
def test_a_hundred_thousand_random_steps(arguments):
    sim, rng = MskArmSim(**arguments), np.random.default_rng(2)
    for excitations in rng.uniform(-0.5, 1.5, (20000 if not arguments else 4000, 6)).tolist():
        sim.step(excitations)
    assert np.isfinite(sim.muscle_forces()).all() and (sim.muscle_forces() >= 0).all()
    assert ((sim.data.act >= 0) & (sim.data.act <= 1)).all()


def test_excitations_are_clamped_and_checked():
    """Case: actions outside [0, 1] go round the activation dynamics."""
    a, b = MskArmSim(), MskArmSim()
    a.step([5.0, -3.0, 1.0, 0.0, 2.0, 0.5])
    b.step([1.0, 0.0, 1.0, 0.0, 1.0, 0.5])
    assert (a.joint_angles() == b.joint_angles()).all() and (a.data.act == b.data.act).all()
    assert (a.muscle_excitations() == [1, 0, 1, 0, 1, 0.5]).all()
    for wrong in ([0.1] * 5, [0.1] * 7, [float("nan")] * 6, [float("inf")] + [0.0] * 5):
        with pytest.raises(ValueError, match="expected 6 finite"):
            a.step(wrong)


def test_muscles_switch_on_faster_than_off():
    """Case: activation and deactivation equally fast. 10 ms / 2 from rest, 40 ms / 2 from full."""
    sim = MskArmSim()
    sim.step([1.0] * 6, 1)
    np.testing.assert_allclose(sim.muscle_activations(), 0.002 / (0.5 * 0.010), rtol=0.01)
    for _ in range(40):
        sim.step([1.0] * 6)
    sim.step([0.0] * 6, 1)
    np.testing.assert_allclose(sim.muscle_activations(), 1.0 - 0.002 / (0.040 / 2.0), rtol=0.01)


@pytest.mark.parametrize("tendon", ["rigid", "elastic"])
def test_relaxed_muscles_are_without_activation_at_once(tendon):
    sim = MskArmSim(tendon=tendon)
    for _ in range(10):
        sim.step([0.5] * 6)
    assert sim.muscle_activations().min() > 0.3
    sim.relax()
    assert not sim.muscle_activations().any() and not sim.muscle_excitations().any()


def test_forces_belong_to_the_present_state():
    sim = MskArmSim()
    for _ in range(20):
        sim.step([0.4, 0.1, 0.5, 0.2, 0.3, 0.6])
    arms = sim.moment_arms()
    muscles = Muscles(sim.model)
    expected = muscles.force(sim.data.act, arms @ sim.joint_angles(), arms @ sim.joint_velocities())
    np.testing.assert_allclose(sim.muscle_forces(), expected, rtol=1e-10)
    np.testing.assert_allclose(sim.joint_torques(), sim.data.qfrc_actuator, rtol=1e-10)


def test_what_is_read_is_a_copy():
    sim = MskArmSim()
    for read in (sim.joint_angles, sim.joint_velocities, sim.muscle_activations, sim.muscle_forces):
        value = read()
        value[:] = 99.0
        assert (read() != 99.0).all()


@pytest.mark.parametrize("arguments", PLANTS)
def test_replay_is_identical(arguments):
    """Case: a restored state is unstable."""
    settings = parameters().overlaid({"excitation_noise": 0.1}, "test")
    sim, rng = MskArmSim(seed=3, settings=settings, **arguments), np.random.default_rng(4)
    for excitations in rng.uniform(0, 1, (40, 6)):
        sim.step(excitations)
    saved, paths = sim.save(), []
    future = rng.uniform(0, 1, (60, 6))
    for _ in range(2):
        sim.restore(saved)
        paths.append([])
        for excitations in future:
            sim.step(excitations)
            paths[-1].append(np.concatenate([sim.joint_angles(), sim.muscle_forces()]))
    assert (np.array(paths[0]) == np.array(paths[1])).all()


def test_reset_starts_again():
    settings = parameters().overlaid({"excitation_noise": 0.2}, "test")
    sim, paths = MskArmSim("fatigued", seed=5, settings=settings, initial_pose=(0.3, 1.0)), []
    for _ in range(2):
        sim.reset()
        assert sim.joint_angles().tolist() == [0.3, 1.0] and sim.time == 0.0
        for _ in range(30):
            sim.step([0.5] * 6)
        paths.append(sim.joint_angles().tolist())
    assert paths[0] == paths[1]
    sim.reset((0.0, 0.5))
    assert sim.end_effector() == pytest.approx([0.3 + 0.28 * np.cos(0.5), -0.28 * np.sin(0.5)])


def test_noise_depends_on_the_seed():
    settings = parameters().overlaid({"excitation_noise": 0.2}, "test")
    ends = []
    for seed in (1, 1, 2):
        sim = MskArmSim(seed=seed, settings=settings)
        for _ in range(20):
            sim.step([0.5] * 6)
        ends.append(sim.joint_angles().tolist())
    assert ends[0] == ends[1] != ends[2]


def test_changed_masses_reach_the_derived_constants():
    """Case: mass changed at run time, then NaN: derived constants are set again."""
    model = plant.build(load_kg=2.0, mass=[1.2, 0.8])
    assert model.body_subtreemass[0] == pytest.approx(1.9 * 1.2 + 1.2 * 0.8 + 2.0)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    l2 = 0.28
    far = 0.8 * (0.0081096 + 1.2 * 0.14**2) + 2.0 * l2**2 + model.body_inertia[-1, 1]
    assert model.dof_M0[1] == pytest.approx(far, rel=1e-9)


def test_arguments_scale_the_plant(model):
    other = plant.build(strength=[1, 2, 1, 1, 1, 0.5], moment_arms=[1, 1, 1, 1, 1.1, 0.9])
    np.testing.assert_allclose(
        other.actuator_gainprm[:, 2], model.actuator_gainprm[:, 2] * [1, 2, 1, 1, 1, 0.5]
    )
    np.testing.assert_allclose(plant.moment_arms(other)[4], [-0.0385, -0.0385])
    np.testing.assert_allclose(plant.moment_arms(other)[5], [0.0315, 0.0315])
    half = MskArmSim("weak").peak_forces() / MskArmSim().peak_forces()
    np.testing.assert_allclose(half, parameters().number("weak_strength"))


@pytest.mark.parametrize(
    "arguments",
    [
        {"condition": "strong"},
        {"tendon": "rubber"},
        {"load_kg": -1.0},
        {"load_kg": float("nan")},
        {"strength": [1.0] * 5},
        {"mass": -0.1},
        {"initial_pose": (2.0, 0.0)},
        {"initial_pose": (float("nan"), 0.0)},
    ],
)
def test_wrong_arguments_are_refused(arguments):
    with pytest.raises(ArgumentError, match="expected"):
        MskArmSim(**arguments)


@pytest.mark.parametrize("tendon", ["rigid", "elastic"])
@pytest.mark.parametrize("value", [float("nan"), 1e12])
def test_a_state_gone_bad_is_said(tendon, value):
    sim = MskArmSim(tendon=tendon)
    sim.data.qvel[1] = value
    with pytest.raises(SimulationError):
        for _ in range(5):
            sim.step([0.5] * 6)


def test_elastic_tendon_is_in_series():
    """At rest the fibre's force, the tendon's and stiffness times stretch are one."""
    sim = MskArmSim(tendon="elastic", initial_pose=(0.2, 1.0))
    assert np.abs(sim.tendon_extensions()).max() < 1e-12
    for _ in range(400):
        sim.step([0.3, 0.35, 0.4, 0.4, 0.3, 0.3])
    fibre, stretch = -sim.data.actuator_force, sim.tendon_extensions()
    assert np.abs(sim.joint_velocities()).max() < 0.01 and fibre.min() > 50.0
    np.testing.assert_allclose(sim.muscle_forces(), fibre, rtol=2e-3)
    np.testing.assert_allclose(stretch * sim.tendon_stiffness(), fibre, rtol=2e-3)
    np.testing.assert_allclose(sim.tendon_stiffness(), tendon_stiffness())
    np.testing.assert_allclose(sim.tendon_stiffness() * 0.004, [800, 800, 700, 700, 400, 400])
    np.testing.assert_allclose(sim.joint_torques(), sim.data.qfrc_passive[:2], rtol=0.05)


def test_slack_elastic_tendon_pushes_nothing():
    sim = MskArmSim(tendon="elastic", initial_pose=(0.2, 1.0))
    sim.data.qpos[2:] += 0.02  # the fibres towards the bone
    mujoco.mj_forward(sim.model, sim.data)
    assert (sim.data.ten_length < -0.019).all()
    assert not sim.data.qfrc_spring[2:].any() and not sim.muscle_forces().any()
    sim.data.qpos[2:] -= 0.03
    mujoco.mj_forward(sim.model, sim.data)
    assert (sim.data.qfrc_spring[2:] > 0.0).all()


def test_elastic_tendon_delays_the_force():
    first = []
    for tendon in ("rigid", "elastic"):
        sim = MskArmSim(tendon=tendon)
        sim.step([1.0] * 6)
        first.append(sim.muscle_forces())
    assert (first[1] < 0.9 * first[0]).all() and (first[1] > 0.0).all()


def test_too_stiff_a_tendon_is_refused():
    """Case: a stiff elastic tendon makes the step unstable: refused with the limit named."""
    stiff = parameters().overlaid({"tendon_damping_time": 0.0001}, "test")
    with pytest.raises(ArgumentError, match=r"tendon_damping_time: expected at least 0\.00\d+ s"):
        MskArmSim(tendon="elastic", settings=stiff)
    allowed = parameters().overlaid({"tendon_damping_time": 0.0012}, "test")
    sim, rng = MskArmSim(tendon="elastic", settings=allowed), np.random.default_rng(6)
    for excitations in rng.uniform(0, 1, (2000, 6)):
        sim.step(excitations)
        assert np.abs(sim.data.qvel[2:]).max() < 5.0
