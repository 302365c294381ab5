"""The sensing core: from joints and muscle forces to what spindles and tendon organs report.

The order is fixed: tendon extension and fibre length, clamped; spindle and tendon organ signals;
noise, which is the receptor's; delay, which is the nerve's and the same for every channel.
"""

import math
from collections import namedtuple

import numpy as np

from msk_proprioception.delay import DelayLine
from msk_proprioception.names import MUSCLES

N = len(MUSCLES)
_BLOCK = 64  # samples of noise that are drawn at once

# time_ns: when the receptors were read; arrays (6,) in m, m/s, N, m; extra: see Sensors
Sample = namedtuple("Sample", "time_ns length velocity force extension extra")


class Sensors:
    """Spindles and Golgi tendon organs of six muscles, each on a series-elastic tendon.

    L_mt = L_rest + J q;  dL_t = max(F / k_t, 0);  L_f = max(L_mt - dL_t, minimum)

    The spindle velocity is the difference quotient of the clean L_f through a first-order
    low-pass, 0 at the first sample; the Golgi organ reports F.

    Args:
        settings: SensorSettings; changes in it count after `refresh`.
        derive: function(time_ns, clean signals (4, 6)) whose result travels with each sample.

    Attributes:
        clipped: dict of how often what was clamped, "extension", "length" (before the noise) and
            "noisy_length" (a length that noise had made negative).
        restarts: how often the time went back or a gap made everything begin anew.
    """

    def __init__(self, settings, derive=None):
        self.settings, self._derive = settings, derive
        self._line = DelayLine(settings.delay_s)
        self.clipped = {"extension": 0, "length": 0, "noisy_length": 0}
        self.clipped_muscles = ()
        self.restarts = 0
        self._seed = None
        self.refresh()
        self._forget()
        self._time_ns = None

    def refresh(self):
        """Make the changed settings count; a new seed starts the noise anew."""
        s = self.settings
        self._rest, self._arms = s.resting_lengths, s.moment_arms
        self._compliance = 1.0 / s.tendon_stiffness
        self._std = np.repeat(s.noise_std(), N)
        self._period_ns = round(1e9 / s.sample_rate_hz)
        self._gap_ns = round(1e9 * s.max_gap_s)
        self._line.set_delay(s.delay_s)
        if s.random_seed != self._seed:
            self._seed = s.random_seed
            self._rng = np.random.default_rng(self._seed)
            self._row = _BLOCK

    def reset(self):
        """Begin anew: no history, nothing on the way, the noise from its start."""
        self._rng = np.random.default_rng(self._seed)
        self._row = _BLOCK
        self._forget()
        self._time_ns = None

    def due(self, time_ns):
        """Whether a sample is to be taken at this time (the rate may be lower than the input's)."""
        return self._time_ns is None or time_ns < self._time_ns or time_ns >= self._due_ns - 1000

    def sense(self, time_ns, angles, forces):
        """Take a sample, and see what arrives.

        Args:
            time_ns: simulation time in whole nanoseconds, later than that of the last sample; an
                earlier one, or a gap of more than max_gap_s, begins anew.
            angles: joint angles (2,), rad. forces: muscle tensions (6,), N.

        Returns:
            Sample that arrives now, or None: the line is not full yet, or nothing is due.
        """
        self.take(time_ns, angles, forces)
        return self._line.pop(time_ns)

    def arrived(self, time_ns):
        """What arrives at a time at which nothing is sampled: Sample or None."""
        return self._line.pop(time_ns)

    def take(self, time_ns, angles, forces):
        """Take a sample and send it on its way; returns the clean signals (4, 6)."""
        if self._time_ns is not None:
            if time_ns == self._time_ns:
                return self.clean
            if not 0 < time_ns - self._time_ns <= self._gap_ns:
                self.restarts += 1
                self._forget()
        self._schedule(time_ns)
        clean = np.empty((4, N))
        length, velocity, force, extension = clean
        force[:] = forces
        np.multiply(force, self._compliance, out=extension)
        if extension.min() < 0.0:
            self._note("extension", extension < 0.0)
            np.maximum(extension, 0.0, out=extension)
        np.dot(self._arms, angles, out=length)
        length += self._rest
        length -= extension
        minimum = self.settings.minimum_fibre_length_m
        if length.min() < minimum:
            self._note("length", length < minimum)
            np.maximum(length, minimum, out=length)
        velocity[:] = self._low_pass(time_ns, length)
        self._time_ns, self.clean = time_ns, clean
        noisy = clean.ravel() + self._std * self._noise()
        if noisy[:N].min() < 0.0:
            self._note("noisy_length", noisy[:N] < 0.0)
            np.maximum(noisy[:N], 0.0, out=noisy[:N])
        noisy = noisy.reshape(4, N)
        extra = self._derive(time_ns, clean) if self._derive else None
        self._line.push(time_ns, Sample(time_ns, *noisy, extra))
        return clean

    def _low_pass(self, time_ns, length):
        if self._length is None:
            self._velocity = np.zeros(N)
        else:
            dt = 1e-9 * (time_ns - self._time_ns)
            tau = self.settings.velocity_filter_tau_s
            self._velocity = self._velocity + low_pass_share(dt, tau) * (
                (length - self._length) / dt - self._velocity
            )
        self._length = length
        return self._velocity

    def _noise(self):
        """24 standard normal numbers; a sequence that depends on the seed and nothing else."""
        if self._row == _BLOCK:
            self._block, self._row = self._rng.standard_normal((_BLOCK, 4 * N)), 0
        self._row += 1
        return self._block[self._row - 1]

    def _schedule(self, time_ns):
        """When the next one is due, so that the rate holds on average whatever the input's."""
        if self._due_ns is None or time_ns - self._due_ns >= self._period_ns:
            self._due_ns = time_ns
        self._due_ns += self._period_ns

    def _forget(self):
        self._line.clear()
        self._length, self._velocity, self._due_ns = None, np.zeros(N), None
        self.clean = None

    def _note(self, what, where):
        self.clipped[what] += int(where.sum())
        self.clipped_muscles = tuple(name for name, hit in zip(MUSCLES, where) if hit)


def low_pass_share(dt, tau):
    """Share of the way that a first-order low-pass goes in dt (s) towards a constant input."""
    return 1.0 - math.exp(-dt / tau) if tau > 0.0 else 1.0
