"""The car in MuJoCo: physics, laser, pose, clearance and contact, one control tick at a time."""

import mujoco
import numpy as np

from car_nn import kinematics
from car_nn.scan import Sectors, beam_angles
from car_nn.sensor_noise import apply_sensor_noise
from car_nn.sensors import RayFan
from car_nn.settings import MODELS, SCENES
from car_nn.surfaces import Surfaces
from mujoco_ros_common.model import check, ids, load_model, scene_path

_NEAR = 0.05  # m; nearer than this every physics step is looked at for a contact


class CarEnv:
    """A car in a scene.

    Args:
        scene: "basic", "slalom" or "dual"; or the path of a model that includes car.xml.
        settings: car_nn.settings.Settings
        seed: of the sensor noise.

    Raises:
        ArgumentError: unknown scene. UserError: the model is missing or not a car.
    """

    def __init__(self, scene, settings, seed=0):
        path = scene_path(MODELS, scene, SCENES, "car_scene_") if isinstance(scene, str) else scene
        self.scene, self.settings = str(scene), settings
        self.model = model = load_model(path)
        self.data = mujoco.MjData(model)
        self.period = settings.substeps * model.opt.timestep  # s of a control tick
        self.angles = beam_angles(settings.beams, settings.fan)
        self._car = int(ids(model, "body", ["car"])[0])
        self._laser = int(ids(model, "site", ["laser"])[0])
        self.laser_offset = model.site_pos[self._laser].copy()  # m, from base_link
        self._fan = RayFan(model, self.angles, settings.range_max)
        self._sectors = Sectors(self.angles, settings.sectors, settings.fan)
        self._surfaces = Surfaces(model, settings.range_max)
        self._slew = kinematics.Slew(settings.acceleration, settings.yaw_acceleration, self.period)
        self._heading = kinematics.Heading()
        self._find_wheels()
        self.reset(seed)

    def _find_wheels(self):
        """Track, radius and wheel limit as the model has them."""
        model, names = self.model, ["left_wheel", "right_wheel"]
        motors, joints = ids(model, "actuator", names), ids(model, "joint", names)
        self._motors, self._wheel_dofs = motors, model.jnt_dofadr[joints]
        y = model.body_pos[ids(model, "body", names), 1]
        self.track = float(y[0] - y[1])
        self.radius = float(model.geom_size[ids(model, "geom", ["left_tyre"])[0], 0])
        self.wheel_limit = float(model.actuator_ctrlrange[motors[0], 1])

    def reset(self, seed=None):
        """Back to the start, wheels held until the contacts are there; the clock starts at 0.

        Args:
            seed: starts the sensor noise anew; without it the noise goes on.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        mujoco.mj_resetData(self.model, self.data)
        settle = int(round(self.settings.settle_s / self.model.opt.timestep))
        if settle:
            mujoco.mj_step(self.model, self.data, settle)
        self.data.time = 0.0
        self._slew.reset()
        self._heading.reset()
        self.ticks, self.collided = 0, False
        self._start = (0.0, 0.0, 0.0)
        self._start = self._read_pose()
        self._update()

    def place(self, x, y, yaw):
        """Put the car, at rest, at a pose seen from where it started: m, m, rad.

        The clock and the origin of the pose stay as they are.
        """
        x0, y0, yaw0 = self._start
        c, s = np.cos(yaw0), np.sin(yaw0)
        self.data.qpos[:2] = x0 + c * x - s * y, y0 + s * x + c * y
        turn = 0.5 * (yaw0 + yaw)
        self.data.qpos[3:7] = np.cos(turn), 0.0, 0.0, np.sin(turn)
        self.data.qvel[:] = 0.0
        self._slew.reset()
        self._heading.reset()
        self.collided = False
        self._update()

    def step(self, speed, yaw_rate):
        """One control tick towards a commanded twist, within the slew limits.

        Args:
            speed: m/s. yaw_rate: rad/s.

        Raises:
            SimulationError: the physics is no longer sound.
        """
        twist = self._slew.follow(speed, yaw_rate)
        wheels = kinematics.differential_wheel_vels(
            *twist, self.track, self.radius, self.wheel_limit
        )
        self.data.ctrl[self._motors] = wheels
        if self.clearance > _NEAR:
            mujoco.mj_step(self.model, self.data, self.settings.substeps)
        else:
            for _ in range(self.settings.substeps):
                mujoco.mj_step(self.model, self.data)
                self.collided = self.collided or self._surfaces.touching(self.data)
        check(self.model, self.data)
        self.ticks += 1
        self._update()

    def halt(self):
        """Hold the wheels at once: zero speed is commanded, whatever the slew limits."""
        self._slew.reset()
        self.data.ctrl[:] = 0.0

    def _update(self):
        """Everything that is read from the new state."""
        mujoco.mj_kinematics(self.model, self.data)  # mj_step leaves the poses one step behind
        self.pose = x, y, yaw = self._read_pose()
        self.heading = self._heading.update(yaw, x, y)
        x, y = self.data.qpos[:2].tolist()
        self.clearance = self._surfaces.clearance(x, y, self.world_yaw)

    def _read_pose(self):
        """x, y (m) and yaw (rad), seen from where the car started."""
        x, y, _, *quaternion = self.data.qpos[:7].tolist()
        self.world_yaw = kinematics.yaw_of_quaternion(*quaternion)
        x0, y0, yaw0 = self._start
        c, s = np.cos(yaw0), np.sin(yaw0)
        x, y = x - x0, y - y0
        return float(c * x + s * y), float(c * y - s * x), kinematics.wrap(self.world_yaw - yaw0)

    @property
    def time(self):
        """s since the start, without the settling."""
        return self.ticks * self.period

    @property
    def reached(self):
        """Whether the car has come as far as the target line."""
        return self.pose[0] >= self.settings.target_x

    @property
    def twist(self):
        """Forward and lateral speed (m/s) and yaw rate (rad/s), in the car's own frame."""
        frame = self.data.xmat[self._car].reshape(3, 3)
        velocity = frame.T @ self.data.qvel[:3]
        return float(velocity[0]), float(velocity[1]), float(self.data.qvel[5])

    @property
    def wheel_speeds(self):
        """Left and right, rad/s."""
        return tuple(self.data.qvel[self._wheel_dofs].tolist())

    @property
    def tilt(self):
        """Pitch and roll (rad): nose down and right side down positive (REP 103)."""
        frame = self.data.xmat[self._car]
        return float(-np.arcsin(frame[6])), float(np.arctan2(frame[7], frame[8]))

    def laser_position(self):
        """Where the beams start, in the scene's frame: m, (3,)."""
        return self.data.site_xpos[self._laser].copy()

    def clearance_at(self, x, y, yaw):
        """The clearance (m) that the car would have at a pose in the scene's frame (m, m, rad)."""
        return self._surfaces.clearance(x, y, yaw)

    def obstacles(self):
        """Outlines of the obstacles seen from above, in the scene's frame: list of (n, 2), m."""
        return self._surfaces.outlines()

    def scan(self, noisy=True):
        """Distances along the beams, m, (beams,), right to left; with the faults set, or not."""
        distances = self._fan.scan(self.data)
        s = self.settings
        if not noisy or (s.noise_sigma == 0.0 and s.lost_beams == 0.0):
            return distances
        return apply_sensor_noise(distances, s.noise_sigma, s.lost_beams, s.range_max, self._rng)

    def sectors(self, distances):
        """A scan as the policies see it: the shortest beam of each sector, m, (sectors,)."""
        return self._sectors.pool(distances)
