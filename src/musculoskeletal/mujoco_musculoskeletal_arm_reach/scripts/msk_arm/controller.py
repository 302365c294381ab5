"""What drives the muscles to a target: one interface, three controllers.

    controller.set_target(target)                # a Target that the check has accepted
    excitations = controller.update(q, v, act)   # every control tick: six floats, 0..1

Joint angles, velocities and activations are sequences of floats, measured or estimated.
"""

import math

import mujoco

from msk_arm import plant
from msk_arm.allocation import allocate
from msk_arm.dynamics import ArmDynamics
from msk_arm.load import LoadEstimate
from msk_arm.names import CONTROLLERS, N_SUB, parameters
from msk_arm.target import ACCEPTED, WORDS, Target
from msk_arm.trajectory import Reach
from mujoco_ros_common.errors import ArgumentError

REFERENCES = ("minimum_jerk", "step")


class Controller:
    """What all controllers have.

    Args:
        model: mujoco.MjModel of the nominal arm (rigid tendons).

    Attributes:
        dynamics: ArmDynamics of the nominal arm. target: Target, or None before the first.
        co_contraction: lower bound of all activations, 0..1.
    """

    def __init__(self, model):
        self.model, self.dynamics = model, ArmDynamics(model)
        self.substep = float(model.opt.timestep)
        self.step = N_SUB * self.substep
        self.co_contraction = 0.0
        self.target = None

    def reset(self):
        """Forget what was learned from the motion; the target stays. After a reset of the arm, and
        when somebody else has driven it."""

    def set_target(self, target):
        """Go for a target from now on; refused ones are ignored, the last good one stays."""
        if target.accepted:
            self.target = target

    def update(self, q, v, activations):
        """The excitations (6 floats, 0..1) of the next tick.

        Args:
            q, v: joint angles (rad) and velocities (rad/s) now. activations: six, now.
        """
        raise NotImplementedError


class PdController(Controller):
    """Joint torques in proportion to error and velocity, shared among the muscles by rules.

    A positive or negative torque goes to the flexor or extensor of its joint; what both joints have
    in common goes to the biarticular pair. Gravity is not compensated.
    """

    def __init__(self, model, settings):
        super().__init__(model)
        self._stiffness = settings.vector("pd_stiffness", 2, low=0.0).tolist()
        self._damping = settings.vector("pd_damping", 2, low=0.0).tolist()
        self._common = settings.number("pd_common", 0.0, 1.0)
        self._base = settings.number("pd_co_contraction", 0.0, 1.0)

    def update(self, q, v, activations):
        base = max(self._base, self.co_contraction)
        if self.target is None:
            return [base] * len(self.dynamics.muscles)
        t1, t2 = (
            k * (goal - angle) - d * speed
            for k, d, goal, angle, speed in zip(self._stiffness, self._damping, self.target.q, q, v)
        )
        both = 0.0
        if t1 * t2 > 0.0:
            both = self._common * math.copysign(min(abs(t1), abs(t2)), t1)
        shares = (t1 - both, t1 - both, t2 - both, t2 - both, both, both)
        out = []
        for torque, muscle, (r1, r2) in zip(shares, self.dynamics.muscles, self.dynamics.arms):
            arm = r1 or r2  # a flexor shortens with the angle: its arm is negative
            out.append(min(base + max(-torque / (arm * muscle.peak_force), 0.0), 1.0))
        return out


