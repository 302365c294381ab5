"""Which targets are refused, and why."""

import math

import numpy as np
import pytest

from msk_arm import brute_force, plant
from msk_arm import target as t
from msk_arm.dynamics import ArmDynamics
from msk_arm.target import TargetCheck


@pytest.fixture(scope="module")
def check():
    return TargetCheck(ArmDynamics(plant.build()))


@pytest.mark.parametrize(
    "place, reason",
    [
        ((0.38, -0.17), t.ACCEPTED),
        ((0.30, -0.10), t.ACCEPTED),
        ((0.58, 0.0), t.ACCEPTED),
        ((math.nan, 0.1), t.NOT_FINITE),
        ((0.1, math.inf), t.NOT_FINITE),
        ((0.0, -math.inf), t.NOT_FINITE),
        ((0.59, 0.0), t.OUT_OF_REACH),
        ((-3.0, 4.0), t.OUT_OF_REACH),
        ((0.0, 0.0), t.TOO_NEAR),
        ((0.02, 0.0), t.TOO_NEAR),
        ((0.1, 0.2), t.TOO_NEAR),
        ((-0.4, 0.0), t.JOINT_LIMITS),
        ((0.0, 0.4), t.JOINT_LIMITS),
    ],
)
def test_reasons(check, place, reason):
    target = check(*place)
    assert target.reason == reason and target.accepted == (reason == t.ACCEPTED)
    assert t.WORDS[reason] in target.words
    assert (target.q is None) == (reason != t.ACCEPTED)
    if target.accepted:
        np.testing.assert_allclose(check.dynamics.forward(*target.q), place, atol=1e-9)


def test_reasons_have_codes_and_words_of_their_own():
    assert sorted(t.WORDS) == [0, 1, 2, 3, 4, 5] and len(set(t.WORDS.values())) == 6


def test_inner_radius_is_the_elbows(check):
    """Not the difference of the links."""
    radius = check.dynamics.inner
    towards = -0.6  # rad, a direction that the shoulder allows
    for r, reason in ((radius - 0.001, t.TOO_NEAR), (radius + 0.001, t.ACCEPTED)):
        assert check(r * math.cos(towards), r * math.sin(towards)).reason == reason


def test_elbow_up_where_both_serve(check):
    assert check(*check.dynamics.forward(0.2, -0.05)).q[1] == pytest.approx(0.05)


def test_elbow_down_where_it_alone_serves(check):
    # just under the lower shoulder limit, elbow down: elbow up would need the shoulder lower still
    pose = (-1.24, -0.08)
    place = check.dynamics.forward(*pose)
    assert not check.dynamics.inside(*check.dynamics.inverse(*place, 1.0))
    np.testing.assert_allclose(check(*place).q, pose, atol=1e-9)


def test_every_pose_can_be_held_by_the_healthy_arm(check):
    rng = np.random.default_rng(0)
    poses = rng.uniform([-1.25, -0.1], [1.45, 2.3], (2000, 2)).tolist()
    assert all(check.holds(q) for q in poses)
    assert all(check(*check.dynamics.forward(*q)).accepted for q in poses)


def test_too_weak():
    check = TargetCheck(ArmDynamics(plant.build(load_kg=5.0, strength=0.5)))
    target = check(0.57, 0.0)
    assert target.reason == t.TOO_WEAK and "N m" in target.words
    assert check(0.05, -0.57).accepted  # hanging down takes little strength


def test_tired_muscles_lower_the_ceiling(check):
    assert check(0.57, 0.0, ceiling=[0.5] * 6).accepted
    assert check(0.57, 0.0, ceiling=[0.05] * 6).reason == t.TOO_WEAK
    flexors_only = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]  # they pull down, as gravity does
    assert check(0.57, 0.0, ceiling=flexors_only).reason == t.TOO_WEAK


@pytest.mark.parametrize("arguments", [{}, {"load_kg": 5.0, "strength": 0.5}])
def test_brute_force_agrees(arguments):
    model = plant.build(**arguments)
    targets = brute_force.target_grid(18, 0.63) + [0.00013, 0.00007]
    slow = brute_force.BruteForce(model, cell=0.001).verdicts(targets)
    check = TargetCheck(ArmDynamics(model))
    fast = np.array([check(*place).reason for place in targets.tolist()])
    sure = slow != brute_force.BORDER
    assert sure.mean() > 0.95
    assert (slow == fast)[sure].all()
    expected = {t.ACCEPTED, t.OUT_OF_REACH, t.TOO_NEAR, t.JOINT_LIMITS}
    assert set(slow[sure]) == expected | ({t.TOO_WEAK} if arguments else set())


def test_elbow_down_where_elbow_up_is_too_weak():
    arm = ArmDynamics(plant.build(load_kg=5.0, strength=0.5))
    check, place = TargetCheck(arm), (0.4819160583, -0.3223085273)
    up, down = arm.inverse(*place, 1.0), arm.inverse(*place, -1.0)
    assert arm.inside(*up) and arm.inside(*down) and not check.holds(up)
    target = check(*place)
    assert target.accepted and target.q == down


def test_holding_counts_the_passive_forces():
    model = plant.build(load_kg=5.0, strength=0.5)
    check, slow = TargetCheck(ArmDynamics(model)), brute_force.BruteForce(model, cell=0.002)
    poses = np.random.default_rng(0).uniform(*model.jnt_range[:2].T, (1500, 2))
    held = [check.holds(q) for q in poses.tolist()]
    assert held == [slow._feasible(q) for q in poses] and 0 < sum(held) < len(held)
