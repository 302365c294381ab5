"""The plant: MuJoCo's model of the hand, stepped by activations and read in SI units."""

import math
from collections import namedtuple

import mujoco
import numpy as np

from msk_hand.names import FINGERS, HOME, JOINTS, MUSCLES, N_SUB, SCENES, STATE_LABELS
from mujoco_ros_common import model as models
from mujoco_ros_common.errors import UserError

MODELS = HOME / "models"
SETTLE_S = 2.0  # s without activation, after which the hand hangs still
_FULL_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_RELAXED, _ACTIVE = np.array([0.62, 0.70, 0.84, 1.0]), np.array([0.90, 0.10, 0.08, 1.0])
_TARGET_ALPHA = {"target": 0.9, "target_halo": 0.25}

Snapshot = namedtuple("Snapshot", "state target")


class MskHandSim:
    """One hand in one scene.

    Angles and fingertips are those of the present state. Tendon lengths, forces, efforts and
    contacts are what MuJoCo computed in the last physics step: the forces that led here.
    The arrays that leave this class are copies.

    Args:
        scene: "free", "button" or "ball".
        path: another MJCF file with the hand in it, instead of a scene.

    Raises:
        ArgumentError: unknown scene. UserError: the file is missing or is not such a model.
    """

    joint_names, muscle_names = JOINTS, MUSCLES

    def __init__(self, scene="free", path=None):
        path = models.scene_path(MODELS, scene, SCENES) if path is None else path
        self.model = models.load_model(path)
        self.data = mujoco.MjData(self.model)
        self._address()
        self._low, self._high = np.zeros(len(MUSCLES)), np.ones(len(MUSCLES))
        self._clamped = np.zeros(len(MUSCLES))
        self._target, self._stale = None, True
        self.tick = N_SUB * self.model.opt.timestep
        self._settle()

    def _address(self):
        """Resolve every name once, and keep views of MuJoCo's arrays."""
        model, data = self.model, self.data
        joints = models.ids(model, "joint", JOINTS)
        muscles = models.ids(model, "actuator", [f"m_{name}" for name in MUSCLES])
        if (joints != np.arange(len(JOINTS))).any() or (muscles != np.arange(model.nu)).any():
            raise UserError("expected the hand's joints and muscles first in the model, in order")
        self._q, self._qd = data.qpos[: len(JOINTS)], data.qvel[: len(JOINTS)]
        self._effort = data.qfrc_actuator[: len(JOINTS)]
        self._tips = models.ids(model, "site", [f"tip_{name}" for name in FINGERS])
        self._sites = data.site_xpos
        self._index_tip = data.site_xpos[self._tips[0]]
        touch = models.ids(model, "sensor", [f"touch_{name}" for name in FINGERS])
        start = model.sensor_adr[touch[0]]
        self._touch = data.sensordata[start : start + len(FINGERS)]
        self._button = self._ball = self._post_top = None
        if models.has(model, "joint", "j_button"):
            address = model.jnt_qposadr[models.ids(model, "joint", ["j_button"])[0]]
            self._button = data.qpos[address : address + 1]
        if models.has(model, "body", "ball"):
            self._ball = models.ids(model, "body", ["ball"])[0]
            post = models.ids(model, "geom", ["post"])[0]
            mujoco.mj_kinematics(model, data)
            self._post_top = float(data.geom_xpos[post, 2] + model.geom_size[post, 1])
        marker = models.ids(model, "body", ["target"])[0]
        self._marker = data.mocap_pos[model.body_mocapid[marker]]
        self._marker_geoms = models.ids(model, "geom", list(_TARGET_ALPHA))
        self._readout = np.full(len(STATE_LABELS), math.nan)
        self._readout_q = self._readout[1:9]
        self._readout_tips = self._readout[9:18].reshape(3, 3)

    def _settle(self):
        """Let the hand come to rest once; `reset` returns to that state."""
        mujoco.mj_step(self.model, self.data, round(SETTLE_S / self.model.opt.timestep))
        self.check()
        self.data.time = 0.0
        self._rest = self._state()

    # stepping

    def step(self, activation, n_sub=N_SUB):
        """Drive the muscles for one control tick.

        Args:
            activation: excitation of each muscle (11,); what lies outside [0, 1] is clamped. The
                muscles' activations follow it with their time constants.
            n_sub: physics steps.

        Raises:
            ValueError: not 11 numbers, or a NaN among them; the hand has not moved then.
        """
        excitation = np.asarray(activation, dtype=float)
        if excitation.shape != self._low.shape:
            raise ValueError(f"expected {len(MUSCLES)} activations, got shape {excitation.shape}")
        clamped = self._clamped
        np.minimum(np.maximum(excitation, self._low, clamped), self._high, clamped)
        if math.isnan(clamped.dot(self._high)):  # NaN passes through minimum and maximum
            raise ValueError(f"expected {len(MUSCLES)} numbers, got {excitation.tolist()}")
        self.data.ctrl[:] = clamped
        self._stale = True
        mujoco.mj_step(self.model, self.data, n_sub)

    def reset(self):
        """Hand at rest, scene as at the start, time 0. The target stays."""
        mujoco.mj_resetData(self.model, self.data)
        self._load(self._rest)
        self._place_marker()

    def constants_changed(self):
        """Take over a change of masses, sizes or stiffnesses in `model`, and reset.

        MuJoCo derives constants from them when it compiles; without this call they stay as they
        were, and a simulation can become unstable. The hand's rest is found anew, too.
        """
        mujoco.mj_setConst(self.model, self.data)
        mujoco.mj_resetData(self.model, self.data)
        self._settle()
        self.reset()

    def check(self):
        """Raise SimulationError, which names the cause, when the state is no longer sound."""
        models.check(self.model, self.data)

    def save(self):
        """Snapshot of everything that decides the future, activation and warm start included."""
        return Snapshot(self._state(), None if self._target is None else self._target.copy())

    def restore(self, snapshot):
        """Return to a snapshot; what follows then repeats bit by bit."""
        self._load(snapshot.state)
        self._target = None if snapshot.target is None else snapshot.target.copy()
        self._place_marker()

    def _state(self):
        state = np.empty(mujoco.mj_stateSize(self.model, _FULL_STATE))
        mujoco.mj_getState(self.model, self.data, state, _FULL_STATE)
        return state

    def _load(self, state):
        mujoco.mj_setState(self.model, self.data, state, _FULL_STATE)
        mujoco.mj_forward(self.model, self.data)  # positions, forces and contacts of that state
        mujoco.mj_setState(self.model, self.data, state, _FULL_STATE)  # and its warm start again
        self._stale = False

    # reading

    @property
    def time(self):
        """Simulated time since the reset, s."""
        return self.data.time

    def joint_angles(self):
        """(8,) rad"""
        return self._q.copy()

    def joint_velocities(self):
        """(8,) rad/s"""
        return self._qd.copy()

    def joint_efforts(self):
        """Torques of the muscles about the joints, (8,) N m."""
        return self._effort.copy()

    def fingertips(self):
        """Positions of index, middle and thumb tip, (3, 3) m."""
        self._refresh()
        return self._sites[self._tips]

    def muscle_lengths(self):
        """Lengths of the muscle-tendon units, (11,) m."""
        return self.data.actuator_length.copy()

    def muscle_velocities(self):
        """Lengthening velocities, (11,) m/s."""
        return self.data.actuator_velocity.copy()

    def muscle_forces(self):
        """Tensions, (11,) N; a muscle only pulls, so they are >= 0."""
        return -self.data.actuator_force

    def muscle_activations(self):
        """Activation states, (11,) 0..1."""
        return self.data.act.copy()

    def contact_forces(self):
        """Normal contact force on index, middle and thumb tip, (3,) N."""
        return self._touch.copy()

    def contact_force(self):
        """Normal force on the fingertip that feels most, N (in a pinch both feel the same)."""
        return max(self._touch.tolist())

    def button_depth(self):
        """How far the button is pressed, m; NaN in a scene without one."""
        return math.nan if self._button is None else max(0.0, self._button.item())

    def ball_center(self):
        """Height of the ball's centre above the ground, m; NaN in a scene without one."""
        if self._ball is None:
            return math.nan
        self._refresh()
        return float(self.data.xpos[self._ball, 2])

    def ball_height(self):
        """Height of the ball's centre above the top of the post, m; NaN without a ball."""
        return math.nan if self._ball is None else self.ball_center() - self._post_top

    @property
    def post_top(self):
        """Height of the post that carries the ball, m; NaN in a scene without one."""
        return math.nan if self._post_top is None else self._post_top

    @property
    def target(self):
        """Where the index fingertip is to go, (3,) m, or None."""
        return None if self._target is None else self._target.copy()

    def set_target(self, xyz):
        """Show a target for the index fingertip; None takes it away.

        Raises:
            ValueError: not three finite numbers.
        """
        if xyz is not None:
            xyz = np.array(xyz, dtype=float)
            if xyz.shape != (3,) or not np.isfinite(xyz).all():
                raise ValueError(f"expected a target of 3 finite numbers, got {xyz.tolist()}")
        self._target = xyz
        self._place_marker()

    def reach_error(self):
        """Distance of the index fingertip from the target, m; NaN without a target."""
        if self._target is None:
            return math.nan
        self._refresh()
        return math.dist(self._index_tip.tolist(), self._target.tolist())

    def state_vector(self):
        """All that `STATE_LABELS` names, (22,); NaN where the scene or the task lacks it."""
        self._refresh()
        out, data = self._readout, self.data
        out[0] = data.time
        self._readout_q[:] = self._q
        self._sites.take(self._tips, 0, self._readout_tips)
        if self._button is not None:
            out[18] = self.button_depth()
        if self._ball is not None:
            out[19] = data.xpos[self._ball, 2]
        out[20] = max(self._touch.tolist())
        out[21] = math.nan if self._target is None else self.reach_error()
        return out.copy()

    def color_tendons(self):
        """Give each tendon the colour of its activation; called where a picture is drawn."""
        share = self.data.act[:, None]
        self.model.tendon_rgba[:] = (1.0 - share) * _RELAXED + share * _ACTIVE

    def _refresh(self):
        """Positions of bodies and sites at the present joint angles (MuJoCo's are a step old)."""
        if self._stale:
            mujoco.mj_kinematics(self.model, self.data)
            self._stale = False

    def _place_marker(self):
        visible = self._target is not None
        if visible:
            self._marker[:] = self._target
        for geom, alpha in zip(self._marker_geoms, _TARGET_ALPHA.values()):
            self.model.geom_rgba[geom, 3] = alpha if visible else 0.0
