"""What the keys of the arm do, without a terminal."""

import math

import pytest

from msk_arm.keyboard import KeyboardPolicy
from msk_arm.names import MUSCLES, parameters
from mujoco_ros_common.errors import ArgumentError


@pytest.fixture
def policy():
    policy = KeyboardPolicy()
    policy.hear_status(0.38, -0.17, True)
    policy.hear_hand(0.40, -0.20)
    return policy


def settle(policy):
    for _ in range(100):
        command = policy.update(0.02)
    return command


def test_arrows_move_the_target_by_a_centimetre(policy):
    for key, place in (
        ("up", (0.38, -0.16)),
        ("right", (0.39, -0.16)),
        ("down", (0.39, -0.17)),
        ("left", (0.38, -0.17)),
    ):
        assert policy.handle(key)
        assert policy.take_target() == pytest.approx(place)
        assert policy.take_target() is None  # said once


def test_a_refused_target_gives_way_to_the_last_good_one(policy):
    policy.handle("up")
    policy.hear_status(*policy.take_target(), False)
    policy.handle("right")
    assert policy.take_target() == pytest.approx((0.39, -0.17))


def test_nothing_is_known_before_the_arm_speaks():
    policy = KeyboardPolicy()
    policy.handle("up")
    assert policy.take_target() is None
    policy.hear_hand(0.5, 0.1)
    policy.handle("up")
    assert policy.take_target() == pytest.approx((0.5, 0.11))


def test_a_nan_status_changes_nothing(policy):
    policy.hear_status(math.nan, 0.0, False)
    assert policy.target == (0.38, -0.17)


def test_page_keys_change_the_co_contraction(policy):
    assert policy.take_co_contraction() is None
    policy.handle("page_up")
    policy.handle("page_up")
    assert policy.take_co_contraction() == pytest.approx(0.04)
    for _ in range(5):
        policy.handle("page_down")
    assert policy.take_co_contraction() == 0.0
    for _ in range(200):
        policy.handle("page_up")
    assert policy.take_co_contraction() == 1.0


def test_digits_drive_one_muscle_each(policy):
    for number, muscle in enumerate(MUSCLES):
        policy.handle(str(number + 1))
        command = settle(policy)
        assert command[number] == 0.3 and sum(command) == pytest.approx(0.3), muscle
        assert policy.busy and muscle in policy.status()
        policy.handle(str(number + 1))
        assert settle(policy) == [0.0] * 6
        assert not policy.busy


def test_smoothing_does_not_depend_on_the_rate(policy):
    other = KeyboardPolicy()
    for one in (policy, other):
        one.handle("2")
    for _ in range(10):
        policy.update(0.01)
    other.update(0.1)
    assert policy.update(0.0)[1] == pytest.approx(other.update(0.0)[1], abs=1e-12)
    assert policy.update(0.0)[1] == pytest.approx(0.3 * (1 - math.exp(-0.1 / 0.12)))
    with pytest.raises(ValueError, match="time step"):
        policy.update(-0.1)


def test_level_key_cycles(policy):
    seen = []
    for _ in range(4):
        policy.handle("1")
        seen.append(settle(policy)[0])
        policy.handle("1")
        settle(policy)
        policy.handle("l")
    assert seen == [0.3, 0.1, 0.6, 1.0]


def test_space_holds_the_hand_at_once(policy):
    policy.handle("1")
    settle(policy)
    policy.hear_hand(0.30, -0.40)
    policy.handle("space")
    assert policy.take_target() == (0.30, -0.40)
    assert not policy.busy and policy.update(0.02) == [0.0] * 6


def test_idle_says_nothing(policy):
    """Case: an idle keyboard streams zeros against the other controller."""
    for _ in range(10):
        policy.update(0.02)
        assert not policy.busy
        assert policy.take_target() is None and policy.take_co_contraction() is None


def test_esc_quits_and_arrows_do_not(policy):
    """Case: an arrow key is read as ESC and quits."""
    assert policy.handle("esc") is False
    for key in ("up", "left", "page_up", "x", "1", "space"):
        assert policy.handle(key) is True


def test_toggles_are_named(policy):
    """Case: holding a toggle key repeats it."""
    assert {"1", "6", "l", "space"} <= set(policy.toggles)
    assert "up" not in policy.toggles and "page_up" not in policy.toggles


def test_help_names_each_key(policy):
    text = policy.help()
    for word in ("arrows", "page up", "space", "esc", *(m.replace("_", " ") for m in MUSCLES)):
        assert word in text


@pytest.mark.parametrize(
    "change",
    [
        {"muscle_keys": ["1", "2", "3", "4", "5"]},
        {"muscle_keys": ["1", "1", "3", "4", "5", "6"]},
        {"level_key": "1"},
        {"quit_key": "up"},
        {"levels": []},
        {"levels": [0.0]},
        {"levels": [1.5]},
        {"target_step": 0.0},
    ],
)
def test_wrong_parameters_are_refused(change):
    with pytest.raises(ArgumentError):
        KeyboardPolicy(parameters().overlaid(change, "test"))
