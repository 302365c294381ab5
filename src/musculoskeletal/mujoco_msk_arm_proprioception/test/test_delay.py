"""The delay line: exact at every multiple of 10 ms, and sound when it is changed on the way."""

import numpy as np
import pytest

from msk_proprioception.delay import DelayLine

TICK = 10_000_000  # ns


@pytest.mark.parametrize("hundredths", range(0, 101))
def test_delay_is_exact_to_the_tick(hundredths):
    """0.29 s at 10 ms is 29 samples, though 0.29 / 0.01 is 28.999... in floating point."""
    line = DelayLine(hundredths / 100.0)
    out = []
    for k in range(130):
        line.push(k * TICK, k)
        out.append(line.pop(k * TICK))
    assert out == [None] * hundredths + list(range(130 - hundredths))


@pytest.mark.parametrize("rate", [50.0, 60.0, 100.0, 250.0, 333.0, 1000.0])
def test_delay_is_in_time_whatever_the_rate(rate):
    line, delay = DelayLine(0.1), 100_000_000
    times = [round(1e9 * k / rate) for k in range(200)]
    for now in times:
        line.push(now, now)
        got = line.pop(now)
        ripe = [time for time in times if time <= now - delay + 1000]
        assert got == (ripe[-1] if ripe else None)


def test_stamps_cut_to_nanoseconds_and_float_sums_still_count():
    line, time = DelayLine(0.03), 0.0
    for k in range(1000):
        line.push(int(time * 1e9), k)
        assert line.pop(int(time * 1e9)) == (k - 3 if k >= 3 else None)
        time += 0.01


def test_a_longer_delay_leaves_a_gap_and_repeats_nothing():
    line, out = DelayLine(0.02), []
    for k in range(30):
        if k == 10:
            line.set_delay(0.07)
        line.push(k * TICK, k)
        out.append(line.pop(k * TICK))
    assert out == [None, None] + list(range(8)) + [None] * 5 + list(range(8, 23))


def test_a_shorter_delay_skips_and_keeps_the_order():
    line, out = DelayLine(0.07), []
    for k in range(30):
        if k == 10:
            line.set_delay(0.02)
        line.push(k * TICK, k)
        out.append(line.pop(k * TICK))
    assert out == [None] * 7 + [0, 1, 2] + list(range(8, 28))


def test_random_changes_never_repeat_or_reorder():
    rng, line, last = np.random.default_rng(3), DelayLine(0.03), -1
    for k in range(5000):
        if rng.random() < 0.1:
            line.set_delay(rng.integers(0, 101) / 100.0)
        line.push(k * TICK, k)
        got = line.pop(k * TICK)
        if got is not None:
            assert last < got <= k - round(line.delay_ns / TICK)
            last = got
    assert last > 4000
    assert len(line) <= 101


def test_clear_forgets_and_a_negative_delay_is_refused():
    line = DelayLine(0.01)
    line.push(0, "old")
    line.clear()
    assert line.pop(10 * TICK) is None
    with pytest.raises(ValueError, match="expected a delay >= 0"):
        line.set_delay(-0.01)
    with pytest.raises(ValueError):
        DelayLine(float("nan"))
