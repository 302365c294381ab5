"""Reference reaches: where they begin and end, that they keep the limits and can be followed."""

import math

import numpy as np
import pytest

from msk_arm import plant
from msk_arm.dynamics import ArmDynamics, within_strength
from msk_arm.evaluate import random_pairs
from msk_arm.target import TargetCheck
from msk_arm.trajectory import Reach, progress

STRENGTH, SHORTEST, LONGEST = 0.6, 0.12, 1.6


@pytest.fixture(scope="module")
def arm():
    return ArmDynamics(plant.build())


def reaches(arm, n, v=(0.0, 0.0)):
    check = TargetCheck(arm)
    for start, goal, _ in random_pairs(11, n):
        target = check(*goal)
        yield start, target, Reach(arm, start, v, target, STRENGTH, SHORTEST, LONGEST)


def test_progress_is_the_minimum_jerk_polynomial():
    x = np.linspace(0, 1, 200)
    values = np.array([progress(value) for value in x])
    assert values[0] == 0.0 and values[-1] == 1.0 and progress(2.0) == 1.0 and progress(-1) == 0.0
    assert (np.diff(values) > 0).all()
    np.testing.assert_allclose(np.gradient(values, x)[[1, -2]], 0.0, atol=2e-3)
    assert np.gradient(values, x).max() == pytest.approx(1.875, abs=1e-3)


def test_begin_and_end(arm):
    for start, target, reach in reaches(arm, 60):
        np.testing.assert_allclose(reach.at(0.0), start, atol=1e-9)
        for time in (reach.duration, reach.duration + 1.0):
            np.testing.assert_allclose(reach.at(time), target.q, atol=1e-9)
        near_end = np.array(reach.at(reach.duration - 1e-4)) - target.q
        assert np.abs(near_end).max() < 1e-6  # it comes to rest
        assert SHORTEST <= reach.duration <= LONGEST


def test_initial_velocity_is_taken_up(arm):
    v = (1.5, -2.0)
    for start, target, reach in reaches(arm, 20, v):
        step = 1e-5
        ahead = np.array(reach.at(step))
        np.testing.assert_allclose((ahead - start) / step, v, atol=0.01)
        np.testing.assert_allclose(reach.at(reach.duration), target.q, atol=1e-9)


def test_straight_ones_are_straight_and_all_keep_the_limits(arm):
    straight = 0
    for start, target, reach in reaches(arm, 80):
        path = [reach.at(f * reach.duration) for f in np.linspace(0, 1, 60)]
        assert all(arm.inside(*q, slack=0.01) for q in path)
        if reach.straight and start[1] >= 0:
            straight += 1
            hand = np.array([arm.forward(*q) for q in path])
            along = np.array([target.x, target.z]) - hand[0]
            away = (hand - hand[0]) @ [-along[1], along[0]] / np.linalg.norm(along)
            assert np.abs(away).max() < 1e-6
    assert straight > 40


def test_muscles_can_follow(arm):
    """Inverse dynamics along the reach stays within the share of the strength, nearly always."""
    within, samples = 0, 0
    for _, _, reach in reaches(arm, 30):
        h = 1e-3
        for time in np.arange(h, reach.duration - h, reach.duration / 25):
            a, b, c = (np.array(reach.at(time + d)) for d in (-h, 0.0, h))
            v, acc = (c - a) / (2 * h), (a - 2 * b + c) / h**2
            w1, w2, p1, p2 = arm.muscle_state(*b, *v)
            t1, t2 = arm.torque(b, v, acc)
            within += within_strength(w1, w2, t1 - p1, t2 - p2, [1.15 * STRENGTH] * 6)
            samples += 1
    assert within / samples > 0.97


def test_longer_ways_take_longer(arm):
    check = TargetCheck(arm)
    start = (0.2, 1.2)
    x, z = arm.forward(*start)
    times = []
    for away in (0.02, 0.08, 0.2):
        target = check(x + away * math.cos(0.7), z + away * math.sin(0.7))
        times.append(Reach(arm, start, (0, 0), target, STRENGTH, SHORTEST, LONGEST).duration)
    assert times == sorted(times) and times[0] < times[2]
