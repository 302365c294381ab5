"""The plant: an arm of two joints and six Hill muscles, stepped by excitations."""

import math

import mujoco
import numpy as np

from msk_arm import elastic, plant
from msk_arm.fatigue import Fatigue
from msk_arm.names import CONDITIONS, JOINTS, MUSCLES, N_SUB, parameters
from mujoco_ros_common.errors import ArgumentError
from mujoco_ros_common.model import check, ids


class MskArmSim:
    """The simulated arm.

    Units: m, rad, s, N. Muscle order: `MUSCLES`. Lengths of tendons are excursions from the zero
    pose, not fibre lengths (see models/arm.xml).

    Args:
        condition: "healthy", "weak" (a share of the strength) or "fatigued".
        load_kg: weight in the hand.
        tendon: "rigid" or "elastic".
        strength: factor on peak forces, a number or (6,), on top of the condition's.
        mass: factor on the segments' mass, a number or (2,).
        moment_arms: factor on moment arms, a number, (6,) or (6, 2).
        seed: of the excitation noise.
        initial_pose: joint angles (2,) after a reset; by default those of the settings.
        settings: Parameters; config/simulation.yaml by default.

    Attributes:
        model, data: MuJoCo's. rigid_model: mujoco.MjModel of the same arm on rigid tendons.
        control_step: s, a control tick.

    Raises:
        ArgumentError: an unknown condition or tendon, a wrong factor, load or pose.
    """

    def __init__(
        self,
        condition="healthy",
        load_kg=0.0,
        tendon="rigid",
        strength=1.0,
        mass=1.0,
        moment_arms=1.0,
        seed=0,
        initial_pose=None,
        settings=None,
    ):
        settings = settings or parameters()
        if condition not in CONDITIONS:
            known = " ".join(CONDITIONS)
            raise ArgumentError(f"unknown condition {condition!r}, expected one of {known}")
        if condition == "weak":
            strength = np.multiply(strength, settings.number("weak_strength", 0.0, 1.0))
        self.model = plant.build(tendon, load_kg, strength, mass, moment_arms, settings)
        # the same arm on rigid tendons: what is known of it without simulating
        self.rigid_model = self.model
        if tendon != "rigid":
            self.rigid_model = plant.build("rigid", load_kg, strength, mass, moment_arms, settings)
        self.data = mujoco.MjData(self.model)
        self._warnings = self.data.warning.number  # a view: how often MuJoCo warned of each kind
        self.condition, self.load_kg, self.tendon = condition, float(load_kg), tendon
        self.control_step = N_SUB * self.model.opt.timestep
        self._noise = settings.number("excitation_noise", 0.0, 1.0)
        self._seed = seed
        self._muscles = ids(self.model, "actuator", MUSCLES)
        self._tendons = ids(self.model, "tendon", MUSCLES)
        self._hand = ids(self.model, "site", ["hand"])[0]
        self._limits = self.model.jnt_range[ids(self.model, "joint", JOINTS)].copy()
        self._arms = plant.moment_arms(self.model)
        self._peak = self.model.actuator_gainprm[self._muscles, 2].copy()
        self._fatigue = None
        if condition == "fatigued":
            self._fatigue = Fatigue(
                len(MUSCLES),
                settings.number("fatigue_rate", 0.0, 10.0),
                settings.number("recovery_rate", 0.0, 10.0),
                settings.number("rest_recovery_factor", 1.0, 1000.0),
                settings.number("fatigued_share", 0.0, 1.0),
            )
        self._initial_pose = settings.vector("initial_pose", 2)
        if initial_pose is not None:
            self._initial_pose = np.array(initial_pose, dtype=float)
        self._check_pose(self._initial_pose)
        self.reset()

    def reset(self, pose=None):
        """Back to rest at `pose` (2,), by default the initial one; the noise starts again too."""
        pose = self._initial_pose if pose is None else np.asarray(pose, dtype=float)
        self._check_pose(pose)
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:2] = pose
        if self.tendon == "elastic":
            self.data.qpos[2:] = self._arms @ pose  # neither stretched nor slack
        self._rng = np.random.default_rng(self._seed)
        if self._fatigue:
            self._fatigue.reset()
            self.model.actuator_gainprm[self._muscles, 2] = self._peak
        mujoco.mj_forward(self.model, self.data)
        self._fresh = True

    def step(self, excitations, n_sub=N_SUB):
        """Hold six excitations for n_sub physics steps; values outside 0..1 are clamped.

        Raises:
            ValueError: not six finite numbers. SimulationError: the simulation has gone bad.
        """
        values = [float(value) for value in excitations]
        if len(values) != len(MUSCLES) or not math.isfinite(sum(values)):
            raise ValueError(f"expected {len(MUSCLES)} finite excitations, got {excitations!r}")
        data = self.data
        if self._noise:
            scale = 1.0 + self._noise * self._rng.standard_normal(len(values))
            values = [value * factor for value, factor in zip(values, scale.tolist())]
        data.ctrl[:] = [min(max(value, 0.0), 1.0) for value in values]
        if self._fatigue:
            factors = self._fatigue.step(data.act.tolist(), n_sub * self.model.opt.timestep)
            self.model.actuator_gainprm[self._muscles, 2] = self._peak * factors
        mujoco.mj_step(self.model, data, n_sub)
        self._fresh = False
        self.check()

    def check(self):
        """Raise SimulationError, which names the cause, when the state is no longer sound."""
        data = self.data
        state = data.qpos.tolist() + data.qvel.tolist() + data.act.tolist()
        if sum(self._warnings.tolist()) or not math.isfinite(sum(state)):
            check(self.model, data)

    def relax(self):
        """Set all excitations and activations to zero, at once: no muscle pulls any more."""
        self.data.ctrl[:] = 0.0
        self.data.act[:] = 0.0
        self._fresh = False

    def state(self):
        """Joint angles (2), joint velocities (2) and activations (6) as lists of floats."""
        data = self.data
        return data.qpos[:2].tolist(), data.qvel[:2].tolist(), data.act.tolist()

    @property
    def time(self):
        """Simulation time (s) since the last reset."""
        return self.data.time

    def joint_angles(self):
        """Shoulder and elbow (rad): array (2,)."""
        return self.data.qpos[:2].copy()

    def joint_velocities(self):
        """Shoulder and elbow (rad/s): array (2,)."""
        return self.data.qvel[:2].copy()

    def joint_torques(self):
        """Torque of the muscles on shoulder and elbow (N m): array (2,)."""
        return -self.muscle_forces() @ self._arms

    def end_effector(self):
        """The hand's x and z from the shoulder (m): array (2,)."""
        self._refresh()
        return self.data.site_xpos[self._hand, ::2].copy()

    def muscle_activations(self):
        """Activation states, 0..1: array (6,)."""
        return self.data.act.copy()

    def muscle_excitations(self):
        """The excitations that drove the last step, 0..1: array (6,)."""
        return self.data.ctrl.copy()

    def muscle_forces(self):
        """What the tendons pull with (N), tension positive: array (6,)."""
        self._refresh()
        if self.tendon == "rigid":
            return -self.data.actuator_force
        model, data, own = self.model, self.data, self._tendons
        tension = model.tendon_stiffness[own] * self.tendon_extensions()
        tension += model.tendon_damping[own] * data.ten_velocity[own]
        return np.maximum(tension, 0.0)

    def muscle_lengths(self):
        """Excursions of muscle and tendon together from the zero pose (m): array (6,)."""
        return self._arms @ self.data.qpos[:2]

    def tendon_extensions(self):
        """Stretch of the elastic tendons (m), 0 where slack or rigid: array (6,)."""
        if self.tendon == "rigid":
            return np.zeros(len(MUSCLES))
        self._refresh()
        return np.maximum(self.data.ten_length[self._tendons], 0.0)

    def tendon_stiffness(self):
        """Stiffness of the elastic tendons (N/m), inf where rigid: array (6,)."""
        if self.tendon == "rigid":
            return np.full(len(MUSCLES), np.inf)
        return self.model.tendon_stiffness[self._tendons].copy()

    def moment_arms(self):
        """Change of tendon length per joint angle (m/rad): array (6, 2)."""
        return self._arms.copy()

    def peak_forces(self):
        """Peak active forces, unfatigued (N): array (6,)."""
        return self._peak.copy()

    def joint_limits(self):
        """Lower and upper limit (rad) of shoulder and elbow: array (2, 2)."""
        return self._limits.copy()

    def fatigue_shares(self):
        """Active, resting, fatigued share of each muscle in turn: array (18,), or None."""
        return np.array(self._fatigue.shares()) if self._fatigue else None

    def strength_ceiling(self):
        """The largest activation whose force the muscles can still give: list of six, 0..1."""
        return self._fatigue.ceiling() if self._fatigue else [1.0] * len(MUSCLES)

    def save(self):
        """Everything that decides what comes next; for `restore`."""
        spec = mujoco.mjtState.mjSTATE_INTEGRATION
        state = np.empty(mujoco.mj_stateSize(self.model, spec))
        mujoco.mj_getState(self.model, self.data, state, spec)
        fatigue = self._fatigue.save() if self._fatigue else None
        return state, fatigue, self._rng.bit_generator.state

    def restore(self, saved):
        """Back to a saved state; the same excitations then give the same motion to the last bit."""
        state, fatigue, noise = saved
        mujoco.mj_setState(self.model, self.data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
        self._rng.bit_generator.state = noise
        if self._fatigue:
            self._fatigue.restore(fatigue)
        self._fresh = False

    def _refresh(self):
        """What MuJoCo derives from the state belongs, after a step, to the step's beginning."""
        if not self._fresh:
            mujoco.mj_fwdPosition(self.model, self.data)
            mujoco.mj_fwdVelocity(self.model, self.data)
            mujoco.mj_fwdActuation(self.model, self.data)
            self._fresh = True

    def _check_pose(self, pose):
        inside = pose.shape == (2,) and (pose >= self._limits[:, 0]).all()
        if not (inside and (pose <= self._limits[:, 1]).all()):
            raise ArgumentError(
                f"initial_pose: expected shoulder and elbow within {self._limits.tolist()} rad, "
                f"got {np.asarray(pose).tolist()}"
            )


def tendon_stiffness(settings=None):
    """Stiffness of the elastic plant's tendons (N/m), whatever plant is running: array (6,)."""
    model = plant.build(settings=settings)
    peak = model.actuator_gainprm[ids(model, "actuator", MUSCLES), 2]
    return elastic.stiffness_per_force(settings or parameters()) * peak
