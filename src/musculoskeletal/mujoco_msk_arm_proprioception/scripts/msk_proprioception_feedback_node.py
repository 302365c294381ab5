#!/usr/bin/env python3
"""Feedback node: the arm's own controller, acting on what the arm feels."""

import sys

import rospy
from dynamic_reconfigure.encoding import decode_config
from dynamic_reconfigure.msg import Config
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32, Float32MultiArray

from msk_arm import controller
from msk_arm import names as arm
from msk_arm.target import TargetCheck
from msk_proprioception import contract, tracker
from msk_proprioception.episodes import loop_parameters
from msk_proprioception.loop import make_estimator
from msk_proprioception.messages import sample_of, stamp_ns
from msk_proprioception.names import FEEDBACKS, JOINTS, MUSCLES, PACKAGE, PARAMETERS
from mujoco_ros_common import ros
from mujoco_ros_common.errors import ArgumentError


class Feedback:
    """Commands the arm on the true state, the raw senses, the filter or the network.

    While there is no estimate (the line is not full yet, the samples have stopped) it is silent,
    and the arm's built-in controller takes over.

    Subscribes:
        target_position (geometry_msgs/Point): x, z, m; those that the arm refuses are ignored;
        msk_arm/co_contraction (std_msgs/Float32): 0..1;
        and what the estimator node does.
    Publishes:
        msk_arm/muscle_cmd (Float32MultiArray[6]), in every tick of the arm.
    Parameters: ~feedback (true_state, delayed, predicted or network), ~weights,
        ~feedback_stale_s; the controller's ~<feedback>_natural_frequency, ~<feedback>_observer_gain
        and ~<feedback>_patience.
    """

    def __init__(self):
        self.parameters = ros.read_parameters(PARAMETERS)
        self.settings = contract.load(self.parameters)
        self.kind = self.parameters.choice("feedback", FEEDBACKS)
        estimator = make_estimator(self.kind, self.settings, self.parameters.text("weights"))
        self.tracker = tracker.Tracker(estimator, self.parameters.number("feedback_stale_s", 0.0))
        self.control = controller.make("inverse", loop_parameters(self.kind, self.parameters))
        self.check = TargetCheck(self.control.dynamics)
        self._aim(*arm.parameters().vector("default_target", 2))
        self.acting = False
        self.command = ros.ArrayPublisher("msk_arm/muscle_cmd", MUSCLES)
        inbox = self.tracker.inbox
        self.target = ros.Checked("target_position", Point, ros.point)
        self.co_contraction = ros.Checked("msk_arm/co_contraction", Float32, ros.scalar(0.0, 1.0))
        watched = [
            self.target,
            self.co_contraction,
            ros.Checked(
                "joint_states",
                JointState,
                ros.joint_state_of(JOINTS),
                lambda value, message: inbox.put(tracker.CLOCK, (stamp_ns(message), *value)),
            ),
            ros.Checked(
                "muscle_excitations",
                Float32MultiArray,
                ros.array_of(6, 0.0, 1.0),
                lambda value, _: inbox.put(tracker.COMMAND, value),
            ),
            ros.Checked(
                "proprioception/sensed",
                JointState,
                sample_of,
                lambda value, _: inbox.put(tracker.SENSED, value),
            ),
        ]
        rospy.Subscriber(f"{PACKAGE}/parameter_updates", Config, self._adopt, queue_size=1)
        self.diagnostics = ros.Diagnostics("feedback of the arm", watched)

    def run(self):
        """Loop until the node is shut down."""
        while not rospy.is_shutdown():
            found = self.tracker.step(0.1, needs_samples=self.kind != "true_state")
            target = self.target.take()
            if target is not None:
                self._aim(target[0], target[2])
            self._act(found)

    def _act(self, found):
        """Command on an estimate, and begin anew after a time without one."""
        self.diagnostics.notes["acting"] = found is not None
        if found is None:
            self.acting = False
            return
        if not self.acting:
            self.control.reset()
            self.acting = True
        now_ns, estimate = found
        self.control.co_contraction = self.co_contraction.value() or 0.0
        self.command.publish(
            self.control.update(
                estimate.angles.tolist(), estimate.velocities.tolist(), estimate.activations
            )
        )
        complaint = self.tracker.estimator.complaint(now_ns)
        if complaint:
            rospy.logwarn_throttle(5.0, complaint)

    def _aim(self, x, z):
        target = self.check(x, z)
        if not target.accepted:
            rospy.logwarn("target %.3f %.3f ignored: %s", x, z, target.words)
        self.control.set_target(target)

    def _adopt(self, message):
        """The sensing node has been reconfigured."""
        values = decode_config(message)
        values.pop("groups", None)
        try:
            self.settings.apply(self.parameters.overlaid(values, PACKAGE))
        except ArgumentError as error:
            rospy.logwarn("%s", error)


if __name__ == "__main__":
    sys.exit(ros.main("msk_proprioception_feedback", Feedback))
