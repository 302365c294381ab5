"""Simulated reaches: random arms, random targets, the senses, and who acts on what."""

import numpy as np

from msk_arm import controller
from msk_arm.core import MskArmSim
from msk_arm.names import parameters as parameters_of_the_arm
from msk_proprioception import contract
from msk_proprioception.names import PARAMETERS
from msk_proprioception.sensors import Sensors
from mujoco_ros_common import config

MARGIN = 0.05  # rad, of random poses from the joint limits


def settings_with(seed, delay_s, noise_scale=1.0):
    """The package's settings, but for seed, delay and noise."""
    settings = contract.load()
    settings.random_seed, settings.delay_s = seed % 2**31, delay_s
    settings.noise_scale = noise_scale
    return settings


def random_plant(rng, mismatch):
    """Factors of a random arm: strength and mass within 1 +- mismatch, moment arms half of that.

    As in the arm's own evaluation; each muscle and each segment has its own.
    """
    return {
        "strength": rng.uniform(1.0 - mismatch, 1.0 + mismatch, 6),
        "mass": rng.uniform(1.0 - mismatch, 1.0 + mismatch, 2),
        "moment_arms": rng.uniform(1.0 - 0.5 * mismatch, 1.0 + 0.5 * mismatch, 6),
    }


def random_pose(rng, dynamics):
    """Joint angles (2,) within the limits."""
    limits = np.array(dynamics.limits)
    return rng.uniform(limits[:, 0] + MARGIN, limits[:, 1] - MARGIN)


def random_target(rng, dynamics, check):
    """An accepted Target at a random pose's hand."""
    while True:
        target = check(*dynamics.forward(*random_pose(rng, dynamics)))
        if target.accepted:
            return target


class Episode:
    """A plant with its senses, stepped by excitations.

    Args:
        settings: SensorSettings. factors: of `random_plant`. pose: joint angles at the start.
        others: further arguments of MskArmSim.
    """

    def __init__(self, settings, factors=None, pose=None, **others):
        self.sim = MskArmSim(initial_pose=pose, **(factors or {}), **others)
        self.sensors = Sensors(settings)
        self.ticks = 0
        self.tick_ns = round(1e9 * self.sim.control_step)

    @property
    def now_ns(self):
        return self.ticks * self.tick_ns

    def sense(self):
        """The Sample that arrives now, or None."""
        if not self.sensors.due(self.now_ns):
            return self.sensors.arrived(self.now_ns)
        return self.sensors.sense(self.now_ns, self.sim.joint_angles(), self.sim.muscle_forces())

    def step(self, excitations):
        self.sim.step(excitations)
        self.ticks += 1


def drive(episode, control, estimators, seconds, feedback=None):
    """Run an episode, and yield what happens in every tick before the arm moves on.

    Until the feedback has its first estimate, the arm's own controller holds the pose on the true
    state, as the arm's node does before anybody else commands.

    Args:
        episode: Episode. control: controller with its target. estimators: list of Estimator, all
            of which listen. seconds: how long.
        feedback: the estimator that `control` acts on; None for the true state.

    Yields:
        (k, angles, velocities, estimates, excitations): tick, true state (2,) each, an Estimate or
        None of each estimator, six excitations.
    """
    sim = episode.sim
    keeper = controller.make("inverse", loop_parameters("true_state"))
    for k in range(round(seconds / sim.control_step)):
        sample = episode.sense()
        if sample is not None:
            for estimator in estimators:
                estimator.sense(sample)
        q, v = sim.joint_angles(), sim.joint_velocities()
        for estimator in estimators:
            estimator.observe(q, v)
        estimates = [estimator.estimate(episode.now_ns) for estimator in estimators]
        felt = None if feedback is None else estimates[estimators.index(feedback)]
        if feedback is None:
            u = control.update(q, v, sim.muscle_activations())
        elif felt is None:
            u = keeper.update(q, v, sim.muscle_activations())
        else:
            u = control.update(felt.angles, felt.velocities, felt.activations)
        for estimator in estimators:
            estimator.command(episode.now_ns, u)
        yield k, q, v, estimates, u
        episode.step(u)


def loop_parameters(feedback, parameters=None):
    """Parameters of the arm's controller for a source of feedback, from both packages' files.

    Its estimate of a load is off: it reads the hand's acceleration, which an estimated or delayed
    state does not give well enough.
    """
    arm = parameters_of_the_arm().overlaid({"load_gain": 0.0}, "loop")
    if feedback == "true_state":
        return arm
    own = parameters or config.read(PARAMETERS)
    changes = {
        "natural_frequency": own.number(f"{feedback}_natural_frequency", 0.1, 200.0),
        "observer_gain": own.number(f"{feedback}_observer_gain", 0.0, 1.0),
        "patience": own.number(f"{feedback}_patience", 0.001, 10.0),
    }
    return arm.overlaid(changes, own.source)
