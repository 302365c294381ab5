"""Firing rates of spindle and Golgi afferents (pulses/s), beside the mechanical signals.

All models work on any number of muscles at once; rates are never below 0.
"""

import math

import numpy as np

# Mileusnic, Brown, Lan & Loeb 2006, doi:10.1152/jn.00868.2005, table 1. Columns: bag1, bag2, chain.
# Lengths in optimal fibre lengths L0, forces in their force units FU.
K_SR, K_PR = 10.4649, 0.15  # FU/L0, sensory and polar region
BETA_0 = np.array([0.0605, 0.0822, 0.0822])  # FU/(L0/s), passive damping
BETA_DYNAMIC = np.array([0.2592, 0.0, 0.0])
BETA_STATIC = np.array([0.0, -0.0460, -0.0690])
GAMMA_DYNAMIC = np.array([0.0289, 0.0, 0.0])  # FU
GAMMA_STATIC = np.array([0.0, 0.0636, 0.0954])
C_SHORTENING = 0.42  # -, damping against that of lengthening
SLACK_R, L0_SR, L0_PR = 0.46, 0.04, 0.76  # L0
LN_SR, LN_PR, L_SECONDARY = 0.0423, 0.89, 0.04  # L0
G_PRIMARY = np.array([20000.0, 10000.0, 10000.0])  # pulses/s per L0
G_SECONDARY = np.array([0.0, 7250.0, 7250.0])
X_SECONDARY = 0.7  # -, share of the secondary ending on the sensory region
POWER_A = 0.3  # -, of the polar velocity
OCCLUSION = 0.156  # -, share of the weaker drive that adds to the stronger in the primary
GAMMA_HALF = np.array([60.0, 60.0, 90.0])  # pulses/s, half activation (Hill exponent 2)
GAMMA_TAU = np.array([0.149, 0.205])  # s, bag1 and bag2; the chain follows at once


def prochazka_ia(stretch, velocity):
    """Ia rate, Prochazka & Gorassini 1998, doi:10.1111/j.1469-7793.1998.277bu.x, without EMG.

    4.3 v^0.6 + 2 d + 82 with v in mm/s (odd in v) and d in mm.

    Args:
        stretch: fibre length over its resting length (m). velocity: m/s. Arrays (n,).
    """
    v, d = 1e3 * np.asarray(velocity), 1e3 * np.asarray(stretch)
    return np.maximum(4.3 * np.sign(v) * np.abs(v) ** 0.6 + 2.0 * d + 82.0, 0.0)


def prochazka_ii(stretch):
    """II rate, Prochazka 1999, doi:10.1016/S0079-6123(08)62850-2: 13.5 d + 80, d in mm."""
    return np.maximum(13.5e3 * np.asarray(stretch) + 80.0, 0.0)


class MileusnicSpindle:
    """Primary and secondary endings on bag1, bag2 and chain fibres with gamma drive.

    The intrafusal mass (0.0002 FU/(L0/s^2)) is left out, which changes the rates in the source's
    ramps by less than 2 % up to 1.55 L0/s; what remains is solved for the velocity of the polar
    region,

        u = sign(w) |w|^(1/a),  w = (T - K_PR (L - T/K_SR - L0_SR - L0_PR) - Gamma) / (C beta l),

    with l = L - L0_SR - T/K_SR - R, and T' = K_SR (L' - u) by linearly implicit steps.

    Args:
        n: muscles. step: s, longest internal step.
    """

    def __init__(self, n, step=0.001):
        self.n, self.step = n, step
        self.reset()

    def reset(self):
        """No history: the next length counts as held for ever."""
        self._length, self._tension = None, None
        self._activation = np.zeros(3)

    def advance(self, length, dt, dynamic=0.0, static=0.0):
        """Rates after dt (s) in which the length went evenly to `length`.

        Args:
            length: fibre length in L0 (n,). dynamic, static: fusimotor drive, pulses/s.

        Returns:
            (primary, secondary): (n,) each.
        """
        length = np.asarray(length, dtype=float)
        if self._length is None:
            self._activation = self._drive(dynamic, static)
            self._tension = self.rest_tension(length, self._activation)
        else:
            steps = max(1, math.ceil(dt / self.step - 1e-9))
            h, rate = dt / steps, (length - self._length) / dt
            goal = self._drive(dynamic, static)
            fade = np.append(np.exp(-h / GAMMA_TAU), 0.0)
            for k in range(1, steps + 1):
                self._activation = goal + (self._activation - goal) * fade
                self._step(self._length + rate * (k * h), rate, h)
        self._length = length
        return self.rates(length, self._tension)

    @staticmethod
    def rest_tension(length, activation):
        """Tension of the three fibres at a length held for ever, in closed form: (n, 3)."""
        active = GAMMA_DYNAMIC * activation[0] + GAMMA_STATIC * activation
        passive = K_PR * (np.asarray(length)[:, None] - L0_SR - L0_PR)
        return (passive + active) / (1.0 + K_PR / K_SR)

    @staticmethod
    def rates(length, tension):
        """Primary and secondary rates (n,) of lengths (n,) and tensions (n, 3)."""
        sensory = tension / K_SR - (LN_SR - L0_SR)
        primary = np.maximum(G_PRIMARY * sensory, 0.0)
        bag1, others = primary[:, 0], primary[:, 1] + primary[:, 2]
        ia = np.maximum(bag1, others) + OCCLUSION * np.minimum(bag1, others)
        polar = np.asarray(length)[:, None] - tension / K_SR - L0_SR - LN_PR
        mixed = X_SECONDARY * (L_SECONDARY / L0_SR) * sensory
        mixed = mixed + (1.0 - X_SECONDARY) * (L_SECONDARY / L0_PR) * polar
        return ia, np.maximum(G_SECONDARY * mixed, 0.0).sum(axis=1)

    @staticmethod
    def _drive(dynamic, static):
        rate = np.array([dynamic, static, static]) ** 2
        return rate / (rate + GAMMA_HALF**2)

    def _step(self, length, rate, h):
        a = self._activation
        beta = BETA_0 + BETA_DYNAMIC * a[0] + BETA_STATIC * a
        active = GAMMA_DYNAMIC * a[0] + GAMMA_STATIC * a
        tension, length = self._tension, length[:, None]
        polar = length - L0_SR - tension / K_SR
        excess = tension - K_PR * (polar - L0_PR) - active
        drag = np.where(excess >= 0.0, 1.0, C_SHORTENING) * beta * np.maximum(polar - SLACK_R, 0.05)
        w = excess / drag
        u = np.sign(w) * np.abs(w) ** (1.0 / POWER_A)
        slope = np.abs(w) ** (1.0 / POWER_A - 1.0) / POWER_A * (1.0 + K_PR / K_SR) / drag
        change = h * K_SR * (rate[:, None] - u) / (1.0 + h * K_SR * slope)
        self._tension = np.maximum(tension + change, 0.0)


