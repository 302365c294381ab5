"""Drives through scenes one after the other, whoever commands, with a report at the end."""

import dataclasses
from pathlib import Path

import numpy as np

from car_nn import plots
from car_nn.core import CarEnv
from car_nn.episode import Drive
from mujoco_ros_common import report


@dataclasses.dataclass
class _Record:
    """What has been seen of the present drive."""

    clearance: float
    min_ray: float
    max_steer: float = 0.0
    ticks: int = 0
    track: list = dataclasses.field(default_factory=list)


class Tour:
    """The scenes of a tour. Its clock runs in each scene from the first command on.

    Args:
        scenes: names. settings: car_nn.settings.Settings. seed: of the sensor noise.
    """

    def __init__(self, scenes, settings, seed):
        self._settings = settings
        self._left = [CarEnv(scene, settings, seed + i) for i, scene in enumerate(scenes)]
        self.drives = {}  # "ros.scene": Drive
        self.env = None
        self.next_scene()

    def next_scene(self):
        """Go on to the next scene; False when there is none left."""
        if not self._left:
            return False
        self.env = self._left.pop(0)
        self.restart_scene()
        return True

    def restart_scene(self):
        """Begin the present scene's drive anew; the car has been put back."""
        self._record = _Record(self.env.clearance, self._settings.range_max)

    def step(self, twist):
        """One control tick.

        Args:
            twist: the command (m/s, rad/s), or None without one.

        Returns:
            the Drive that ended with this tick, or None.
        """
        env, record, s = self.env, self._record, self._settings
        if twist is None and not record.track:
            env.step(0.0, 0.0)
            return None
        speed, rate = twist or (0.0, 0.0)
        steer = rate / s.max_yaw_rate
        time = record.ticks * env.period
        record.track.append((time, *env.pose, steer, speed / s.max_speed))
        record.min_ray = min(record.min_ray, float(env.scan(noisy=False).min()))
        env.step(speed, rate)
        record.ticks += 1
        record.clearance = min(record.clearance, env.clearance)
        record.max_steer = max(record.max_steer, abs(steer))
        time = record.ticks * env.period
        if not (env.reached or env.collided or time >= s.timeout_s):
            return None
        record.track.append((time, *env.pose, 0.0, 0.0))
        drive = Drive(
            env.scene, env.reached, env.collided, time, record.clearance, record.min_ray,
            record.max_steer, env.pose[0], np.array(record.track),
        )  # fmt: skip
        self.drives[f"ros.{env.scene}"] = drive
        return drive

    def write(self, folder):
        """Table on the terminal; CSV, JSON and the plot of the tracks in a folder."""
        folder = Path(folder)
        rows = {name: drive.figures() for name, drive in self.drives.items()}
        report.table(rows, f"the tour through ROS; report in {folder}")
        report.write_csv(
            folder / "ros_report.csv", [{"drive": name, **row} for name, row in rows.items()]
        )
        record = report.record("car_nn", "launch", None, len(rows), rows)
        report.write_json(folder / "ros_report.json", record)
        if report.can_plot():
            plots.tracks(folder / "ros_tracks.png", self.drives, self._settings)
