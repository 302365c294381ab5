#!/usr/bin/env python3
"""Network node of the hand: from a fingertip target to activations."""

import sys

import rospy
from geometry_msgs.msg import Point
from std_msgs.msg import Float32, Float32MultiArray

from msk_hand.names import MUSCLES, PARAMETERS, WEIGHTS
from msk_hand.nn import InverseModel
from msk_hand.stiffness import add_co_contraction
from mujoco_ros_common import ros
from mujoco_ros_common.pacing import Pacer

STATUS_LABELS = ("target_x", "target_y", "target_z", "predicted_residual", "reachable")


class HandNetwork:
    """Commands the activations that the inverse model gives for the newest target.

    A command from anybody else (a person's keys) pre-empts it; it goes on ~preempt_time after
    the last of them.

    Subscribes:
        msk_hand/target (geometry_msgs/Point): for the index fingertip, m.
        msk_hand/co_contraction (std_msgs/Float32): 0..1, stiffens the joints.
        msk_hand/muscle_cmd (Float32MultiArray[11]): to notice the commands of others.
    Publishes:
        msk_hand/muscle_cmd (Float32MultiArray[11], ~nn_rate): while there is a target.
        msk_hand/nn_status (Float32MultiArray[5], latched): STATUS_LABELS; m.
    Parameters: ~weights (file; "": the package's own), ~nn_rate (Hz), ~preempt_time (s).
    """

    def __init__(self):
        parameters = ros.read_parameters(PARAMETERS)
        self.model = InverseModel.load(
            parameters.text("weights") or WEIGHTS, parameters.number("reachable_within", 0.0)
        )
        self.preempt_time = parameters.number("preempt_time", 0.0)
        self.pacer = Pacer(1.0 / parameters.number("nn_rate", 1.0, 200.0))
        self.command = ros.ArrayPublisher("msk_hand/muscle_cmd", MUSCLES)
        self.status = ros.ArrayPublisher("msk_hand/nn_status", STATUS_LABELS, latch=True)
        self.target = ros.Checked("msk_hand/target", Point, ros.point)
        self.stiffness = ros.Checked("msk_hand/co_contraction", Float32, ros.scalar(0.0, 1.0))
        self.others = ros.Checked(
            "msk_hand/muscle_cmd", Float32MultiArray, self._foreign(len(MUSCLES))
        )
        watched = (self.target, self.stiffness)
        self.diagnostics = ros.Diagnostics("network of the hand", watched)
        self.activation = None

    def run(self):
        """Loop until the node is shut down."""
        while not rospy.is_shutdown():
            target = self.target.take()
            if target is not None:
                self._aim(target)
            if self.activation is not None and self.others.age() > self.preempt_time:
                level = self.stiffness.value() or 0.0
                self.command.publish(add_co_contraction(self.activation, level))
            self.pacer.wait()

    def _aim(self, target):
        self.activation = self.model.activations(target)
        reachable = self.model.reachable(target)
        self.status.publish([*target, self.model.residual(target), float(reachable)])
        if not reachable:
            # a target may be one of a stream
            rospy.logwarn_throttle(
                1.0, f"target {target} is out of the fingertip's reach; going as near as it gets"
            )

    @staticmethod
    def _foreign(size):
        """A check that lets only the commands of other nodes through."""
        sound, own = ros.array_of(size, 0.0, 1.0), rospy.get_name()

        def check(message):
            return None if message._connection_header["callerid"] == own else sound(message)

        return check


if __name__ == "__main__":
    sys.exit(ros.main("msk_hand_nn", HandNetwork))