class GolgiOrgan:
    """Ib rate, Lin & Crago 2002, doi:10.1114/1.1433491: 60 ln(F / 4 + 1), F in N, through

        H(s) = (1.7 s^2 + 2.58 s + 0.4) / (s^2 + 2.2 s + 0.4),

    which passes fast changes 1.7-fold and steady ones as they are. Integrated exactly for an
    input held between samples.

    Args:
        n: muscles.
    """

    # H = 1.7 + (B1 s + B0) / (s^2 + A1 s + A0), in controllable form
    FAST, A1, A0 = 1.7, 2.2, 0.4
    B1, B0 = 2.58 - 1.7 * 2.2, 0.4 - 1.7 * 0.4

    def __init__(self, n):
        self.n = n
        self._dt = None
        self.reset()

    def reset(self):
        """No history: the next force counts as held for ever."""
        self._state = None

    def advance(self, force, dt):
        """Rates (n,) when, after dt (s) at the force before, the force (n,) in N is reached."""
        static = self.static(force)
        if self._state is None:
            self._state = np.array([static / self.A0, np.zeros(self.n)])
        else:
            if dt != self._dt:
                self._prepare(dt)
            self._state = self._transition @ self._state + self._input * self._held
        self._held = static
        slow = self.B0 * self._state[0] + self.B1 * self._state[1]
        return np.maximum(self.FAST * static + slow, 0.0)

    @staticmethod
    def static(force):
        """Rate of a force held for ever."""
        return 60.0 * np.log(np.maximum(force, 0.0) / 4.0 + 1.0)

    def _prepare(self, dt):
        """Exact transition of x'' + A1 x' + A0 x = u over dt, from its two real poles."""
        self._dt = dt
        root = math.sqrt(self.A1**2 - 4.0 * self.A0)
        p, q = 0.5 * (-self.A1 + root), 0.5 * (-self.A1 - root)
        ep, eq = math.exp(p * dt), math.exp(q * dt)
        self._transition = np.array(
            [[p * eq - q * ep, ep - eq], [p * q * (eq - ep), p * ep - q * eq]]
        ) / (p - q)
        rest = np.array([1.0 / self.A0, 0.0])
        self._input = (rest - self._transition @ rest)[:, None]


class Afferents:
    """The three firing rates of all muscles, from clean mechanical signals.

    Args:
        settings: SensorSettings (spindle_model, resting_lengths, gamma drives; read at each step).
    """

    def __init__(self, settings):
        self.settings = settings
        n = len(settings.resting_lengths)
        self._spindle, self._golgi = MileusnicSpindle(n), GolgiOrgan(n)
        self._model, self._time_ns = None, None

    def advance(self, time_ns, clean):
        """Rates (ia, ii, ib), (n,) each, at a time (ns) from clean signals (4, n)."""
        s = self.settings
        length, velocity, force, _ = clean
        dt = None if self._time_ns is None else 1e-9 * (time_ns - self._time_ns)
        if dt is None or not 0.0 < dt <= s.max_gap_s or s.spindle_model != self._model:
            self._spindle.reset()
            self._golgi.reset()
        self._time_ns, self._model = time_ns, s.spindle_model
        ib = self._golgi.advance(force, dt)
        if s.spindle_model == "prochazka":
            stretch = length - s.resting_lengths
            return prochazka_ia(stretch, velocity), prochazka_ii(stretch), ib
        ia, ii = self._spindle.advance(
            length / s.resting_lengths, dt, s.gamma_dynamic_pps, s.gamma_static_pps
        )
        return ia, ii, ib
