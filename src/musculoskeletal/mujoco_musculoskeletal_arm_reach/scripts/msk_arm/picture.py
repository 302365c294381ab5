"""The arm as a picture: its muscles as tubes that bulge and redden with their activation."""

import mujoco
import numpy as np

from msk_arm.names import JOINTS, MUSCLES, SCENE
from mujoco_ros_common.model import ids, load_model
from mujoco_ros_common.viewer import Viewer, add_capsule, add_label

REST, FULL = np.array([0.47, 0.40, 0.60, 1.0]), np.array([0.95, 0.10, 0.08, 1.0])
THIN, PER_FORCE = 0.006, 0.012 / 800.0  # m, radius of a tube's ends; m/N, what its belly adds
SWELL = 0.6  # share by which a belly thickens at full activation
TRAIL = 120  # places of the hand that are kept
UPRIGHT = [0.1, 0.1, 0.1, 1.0]


class Picture:
    """What is drawn of a running arm; it has a model of its own, so that the plant stays small.

    Args:
        sim: MskArmSim.

    Attributes:
        model, data: of the drawn scene.
    """

    def __init__(self, sim):
        self._sim = sim
        self.model = load_model(SCENE)
        self.data = mujoco.MjData(self.model)
        self._joints = ids(self.model, "joint", JOINTS)
        self._tubes = ids(self.model, "tendon", [f"draw_{name}" for name in MUSCLES])
        self._target = ids(self.model, "geom", ["target"])[0]
        self._radius = THIN + PER_FORCE * self.model.actuator_gainprm[:, 2]
        ball = ids(sim.model, "geom", ["load"])[0], ids(self.model, "geom", ["load"])[0]
        self.model.geom_size[ball[1]] = sim.model.geom_size[ball[0]]
        self.model.geom_rgba[ball[1]] = sim.model.geom_rgba[ball[0]]
        self.trail, self.note = [], ""

    def set_target(self, x, z):
        """Where the target is marked (m)."""
        self.data.mocap_pos[0] = [x, 0.0, z]

    def update(self):
        """Take over the present state of the arm."""
        q, _, activations = self._sim.state()
        self.data.qpos[self._joints] = q
        colours = REST + np.array(activations)[:, None] * (FULL - REST)
        self.model.tendon_rgba[self._tubes] = colours
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)
        mujoco.mj_tendon(self.model, self.data)
        self._colours, self._activations = colours, activations
        self.trail = [*self.trail[1 - TRAIL :], self.data.site("hand").xpos.copy()]

    def paths(self):
        """Where each muscle is drawn: a list of six arrays (n, 3), m."""
        return [_path(self.data, tube) for tube in self._tubes]

    def decorate(self, scene):
        """Add the muscles' bellies, the hand's trail and the note to a MujocoScene."""
        for k, path in enumerate(self.paths()):
            radius = self._radius[k] * (1.0 + SWELL * self._activations[k])
            for start, end, share in _belly(path):
                add_capsule(scene, start, end, THIN + share * (radius - THIN), self._colours[k])
        for start, end in zip(self.trail, self.trail[1:]):
            if np.abs(end - start).max() > 1e-4:
                add_capsule(scene, start, end, 0.0025, [0.1, 0.35, 0.8, 0.8])
        if self.note:
            add_label(scene, [0.30, 0.0, 0.52], self.note, UPRIGHT)


class ArmViewer:
    """A window on a running arm, where one is wanted and there is a display.

    Args:
        picture: Picture. wanted: bool.
    """

    def __init__(self, picture, wanted):
        self._picture, self._wanted = picture, wanted
        if wanted:
            picture.update()
        self._viewer = Viewer(picture.model, picture.data, wanted, decorate=picture.decorate)

    def sync(self):
        if self._wanted:
            self._picture.update()
            self._viewer.sync()

    def close(self):
        self._viewer.close()


def _path(data, tendon):
    """Corners of a drawn tendon: array (n, 3)."""
    first, count = data.ten_wrapadr[tendon], data.ten_wrapnum[tendon]
    return data.wrap_xpos.reshape(-1, 3)[first : first + count].copy()


def _belly(path, pieces=14):
    """Pieces of the path with their share of the belly's thickness: a sine over its length."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    places = np.linspace(0.04, 0.96, pieces + 1) * lengths[-1]
    points = np.column_stack([np.interp(places, lengths, path[:, k]) for k in range(3)])
    shares = np.sin(np.pi * (np.arange(pieces) + 0.5) / pieces) ** 1.5
    return zip(points, points[1:], shares)
