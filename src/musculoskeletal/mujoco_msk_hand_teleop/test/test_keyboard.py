"""The keyboard policy: toggles, levels, smoothing, help, wrong parameters."""

import math

import numpy as np
import pytest

from msk_hand.keyboard import KeyboardPolicy
from msk_hand.names import MUSCLES, PARAMETERS
from mujoco_ros_common import config
from mujoco_ros_common.errors import ArgumentError

U, A = MUSCLES.index("wrist_flex"), MUSCLES.index("index_flex")


def policy_with(**changes):
    return KeyboardPolicy(config.read(PARAMETERS).overlaid(changes, "test"))


def test_documented_keys():
    policy = KeyboardPolicy()
    assert policy.muscle_keys["u"] == "wrist_flex" and policy.muscle_keys["a"] == "index_flex"
    assert sorted(policy.muscle_keys.values()) == sorted(MUSCLES)


def test_each_key_toggles_its_own_muscle():
    policy = KeyboardPolicy()
    for key, muscle in policy.muscle_keys.items():
        assert policy.handle(key)
        expected = np.zeros(len(MUSCLES))
        expected[MUSCLES.index(muscle)] = policy.levels[0]
        assert np.array_equal(policy.target(), expected)
        policy.handle(key)
        assert not policy.target().any()


def test_level_holds_for_muscles_switched_on_later():
    policy = policy_with(levels=[1.0, 0.3])
    policy.handle("u")
    policy.handle("l")
    policy.handle("a")
    assert policy.target()[U] == 1.0 and policy.target()[A] == 0.3
    policy.handle("l")
    assert policy.level == 1.0
    policy.handle("a")  # off, whatever the level is now
    assert policy.target()[A] == 0.0


def test_space_relaxes_and_escape_quits():
    policy = KeyboardPolicy()
    policy.handle("u")
    assert policy.handle("space") is True and not policy.target().any()
    policy.handle("u")
    assert policy.handle("esc") is False and not policy.target().any()


@pytest.mark.parametrize("key", ["up", "A", "x", "", "ctrl+c", "f1"])
def test_unknown_keys_do_nothing(key):
    policy = KeyboardPolicy()
    policy.handle("u")
    before = policy.target()
    assert policy.handle(key) is True
    assert np.array_equal(policy.target(), before)


@pytest.mark.parametrize("rate", [25, 50, 1000])
def test_smoothing_is_first_order_at_any_rate(rate):
    policy = KeyboardPolicy()
    policy.handle("u")
    for _ in range(round(0.12 * rate)):
        command = policy.update(1.0 / rate)
    assert command[U] == pytest.approx(1.0 - math.exp(-1.0), abs=0.002)


def test_command_arrives_and_fades_to_exactly_zero():
    policy = KeyboardPolicy()
    assert not policy.busy
    policy.handle("u")
    for _ in range(100):
        command = policy.update(0.02)
    assert command[U] == 1.0
    policy.handle("u")
    assert policy.busy
    for _ in range(100):
        command = policy.update(0.02)
    assert not command.any() and not policy.busy


def test_command_stays_inside_0_and_1():
    policy, rng = KeyboardPolicy(), np.random.default_rng(3)
    keys = list(policy.toggles) + ["space"]
    for _ in range(3000):
        policy.handle(keys[rng.integers(len(keys))])
        command = policy.update(rng.uniform(0.0, 0.5))
        assert command.min() >= 0.0 and command.max() <= 1.0


def test_commands_are_copies():
    policy = KeyboardPolicy()
    policy.update(0.02)[:] = 7.0
    policy.target()[:] = 7.0
    assert not policy.command().any() and not policy.target().any()


@pytest.mark.parametrize("dt", [-0.01, math.nan, math.inf])
def test_wrong_time_step_is_refused(dt):
    with pytest.raises(ValueError, match="time step"):
        KeyboardPolicy().update(dt)


def test_help_names_each_key():
    policy = KeyboardPolicy()
    lines = policy.help().splitlines()
    for key, muscle in policy.muscle_keys.items():
        assert any(line.split()[:2] == [key, muscle] for line in lines)
    for key in ("l", "space", "esc"):
        assert any(line.split()[0] == key for line in lines)


def test_status_names_what_is_on():
    policy = KeyboardPolicy()
    assert "relaxed" in policy.status()
    policy.handle("l")
    policy.handle("a")
    assert "index_flex 0.3" in policy.status() and "level 0.3" in policy.status()


@pytest.mark.parametrize(
    "changes",
    [
        {"muscle_keys": ["a", "b"]},
        {"muscle_keys": list("aqswdefujhh")},
        {"relax_key": "a"},
        {"levels": []},
        {"levels": [0.0]},
        {"levels": [1.5]},
        {"smoothing": -0.1},
        {"smoothing": "fast"},
        {"level_key": 3},
    ],
)
def test_wrong_parameters_are_refused_in_one_line(changes):
    with pytest.raises(ArgumentError) as error:
        policy_with(**changes)
    assert "\n" not in str(error.value)


def test_no_smoothing_is_a_step():
    policy = policy_with(smoothing=0)
    policy.handle("a")
    assert policy.update(0.02)[A] == 1.0
