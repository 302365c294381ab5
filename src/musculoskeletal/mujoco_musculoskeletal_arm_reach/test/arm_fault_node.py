#!/usr/bin/env python3
"""The arm's simulation node with a service that spoils its state, for arm_fault.test."""

import importlib.util
import math
import sys
from pathlib import Path

import rospy
from std_srvs.srv import Trigger, TriggerResponse

from mujoco_ros_common import ros

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "msk_arm_sim_node.py"
spec = importlib.util.spec_from_file_location("msk_arm_sim_node", str(SCRIPT))
node = importlib.util.module_from_spec(spec)
spec.loader.exec_module(node)


class FragileArm(node.ArmSimulation):
    """~spoil (Trigger) makes the elbow's velocity NaN."""

    def __init__(self):
        super().__init__()
        rospy.Service("~spoil", Trigger, self._spoil)

    def _spoil(self, _):
        self.sim.data.qvel[1] = math.nan
        return TriggerResponse(True, "")


if __name__ == "__main__":
    sys.exit(ros.main("mujoco_musculoskeletal_arm_reach", FragileArm))
