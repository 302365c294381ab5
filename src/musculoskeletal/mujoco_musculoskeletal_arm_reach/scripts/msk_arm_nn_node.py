#!/usr/bin/env python3
"""Network node of the arm: from target and state to excitations, for whoever simulates the arm."""

import math
import sys
import threading

import rospy
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32, Float32MultiArray

from msk_arm import plant
from msk_arm.dynamics import ArmDynamics
from msk_arm.names import JOINTS, MUSCLES, PARAMETERS, STATUS_LABELS
from msk_arm.nn import NnController
from msk_arm.target import TargetCheck
from mujoco_ros_common import ros

PATIENCE = 0.5  # s without joint states after which no command goes out
SAME = 1e-6  # m; two targets nearer than this are one (a status has 32 bits)


class ArmNetwork:
    """Commands the excitations that the network gives, at every message of joint states.

    Subscribes:
        target_position (geometry_msgs/Point): x, z in m; one that the healthy arm cannot reach is
            dropped, and the last good one stays.
        msk_arm/status (Float32MultiArray[6]): what the arm itself makes of its targets. It knows
            its strength and its load; and a reset sends it to another target.
        joint_states (sensor_msgs/JointState): shoulder and elbow, rad and rad/s.
        muscle_activations (Float32MultiArray[6]): 0..1.
        msk_arm/co_contraction (std_msgs/Float32): lower bound of all activations, 0..1.
    Publishes:
        msk_arm/muscle_cmd (Float32MultiArray[6]): at the rate of joint_states.
    Parameters: ~weights (file; "": the package's own), ~default_target (m).
    """

    def __init__(self):
        p = ros.read_parameters(PARAMETERS)
        model = plant.build(settings=p)
        self.driver, self.check = NnController(model, p), TargetCheck(ArmDynamics(model))
        self.driver.set_target(self.check(*p.vector("default_target", 2).tolist()))
        self.good = self.driver.target  # the last one that the arm has not refused
        self.command = ros.ArrayPublisher("msk_arm/muscle_cmd", MUSCLES)
        self.news = threading.Event()
        self.target = ros.Checked("target_position", Point, self._judge)
        self.status = ros.Checked("msk_arm/status", Float32MultiArray, _verdict)
        shares = ros.array_of(len(MUSCLES), 0.0, 1.0)
        self.activations = ros.Checked("muscle_activations", Float32MultiArray, shares)
        self.stiffness = ros.Checked("msk_arm/co_contraction", Float32, ros.scalar(0.0, 1.0))
        self.joints = ros.Checked(
            "joint_states", JointState, ros.joint_state_of(JOINTS), lambda *_: self.news.set()
        )
        watched = (self.target, self.status, self.activations, self.stiffness, self.joints)
        self.diagnostics = ros.Diagnostics("network of the arm", watched)

    def run(self):
        """Loop until the node is shut down."""
        while not rospy.is_shutdown():
            if not self.news.wait(PATIENCE):
                continue
            self.news.clear()
            self._follow(self.status.take())
            target, state = self.target.take(), self.joints.take()
            activations = self.activations.value(PATIENCE)
            if target is not None:
                self.driver.set_target(target)
            if state is None or activations is None:
                continue
            self.driver.co_contraction = self.stiffness.value() or 0.0
            self.command.publish(self.driver.update(*state, activations))

    def _follow(self, verdict):
        """Go where the arm says that it is to go: its last verdict comes ten times a second."""
        if verdict is None:
            return
        (x, z, accepted), own = verdict, self.driver.target
        if own is None or math.hypot(x - own.x, z - own.z) > SAME:
            if accepted:
                self.driver.set_target(self.check(x, z))
                self.good = self.driver.target
        elif accepted:
            self.good = own
        elif self.good is not None:
            self.driver.set_target(self.good)

    def _judge(self, message):
        target = self.check(message.x, message.z)
        if not target.accepted:
            raise ValueError(target.words)
        return target


def _verdict(message):
    """A check for Checked: x, z (m) and whether the arm has accepted it; no place, no verdict."""
    if len(message.data) != len(STATUS_LABELS):
        raise ValueError(f"expected {len(STATUS_LABELS)} values, got {len(message.data)}")
    x, z, accepted = message.data[:3]
    return (x, z, accepted > 0.5) if math.isfinite(x) and math.isfinite(z) else None


if __name__ == "__main__":
    sys.exit(ros.main("msk_arm_nn", ArmNetwork))
