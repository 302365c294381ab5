"""The keys: what they change, their limits, and what is shown."""

import pytest
from helpers import parameters

from msk_proprioception.keyboard import KEYS, SENSES, KeyboardPolicy


@pytest.fixture
def policy():
    return KeyboardPolicy(parameters())


def press(policy, *keys):
    for key in keys:
        assert policy.handle(key) is True
    return policy.take_changes()


def test_arrows_change_the_delay_by_ten_milliseconds_within_its_limits(policy):
    assert press(policy, "up") == {"delay_s": 0.04}
    assert press(policy, "down", "down") == {"delay_s": 0.02}
    assert press(policy, *["down"] * 9) == {"delay_s": 0.0}
    assert press(policy, *["up"] * 150) == {"delay_s": 1.0}
    assert press(policy, "down") == {"delay_s": 0.99}


def test_noise_goes_up_and_down_and_off_and_back(policy):
    assert press(policy, "+", "+") == {"noise_scale": 2.0}
    assert press(policy, "=", "-") == {"noise_scale": 2.0}
    assert press(policy, "0") == {"noise_scale": 0.0}
    assert press(policy, "-") == {"noise_scale": 0.0}
    assert press(policy, "0") == {"noise_scale": 2.0}
    assert press(policy, *["-"] * 9) == {"noise_scale": 0.0}


def test_noise_that_was_off_from_the_start_comes_on_at_its_default():
    policy = KeyboardPolicy(parameters(noise_scale=0.0))
    assert press(policy, "0") == {"noise_scale": 1.0}


def test_co_contraction_has_its_limits(policy):
    assert press(policy, "c", "c") == {"co_contraction": 0.1}
    assert press(policy, "v", "v", "v") == {"co_contraction": 0.0}
    assert press(policy, *["c"] * 30) == {"co_contraction": 1.0}


def test_number_keys_choose_the_senses_that_are_shown(policy):
    assert policy.shown == ("length", "force")
    press(policy, "1", "4")
    assert policy.shown == ("force", "extension")
    press(policy, "1", "2")
    assert policy.shown == SENSES


def test_unknown_keys_do_nothing_and_escape_ends(policy):
    assert press(policy, "x", "left", "enter", "5") == {}
    assert policy.handle("esc") is False


def test_changes_of_somebody_else_are_adopted_silently(policy):
    policy.adopt(0.2, 3.0)
    assert policy.take_changes() == {}
    assert press(policy, "up", "+") == {"delay_s": 0.21, "noise_scale": 3.5}


def test_status_shows_what_is_set_and_what_is_sensed(policy):
    line = policy.status({"length": [0.1804] * 6, "force": None})
    assert "delay 30 ms | noise x1 | co-contraction 0.00" in line
    assert "length (mm) 180.4 180.4" in line
    assert line.endswith("force (N) -")
    assert "velocity" not in line


def test_help_names_every_key(policy):
    assert all(keys in policy.help() for keys, _ in KEYS)
