"""Past commands, and the activations that they have made: the arm's own knowledge of its drive."""

from collections import deque

import numpy as np

from msk_proprioception.names import MUSCLES

N = len(MUSCLES)
KEEP_NS = 1_500_000_000  # longer than any delay


class Efference:
    """Commands of the recent past, each held for one control tick.

    Args:
        muscles: six `mujoco_ros_common.muscle.Muscle` (activation dynamics).
        substep: s, of the activation dynamics. n_sub: substeps in a tick.
    """

    def __init__(self, muscles, substep, n_sub):
        self._muscles, self._substep, self._n_sub = muscles, substep, n_sub
        self.tick_ns = round(1e9 * substep * n_sub)
        self.reset()

    def reset(self):
        """No commands yet, no activation."""
        self._past = deque()  # (start_ns, excitations, activations at the start)
        self.activations = [0.0] * N  # at the end of the last command

    def push(self, start_ns, excitations):
        """Take note of the command that drives the muscles from start_ns on for a tick.

        Ticks without a command count as driven by the last one. A time that goes back begins
        anew.
        """
        values = [float(value) for value in excitations]
        if self._past:
            missing = round((start_ns - self._past[-1][0]) / self.tick_ns) - 1
            if missing < -1 or missing * self.tick_ns > KEEP_NS:
                self.reset()
            elif missing == -1:
                return  # the same tick once more
            else:
                last, held = self._past[-1][:2]
                for k in range(missing):
                    self._append(last + (k + 1) * self.tick_ns, held)
        self._append(start_ns, values)
        while self._past[0][0] < start_ns - KEEP_NS:
            self._past.popleft()

    def _append(self, start_ns, values):
        self._past.append((start_ns, values, self.activations))
        self.activations = [
            muscle.advance(u, a, self._substep, self._n_sub)
            for muscle, u, a in zip(self._muscles, values, self.activations)
        ]

    def at(self, time_ns):
        """Excitations and activations (six each) at the beginning of the tick at time_ns.

        Before the first command: no drive, no activation. After the last: its drive, held.
        """
        if not self._past:
            return [0.0] * N, [0.0] * N
        back = round((self._past[-1][0] - time_ns) / self.tick_ns)
        if back < 0:
            return self._past[-1][1], self.activations
        if back >= len(self._past):
            return [0.0] * N, [0.0] * N
        return self._past[-1 - back][1:]

    def recent(self, now_ns, n):
        """The last n commands that end at now_ns or before, newest first: array (n, 6)."""
        return np.array([self.at(now_ns - (k + 1) * self.tick_ns)[0] for k in range(n)])
