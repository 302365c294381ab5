"""Learning to estimate the joints: features, data, training; the network and its linear baseline.

Both see the same: the newest frames of the senses, late and noisy, and the past commands. Both
say by how much the joints have gone on since the newest frame, and how fast they move.
"""

from collections import deque
from pathlib import Path

import numpy as np

from msk_arm import controller, plant
from msk_arm.dynamics import ArmDynamics
from msk_arm.target import TargetCheck
from msk_proprioception.episodes import (
    Episode,
    drive,
    loop_parameters,
    random_plant,
    random_pose,
    random_target,
    settings_with,
)
from msk_proprioception.estimate import Estimate, Estimator
from msk_proprioception.filter import Filter
from msk_proprioception.names import WEIGHTS
from mujoco_ros_common import parallel
from mujoco_ros_common.mlp import Mlp, Ridge, WeightsError

FRAMES = 8  # newest frames of the senses
PER_FRAME = 10  # two angles, two velocities, six forces
COMMANDS = 10  # newest commands
FEATURES = FRAMES * PER_FRAME + COMMANDS * 6
HIDDEN = (96, 64)
SPREAD_HIDDEN = (32,)  # of the network that says how far the other is off
CHI_MEAN = -1.2704  # mean of ln(z^2) of a standard normal z
EPISODE_SECONDS = 2.0
MISMATCH = 0.1  # of the arms that are learned from


class Features(Estimator):
    """The inputs of the learned estimators: spindles as joint angles and velocities (which loses
    nothing, see Inversion), Golgi forces, and commands, newest first.

    The angles count from the newest frame's, which the outputs count from as well.
    """

    def __init__(self, settings, model=None):
        super().__init__(settings, model)
        self._frames = deque(maxlen=FRAMES)

    def reset(self):
        super().reset()
        self._frames.clear()

    def sense(self, sample):
        angles = self.inversion.angles(sample.length, sample.force)
        velocities = self.inversion.velocities(sample.velocity)
        frame = np.concatenate([angles, velocities, sample.force])
        if self._frames:
            self._bridge(sample.time_ns, frame)
        self._time_ns = sample.time_ns
        self._frames.append(frame)

    def _bridge(self, time_ns, frame):
        """Frames are a tick apart: fill in for samples that are missing, or begin anew."""
        ticks, last = round((time_ns - self._time_ns) / self.tick_ns), self._frames[-1]
        if not 0 < ticks <= FRAMES:
            self._frames.clear()
        for k in range(1, ticks if ticks <= FRAMES else 0):
            self._frames.append(last + (k / ticks) * (frame - last))

    def age(self, now_ns):
        """Age of the newest frame, s; None before there are enough frames."""
        full = len(self._frames) == FRAMES
        return 1e-9 * (now_ns - self._time_ns) if full else None

    def vector(self, now_ns):
        """(FEATURES,), or None before there are enough frames."""
        if len(self._frames) < FRAMES:
            return None
        frames = np.array(self._frames)[::-1]
        newest = frames[0, :2].copy()
        frames[1:, :2] -= newest
        commands = self.efference.recent(now_ns, COMMANDS)
        return np.concatenate([frames.ravel(), commands.ravel()])

    def estimate(self, now_ns):
        """None: this one only gathers."""
        return


class LearnedEstimator(Features):
    """The network, or the ridge regression, with the standard deviation that it is off by.

    Args:
        settings: SensorSettings. kind: "network" or "ridge". weights: npz file of the network; the
            package's own by default. The ridge and the spread lie beside it.

    Attributes:
        trained_delay_s: the delay that it was trained for.
    """

    def __init__(self, settings, kind="network", weights=None, model=None):
        super().__init__(settings, model)
        path = weights or WEIGHTS
        self.kind = kind
        self._network, self._spread, self._ridge = load_networks(path)
        try:
            self.trained_delay_s = float(self._network.metadata["delay_s"])
            self._ridge_std = np.array(self._ridge.metadata["std"], dtype=float).reshape(4)
        except (KeyError, TypeError, ValueError):
            raise WeightsError(f"{path}: expected the weights of this estimator") from None

    def estimate(self, now_ns):
        x = self.vector(now_ns)
        if x is None:
            return None
        y = self._ridge.predict(x)
        std = self._ridge_std
        if self.kind == "network":
            y = y + self._network.predict(x)
            std = np.exp(0.5 * self._spread.predict(x))
        y[:2] += x[:2]
        return Estimate(y[:2], y[2:], std, self.efference.at(now_ns)[1])

    def complaint(self, now_ns):
        age = self.age(now_ns)
        if age is None or abs(age - self.trained_delay_s) < 0.5e-9 * self.tick_ns:
            return ""
        return (
            f"the {self.kind} was trained for a delay of {self.trained_delay_s:g} s, "
            f"the newest sample is {age:.3f} s old"
        )


