"""Keeping time, on a clock of the test's own."""

import numpy as np
import pytest

from mujoco_ros_common.pacing import Pacer


class Clock:
    """A clock that only moves when somebody sleeps or works."""

    def __init__(self, oversleep=0.0):
        self.now, self.slept, self.oversleep = 1000.0, [], oversleep

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        assert seconds >= 0.0
        self.slept.append(seconds)
        self.now += seconds + (self.oversleep if seconds else 0.0)


def pacer(clock, period=0.01, **options):
    return Pacer(period, clock=clock, sleep=clock.sleep, **options)


def test_no_drift_over_a_minute_whatever_a_tick_takes():
    clock = Clock(oversleep=0.0002)
    rng = np.random.default_rng(0)
    loop = pacer(clock)
    for _ in range(6000):
        clock.now += rng.uniform(0.0, 0.009)
        loop.wait()
    assert clock.now - 1000.0 == pytest.approx(60.0, abs=0.001)
    assert loop.rate() == pytest.approx(100.0, rel=1e-4)
    assert (loop.ticks, loop.late, loop.resynchronised) == (6000, 0, 0)


def test_a_late_tick_is_counted_and_caught_up():
    clock = Clock()
    loop = pacer(clock)
    for tick in range(20):
        clock.now += 0.027 if tick == 5 else 0.001
        late = loop.wait()
        if tick == 5:
            assert late == pytest.approx(0.017)
    assert clock.now - 1000.0 == pytest.approx(0.20)
    assert loop.late == 2  # that one by 17 ms, the next by 8 ms
    assert loop.resynchronised == 0


def test_lateness_of_less_than_half_a_period_is_none():
    clock = Clock(oversleep=0.004)
    loop = pacer(clock)
    for _ in range(10):
        loop.wait()
    assert loop.late == 0


def test_far_behind_it_starts_anew_instead_of_bursting():
    clock = Clock()
    loop = pacer(clock, max_lag=0.1)
    loop.wait()
    clock.now += 5.0
    loop.wait()
    assert (loop.late, loop.resynchronised) == (1, 1)
    resumed = clock.now
    for _ in range(10):
        loop.wait()
    assert clock.now - resumed == pytest.approx(0.1)  # at the rate, not as fast as it goes
    assert loop.late == 1


def test_what_happens_before_the_start_counts_for_nothing():
    clock = Clock()
    loop = pacer(clock)
    clock.now += 30.0  # a model is loaded
    loop.start()
    for _ in range(100):
        loop.wait()
    assert loop.rate() == pytest.approx(100.0)
    assert (loop.ticks, loop.late, loop.resynchronised) == (100, 0, 0)
    assert loop.period_error(1.0) == pytest.approx(0.0, abs=1e-9)


def test_factor_two_is_twice_as_fast():
    clock = Clock()
    loop = pacer(clock, factor=2.0)
    for _ in range(100):
        loop.wait()
    assert clock.now - 1000.0 == pytest.approx(0.5)
    assert loop.rate() == pytest.approx(200.0)


def test_factor_zero_does_not_wait_but_lets_others_have_a_turn():
    clock = Clock()
    loop = pacer(clock, factor=0.0)
    for _ in range(100):
        clock.now += 0.001
        assert loop.wait() == 0.0
    assert clock.slept == [0.0] * 100
    assert loop.rate() == pytest.approx(1000.0)
    assert (loop.ticks, loop.late, loop.resynchronised) == (100, 0, 0)


def test_period_errors_are_those_of_the_last_window():
    clock = Clock()
    loop = pacer(clock, window=10)
    assert loop.period_error(0.5) == 0.0
    assert loop.rate() == 0.0
    clock.now += 0.05
    loop.wait()
    assert loop.period_error(1.0) == pytest.approx(0.04)
    for _ in range(20):
        loop.wait()
    assert loop.period_error(1.0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("period", "factor"),
    [(0.0, 1.0), (-1.0, 1.0), (0.01, -1.0), (float("nan"), 1.0), (0.01, float("nan"))],
)
def test_impossible_arguments(period, factor):
    with pytest.raises(ValueError, match="expected period > 0 and factor >= 0"):
        Pacer(period, factor)


def test_on_the_real_clock_it_waits():
    loop = Pacer(0.01)
    for _ in range(10):
        loop.wait()
    assert loop.now() - loop._start >= 0.1
