#!/usr/bin/env python3
"""Network node of the arm: from target and state to excitations, for whoever simulates the arm."""

import sys
import threading

import rospy
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32, Float32MultiArray

from msk_arm import plant
from msk_arm.dynamics import ArmDynamics
from msk_arm.names import JOINTS, MUSCLES, PARAMETERS
from msk_arm.nn import NnController
from msk_arm.target import TargetCheck
from mujoco_ros_common import ros

PATIENCE = 0.5  # s without joint states after which no command goes out


class ArmNetwork:
    """Commands the excitations that the network gives, at every message of joint states.

    Subscribes:
        target_position (geometry_msgs/Point): x, z in m; one that the healthy arm cannot reach is
            dropped, and the last good one stays.
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
        self.command = ros.ArrayPublisher("msk_arm/muscle_cmd", MUSCLES)
        self.news = threading.Event()
        self.target = ros.Checked("target_position", Point, self._judge)
        shares = ros.array_of(len(MUSCLES), 0.0, 1.0)
        self.activations = ros.Checked("muscle_activations", Float32MultiArray, shares)
        self.stiffness = ros.Checked("msk_arm/co_contraction", Float32, ros.scalar(0.0, 1.0))
        self.joints = ros.Checked(
            "joint_states", JointState, ros.joint_state_of(JOINTS), lambda *_: self.news.set()
        )
        watched = (self.target, self.activations, self.stiffness, self.joints)
        self.diagnostics = ros.Diagnostics("network of the arm", watched)

    def run(self):
        """Loop until the node is shut down."""
        while not rospy.is_shutdown():
            if not self.news.wait(PATIENCE):
                continue
            self.news.clear()
            target, state = self.target.take(), self.joints.take()
            activations = self.activations.value(PATIENCE)
            if target is not None:
                self.driver.set_target(target)
            if state is None or activations is None:
                continue
            self.driver.co_contraction = self.stiffness.value() or 0.0
            self.command.publish(self.driver.update(*state, activations))

    def _judge(self, message):
        target = self.check(message.x, message.z)
        if not target.accepted:
            raise ValueError(target.words)
        return target


if __name__ == "__main__":
    sys.exit(ros.main("msk_arm_nn", ArmNetwork))
