"""What all estimators of the joints share: their interface, and plain inversion of the senses."""

from collections import namedtuple

import numpy as np

from msk_arm import plant
from msk_arm.dynamics import ArmDynamics
from msk_arm.names import N_SUB
from msk_proprioception.efference import Efference

# arrays (2,) in rad and rad/s, (4,) standard deviations of both, activations: list of 6
Estimate = namedtuple("Estimate", "angles velocities std activations")


class Inversion:
    """Least squares from muscles to joints, undoing the tendons by the sensed force.

    The noise is the same in every channel, so the joint values carry all that the six channels
    tell, with covariance std^2 (J^T J)^-1.

    Args:
        settings: SensorSettings, those of the sensing core.
    """

    def __init__(self, settings):
        self.settings = settings
        self._inverse = np.linalg.pinv(settings.moment_arms)
        self.spread = np.linalg.inv(settings.moment_arms.T @ settings.moment_arms)

    def angles(self, length, force):
        """Joint angles (2,) from spindle lengths and Golgi forces (6,)."""
        s = self.settings
        return self._inverse @ (length + force / s.tendon_stiffness - s.resting_lengths)

    def velocities(self, velocity, stretching=0.0):
        """Joint velocities (2,) from spindle velocities and tendon stretch rates (6,)."""
        return self._inverse @ (velocity + stretching)


class Estimator:
    """Estimates the present joints from late senses and past commands.

    Every control tick: `sense` what has arrived, `estimate` for now, `command` what will drive
    the muscles in the tick that begins now. Times are whole nanoseconds of simulation time.

    Args:
        settings: SensorSettings. model: mujoco.MjModel of the nominal arm on rigid tendons.
    """

    def __init__(self, settings, model=None):
        self.settings = settings
        self.model = plant.build() if model is None else model
        self.inversion = Inversion(settings)
        self.dynamics = ArmDynamics(self.model)
        self.substep = float(self.model.opt.timestep)
        self.efference = Efference(self.dynamics.muscles, self.substep, N_SUB)
        self.tick_ns = self.efference.tick_ns

    def reset(self):
        """Forget everything."""
        self.efference.reset()

    def command(self, start_ns, excitations):
        """Take note of six excitations that hold for a tick from start_ns on."""
        self.efference.push(start_ns, excitations)

    def sense(self, sample):
        """Take in a Sample."""
        raise NotImplementedError

    def observe(self, angles, velocities):
        """The true present state, which estimators do not look at."""

    def estimate(self, now_ns):
        """Estimate at a time, or None as long as too little has arrived."""
        raise NotImplementedError

    def complaint(self, now_ns):
        """Why the estimate may be worse than its standard deviation says; "" where nothing is."""
        return ""


class TrueState(Estimator):
    """No estimate at all: the true present state, for comparison."""

    def __init__(self, settings, model=None):
        super().__init__(settings, model)
        self._state = None

    def sense(self, sample):
        """Not looked at."""

    def observe(self, angles, velocities):
        self._state = np.array(angles), np.array(velocities)

    def estimate(self, now_ns):
        if self._state is None:
            return None
        return Estimate(*self._state, np.zeros(4), self.efference.at(now_ns)[1])


class Delayed(Estimator):
    """The senses as they come: least squares on the newest sample, as if it were of now."""

    def __init__(self, settings, model=None):
        super().__init__(settings, model)
        self._sample = None

    def reset(self):
        super().reset()
        self._sample = None

    def sense(self, sample):
        self._sample = sample

    def estimate(self, now_ns):
        sample = self._sample
        if sample is None:
            return None
        s, spread = self.settings, np.sqrt(np.diag(self.inversion.spread))
        std = s.noise_std()
        return Estimate(
            self.inversion.angles(sample.length, sample.force),
            self.inversion.velocities(sample.velocity),
            np.concatenate([std[0] * spread, std[1] * spread]),
            self.efference.at(now_ns)[1],
        )
