"""A loop that keeps time: deadlines on the monotonic clock."""

import time

import numpy as np


class Pacer:
    """Waits for the next deadline of a loop, and keeps account of how well they are met.

    The deadlines lie a period apart whatever a tick takes, so the rate does not drift. A loop
    that fell behind by less than `max_lag` catches up; behind more, it starts anew from now
    (counted in `resynchronised`) instead of bursting.

    Args:
        period: simulated time of a tick, s.
        factor: real-time factor; 2 runs twice as fast, 0 does not wait at all.
        max_lag: s.
        window: number of periods whose errors are kept.
        clock, sleep: for tests.
    """

    def __init__(
        self, period, factor=1.0, max_lag=0.1, window=2000, clock=time.monotonic, sleep=time.sleep
    ):
        if not period > 0.0 or not factor >= 0.0:
            raise ValueError(f"expected period > 0 and factor >= 0, got {period}, {factor}")
        self.period = period / factor if factor else 0.0
        self.max_lag, self._clock, self._sleep = max_lag, clock, sleep
        self._errors = np.zeros(window)
        self.start()

    def start(self):
        """Begin to count, and to keep time, from now."""
        self.ticks = self.late = self.resynchronised = 0
        self._start = self._deadline = self._woken = self._clock()

    def wait(self):
        """Sleep until the next deadline; returns how late it woke, s."""
        self._deadline += self.period
        now = self._clock()
        if self._deadline > now:
            self._sleep(self._deadline - now)
            now = self._clock()
        elif not self.period:
            self._sleep(0.0)  # lets the other threads have a turn
            self._deadline = now
        late = now - self._deadline
        self._errors[self.ticks % len(self._errors)] = now - self._woken - self.period
        self._woken = now
        self.ticks += 1
        if self.period and late > 0.5 * self.period:
            self.late += 1
        if self.period and late > self.max_lag:
            self.resynchronised += 1
            self._deadline = now
        return late

    def period_error(self, quantile):
        """Quantile of |period - nominal| over the last `window` ticks, s."""
        errors = self._errors[: min(self.ticks, len(self._errors))]
        return float(np.quantile(np.abs(errors), quantile)) if errors.size else 0.0

    def now(self):
        """The clock of the deadlines, s."""
        return self._clock()

    def rate(self):
        """Mean rate since the start, Hz."""
        elapsed = self._woken - self._start
        return self.ticks / elapsed if elapsed > 0.0 else 0.0
