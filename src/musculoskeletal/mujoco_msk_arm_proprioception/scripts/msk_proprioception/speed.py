"""How long the parts of a tick take."""

from msk_arm import controller
from msk_arm.target import TargetCheck
from msk_proprioception import loop
from msk_proprioception.episodes import Episode, drive, loop_parameters, settings_with
from msk_proprioception.estimate import Delayed
from msk_proprioception.sensors import Sensors
from mujoco_ros_common import bench as timing


def measure():
    """Microseconds of the parts of a tick: rows of the table."""
    settings = settings_with(0, 0.03)
    episode = Episode(settings)
    angles, forces = episode.sim.joint_angles(), episode.sim.muscle_forces()
    sensors, clock = Sensors(settings), [0]

    def sense():
        clock[0] += 10_000_000
        return sensors.sense(clock[0], angles, forces)

    rows = {"sensing": {"us": timing.measure(sense)}}
    for name in ("filter", "network", "ridge"):
        rows[name] = {"us": timing.measure(estimator_tick(name, settings))}
    rows["inference"] = dict(rows["network"])
    control = controller.make("inverse", loop_parameters("predicted"))
    still = [0.0, 0.0]
    rows["controller"] = {
        "us": timing.measure(lambda: control.update(angles, still, [0.03] * 6), 0.5)
    }
    tick, physics = timing.compare(
        episode.sim.model, episode.sim.data, 5, closed_loop_tick(episode, control)
    )
    rows["physics"] = {"us": physics}
    rows["tick"] = {
        "us": tick,
        "ratio_to_bare": physics / tick,
        "times_real_time": 1e6 * episode.sim.control_step / tick,
    }
    return rows


def estimator_tick(name, settings, n=100):
    """A tick of an estimator in a reach: take in a sample, estimate, note the command."""
    episode = Episode(settings, pose=[0.2, 1.0])
    control = controller.make("inverse", loop_parameters("true_state"))
    control.set_target(TargetCheck(control.dynamics)(0.3, -0.2))
    ear = Ear(settings)
    commands = [u for _, _, _, _, u in drive(episode, control, [ear], 1e-2 * n)]
    estimator, count = loop.make_estimator(name, settings), [0]

    def tick():
        k = count[0] % len(ear.samples)
        if k == 0:
            estimator.reset()
        sample = ear.samples[k]
        now_ns = sample.time_ns + round(1e9 * settings.delay_s)
        estimator.sense(sample)
        estimator.estimate(now_ns)
        estimator.command(now_ns, commands[k])
        count[0] += 1

    return tick


class Ear(Delayed):
    """Keeps the samples that it hears."""

    def __init__(self, settings):
        super().__init__(settings)
        self.samples = []

    def sense(self, sample):
        super().sense(sample)
        self.samples.append(sample)


def closed_loop_tick(episode, control):
    """A whole tick on the estimate: physics, senses, filter, controller."""
    feedback = loop.make_estimator("predicted", episode.sensors.settings)

    def tick():
        sample = episode.sense()
        if sample is not None:
            feedback.sense(sample)
        felt = feedback.estimate(episode.now_ns)
        u = [0.05] * 6
        if felt is not None:
            u = control.update(felt.angles, felt.velocities, felt.activations)
        feedback.command(episode.now_ns, u)
        episode.step(u)

    for _ in range(20):
        tick()
    return tick
