"""A Kalman filter on the nominal arm, rolled forward over the delay by the past commands."""

import mujoco
import numpy as np

from msk_arm.names import N_SUB
from msk_proprioception.estimate import Estimate, Estimator
from msk_proprioception.names import MUSCLES
from msk_proprioception.sensors import low_pass_share
from mujoco_ros_common.model import ids

# state: joint angles, velocities, disturbance torques, low-passed velocities (two each)
Q, V, D, W = slice(0, 2), slice(2, 4), slice(4, 6), slice(6, 8)
TORQUE_STD = 0.05  # N m, torque in a tick that neither the Golgi organs nor the disturbance explain
DISTURBANCE_RATE = np.array([0.2, 0.07])  # N m / sqrt(s), random walk of the disturbance
DISTURBANCE_STD = np.array([0.3, 0.3])  # N m, at the start
START_STD = 0.3  # rad/s, of the velocity at the start
STRENGTH_STD = 0.1  # -, of a muscle's strength at the start
STRENGTH_RATE = 0.01  # 1 / sqrt(s), its random walk: fatigue
FORCE_MODEL_STD = 0.05  # -, of a modelled active force, its strength aside
PASSIVE_MODEL_STD = 0.5  # -, of a modelled passive force
FORCE_FLOOR_STD = 1.0  # N, of any modelled force
STRENGTH_LIMITS = (0.2, 2.0)
OFFSET_SHARE = 0.05  # -, of a force surprise that is put down to the model in a sample
SMALLEST_STD = 1e-6  # of a sense without noise


