"""The scalar model of the arm against MuJoCo and against itself."""

import math

import mujoco
import numpy as np
import pytest

from msk_arm import plant
from msk_arm.dynamics import ArmDynamics, within_strength


@pytest.fixture(scope="module")
def arms():
    """Pairs of compiled model and scalar model, nominal and changed."""
    changed = plant.build(load_kg=0.7, mass=[1.1, 0.8], strength=0.7, moment_arms=1.1)
    return [(model, ArmDynamics(model)) for model in (plant.build(), changed)]


def states(n, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        q, v = rng.uniform([-1.25, -0.1], [1.45, 2.3]), rng.normal(0, 4, 2)
        yield q.tolist(), v.tolist(), rng.uniform(0, 1, 6)


def test_equations_of_motion_are_mujocos(arms):
    for model, arm in arms:
        data = mujoco.MjData(model)
        for q, v, act in states(1000):
            data.qpos[:], data.qvel[:], data.act[:] = q, v, act
            mujoco.mj_forward(model, data)
            np.testing.assert_allclose(arm.bias(*q, *v), data.qfrc_bias, atol=1e-10)
            w1, w2, p1, p2 = arm.muscle_state(*q, *v)
            torque = [np.dot(w1, act) + p1, np.dot(w2, act) + p2]
            np.testing.assert_allclose(torque, data.qfrc_actuator, atol=1e-10)
            free = arm.acceleration(q, v, *torque)
            np.testing.assert_allclose(free, data.qacc_smooth, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(arm.torque(q, v, free), torque, atol=1e-9)
            np.testing.assert_allclose(arm.forward(*q), data.site("hand").xpos[::2], atol=1e-12)


def test_forward_and_inverse_are_a_round_trip(arms):
    arm = arms[0][1]
    for q, _, _ in states(2000, seed=1):
        elbow = 1.0 if q[1] >= 0 else -1.0
        np.testing.assert_allclose(arm.inverse(*arm.forward(*q), elbow), q, atol=1e-6)
    for elbow in (1.0, -1.0):
        for angle in np.linspace(-3, 3, 50):
            place = (0.4 * math.cos(angle), 0.4 * math.sin(angle))
            q = arm.inverse(*place, elbow)
            np.testing.assert_allclose(arm.forward(*q), place, atol=1e-12)
            assert q[1] * elbow > 0


def test_the_arm_is_stretched_towards_what_it_cannot_reach(arms):
    arm = arms[0][1]
    q1, q2 = arm.inverse(0.6, -0.8)
    assert q2 == 0.0 and q1 == pytest.approx(math.atan2(0.8, 0.6))


def test_jacobian_is_the_slope(arms):
    arm = arms[0][1]
    for q, _, _ in states(200, seed=2):
        numeric = []
        for k in (0, 1):
            step = [1e-6 * (j == k) for j in (0, 1)]
            high = np.array(arm.forward(q[0] + step[0], q[1] + step[1]))
            numeric.append((high - arm.forward(q[0] - step[0], q[1] - step[1])) / 2e-6)
        expected = np.array(numeric).T.ravel()
        np.testing.assert_allclose(arm.jacobian(*q), expected, atol=1e-8)


def test_zero_pose_and_radii(arms):
    arm = arms[0][1]
    assert arm.forward(0.0, 0.0) == pytest.approx((0.58, 0.0))
    assert arm.reach == pytest.approx(0.58) and arm.inner == pytest.approx(0.238, abs=0.0005)
    assert arm.gravity(0.0, 0.0) == pytest.approx((-7.9755, -1.6481), abs=1e-3)


def test_strength_is_what_a_linear_programme_finds():
    """The polygon against random search: nothing outside is ever reached, vertices are inside."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        w = rng.normal(0, 10, (6, 2))
        ceiling = rng.uniform(0.2, 1.0, 6)
        inside = (rng.uniform(0, 1, (200, 6)) * ceiling) @ w
        assert all(within_strength(*w.T.tolist(), *t, ceiling.tolist()) for t in inside.tolist())
        direction = rng.normal(size=2)
        most = np.maximum(w @ direction, 0.0) @ ceiling  # support function in that direction
        edge = ((w @ direction > 0) * ceiling) @ w
        beyond = edge + 1e-3 * direction
        assert within_strength(*w.T.tolist(), *edge.tolist(), ceiling.tolist())
        assert beyond @ direction > most
        assert not within_strength(*w.T.tolist(), *beyond.tolist(), ceiling.tolist())


def test_no_muscle_has_no_strength():
    assert within_strength([0.0] * 6, [0.0] * 6, 0.0, 0.0)
    assert not within_strength([0.0] * 6, [0.0] * 6, 0.1, 0.0)
