"""The scaffold of a node. The only part of mujoco_ros_common that imports rospy."""

from mujoco_ros_common.ros.diagnostics import Diagnostics
from mujoco_ros_common.ros.keyboard import KeyboardNode
from mujoco_ros_common.ros.messages import (
    ArrayPublisher,
    Checked,
    array_of,
    joint_state_of,
    point,
    scalar,
)
from mujoco_ros_common.ros.node import main, read_parameters
from mujoco_ros_common.ros.simulation import SimulationNode

__all__ = [
    "ArrayPublisher",
    "Checked",
    "Diagnostics",
    "KeyboardNode",
    "SimulationNode",
    "array_of",
    "joint_state_of",
    "main",
    "point",
    "read_parameters",
    "scalar",
]
