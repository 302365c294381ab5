"""A transmission delay, exact in time at any rate."""

from collections import deque

TOLERANCE_NS = 1000  # stamps are cut to nanoseconds and sums of floats are not exact


class DelayLine:
    """Holds samples back until they are `delay` old.

    Times are whole nanoseconds, so that 0.29 s is 29 samples of 10 ms and not 28. Nothing comes
    out before the first sample is old enough, nothing twice, and nothing out of order: a longer
    delay set on the way leaves a gap, a shorter one skips samples.

    Args:
        delay_s: s.
    """

    def __init__(self, delay_s=0.0):
        self.set_delay(delay_s)
        self._waiting = deque()

    def set_delay(self, delay_s):
        """Change the delay (s, >= 0) from the next `pop` on."""
        if not delay_s >= 0.0:
            raise ValueError(f"expected a delay >= 0 s, got {delay_s}")
        self.delay_ns = round(delay_s * 1e9)

    def push(self, time_ns, item):
        """Take in an item of a later time than all before."""
        self._waiting.append((time_ns, item))

    def pop(self, now_ns):
        """The newest item that is old enough and has not come out yet; None where there is none."""
        newest, latest = None, now_ns - self.delay_ns + TOLERANCE_NS
        while self._waiting and self._waiting[0][0] <= latest:
            newest = self._waiting.popleft()[1]
        return newest

    def clear(self):
        """Forget everything that waits."""
        self._waiting.clear()

    def __len__(self):
        return len(self._waiting)
