"""Whether the arm is sound: the model, the muscles, the kinematics, one reach."""

import mujoco
import numpy as np

from msk_arm import controller, evaluate, plant
from msk_arm.core import MskArmSim
from msk_arm.dynamics import ArmDynamics
from msk_arm.names import MUSCLES, parameters
from mujoco_ros_common.muscle import Muscles


def run(seed, poses):
    """All checks: {name: {figures..., "passed": bool}}."""
    model = plant.build()
    q = np.random.default_rng(seed).uniform(*model.jnt_range[:2].T, (poses, 2))
    rows = {"kinematics": _kinematics(ArmDynamics(model), q)}
    rows.update(_muscles(model, q))
    rows["rest"] = _rest()
    rows["default_target"] = _default_target()
    return rows


def run_muscles(model, poses=5000):
    """The muscles' rows alone, over random poses."""
    return _muscles(model, np.random.default_rng(0).uniform(*model.jnt_range[:2].T, (poses, 2)))


def _kinematics(arm, poses):
    """There and back: forward, then inverse kinematics."""
    worst = 0.0
    for q in poses.tolist():
        back = arm.inverse(*arm.forward(*q), 1.0 if q[1] >= 0.0 else -1.0)
        worst = max(worst, abs(back[0] - q[0]), abs(back[1] - q[1]))
    return {"round_trip_rad": worst, "poses": len(poses), "passed": worst < 1e-5}


def _muscles(model, poses):
    """Moment arms, travel within the length range, negative LT, forces that only pull."""
    muscles, arms = Muscles(model), plant.moment_arms(model)
    travel = poses @ arms.T
    span = model.actuator_lengthrange
    push = muscles.force(1.0, travel, np.random.default_rng(0).normal(0, 1, travel.shape))
    rows = {}
    for k, name in enumerate(MUSCLES):
        sign = -1.0 if name.endswith("flexor") else 1.0
        inside = span[k, 0] <= travel[:, k].min() and travel[:, k].max() <= span[k, 1]
        rows[name] = {
            "arm_shoulder_m": float(arms[k, 0]),
            "arm_elbow_m": float(arms[k, 1]),
            "peak_n": float(muscles.peak_force[k]),
            "l0_m": float(muscles.optimal_length[k]),
            # below 0: the tendon's length is an excursion, from which no fibre length follows
            "lt_m": float(muscles.tendon_length[k]),
            "travel_share": float(np.abs(travel[:, k]).max() / span[k, 1]),
            "least_force_n": float(push[:, k].min()),
            "passed": bool(inside and (sign * arms[k] >= 0).all() and push[:, k].min() >= 0.0),
        }
    return rows


def _rest():
    """A freshly loaded arm without excitation: no warning, no contact, bounded accelerations."""
    sim, fastest = MskArmSim(), 0.0
    for _ in range(80):
        sim.step([0.0] * len(MUSCLES))
        fastest = max(fastest, float(np.abs(sim.data.qacc).max()))
    warned = int(sum(sim.data.warning[k].number for k in range(mujoco.mjtWarning.mjNWARNING)))
    passed = not warned and sim.data.ncon == 0 and np.isfinite(fastest)
    return {"warnings": warned, "contacts": int(sim.data.ncon), "passed": bool(passed)}


def _default_target():
    """The configured controller brings the hand from the start pose to the default target."""
    settings = parameters()
    sim, check = MskArmSim(settings=settings), evaluate.nominal_check()
    target = check(*settings.vector("default_target", 2))
    driver = controller.make(settings.text("controller"), settings)
    hand = evaluate.record(sim, driver, target, 1.0)["hand"][-1]
    error = float(1e3 * np.hypot(hand[0] - target.x, hand[1] - target.z))
    return {"error_mm": error, "passed": error < 1.0}
