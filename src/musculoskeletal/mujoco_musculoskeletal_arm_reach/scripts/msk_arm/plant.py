"""The compiled model of the arm: which file, and what a condition changes in it."""

import mujoco
import numpy as np

from msk_arm import elastic
from msk_arm.names import JOINTS, MODEL, MUSCLES, TENDONS, parameters
from mujoco_ros_common.errors import ArgumentError
from mujoco_ros_common.model import ids, load_model

LOAD_DENSITY = 7850.0  # kg/m^3, steel


def build(tendon="rigid", load_kg=0.0, strength=1.0, mass=1.0, moment_arms=1.0, settings=None):
    """Compile the arm.

    Args:
        tendon: "rigid" (fixed tendons) or "elastic" (each with a spring in series).
        load_kg: weight in the hand (kg).
        strength: factor on the peak forces, a number or (6,).
        mass: factor on mass and inertia of upper arm and forearm, a number or (2,).
        moment_arms: factor on the moment arms, a number, (6,) or (6, 2).
        settings: Parameters; the package's own by default.

    Returns:
        mujoco.MjModel

    Raises:
        ArgumentError: an unknown tendon, or a factor or load that is not finite or below 0.
    """
    settings = settings or parameters()
    if tendon not in TENDONS:
        raise ArgumentError(f"unknown tendon {tendon!r}, expected one of {' '.join(TENDONS)}")
    model = elastic.load(MODEL, settings, MUSCLES) if tendon == "elastic" else load_model(MODEL)
    muscles, segments = ids(model, "actuator", MUSCLES), ids(
        model, "body", ["upper_arm", "forearm"]
    )
    for parameter in (model.actuator_gainprm, model.actuator_biasprm):
        parameter[muscles, 2] *= _factor("strength", strength, (6,))
    factor = _factor("mass", mass, (2,))
    model.body_mass[segments] *= factor
    model.body_inertia[segments] *= factor[:, None]
    arms = np.asarray(moment_arms, dtype=float)
    factors = _factor("moment_arms", arms[:, None] if arms.ndim == 1 else arms, (6, 2))
    for row, tendon_id in zip(factors, ids(model, "tendon", MUSCLES)):
        for address in _wraps(model, tendon_id):
            joint = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, model.wrap_objid[address])
            if joint in JOINTS:
                model.wrap_prm[address] *= row[JOINTS.index(joint)]
    _hold(model, float(_factor("load_kg", load_kg, ())))
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def moment_arms(model):
    """Change of each tendon's length per joint angle (m/rad), from the model: array (6, 2).

    A muscle with tension F turns the joints by -F times its row.
    """
    arms = np.zeros((len(MUSCLES), len(JOINTS)))
    for row, tendon_id in zip(arms, ids(model, "tendon", MUSCLES)):
        for address in _wraps(model, tendon_id):
            joint = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, model.wrap_objid[address])
            if joint in JOINTS:
                row[JOINTS.index(joint)] = model.wrap_prm[address]
    return arms


def _wraps(model, tendon):
    first = model.tendon_adr[tendon]
    return range(first, first + model.tendon_num[tendon])


def _factor(name, value, shape):
    array = np.asarray(value, dtype=float)
    if not (np.isfinite(array).all() and (array >= 0).all()):
        raise ArgumentError(f"{name}: expected finite numbers >= 0, got {value!r}")
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ArgumentError(
            f"{name}: expected a number or an array {shape}, got shape {array.shape}"
        ) from None


def _hold(model, load_kg):
    """Put a steel ball of that weight into the hand."""
    body, geom = ids(model, "body", ["load"])[0], ids(model, "geom", ["load"])[0]
    radius = (3.0 * load_kg / (4.0 * np.pi * LOAD_DENSITY)) ** (1.0 / 3.0)
    model.body_mass[body] = load_kg
    model.body_inertia[body] = 0.4 * load_kg * radius**2
    if load_kg > 0.0:
        model.geom_size[geom, 0] = model.geom_rbound[geom] = radius
        model.geom_rgba[geom, 3] = 1.0
