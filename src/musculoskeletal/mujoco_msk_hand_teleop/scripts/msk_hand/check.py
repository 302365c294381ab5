"""The self-check of `main.py check`: geometry, muscles and scenes."""

import mujoco
import numpy as np

from msk_hand import anatomy
from msk_hand.core import MODELS, MskHandSim
from msk_hand.names import FINGERS, JOINTS, SCENES
from mujoco_ros_common import model as models
from mujoco_ros_common import report

_ZERO_CONTROL_STEPS = 400
_LENGTH_RANGE_UM = 1.0  # agreement of the frozen length ranges with the compiler's


def run(seed, n):
    """Check everything and print it.

    Args:
        seed: of the poses. n: poses for the moment arms.

    Returns:
        {row: {..., "passed": bool}}
    """
    arms = anatomy.moment_arm_ranges(seed, n)
    report.table(arms, f"moment arms over {n} poses", "mm")
    sweeps = anatomy.sweep()
    report.table(_short(sweeps), "\nchange of each joint after 1.2 s, rad", "muscle")
    ranges = anatomy.length_ranges()
    report.table(ranges, "\nlength ranges", "muscle")
    rows = {
        "forward_kinematics": forward_kinematics(seed),
        "muscle_sweep": {
            "muscles": len(sweeps),
            "passed": all(r["right"] for r in sweeps.values()),
        },
        "moment_arms": {"pairs": len(arms), "passed": all(r["sign_kept"] for r in arms.values())},
        "length_ranges": {
            "LT_min_mm": min(row["LT_mm"] for row in ranges.values()),
            "off_um": max(row["off_um"] for row in ranges.values()),
            "passed": all(
                row["L0_mm"] > 0 and row["LT_mm"] > 0 and row["off_um"] < _LENGTH_RANGE_UM
                for row in ranges.values()
            ),
        },
    }
    for scene in SCENES:
        rows[f"scene_{scene}"] = fresh_scene(scene)
    return rows


def fresh_scene(scene):
    """A freshly loaded scene: no contact yet, and 400 steps without control leave it sound."""
    model = models.load_model(MODELS / f"scene_{scene}.xml")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    contacts = int(data.ncon)
    fastest = 0.0
    for _ in range(_ZERO_CONTROL_STEPS):
        mujoco.mj_step(model, data)
        fastest = max(fastest, float(np.abs(data.qvel[: len(JOINTS)]).max()))
    warnings = sum(int(data.warning[kind].number) for kind in range(len(data.warning)))
    sound = warnings == 0 and np.isfinite(data.qpos).all() and np.isfinite(data.qacc).all()
    return {
        "initial_contacts": contacts,
        "warnings": warnings,
        "fastest_rad_s": fastest,
        "passed": bool(contacts == 0 and sound),
    }


def forward_kinematics(seed, n=1000):
    """MuJoCo's fingertips against rotations and offsets chained by hand."""
    sim = MskHandSim("free")
    worst = 0.0
    for pose in anatomy.random_poses(sim.model, seed, n):
        sim.data.qpos[:] = pose
        mujoco.mj_kinematics(sim.model, sim.data)
        for finger in FINGERS:
            found = sim.data.site(f"tip_{finger}").xpos
            worst = max(worst, float(np.abs(found - chained_tip(sim.model, pose, finger)).max()))
    return {"poses": n, "off_um": 1e6 * worst, "passed": worst < 1e-9}


def chained_tip(model, pose, finger):
    """Fingertip (3,) m from the offsets, frames and axes of the model, by Rodrigues' formula."""
    site = model.site(f"tip_{finger}")
    point, body = site.pos.copy(), int(model.site_bodyid[site.id])
    while body:
        first, count = model.body_jntadr[body], model.body_jntnum[body]
        for joint in reversed(range(first, first + count)):
            point = _rotated(point, model.jnt_axis[joint], pose[joint])
        point = _by_quaternion(model.body_quat[body]) @ point + model.body_pos[body]
        body = int(model.body_parentid[body])
    return point


def _rotated(point, axis, angle):
    along = axis * (axis @ point)
    return along + np.cos(angle) * (point - along) + np.sin(angle) * np.cross(axis, point)


def _by_quaternion(quaternion):
    w, x, y, z = quaternion
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


def _short(sweeps):
    """Columns without the j_ that all joints have."""
    return {
        muscle: {key[2:] if key.startswith("j_") else key: value for key, value in row.items()}
        for muscle, row in sweeps.items()
    }
