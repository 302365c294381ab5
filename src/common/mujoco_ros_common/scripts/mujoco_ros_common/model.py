"""MuJoCo models: loading, addresses by name, and a check that a simulation is still sound."""

import math
from pathlib import Path

import mujoco
import numpy as np

from mujoco_ros_common.errors import ArgumentError, UserError

_OBJECTS = {
    "body": mujoco.mjtObj.mjOBJ_BODY,
    "joint": mujoco.mjtObj.mjOBJ_JOINT,
    "geom": mujoco.mjtObj.mjOBJ_GEOM,
    "site": mujoco.mjtObj.mjOBJ_SITE,
    "tendon": mujoco.mjtObj.mjOBJ_TENDON,
    "actuator": mujoco.mjtObj.mjOBJ_ACTUATOR,
    "sensor": mujoco.mjtObj.mjOBJ_SENSOR,
    "camera": mujoco.mjtObj.mjOBJ_CAMERA,
}
_FATAL = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL)
_FATAL += (mujoco.mjtWarning.mjWARN_BADQACC, mujoco.mjtWarning.mjWARN_BADCTRL)


class SimulationError(RuntimeError):
    """The simulation is no longer sound; the message names the cause."""


def load_model(path):
    """Compile an MJCF file, wherever it lies (spaces and non-ASCII characters included).

    Raises:
        UserError: the file is missing or MuJoCo refuses it.
    """
    path = Path(path)
    if not path.is_file():
        raise UserError(f"expected a model file at {path}, found none")
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise UserError(f"{path}: not a model that MuJoCo accepts: {reason}") from None


def scene_path(folder, scene, scenes, prefix="scene_"):
    """The file of a named scene.

    Raises:
        ArgumentError: `scene` is not one of `scenes`.
    """
    if scene not in scenes:
        raise ArgumentError(f"unknown scene {scene!r}, expected one of {' '.join(scenes)}")
    return Path(folder) / f"{prefix}{scene}.xml"


def ids(model, kind, names):
    """Addresses of named objects.

    Args:
        model: mujoco.MjModel
        kind: "body", "joint", "geom", "site", "tendon", "actuator", "sensor" or "camera".
        names: a list of names.

    Returns:
        int array (len(names),)

    Raises:
        UserError: the model has no object of one of the names.
    """
    found = np.array([mujoco.mj_name2id(model, _OBJECTS[kind], name) for name in names], dtype=int)
    missing = [name for name, number in zip(names, found) if number < 0]
    if missing:
        raise UserError(f"the model has no {kind} named {' '.join(missing)}")
    return found


def has(model, kind, name):
    """Whether the model has an object of that name."""
    return mujoco.mj_name2id(model, _OBJECTS[kind], name) >= 0


def check(model, data):
    """Raise SimulationError when MuJoCo has warned of a bad state or a state is not finite.

    MuJoCo resets a state that has gone bad by itself and only counts a warning, so the warning
    is what tells; the state itself shows what was written from outside since the last step.
    """
    for warning in _FATAL:
        if data.warning[warning].number:
            name = mujoco.mjtWarning(warning).name[len("mjWARN_") :]
            what = "actuator" if name == "BADCTRL" else "position" if name == "BADQPOS" else "dof"
            where = data.warning[warning].lastinfo
            raise SimulationError(f"MuJoCo warned of {name} at {what} {where}")
    for name, values in (("qpos", data.qpos), ("qvel", data.qvel), ("act", data.act)):
        # a sum of squares is finite if and only if all of it is, and cheap
        if not math.isfinite(values.dot(values)):
            where = np.flatnonzero(~np.isfinite(values))
            raise SimulationError(f"the state is not finite: {name}{where.tolist()}")
