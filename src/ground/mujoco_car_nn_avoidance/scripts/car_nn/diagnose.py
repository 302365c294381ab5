"""One drive told in numbers: where the car was, what it saw, what it was told to do."""

import numpy as np

from car_nn.episode import drive
from car_nn.nn import label_figures


def diagnose(env, policy, every_s=0.5, seed=None, stream=None):
    """Print the states of a drive as it goes.

    Args:
        env: car_nn.core.CarEnv. policy: see car_nn.episode.drive. every_s: s between two lines.
        seed: of the sensor noise. stream: where to print; standard output by default.

    Returns:
        Drive, and how its commands are spread (as of a data set's labels)
    """
    every = max(1, int(round(every_s / env.period)))
    print(_HEAD, file=stream)

    def tell(env, distances, steer, throttle):
        if env.ticks % every == 0:
            print(_line(env, distances, steer, throttle), file=stream)

    result = drive(env, policy, seed, tell)
    print(_line(env, env.sectors(env.scan(noisy=False)), 0.0, 0.0), file=stream)
    return result, label_figures(result.track[:-1, 4:6])


_HEAD = (
    "   t (s)       x       y     yaw       v       w   right   front    left   clear   steer"
    "  throttle"
)


def _line(env, distances, steer, throttle):
    third = len(distances) * 2 // 5  # sides of 10, front of 5 of 25 sectors
    right, front, left = np.split(distances, [third, len(distances) - third])
    speed, _, rate = env.twist
    values = (env.time, *env.pose, speed, rate, right.min(), front.min(), left.min())
    values += (env.clearance, steer, throttle)
    return "".join(f"{value:8.2f}" for value in values[:-1]) + f"{values[-1]:10.2f}"
