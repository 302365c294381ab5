"""The muscle equations against MuJoCo itself, on models with random muscles."""

import mujoco
import numpy as np
import pytest

from mujoco_ros_common.errors import UserError
from mujoco_ros_common.muscle import Muscle, Muscles

N_MUSCLES, N_STATES = 60, 100


def muscle_xml(rng, index):
    low = rng.uniform(0.5, 0.9)
    force = "force='-1' scale='150'" if index % 5 == 0 else f"force='{rng.uniform(50, 900):.3f}'"
    return (
        f"<muscle name='m{index}' joint='j{index}' {force} gear='{rng.choice([-1, 1])}'"
        f" lengthrange='{rng.uniform(-0.2, -0.05):.4f} {rng.uniform(0.05, 0.2):.4f}'"
        f" range='{low:.3f} {low + rng.uniform(0.2, 0.8):.3f}' lmin='{rng.uniform(0.3, 0.6):.3f}'"
        f" lmax='{rng.uniform(1.4, 1.9):.3f}' vmax='{rng.uniform(1, 10):.3f}'"
        f" fpmax='{rng.uniform(0.5, 2):.3f}' fvmax='{rng.uniform(1.1, 1.6):.3f}'"
        f" timeconst='{rng.uniform(0.008, 0.03):.4f} {rng.uniform(0.03, 0.08):.4f}'/>"
    )


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(3)
    bodies = "".join(
        f"<body pos='{k} 0 0'><joint name='j{k}' type='slide'/><geom size='0.1'/></body>"
        for k in range(N_MUSCLES)
    )
    muscles = "".join(muscle_xml(rng, k) for k in range(N_MUSCLES))
    return mujoco.MjModel.from_xml_string(
        "<mujoco><option timestep='0.002' integrator='Euler' gravity='0 0 0'/>"
        f"<worldbody>{bodies}</worldbody><actuator>{muscles}</actuator></mujoco>"
    )


@pytest.fixture(scope="module")
def states(model):
    """Random states and what MuJoCo computes in them: arrays (N_STATES, N_MUSCLES)."""
    rng, data = np.random.default_rng(4), mujoco.MjData(model)
    out = {k: [] for k in ("length", "velocity", "act", "ctrl", "force", "rate")}
    for _ in range(N_STATES):
        data.qpos[:] = rng.uniform(-0.5, 0.5, model.nq)
        data.qvel[:] = rng.normal(0.0, 1.0, model.nv)
        data.act[:] = rng.uniform(0.0, 1.0, model.na)
        data.ctrl[:] = rng.uniform(-0.2, 1.2, model.nu)
        mujoco.mj_forward(model, data)
        out["length"].append(data.actuator_length.copy())
        out["velocity"].append(data.actuator_velocity.copy())
        out["act"].append(data.act.copy())
        out["ctrl"].append(data.ctrl.copy())
        out["force"].append(-data.actuator_force.copy())
        out["rate"].append(data.act_dot.copy())
    return {name: np.array(values) for name, values in out.items()}


def test_force_is_mujocos(model, states):
    force = Muscles(model).force(states["act"], states["length"], states["velocity"])
    np.testing.assert_allclose(force, states["force"], rtol=1e-12, atol=1e-10)
    assert (states["force"] > 0).mean() > 0.5  # the states are worth comparing


def test_every_branch_of_the_curves_is_visited(model, states):
    muscles = Muscles(model)
    x = muscles.normalized_length(states["length"])
    v = states["velocity"] / (muscles.optimal_length * muscles.vmax)
    middle = 0.5 * (1 + muscles.lmax)
    for branch in (
        x < muscles.lmin,
        (x > muscles.lmin) & (x < 0.5 * (1 + muscles.lmin)),
        (x > 1.0) & (x < middle),
        (x > middle) & (x < muscles.lmax),
        x > muscles.lmax,
        v < -1.0,
        (v > 0.0) & (v < muscles.fvmax - 1.0),
        v > muscles.fvmax - 1.0,
    ):
        assert branch.sum() > 20


def test_activation_rate_is_mujocos(model, states):
    rate = Muscles(model).rate(states["ctrl"], states["act"])
    np.testing.assert_allclose(rate, states["rate"], rtol=1e-12, atol=1e-9)


