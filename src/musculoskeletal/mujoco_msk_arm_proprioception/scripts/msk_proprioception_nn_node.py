#!/usr/bin/env python3
"""Estimator node: where the joints are now, from what the arm felt a while ago."""

import sys

import rospy
from dynamic_reconfigure.encoding import decode_config
from dynamic_reconfigure.msg import Config
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray

from msk_proprioception import contract, tracker
from msk_proprioception.loop import make_estimator
from msk_proprioception.messages import sample_of, stamp_ns
from msk_proprioception.names import ESTIMATE_LABELS, ESTIMATORS, JOINTS, PACKAGE, PARAMETERS
from mujoco_ros_common import ros
from mujoco_ros_common.errors import ArgumentError


class JointEstimator:
    """Publishes an estimate of the present joints in every tick, from samples that are late.

    Subscribes:
        proprioception/sensed (sensor_msgs/JointState): the stamped samples of the sensing node;
        muscle_excitations (Float32MultiArray[6]): what drives the muscles;
        joint_states (JointState): its stamps, as the clock;
        mujoco_msk_arm_proprioception/parameter_updates: how noisy the samples are.
    Publishes:
        proprioception/joint_estimate (JointState): rad and rad/s, stamped with the moment that it
        is of; proprioception/joint_estimate_std (Float32MultiArray[4]): ESTIMATE_LABELS.
    Parameters: ~estimator (filter, network, ridge or delayed), ~weights (file; "": the package's).
    """

    def __init__(self):
        self.parameters = ros.read_parameters(PARAMETERS)
        self.settings = contract.load(self.parameters)
        kind = self.parameters.choice("estimator", ESTIMATORS)
        estimator = make_estimator(kind, self.settings, self.parameters.text("weights"))
        self.tracker = tracker.Tracker(estimator, self.parameters.number("feedback_stale_s", 0.0))
        self.estimate = rospy.Publisher("proprioception/joint_estimate", JointState, queue_size=1)
        self.std = ros.ArrayPublisher("proprioception/joint_estimate_std", ESTIMATE_LABELS)
        self.message = JointState(name=list(JOINTS))
        inbox = self.tracker.inbox
        watched = [
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
        self.diagnostics = ros.Diagnostics("joint estimator of the arm", watched)

    def run(self):
        """Loop until the node is shut down."""
        while not rospy.is_shutdown():
            found = self.tracker.step(0.1)
            if found is not None:
                self._publish(*found)

    def _publish(self, now_ns, estimate):
        self.message.header.stamp = rospy.Time(0, now_ns)
        self.message.position = estimate.angles.tolist()
        self.message.velocity = estimate.velocities.tolist()
        self.estimate.publish(self.message)
        self.std.publish(estimate.std)
        complaint = self.tracker.estimator.complaint(now_ns)
        if complaint:
            rospy.logwarn_throttle(5.0, complaint)

    def _adopt(self, message):
        """The sensing node has been reconfigured."""
        values = decode_config(message)
        values.pop("groups", None)
        try:
            self.settings.apply(self.parameters.overlaid(values, PACKAGE))
        except ArgumentError as error:
            rospy.logwarn("%s", error)


if __name__ == "__main__":
    sys.exit(ros.main("msk_proprioception_nn", JointEstimator))
