"""Training the network by DAgger: it drives, the teacher says what it would have done.

Ross, Gordon & Bagnell 2011, "A reduction of imitation learning and structured prediction to
no-regret online learning".
"""

import functools

import numpy as np

from msk_arm import evaluate, nn, plant
from msk_arm.core import MskArmSim
from msk_arm.names import MUSCLES, TICK, parameters
from mujoco_ros_common import parallel, report
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.mlp import Mlp, Ridge

ROUNDS = 8  # the first of them driven by the teacher
REACHES = 80  # in a round
SECONDS = 1.2  # of a reach
NOISE = 0.1  # most noise on a command of a reach, half of which have some
EPOCHS, LAST_EPOCHS = 12, 60  # of the rounds, and of the last
BATCH, RATE, FINAL_RATE, DECAY = 256, 0.001, 0.0015, 0.93
OUTPUT_SCALE = 0.1  # of the excitations, in the loss


def collect(seed, n, network=None, jobs=None, dask=None):
    """Reach for n random targets and note what the teacher says at every tick.

    Args:
        network: drives; the teacher itself by default.

    Returns:
        inputs (m, 14), commands (m, 6)
    """
    numbers = parallel.seeds(seed, n)
    items = [
        (pair[0], pair[1], number, network)
        for pair, number in zip(evaluate.random_pairs(seed, n), numbers)
    ]
    parts = parallel.run(_reach, items, jobs, dask, label="reaches")
    return tuple(np.concatenate(arrays) for arrays in zip(*parts))


def dagger(seed, jobs=None, dask=None, first=None, rounds=ROUNDS, reaches=REACHES, say=print):
    """Train a network.

    Args:
        first: (inputs, commands) of the first round, instead of a new collection.
        say: told of each round.

    Returns:
        Mlp, inputs (m, 14), commands (m, 6), root mean square error of each round (rounds,)
    """
    numbers = parallel.seeds(seed, rounds + 1)
    inputs, commands = first or collect(numbers[0], reaches, None, jobs, dask)
    network = Mlp(nn.SIZES, hidden="tanh", seed=numbers[rounds])
    network.normalize(inputs)
    network.output_scale[:] = OUTPUT_SCALE
    errors = []
    for index in range(rounds):
        if index:
            more = collect(numbers[index], reaches, network, jobs, dask)
            inputs, commands = (np.concatenate(pair) for pair in zip((inputs, commands), more))
        last = index == rounds - 1
        losses = network.fit(
            inputs,
            commands,
            LAST_EPOCHS if last else EPOCHS,
            batch_size=BATCH,
            learning_rate=(lambda epoch: FINAL_RATE * DECAY**epoch) if last else RATE,
            seed=numbers[index],
        )
        errors.append(OUTPUT_SCALE * float(losses[-1]) ** 0.5)
        say(f"round {index + 1} of {rounds}: {len(inputs)} samples, error {errors[-1]:.4f}")
    return network, inputs, commands, errors


def compare(network, inputs, commands, pairs):
    """Rows of figures over random pairs: the network, and the linear baseline on the same data."""
    rows = {}
    for name, driver in (("nn", network), ("ridge", Ridge(inputs, commands))):
        rows[name] = evaluate.summary(
            [_measure(driver, *pair) for pair in report.progress(pairs, name)]
        )
    return rows


def save_data(path, inputs, commands):
    """Write a collection as npz, whole or not at all."""
    with report.atomic(path) as temporary, open(temporary, "wb") as stream:
        np.savez_compressed(stream, inputs=inputs, commands=commands)


def load_data(path):
    """Read what `save_data` wrote.

    Raises:
        UserError: missing, damaged, or not such a collection.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            inputs, commands = archive["inputs"], archive["commands"]
        fits = inputs.shape == (len(commands), nn.SIZES[0]) and commands.shape[1] == nn.SIZES[-1]
        if not fits or not np.isfinite(inputs.sum() + commands.sum()):
            raise ValueError(f"shapes {inputs.shape} and {commands.shape}")
    except FileNotFoundError:
        raise UserError(f"expected a collection at {path}, found none") from None
    except Exception as error:  # noqa: BLE001 (whatever a damaged file makes numpy raise)
        raise UserError(f"{path}: expected a collection, but: {error}") from None
    return inputs, commands


def _reach(item):
    """One reach: inputs (ticks, 14) and the teacher's commands (ticks, 6)."""
    start, goal, number, network = item
    settings, guide = _guide()
    rng = np.random.default_rng(number)
    noise = rng.uniform(0.0, NOISE) * (rng.random() < 0.5)
    sim = MskArmSim(initial_pose=start, settings=settings)
    target = evaluate.nominal_check()(*goal)
    driver = guide if network is None else nn.NnController(guide.model, settings, network)
    for controller in {guide, driver}:
        controller.reset()
        controller.set_target(target)
    inputs, commands, lead = [], [], settings.number("step_lead")
    for _ in range(round(SECONDS / TICK)):
        q, v, activations = sim.state()
        wise = guide.update(q, v, activations)
        inputs.append(nn.features(q, v, target.q, activations, lead))
        commands.append(wise)
        used = wise if network is None else driver.update(q, v, activations)
        sim.step(np.array(used) + noise * rng.standard_normal(len(MUSCLES)))
    return np.array(inputs), np.array(commands)


def _measure(network, start, goal, _):
    """Figures of one reach by a network."""
    settings, guide = _guide()
    sim = MskArmSim(initial_pose=start, settings=settings)
    driver, check = nn.NnController(guide.model, settings, network), evaluate.nominal_check()
    rows = evaluate.record(sim, driver, check(*goal))
    found = evaluate.figures(rows["hand"], check.dynamics.forward(*start), goal)
    return dict(found, straight=True)


@functools.lru_cache(maxsize=1)
def _guide():
    settings = parameters()
    return settings, nn.teacher(plant.build(), settings)