def test_inverse_returns_the_activation(model, states):
    muscles = Muscles(model)
    gain = muscles.active(states["length"], states["velocity"])
    found = muscles.activation(states["force"], states["length"], states["velocity"])
    able = gain > 1.0
    assert able.sum() > 2000
    np.testing.assert_allclose(found[able], states["act"][able], atol=1e-11)
    back = muscles.force(np.where(able, found, 0.0), states["length"], states["velocity"])
    assert np.abs(back - states["force"])[able].max() < 1e-9


def test_inverse_without_active_force_says_so(model):
    muscles = Muscles(model, [0])
    far = (muscles.lmax + 0.2 - muscles.range_low) * muscles.optimal_length + muscles.lower
    passive = muscles.passive(far)
    assert muscles.activation(passive, far, 0.0)[0] == 0.0
    assert muscles.activation(passive + 1.0, far, 0.0)[0] == np.inf
    assert muscles.activation(passive - 1.0, far, 0.0)[0] == -np.inf


def test_scalars_equal_arrays(model, states):
    muscles = Muscles(model)
    active = muscles.active(states["length"], states["velocity"])
    passive = muscles.passive(states["length"])
    for k, single in enumerate(muscles.singles()):
        for i in range(0, N_STATES, 3):
            length, velocity = float(states["length"][i, k]), float(states["velocity"][i, k])
            assert single.active(length, velocity) == pytest.approx(
                active[i, k], rel=1e-9, abs=1e-9
            )
            assert single.passive(length) == pytest.approx(passive[i, k], rel=1e-9, abs=1e-9)


def test_advance_is_mujocos_integration(model):
    rng, data = np.random.default_rng(5), mujoco.MjData(model)
    muscles = Muscles(model)
    data.act[:] = start = rng.uniform(0.0, 1.0, model.na)
    data.ctrl[:] = rng.uniform(0.0, 1.0, model.nu)
    mujoco.mj_step(model, data, 5)
    np.testing.assert_allclose(muscles.advance(data.ctrl, start, 0.002, 5), data.act, atol=1e-12)
    for k, single in enumerate(muscles.singles()):
        assert single.advance(data.ctrl[k], start[k], 0.002, 5) == pytest.approx(
            data.act[k], abs=1e-12
        )


def test_excitation_leads_to_the_activation(model):
    rng = np.random.default_rng(6)
    reached = 0
    for single in Muscles(model).singles():
        for _ in range(50):
            start, target = rng.uniform(0.0, 1.0, 2)
            u = single.excitation(start, target, 0.002, 5)
            end = single.advance(u, start, 0.002, 5)
            assert 0.0 <= u <= 1.0
            if 0.0 < u < 1.0:
                assert end == pytest.approx(target, abs=1e-10)
                reached += 1
            else:  # as near as it can: the other end is no nearer
                assert abs(end - target) <= abs(single.advance(1.0 - u, start, 0.002, 5) - target)
                assert (target - end) * (u - 0.5) >= -1e-12
    assert reached > 500


def test_activation_rises_faster_than_it_falls(model):
    """Case: activation and deactivation must not be equally fast. At 1/3 the shape factor is 1."""
    muscles = Muscles(model)
    up = muscles.rate(1 / 3 + 0.2, np.full(len(muscles), 1 / 3))
    down = -muscles.rate(1 / 3 - 0.2, np.full(len(muscles), 1 / 3))
    assert (up > down).all()
    np.testing.assert_allclose(up / down, model.actuator_dynprm[:, 1] / model.actuator_dynprm[:, 0])


def test_lengths_follow_mujocos_definition(model):
    """Case: L0 and LT from the length range."""
    muscles = Muscles(model)
    lr, r = model.actuator_lengthrange, model.actuator_gainprm[:, :2]
    l0 = (lr[:, 1] - lr[:, 0]) / (r[:, 1] - r[:, 0])
    np.testing.assert_allclose(muscles.optimal_length, l0)
    np.testing.assert_allclose(muscles.tendon_length, lr[:, 0] - r[:, 0] * l0)
    np.testing.assert_allclose(muscles.normalized_length(lr[:, 1]), r[:, 1])


def test_other_actuators_are_refused():
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
        "<actuator><motor joint='j'/></actuator></mujoco>"
    )
    with pytest.raises(UserError, match="expected muscle actuators"):
        Muscles(model)


def test_one_muscle_can_be_picked(model):
    single = Muscle(Muscles(model, [7, 3]), 1)
    assert single.peak_force == model.actuator_gainprm[3, 2]
