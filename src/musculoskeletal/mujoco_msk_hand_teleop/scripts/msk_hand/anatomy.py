"""What the muscles ought to do, and the checks of the model against it."""

import re

import mujoco
import numpy as np

from msk_hand.core import MODELS, MskHandSim
from msk_hand.names import JOINTS, MUSCLES

# muscle -> {joint: direction in which it turns it}, over the whole range of all joints
ACTS_ON = {
    "index_flex": {"j_index_mcp": 1, "j_index_pip": 1, "j_wrist_pitch": 1},
    "index_ext": {"j_index_mcp": -1, "j_index_pip": -1, "j_wrist_pitch": -1},
    "middle_flex": {"j_middle_mcp": 1, "j_middle_pip": 1, "j_wrist_pitch": 1},
    "middle_ext": {"j_middle_mcp": -1, "j_middle_pip": -1, "j_wrist_pitch": -1},
    "thumb_flex": {"j_thumb_mcp": 1, "j_thumb_abd": -1},
    "thumb_ext": {"j_thumb_mcp": -1, "j_thumb_abd": 1},
    "thumb_add": {"j_thumb_abd": -1},
    "wrist_flex": {"j_wrist_pitch": 1},
    "wrist_ext": {"j_wrist_pitch": -1},
    "wrist_yaw_l": {"j_wrist_yaw": 1},
    "wrist_yaw_r": {"j_wrist_yaw": -1},
}


def moment_arms(model, data):
    """Moment arm of each muscle about each joint at data.qpos, (11, 8) m.

    Defined as -dL/dq: the torque of a tension of 1 N, positive towards larger angles.
    """
    for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_tendon, mujoco.mj_transmission):
        stage(model, data)
    lengthening = data.actuator_moment
    if lengthening.ndim == 1:  # sparse in newer MuJoCo
        lengthening = np.zeros((model.nu, model.nv))
        mujoco.mju_sparse2dense(
            lengthening,
            data.actuator_moment,
            data.moment_rownnz,
            data.moment_rowadr,
            data.moment_colind,
        )
    return -lengthening[:, : len(JOINTS)]


def random_poses(model, seed, n):
    """Joint angles (n, 8) over the ranges; every tenth pose stands with each joint at a stop."""
    rng = np.random.default_rng(seed)
    low, high = model.jnt_range[: len(JOINTS)].T
    poses = rng.uniform(low, high, (n, len(JOINTS)))
    corners = poses[::10]
    corners[:] = np.where(rng.random(corners.shape) < 0.5, low, high)
    return poses


def moment_arm_ranges(seed, n):
    """Least and greatest moment arm over n poses, and whether each keeps its sign.

    Returns:
        {"muscle about joint": {"min_mm", "max_mm", "sign_kept"}} for the pairs of ACTS_ON
    """
    sim = MskHandSim("free")
    low = np.full((len(MUSCLES), len(JOINTS)), np.inf)
    high = -low
    for pose in random_poses(sim.model, seed, n):
        sim.data.qpos[:] = pose
        arms = moment_arms(sim.model, sim.data)
        np.minimum(low, arms, out=low)
        np.maximum(high, arms, out=high)
    rows = {}
    for row, muscle in enumerate(MUSCLES):
        for joint, direction in ACTS_ON[muscle].items():
            span = low[row, JOINTS.index(joint)], high[row, JOINTS.index(joint)]
            rows[f"{muscle} about {joint}"] = {
                "min_mm": 1e3 * float(span[0]),
                "max_mm": 1e3 * float(span[1]),
                "sign_kept": bool(min(direction * span[0], direction * span[1]) > 0.0),
            }
    return rows


def sweep(level=1.0, seconds=1.2):
    """How far each joint has turned after each muscle alone was active, and if rightly so.

    Returns:
        {muscle: {joint: change in rad, ..., "right": every joint of ACTS_ON that the muscle
        drives first turned the right way}}
    """
    sim = MskHandSim("free")
    rest, rows = sim.joint_angles(), {}
    for column, muscle in enumerate(MUSCLES):
        sim.reset()
        activation = np.zeros(len(MUSCLES))
        activation[column] = level
        for _ in range(round(seconds / sim.tick)):
            sim.step(activation)
        sim.check()
        change = sim.joint_angles() - rest
        row = {joint: float(value) for joint, value in zip(JOINTS, change)}
        row["right"] = all(
            direction * row[joint] > 0.0 for joint, direction in ACTS_ON[muscle].items()
        )
        rows[muscle] = row
    return rows


def length_ranges():
    """The frozen length ranges beside what the compiler finds, with L0 and LT (Millard's names).

    A tendon length l is mapped to the fibre's by L = (l - LT) / L0, so that the length range lr
    falls on the muscle's range r: L0 = (lr1 - lr0) / (r1 - r0), LT = lr0 - r0 L0.

    Returns:
        {muscle: {"lr0_mm", "lr1_mm", "L0_mm", "LT_mm", "off_um"}}
    """
    text = (MODELS / "hand_model.xml").read_text(encoding="utf-8")
    model = mujoco.MjModel.from_xml_string(text)
    found = mujoco.MjModel.from_xml_string(re.sub(r' lengthrange="[^"]*"', "", text))
    rows = {}
    for row, muscle in enumerate(MUSCLES):
        frozen = model.actuator_lengthrange[row]
        off = np.abs(found.actuator_lengthrange[row] - frozen).max()
        first, last = model.actuator_gainprm[row, :2]
        rest_length = (frozen[1] - frozen[0]) / (last - first)
        rows[muscle] = {
            "lr0_mm": 1e3 * float(frozen[0]),
            "lr1_mm": 1e3 * float(frozen[1]),
            "L0_mm": 1e3 * float(rest_length),
            "LT_mm": 1e3 * float(frozen[0] - first * rest_length),
            "off_um": 1e6 * float(off),
        }
    return rows