def load_networks(path):
    """Network, spread and ridge whose files lie together.

    Raises:
        WeightsError: one is missing, damaged or of another shape.
    """
    return (
        Mlp.load(path, (FEATURES, *HIDDEN, 4)),
        Mlp.load(beside(path, "spread"), (FEATURES, *SPREAD_HIDDEN, 4)),
        Mlp.load(beside(path, "ridge"), (FEATURES, 4)),
    )


def beside(path, what):
    """The file of the same set that holds the spread or the ridge."""
    path = Path(path)
    return path.with_name(f"{path.stem}_{what}{path.suffix}")


def collect(job):
    """Features and true outcomes of a random arm's reaches to two targets.

    Half of the arms act on the true state at a random stiffness, half on the filter's estimate,
    so that calm and nervous commands occur.

    Args:
        job: dict with seed, delay_s, mismatch.

    Returns:
        x (n, FEATURES), y (n, 4): how far the joints have gone on since the newest frame, and
        their velocities.
    """
    rng = np.random.default_rng(job["seed"])
    settings = settings_with(job["seed"], job["delay_s"])
    dynamics = ArmDynamics(plant.build())
    check = TargetCheck(dynamics)
    episode = Episode(settings, random_plant(rng, job["mismatch"]), random_pose(rng, dynamics))
    felt = rng.random() < 0.5
    parameters = loop_parameters("predicted" if felt else "true_state")
    changes = {"natural_frequency": float(rng.uniform(8.0, 50.0 if not felt else 25.0))}
    control = controller.make("inverse", parameters.overlaid(changes, "collect"))
    control.set_target(random_target(rng, dynamics, check))
    features, model_based = Features(settings), Filter(settings)
    half = round(0.5 * EPISODE_SECONDS / episode.sim.control_step)
    x, y = [], []
    ticks = drive(
        episode, control, [features, model_based], EPISODE_SECONDS, model_based if felt else None
    )
    for k, q, v, _, _ in ticks:
        row = features.vector(episode.now_ns)
        if row is not None:
            x.append(row)
            y.append(np.concatenate([q - row[:2], v]))
        if k == half:
            control.set_target(random_target(rng, dynamics, check))
    return np.array(x), np.array(y)


def dataset(n, seed, delay_s, jobs=None, dask=None):
    """Data of n episodes: x, y and where each episode begins."""
    work = [{"seed": s, "delay_s": delay_s, "mismatch": MISMATCH} for s in parallel.seeds(seed, n)]
    parts = parallel.run(collect, work, jobs, dask, "reaches")
    starts = np.cumsum([0] + [len(x) for x, _ in parts[:-1]])
    x, y = (np.concatenate(arrays) for arrays in zip(*parts))
    return x, y, starts


def fit_ridge(x, y, strength=10.0):
    """Ridge regression as a network without hidden layers."""
    ridge = Ridge(x, y, strength)
    linear = Mlp((x.shape[1], y.shape[1]))
    linear.input_shift, linear.input_scale = ridge.shift, ridge.scale
    linear.parameters = [ridge.slopes, ridge.offset]
    return linear


def train(x, y, validation, seed, epochs, progress=True):
    """Ridge, the network on what the ridge leaves, and the spread of what both leave.

    Args:
        x, y: of `dataset`. validation: (x, y) of other arms, which the spread is learned from.

    Returns:
        (network, spread, ridge), losses (epochs,)
    """
    ridge = fit_ridge(x, y)
    network = Mlp((FEATURES, *HIDDEN, 4), seed=seed)
    left = y - ridge.predict(x)
    network.normalize(x, left)
    vx, vy = validation
    losses = network.fit(
        x,
        left,
        epochs,
        batch_size=256,
        learning_rate=lambda epoch: 0.002 * 0.5 * (1.0 + np.cos(np.pi * epoch / epochs)) + 1e-5,
        seed=seed,
        weight_decay=1e-4,
        validation=(vx, vy - ridge.predict(vx)),
        progress=progress,
    )
    off = vy - ridge.predict(vx) - network.predict(vx)
    spread = Mlp((FEATURES, *SPREAD_HIDDEN, 4), seed=seed)
    log_square = np.log(off**2 + 1e-12) - CHI_MEAN
    spread.normalize(vx, log_square)
    spread.fit(vx, log_square, max(1, epochs // 4), batch_size=256, seed=seed, progress=progress)
    ridge.metadata = {"std": (vy - ridge.predict(vx)).std(axis=0).tolist()}
    return (network, spread, ridge), losses


def save(networks, path, delay_s, **metadata):
    """Write the three networks of a set, each whole or not at all."""
    network, spread, ridge = networks
    ridge.save(beside(path, "ridge"), **ridge.metadata)
    spread.save(beside(path, "spread"))
    network.save(path, delay_s=delay_s, **metadata)


def rmse(estimates, truth):
    """Root mean square errors in the words of the tables: estimates and truth (n, 4)."""
    square = (np.asarray(estimates) - np.asarray(truth)) ** 2
    return {
        "q_mrad_rmse": 1e3 * float(np.sqrt(square[:, :2].mean())),
        "qd_rad_s_rmse": float(np.sqrt(square[:, 2:].mean())),
    }