class InverseController(Controller):
    """Computed torque, turned into excitations by inverting the muscles exactly.

    One tick ahead: the nominal arm says where arm and muscles will be at the end of the tick if
    the activations stay, and how that changes with the torque wanted then. The torque is shared
    with the least activation among those that the activation dynamics can reach in the tick, and
    the dynamics inverted. What the nominal arm does not explain is put down to a load in the hand
    and, by a disturbance observer, to a torque.

    Args:
        model: mujoco.MjModel, the nominal arm: its inner model, which need not be the arm's. Its
            load follows the estimate, so it must not be shared.
        settings: Parameters; config/simulation.yaml has them all.
    """

    # Share of tick^2 / tick by which a torque that rises over a tick moves the end of the tick:
    # activations go to their aim at a falling rate and act from the second substep on.
    _PLACE, _PACE = 0.2, 0.45

    def __init__(self, model, settings):
        super().__init__(model)
        self.data = mujoco.MjData(model)
        self._jerk = settings.choice("reference", REFERENCES) == "minimum_jerk"
        self._w = settings.number("natural_frequency", 0.1, 200.0)
        self._damp = 2.0 * self._w * settings.number("damping_ratio", 0.0, 10.0)
        self._observer = settings.number("observer_gain", 0.0, 1.0)
        self._strength = settings.number("strength_share", 0.01, 1.0)
        self._lead = settings.number("step_lead", 0.001)
        self._patience = settings.number("patience", 0.001)
        self._rest = settings.number("rest_activation", 0.0, 1.0)
        self._weight = settings.number("torque_weight", 0.001)
        self._shortest = settings.number("shortest_reach", 0.02, 100.0)
        self._longest = settings.number("longest_reach", self._shortest, 100.0)
        self.load = LoadEstimate(model, self.dynamics, settings, self.step)
        self.reset()

    def reset(self):
        self.disturbance = [0.0, 0.0]
        self._expected = None
        self.load.reset()
        self.reach = None

    def set_target(self, target):
        if target.accepted:
            self.target, self.reach = target, None

    def update(self, q, v, activations):
        self._observe(q, v)
        activations = list(activations)
        goal = self._goal(q, v)
        places, paces = self._predict(q, v, activations, activations)
        torques, w1, w2 = self._torques(places, paces, activations, goal)
        muscles, dt = self.dynamics.muscles, self.substep
        low = [m.advance(0.0, a, dt, N_SUB) for m, a in zip(muscles, activations)]
        high = [m.advance(1.0, a, dt, N_SUB) for m, a in zip(muscles, activations)]
        if self.co_contraction > 0.0:
            low = [max(a, min(self.co_contraction, b)) for a, b in zip(low, high)]
        wanted = allocate(w1, w2, torques[0], torques[1], low, high, self._rest, self._weight)
        out = [m.excitation(a, b, dt, N_SUB) for m, a, b in zip(muscles, activations, wanted)]
        self._expected = self._predict(q, v, activations, out)[1]
        return out

    def _observe(self, q, v):
        """Put down to a load and a torque what the nominal arm did not expect of the last tick."""
        if self._expected is None:
            self.load.observe(q, v, (0.0, 0.0))
            return
        m11, m12, m22 = self.dynamics.mass(q[1])
        d1, d2 = ((now - then) / self.step for now, then in zip(v, self._expected))
        t1, t2 = m11 * d1 + m12 * d2, m12 * d1 + m22 * d2
        old1, old2 = self.disturbance
        known1, known2 = self.load.observe(q, v, (t1 + old1, t2 + old2))
        self.disturbance[0] = old1 + self._observer * t1 - known1
        self.disturbance[1] = old2 + self._observer * t2 - known2

    def _goal(self, q, v):
        """Wanted angles, velocities, accelerations at the end of the tick, from three points of the
        reference a tick apart; the reference waits for an arm that falls behind."""
        if self.target is None:
            self.target = _here(self.dynamics, q)
        if not self._jerk:
            lead = self._lead
            near = [a + lead * math.tanh((b - a) / lead) for a, b in zip(q, self.target.q)]
            return near, (0.0, 0.0), (0.0, 0.0)
        h = self.step
        if self.reach is None:
            self.reach = Reach(
                self.dynamics, q, v, self.target, self._strength, self._shortest, self._longest
            )
            self._time = 0.0
            start = self.reach.at(0.0)
            self._points = [(start[0] - h * v[0], start[1] - h * v[1]), start, self.reach.at(h)]
        behind = math.hypot(q[0] - self._points[1][0], q[1] - self._points[1][1])
        self._time += h / (1.0 + (behind / self._patience) ** 2)
        before, here, after = self._points[1], self._points[2], self.reach.at(self._time + h)
        self._points = [before, here, after]
        pace = [(b - a) / (2.0 * h) for a, b in zip(before, after)]
        change = [(a - 2.0 * m + b) / (h * h) for a, m, b in zip(before, here, after)]
        return here, pace, change

    def _predict(self, q, v, activations, excitations):
        """Angles and velocities at the end of the tick, by the nominal arm."""
        data = self.data
        data.qpos[:] = q
        data.qvel[:] = v
        data.act[:] = activations
        data.ctrl[:] = excitations
        data.qfrc_applied[:] = self.disturbance
        data.qacc_warmstart[:] = 0.0
        mujoco.mj_step(self.model, data, N_SUB)
        return data.qpos.tolist(), data.qvel.tolist()

    def _torques(self, q, v, activations, goal):
        """Muscle torques wanted at the end of the tick, and the muscles' torques per activation.

        q, v: where the arm ends if the activations stay.
        """
        arm, (d1, d2) = self.dynamics, self.disturbance
        w1, w2, p1, p2 = arm.muscle_state(q[0], q[1], v[0], v[1])
        t1 = d1 + p1 + sum(w * a for w, a in zip(w1, activations))
        t2 = d2 + p2 + sum(w * a for w, a in zip(w2, activations))
        place, pace = self._PLACE * self.step**2, self._PACE * self.step
        share = 1.0 + self._damp * pace + self._w**2 * place
        angles, speeds, wanted = [], [], []
        for k, now in enumerate(arm.acceleration(q, v, t1, t2)):
            error = self._w**2 * (goal[0][k] - q[k]) + self._damp * (goal[1][k] - v[k])
            change = (goal[2][k] + error - now) / share
            angles.append(q[k] + place * change)
            speeds.append(v[k] + pace * change)
            wanted.append(now + change)
        t1, t2 = arm.torque(angles, speeds, wanted)
        w1, w2, p1, p2 = arm.muscle_state(angles[0], angles[1], speeds[0], speeds[1])
        return (t1 - p1 - d1, t2 - p2 - d2), w1, w2


def make(name, settings=None, model=None):
    """A controller by name.

    Args:
        name: "pd", "inverse" or "nn". settings: Parameters; the package's own by default.
        model: mujoco.MjModel of the nominal arm; the healthy, unloaded one by default.

    Raises:
        ArgumentError: unknown name or wrong parameter. UserError: no weights for nn.
    """
    if name not in CONTROLLERS:
        raise ArgumentError(f"unknown controller {name!r}, expected one of {' '.join(CONTROLLERS)}")
    settings = settings or parameters()
    model = plant.build() if model is None else model
    if name == "nn":
        from msk_arm.nn import NnController  # noqa: PLC0415 (it imports this module)

        return NnController(model, settings)
    return (PdController if name == "pd" else InverseController)(model, settings)


def _here(dynamics, q):
    """The place where the hand is, as a target: what a controller without one holds."""
    x, z = dynamics.forward(*q)
    return Target(ACCEPTED, x, z, tuple(q), WORDS[ACCEPTED])
