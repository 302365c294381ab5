"""How long a control tick takes, and its parts."""

from car_nn.core import CarEnv
from car_nn.evaluate import make_policy
from car_nn.kinematics import drive_command
from mujoco_ros_common import bench

_MOST_TICKS = 600  # then the driving car starts again


def measure(settings, weights, seconds):
    """Microseconds of a tick (reading, network, physics), beside bare physics.

    Args:
        weights: file of the network's weights. seconds: of measuring, about.

    Returns:
        rows of the table: tick, physics, rays, inference, clearance
    """
    env, spare = CarEnv("slalom", settings), CarEnv("slalom", settings)
    policy = make_policy("clone", settings, weights)
    for _ in range(100):  # bare physics with the same contacts: turning on the spot
        spare.step(0.0, settings.max_yaw_rate)

    def tick():
        if env.reached or env.collided or env.ticks > _MOST_TICKS:
            env.place(0.0, 0.0, 0.0)
            env.ticks = 0
        steer, throttle = policy.act(env.sectors(env.scan()), env.heading)
        env.step(*drive_command(steer, throttle, settings.max_speed, settings.max_yaw_rate))

    tick_us, physics_us = bench.compare(spare.model, spare.data, settings.substeps, tick, seconds)
    distances, heading, pose = env.sectors(env.scan()), env.heading, env.pose
    parts = {
        "rays": lambda: env.scan(noisy=False),
        "inference": lambda: policy.act(distances, heading),
        "clearance": lambda: env.clearance_at(*pose),
    }
    rows = {
        "tick": {
            "us": tick_us,
            "ratio_to_bare": physics_us / tick_us,
            "times_real_time": 1e6 * env.period / tick_us,
        },
        "physics": {"us": physics_us},
    }
    for name, function in parts.items():
        rows[name] = {"us": bench.measure(function, seconds / 5)}
    return rows
