"""One drive through a scene, whoever drives, and what is measured on it."""

import dataclasses

import numpy as np

from car_nn.kinematics import drive_command


@dataclasses.dataclass
class Drive:
    """What a drive came to.

    clearance_m is the shortest true distance between the surfaces of car and obstacles, without
    noise; min_ray_m the shortest noise-free beam, max_steer the largest steering of the drive.
    """

    scene: str
    reached: bool
    contact: bool
    time_s: float
    clearance_m: float
    min_ray_m: float
    max_steer: float
    final_x_m: float
    track: np.ndarray  # (ticks + 1, 6): time, x, y, yaw, steer, throttle

    @property
    def passed(self):
        """Arrived, and touched nothing."""
        return self.reached and not self.contact

    def figures(self):
        """The row of this drive in tables and files."""
        row = dataclasses.asdict(self)
        del row["track"], row["scene"]
        row["contacts"] = int(row.pop("contact"))
        order = ("reached", "contacts", "time_s", "clearance_m", "min_ray_m", "max_steer")
        return {key: row[key] for key in (*order, "final_x_m")}


def drive(env, policy, seed=None, watch=None):
    """Drive from the start until the target line, a contact or the time-out.

    Args:
        env: car_nn.core.CarEnv
        policy: has act(distances (sectors,), heading) -> (steer, throttle).
        seed: of the sensor noise of this drive.
        watch: function(env, distances, steer, throttle), called each tick, or None.

    Returns:
        Drive
    """
    s = env.settings
    noisy = s.noise_sigma > 0.0 or s.lost_beams > 0.0
    env.reset(seed)
    clearance, min_ray, max_steer, track = env.clearance, s.range_max, 0.0, []
    while not (env.reached or env.collided or env.time >= s.timeout_s):
        truth = env.scan(noisy=False)
        measured = env.scan() if noisy else truth
        distances = env.sectors(measured)
        steer, throttle = policy.act(distances, env.heading)
        if watch is not None:
            watch(env, distances, steer, throttle)
        track.append((env.time, *env.pose, steer, throttle))
        env.step(*drive_command(steer, throttle, s.max_speed, s.max_yaw_rate))
        clearance = min(clearance, env.clearance)
        min_ray = min(min_ray, float(truth.min()))
        max_steer = max(max_steer, abs(steer))
    track.append((env.time, *env.pose, 0.0, 0.0))
    return Drive(
        env.scene, env.reached, env.collided, env.time, clearance, min_ray, max_steer,
        env.pose[0], np.array(track),
    )  # fmt: skip
