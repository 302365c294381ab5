"""Exploring drives through the scenes, labelled by the teacher."""

import numpy as np

from car_nn import nn
from car_nn.core import CarEnv
from car_nn.expert import Expert
from car_nn.kinematics import drive_command
from car_nn.settings import SCENES
from mujoco_ros_common import parallel


def collect(settings, seed, jobs=1, dask=None):
    """Samples of all scenes.

    Args:
        seed: of the exploration. jobs, dask: see mujoco_ros_common.parallel.

    Returns:
        inputs (n, sectors + 1), labels (n, 2), number of the scene (n,)
    """
    seeds = parallel.seeds(seed, len(SCENES))
    items = [(settings, scene, child) for scene, child in zip(SCENES, seeds)]
    parts = parallel.run(_collect_scene, items, jobs, dask, label="scenes")
    inputs, labels = (np.concatenate(column) for column in zip(*parts))
    scenes = np.repeat(np.arange(len(SCENES)), [len(part[0]) for part in parts])
    return inputs, labels, scenes


def _collect_scene(item):
    settings, scene, seed = item
    return explore(CarEnv(scene, settings), Expert(), seed)


def explore(env, teacher, seed):
    """Drive with the teacher's command plus noise, and note what the teacher itself would do.

    The noise lasts for `exploration_hold_s`, since the car averages out what changes at 50 Hz.
    Arrived, in contact, or after `restart_s`, the car starts again at a random pose, until
    `collect_s` is full; the first start is that of the scene.

    Args:
        teacher: has act(distances, heading). seed: of noise and poses.

    Returns:
        inputs (n, sectors + 1), labels (n, 2)
    """
    s, rng = env.settings, np.random.default_rng(seed)
    samples = max(1, int(round(s.collect_s / env.period)))
    hold = max(1, int(round(s.exploration_hold_s / env.period)))
    restart = max(1, int(round(s.restart_s / env.period)))
    inputs, labels = np.empty((samples, s.sectors + 1)), np.empty((samples, 2))
    env.reset()
    started, noise = 0, np.zeros(2)
    for index in range(samples):
        if env.reached or env.collided or index - started >= restart:
            place_at_random(env, rng)
            started = index
        if index % hold == 0:
            noise = rng.normal(0.0, s.exploration, 2)
        distances = env.sectors(env.scan(noisy=False))
        labels[index] = teacher.act(distances, env.heading)
        inputs[index] = nn.features(distances, env.heading, s.range_max)
        driven = labels[index] + noise
        env.step(*drive_command(*driven, s.max_speed, s.max_yaw_rate))
    return inputs, labels


def place_at_random(env, rng, clearance=0.3):
    """Start anew at a random pose that keeps a clearance (m) from the obstacles."""
    high = np.array(env.settings.start_box)
    low = -high * (0.0, 1.0, 1.0)  # x starts at the scene's own start
    env.reset()
    while True:
        env.place(*rng.uniform(low, high))
        if env.clearance >= clearance:
            return
