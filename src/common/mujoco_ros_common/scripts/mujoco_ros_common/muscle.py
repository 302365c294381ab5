"""MuJoCo's Hill muscle outside MuJoCo: force, passive force, activation dynamics, exact inverses.

Two forms of the same equations: `Muscles` works on numpy arrays of any number of states,
`Muscle` on plain floats, which for one state of a few muscles is several times faster.
Forces are tensions, positive where the muscle pulls (MuJoCo's actuator forces are negative).

Equations: MuJoCo's documentation, "Muscle actuators"; activation dynamics after Millard et al.
2013, doi:10.1115/1.4023390, with hard switching between the two time constants.
"""

import mujoco
import numpy as np

from mujoco_ros_common.errors import UserError

_TINY = 1e-15  # mjMINVAL


class Muscles:
    """Muscle actuators of a model, as arrays.

    Args:
        model: mujoco.MjModel
        actuators: addresses of the actuators; all of them by default.

    Attributes (each an array (n,)): peak_force (N), optimal_length L0 (m), tendon_length LT (m;
        negative where the length range is an excursion and no length), lower (m), vmax (L0/s),
        tau_activation, tau_deactivation (s), and the curves' shapes.

    Raises:
        UserError: an actuator is no muscle, or its activation dynamics is smoothed.
    """

    def __init__(self, model, actuators=None):
        ids = np.arange(model.nu) if actuators is None else np.asarray(actuators, dtype=int)
        if (model.actuator_gaintype[ids] != mujoco.mjtGain.mjGAIN_MUSCLE).any():
            raise UserError("expected muscle actuators, the model has others")
        gain, bias = model.actuator_gainprm[ids], model.actuator_biasprm[ids]
        dynamics, span = model.actuator_dynprm[ids], model.actuator_lengthrange[ids]
        if dynamics[:, 2].any():
            raise UserError("expected muscles with tausmooth 0, the model has others")
        peak, passive = (
            np.where(p[:, 2] >= 0, p[:, 2], p[:, 3] / np.maximum(_TINY, model.actuator_acc0[ids]))
            for p in (gain, bias)
        )
        self.peak_force, self.passive_peak = peak, passive
        self.optimal_length = (span[:, 1] - span[:, 0]) / np.maximum(_TINY, gain[:, 1] - gain[:, 0])
        self.range_low, self.lower = gain[:, 0].copy(), span[:, 0].copy()
        self.tendon_length = self.lower - self.range_low * self.optimal_length
        self.lmin, self.lmax, self.vmax = (gain[:, k].copy() for k in (4, 5, 6))
        self.fpmax, self.fvmax = bias[:, 7].copy(), gain[:, 8].copy()
        self.tau_activation, self.tau_deactivation = dynamics[:, 0].copy(), dynamics[:, 1].copy()

    def __len__(self):
        return len(self.peak_force)

    def singles(self):
        """The same muscles one by one: a list of `Muscle`."""
        return [Muscle(self, k) for k in range(len(self))]

    def normalized_length(self, length):
        """Fibre length over L0, of an actuator length (m); arrays (..., n)."""
        return self.range_low + (length - self.lower) / self.optimal_length

    def force_length(self, length):
        """Active force-length factor, 0..1, of an actuator length (m); arrays (..., n)."""
        x = self.normalized_length(length)
        low, high = 0.5 * (self.lmin + 1.0), 0.5 * (1.0 + self.lmax)
        rise = 0.5 * ((x - self.lmin) / np.maximum(_TINY, low - self.lmin)) ** 2
        left = 1.0 - 0.5 * ((1.0 - x) / np.maximum(_TINY, 1.0 - low)) ** 2
        right = 1.0 - 0.5 * ((x - 1.0) / np.maximum(_TINY, high - 1.0)) ** 2
        fall = 0.5 * ((self.lmax - x) / np.maximum(_TINY, self.lmax - high)) ** 2
        inside = (x >= self.lmin) & (x <= self.lmax)
        return np.select([~inside, x <= low, x <= 1.0, x <= high], [0.0, rise, left, right], fall)

    def force_velocity(self, velocity):
        """Force-velocity factor, 0..fvmax, of an actuator velocity (m/s); arrays (..., n)."""
        v = velocity / np.maximum(_TINY, self.optimal_length * self.vmax)
        y = self.fvmax - 1.0
        longer = self.fvmax - (y - v) ** 2 / np.maximum(_TINY, y)
        return np.select([v <= -1.0, v <= 0.0, v <= y], [0.0, (v + 1.0) ** 2, longer], self.fvmax)

    def active(self, length, velocity):
        """Tension per activation (N); arrays (..., n)."""
        return self.peak_force * self.force_length(length) * self.force_velocity(velocity)

    def passive(self, length):
        """Passive tension (N); arrays (..., n)."""
        x = self.normalized_length(length)
        half = np.maximum(_TINY, 0.5 * (self.lmax - 1.0))
        ratio = (x - 1.0) / half
        shape = np.select([x <= 1.0, ratio <= 1.0], [0.0, 0.5 * ratio**2], ratio - 0.5)
        return self.passive_peak * self.fpmax * shape

    def force(self, activation, length, velocity):
        """Tension (N) of activations 0..1, lengths (m), velocities (m/s); arrays (..., n)."""
        return activation * self.active(length, velocity) + self.passive(length)

    def activation(self, force, length, velocity):
        """The activation that gives a tension, exactly, not limited to 0..1; arrays (..., n).

        Where the muscle can give no active force (fibre outside lmin..lmax, or shortening at
        vmax and faster), the answer is 0 for what the passive force gives alone, else inf.
        """
        wanted = np.asarray(force - self.passive(length), dtype=float)
        gain = np.broadcast_to(self.active(length, velocity), wanted.shape)
        out = np.where(wanted == 0.0, 0.0, np.copysign(np.inf, wanted))
        return np.divide(wanted, gain, out=out, where=gain > 0.0)

    def rate(self, excitation, activation):
        """Time derivative of the activation (1/s), the excitation clamped to 0..1."""
        shape = 0.5 + 1.5 * np.clip(activation, 0.0, 1.0)
        gap = np.clip(excitation, 0.0, 1.0) - activation
        tau = np.where(gap > 0.0, self.tau_activation * shape, self.tau_deactivation / shape)
        return gap / np.maximum(_TINY, tau)

    def advance(self, excitation, activation, dt, n=1):
        """The activation after n steps of dt (s) under one excitation, as MuJoCo integrates it."""
        for _ in range(n):
            activation = activation + dt * self.rate(excitation, activation)
        return activation


