"""Held keys and pressed ones: a toggle counts once however long it is held."""

import pytest

from mujoco_ros_common.terminal import KeyRepeatFilter


def presses(events, until=6.0, rate=50.0, **options):
    """How often each key counts, given (time, key), with a loop that reads at `rate`."""
    held, counted, events = KeyRepeatFilter({"a", "b"}, **options), [], sorted(events)
    for tick in range(int(until * rate)):
        now = tick / rate
        keys = []
        while events and events[0][0] <= now:
            keys.append(events.pop(0)[1])
        counted += held.accept(keys, now + 100.0)
    return "".join(counted)


def hold(start, duration, key="a", delay=0.5, rate=30.0):
    """What a terminal sends while a key is held."""
    count = int((duration - delay) * rate) + 1 if duration >= delay else 0
    return [(start, key)] + [(start + delay + i / rate, key) for i in range(count)]


@pytest.mark.parametrize("rate", [10.9, 20.0, 30.0, 40.0])
@pytest.mark.parametrize("delay", [0.25, 0.5, 0.66, 0.75])
def test_a_held_key_counts_once(rate, delay):
    assert presses(hold(1.0, 3.0, delay=delay, rate=rate)) == "a"


@pytest.mark.parametrize("duration", [0.05, 0.3, 0.6, 1.0, 1.7])
def test_however_long_it_is_held(duration):
    assert presses(hold(1.0, duration)) == "a"


@pytest.mark.parametrize("gap", [0.15, 0.2, 0.3, 0.5, 0.79, 0.81, 2.0])
def test_two_deliberate_presses_count_twice(gap):
    assert presses([(1.0, "a"), (1.0 + gap, "a")]) == "aa"


def test_many_quick_presses_all_count():
    assert presses([(1.0 + 0.2 * i, "a") for i in range(7)]) == "a" * 7


def test_a_hold_after_a_press_counts_once_more():
    for gap in (0.2, 0.4, 0.9):
        assert presses([(1.0, "a"), *hold(1.0 + gap, 2.0)]) == "aa"


def test_a_press_after_a_hold_counts():
    for pause in (0.3, 1.0):
        assert presses([*hold(0.5, 2.0), (2.5 + pause, "a")]) == "aa"


def test_a_stall_in_the_repeats_is_no_press():
    stream = [(t + (0.1 if t > 2.0 else 0.0), key) for t, key in hold(1.0, 2.5)]
    assert presses(stream) == "a"


def test_two_keys_do_not_disturb_each_other():
    assert sorted(presses([*hold(1.0, 2.0), (1.7, "b"), (2.1, "b")])) == ["a", "b", "b"]


def test_a_second_press_is_reported_soon():
    held = KeyRepeatFilter({"a"})
    assert held.accept(["a"], 1.0) == ["a"]
    assert held.accept(["a"], 1.3) == []
    assert held.accept([], 1.4) == []
    assert held.accept([], 1.43) == ["a"]
    assert held.accept([], 9.0) == []


def test_repeats_that_are_read_together_count_once():
    held = KeyRepeatFilter({"a"})
    assert held.accept(["a"] * 5, 1.0) == ["a"]


def test_other_keys_pass_at_once_and_keep_repeating():
    held = KeyRepeatFilter({"a"})
    assert [held.accept(["up"], 1.0 + i / 30) for i in range(5)] == [["up"]] * 5
    assert held.accept(["x", "a", "up"], 2.0) == ["x", "a", "up"]


def test_the_clock_is_the_monotonic_one_by_default():
    held = KeyRepeatFilter({"a"})
    assert held.accept(["a"]) == ["a"]
    assert held.accept(["a"]) == []