class Filter(Estimator):
    """Estimates the joints where the newest sample was taken, and from there where they are now.

    From sample to sample the arm moves by the nominal model, with muscle forces corrected by
    those that the Golgi organs have felt at both ends; a disturbance torque takes over what the
    nominal masses and moment arms do not explain. The spindle velocity's low-pass is part of the
    state, so that its lag biases nothing. Each muscle's strength is estimated beside, from felt
    over modelled force, and what is left on average counts as a constant force. Over the delay, the
    nominal arm follows the commands.
    """

    def __init__(self, settings, model=None):
        super().__init__(settings, model)
        self.data = mujoco.MjData(self.model)
        self._own = ids(self.model, "actuator", MUSCLES)
        self._peak = self.model.actuator_gainprm[self._own, 2].copy()
        self._arms = settings.moment_arms
        self.reset()

    def reset(self):
        super().reset()
        self._time_ns = None
        self.strength, self._doubt = np.ones(len(MUSCLES)), STRENGTH_STD**2

    @property
    def disturbance(self):
        """Torques (2,) in N m that the nominal arm does not explain; None before any sample."""
        return None if self._time_ns is None else self._x[D].copy()

    def sense(self, sample):
        late = self._time_ns is not None and sample.time_ns - self._time_ns
        if self._time_ns is None or not 0 < late <= 1e9 * self.settings.max_gap_s:
            self._begin(sample)
        else:
            self._propagate(sample)
            self._correct(sample)
        self._time_ns, self._force = sample.time_ns, sample.force
        self._learn_strength(sample.force)
        left = self._surprise(self._x[Q], self._x[V], self._time_ns, sample.force)
        self._offset = self._offset + OFFSET_SHARE * (left - self._offset)

    def estimate(self, now_ns):
        if self._time_ns is None:
            return None
        q, v, time, x = self._x[Q], self._x[V], self._time_ns, self._x
        ticks = max(0, round((now_ns - time) / self.tick_ns))
        torque = x[D] - self._arms.T @ self._offset
        for _ in range(ticks):
            q, v = self._tick(q, v, torque, time)
            time += self.tick_ns
        ahead = 1e-9 * ticks * self.tick_ns
        p = self._transition(ahead, x[Q]) @ self._p @ self._transition(ahead, x[Q]).T
        p[V, V] += self._torque_noise(x[Q]) * (ahead / 0.01)
        std = np.sqrt(np.diag(p)[:4])
        return Estimate(np.array(q), np.array(v), std, self.efference.at(now_ns)[1])

    def _begin(self, sample):
        self._x = np.zeros(8)
        self._x[Q] = self.inversion.angles(sample.length, sample.force)
        self._p = np.zeros((8, 8))
        self._p[Q, Q] = self._noise(0) * self.inversion.spread
        self._p[V, V] = START_STD**2 * np.eye(2)
        self._p[D, D] = np.diag(DISTURBANCE_STD**2)
        self._stretching, self._offset = np.zeros(len(MUSCLES)), np.zeros(len(MUSCLES))

    def _noise(self, channel):
        return max(self.settings.noise_std()[channel], SMALLEST_STD) ** 2

    def _tick(self, q, v, disturbance, time_ns):
        """Joint angles and velocities a tick after time_ns, by the nominal arm."""
        data = self.data
        excitations, data.act[:] = self.efference.at(time_ns)
        data.ctrl[:] = excitations
        data.qpos[:], data.qvel[:] = q, v
        data.qfrc_applied[:] = disturbance
        data.qacc_warmstart[:] = 0.0
        mujoco.mj_step(self.model, data, N_SUB)
        return data.qpos.tolist(), data.qvel.tolist()

    def _modelled(self, q, v, activations):
        """Active and passive muscle forces (6,) each, by the nominal muscles with unit strength."""
        lengths, speeds = (self._arms @ q).tolist(), (self._arms @ v).tolist()
        muscles = self.dynamics.muscles
        active = [
            a * muscle.active(length, speed)
            for muscle, a, length, speed in zip(muscles, activations, lengths, speeds)
        ]
        passive = [muscle.passive(length) for muscle, length in zip(muscles, lengths)]
        return np.array(active), np.array(passive)

    def _surprise(self, q, v, time_ns, force):
        """Felt less modelled force (6,)."""
        active, passive = self._modelled(q, v, self.efference.at(time_ns)[1])
        return force - self.strength * (active + passive)

    def _propagate(self, sample):
        """The nominal arm from the last sample to this one, then the forces that were felt."""
        x, start = self._x, self._time_ns
        span_ns = sample.time_ns - start
        span = 1e-9 * span_ns
        before = self._surprise(x[Q], x[V], start, self._force)
        q, v = x[Q], x[V]
        for k in range(max(1, round(span_ns / self.tick_ns))):
            q, v = self._tick(q, v, x[D], start + k * self.tick_ns)
        after = self._surprise(q, v, sample.time_ns, sample.force)
        inverse = self._inverse_mass(q)
        old = x[Q].copy()
        transition = self._transition(span, old)
        push = -inverse @ (self._arms.T @ (0.5 * (before + after)))
        x[V] = v + span * push
        x[Q] = q + 0.5 * span**2 * push
        share = low_pass_share(span, self.settings.velocity_filter_tau_s)
        x[W] += share * ((x[Q] - old) / span - x[W])
        self._stretching += share * (
            (sample.force - self._force) / self.settings.tendon_stiffness / span - self._stretching
        )
        for axis in range(2):
            transition[6 + axis, axis] = 0.0
            transition[6 + axis, 2 + axis] = share
            transition[6 + axis, 6 + axis] = 1.0 - share
        p = transition @ self._p @ transition.T
        p[V, V] += self._torque_noise(q) * (span / 0.01)
        p[Q, Q] += 0.25 * span**2 * self._torque_noise(q) * (span / 0.01)
        p[D, D] += span * np.diag(DISTURBANCE_RATE**2)
        self._p = p

    def _correct(self, sample):
        """Kalman's correction by joint angles and low-passed joint velocities of the senses."""
        seen = np.concatenate(
            [
                self.inversion.angles(sample.length, sample.force),
                self.inversion.velocities(sample.velocity, self._stretching),
            ]
        )
        rows = [0, 1, 6, 7]
        innovation = seen - self._x[rows]
        r = np.zeros((4, 4))
        r[:2, :2] = self._noise(0) * self.inversion.spread
        r[2:, 2:] = self._noise(1) * self.inversion.spread
        ph = self._p[:, rows]
        gain = np.linalg.solve(ph[rows] + r, ph.T).T
        self._x = self._x + gain @ innovation
        self._p = self._p - gain @ ph.T
        self._p = 0.5 * (self._p + self._p.T)

    def _learn_strength(self, force):
        """Felt over modelled force, a scalar Kalman filter for each muscle."""
        activations = self.efference.at(self._time_ns)[1]
        active, passive = self._modelled(self._x[Q], self._x[V], activations)
        modelled = active + passive
        doubt = self._doubt + STRENGTH_RATE**2 * 1e-9 * self.tick_ns
        noise = self._noise(2) + FORCE_FLOOR_STD**2
        noise = noise + (FORCE_MODEL_STD * active) ** 2 + (PASSIVE_MODEL_STD * passive) ** 2
        gain = doubt * modelled / (doubt * modelled**2 + noise)
        self.strength = self.strength + gain * (force - self.strength * modelled)
        self.strength = np.clip(self.strength, *STRENGTH_LIMITS)
        self._doubt = (1.0 - gain * modelled) * doubt
        self.model.actuator_gainprm[self._own, 2] = self._peak * self.strength
        self.model.actuator_biasprm[self._own, 2] = self._peak * self.strength

    def _inverse_mass(self, q):
        m11, m12, m22 = self.dynamics.mass(q[1])
        return np.array([[m22, -m12], [-m12, m11]]) / (m11 * m22 - m12 * m12)

    def _torque_noise(self, q):
        """Covariance (2, 2) of the velocity after a tick of 10 ms of unexplained torque."""
        inverse = self._inverse_mass(q)
        return (TORQUE_STD * 0.01) ** 2 * inverse @ inverse

    def _transition(self, span, q):
        """Derivative (8, 8) of the state after `span` (s) to the state before, W aside."""
        f = np.eye(8)
        f[0, 2] = f[1, 3] = span
        inverse = self._inverse_mass(q)
        f[V, D] = span * inverse
        f[Q, D] = 0.5 * span**2 * inverse
        return f