class Muscle:
    """One muscle on plain floats; the names and equations are those of `Muscles`.

    Args:
        muscles: the `Muscles` it belongs to. index: which of them.
    """

    def __init__(self, muscles, index):
        m = {name: float(values[index]) for name, values in vars(muscles).items()}
        self.peak_force, self.optimal_length = m["peak_force"], m["optimal_length"]
        self.tau_activation, self.tau_deactivation = m["tau_activation"], m["tau_deactivation"]
        self._scale = 1.0 / m["optimal_length"]
        self._offset = m["range_low"] - m["lower"] / m["optimal_length"]
        self._lmin, self._lmax, self._fvmax = m["lmin"], m["lmax"], m["fvmax"]
        self._low, self._high = 0.5 * (m["lmin"] + 1.0), 0.5 * (1.0 + m["lmax"])
        self._speed = 1.0 / max(_TINY, m["optimal_length"] * m["vmax"])
        self._passive = m["passive_peak"] * m["fpmax"]

    def active(self, length, velocity):
        """Tension per activation (N) at a length (m) and velocity (m/s)."""
        v = velocity * self._speed
        x = self._offset + length * self._scale
        if v <= -1.0 or x < self._lmin or x > self._lmax:
            return 0.0
        if v <= 0.0:
            factor = (v + 1.0) * (v + 1.0)
        elif v <= self._fvmax - 1.0:
            gap = self._fvmax - 1.0 - v
            factor = self._fvmax - gap * gap / max(_TINY, self._fvmax - 1.0)
        else:
            factor = self._fvmax
        if x <= self._low:
            r = (x - self._lmin) / max(_TINY, self._low - self._lmin)
            return self.peak_force * factor * 0.5 * r * r
        if x <= 1.0:
            r = (1.0 - x) / max(_TINY, 1.0 - self._low)
        elif x <= self._high:
            r = (x - 1.0) / max(_TINY, self._high - 1.0)
        else:
            r = (self._lmax - x) / max(_TINY, self._lmax - self._high)
            return self.peak_force * factor * 0.5 * r * r
        return self.peak_force * factor * (1.0 - 0.5 * r * r)

    def passive(self, length):
        """Passive tension (N) at a length (m)."""
        x = self._offset + length * self._scale
        if x <= 1.0:
            return 0.0
        ratio = (x - 1.0) / max(_TINY, self._high - 1.0)
        return self._passive * (0.5 * ratio * ratio if ratio <= 1.0 else ratio - 0.5)

    def advance(self, excitation, activation, dt, n=1):
        """The activation after n steps of dt (s) under one excitation."""
        u = min(max(excitation, 0.0), 1.0)
        for _ in range(n):
            shape = 0.5 + 1.5 * min(max(activation, 0.0), 1.0)
            if u > activation:
                activation += dt * (u - activation) / (self.tau_activation * shape)
            else:
                activation += dt * (u - activation) * shape / self.tau_deactivation
        return activation

    def excitation(self, activation, target, dt, n=1):
        """The excitation, held over n steps of dt (s), that leads from one activation to another.

        Exact where it can be reached; 0 or 1, whichever leads nearest, where it cannot. Newton's
        method on the recursion of `advance`, which rises with the excitation.

        Args:
            activation, target: 0..1. dt: shorter than half the activation time constant.
        """
        if target == activation:
            return min(max(target, 0.0), 1.0)
        u = target
        rising = target > activation
        rate = dt / self.tau_activation if rising else dt / self.tau_deactivation
        for _ in range(20):
            a, slope = activation, 0.0
            for _ in range(n):
                shape = 0.5 + 1.5 * a
                gap = u - a
                if rising:
                    c = rate / shape
                    slope += c * (1.0 - slope) - 1.5 * gap * slope * c / shape
                else:
                    c = rate * shape
                    slope += c * (1.0 - slope) + 1.5 * gap * slope * rate
                a += c * gap
            error = target - a
            if -1e-12 < error < 1e-12 or (u > 1.0 and error > 0.0) or (u < 0.0 and error < 0.0):
                break
            u = min(max(u + error / slope, -0.01), 1.01)
        return min(max(u, 0.0), 1.0)
