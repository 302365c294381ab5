#!/usr/bin/env python3
"""Sensing node: what spindles and Golgi tendon organs of the running arm report."""

import sys
import threading

import rospy
from dynamic_reconfigure.server import Server
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray

from msk_proprioception import contract
from msk_proprioception.firing import Afferents
from msk_proprioception.inbox import Inbox
from msk_proprioception.names import JOINTS, MUSCLES, PARAMETERS, STIFFNESS_LABELS
from msk_proprioception.reconfigure import Description
from msk_proprioception.sensors import Sensors
from msk_proprioception.settings import LIVE
from msk_proprioception.stiffness import LumpedStiffness
from mujoco_ros_common import ros
from mujoco_ros_common.errors import ArgumentError

CHANNELS = ("spindle_length", "spindle_velocity", "golgi_force", "tendon_extension")
RATES = ("spindle_ia", "spindle_ii", "golgi_ib")
INPUTS = ("joint_states", "muscle_forces", "muscle_activations")
PATIENCE = 0.004  # s, for the forces and activations that belong to a joint_states message


class Proprioception:
    """Takes a sample at the stamps of joint_states, and publishes it when its delay has passed.

    Publishes nothing before all three inputs have been valid; a bad message of one of them
    withdraws it until a good one comes.

    Subscribes:
        joint_states (sensor_msgs/JointState), muscle_forces (Float32MultiArray[6], N),
        muscle_activations (Float32MultiArray[6], 0..1): of the arm.
    Publishes, in muscle order:
        proprioception/spindle_length (m), spindle_velocity (m/s), golgi_force (N),
        tendon_extension (m) (Float32MultiArray[6]); proprioception/sensed (JointState): the first
        three in one message, stamped with the time at which they were taken;
        proprioception/joint_stiffness (Float32MultiArray[4], N m/rad, row-major): of the present
        activations, neither late nor noisy;
        proprioception/spindle_ia, spindle_ii, golgi_ib (pulses/s, with ~firing_rates).
    Parameters: config/simulation.yaml; its scalars can be changed by dynamic_reconfigure.
    """

    def __init__(self):
        self._parameters = ros.read_parameters(PARAMETERS)
        self.settings = contract.load(self._parameters)
        if not contract.same_tendons(self.settings):
            rospy.logwarn("tendon_stiffness_n_m is not that of the arm's elastic tendons")
        self.lock, self.sensors = threading.Lock(), Sensors(self.settings, self._firing)
        self.afferents = Afferents(self.settings)
        self._channels = [ros.ArrayPublisher(f"proprioception/{c}", MUSCLES) for c in CHANNELS]
        self._rates = [ros.ArrayPublisher(f"proprioception/{rate}", MUSCLES) for rate in RATES]
        self._stiffness = ros.ArrayPublisher("proprioception/joint_stiffness", STIFFNESS_LABELS)
        self._sensed = rospy.Publisher("proprioception/sensed", JointState, queue_size=1)
        self._message = JointState(name=list(MUSCLES))
        self.inbox = Inbox(INPUTS)
        self._clipped = dict(self.sensors.clipped)
        self.server = Server(Description(self._parameters), self._reconfigure)
        kinds = (JointState, Float32MultiArray, Float32MultiArray)
        checks = (ros.joint_state_of(JOINTS), ros.array_of(6), ros.array_of(6, 0.0, 1.0))
        oldest = self._parameters.number("max_stamp_age", 0.0) or None
        self._subscribers = [
            ros.Checked(
                name,
                kind,
                check,
                self._keep(name),
                lambda n=name: self.inbox.withdraw(n),
                oldest if name == INPUTS[0] else None,
            )
            for name, kind, check in zip(INPUTS, kinds, checks)
        ]
        self.diagnostics = ros.Diagnostics("proprioception of the arm", self._subscribers)

    def run(self):
        """Loop until the node is shut down."""
        while not rospy.is_shutdown():
            values = self.inbox.gather(INPUTS[0], INPUTS[1:], PATIENCE, 0.1)
            self._withdraw_stale()
            self._note()
            if values is not None:
                self._sample(*values)

    def _keep(self, name):
        def keep(value, message):
            stamp = message.header.stamp.to_nsec() if name == INPUTS[0] else None
            self.inbox.put(name, value if stamp is None else (stamp, value[0]))

        return keep

    def _sample(self, joints, forces, activations):
        time_ns, angles = joints
        with self.lock:
            if self.sensors.due(time_ns):
                sample = self.sensors.sense(time_ns, angles, forces)
            else:
                sample = self.sensors.arrived(time_ns)
            stiffness = self.stiffness(activations)
        self._stiffness.publish(stiffness)
        if sample is not None:
            self._publish(sample)

    def _publish(self, sample):
        for publisher, values in zip(self._channels, sample[1:5]):
            publisher.publish(values)
        message = self._message
        message.header.stamp = rospy.Time(0, sample.time_ns)
        message.position = sample.length.tolist()
        message.velocity = sample.velocity.tolist()
        message.effort = sample.force.tolist()
        self._sensed.publish(message)
        if sample.extra is not None:
            for publisher, values in zip(self._rates, sample.extra):
                publisher.publish(values)

    def _firing(self, time_ns, clean):
        """The firing rates that travel with a sample."""
        return self.afferents.advance(time_ns, clean) if self.settings.firing_rates else None

    def _reconfigure(self, config, _):
        """Called by dynamic_reconfigure, in its thread, with all live parameters."""
        wanted = {name: config[name] for name in LIVE}
        with self.lock:
            try:
                self.settings.apply(self._parameters.overlaid(wanted, rospy.get_name()))
            except ArgumentError as error:
                rospy.logwarn("%s", error)
                config.update({name: getattr(self.settings, name) for name in LIVE})
            self.sensors.refresh()
            self.stiffness = LumpedStiffness(
                self.settings.moment_arms,
                self.settings.max_forces,
                self.settings.stiffness_per_activation_nm_rad,
            )
        return config

    def _withdraw_stale(self):
        limit = self.settings.input_timeout_s
        for subscriber in self._subscribers if limit else ():
            if subscriber.received and subscriber.age() > limit:
                self.inbox.withdraw(subscriber.topic)

    def _note(self):
        """Tell what was clipped, and keep the diagnostics up to date."""
        clipped, missing = self.sensors.clipped, self.inbox.missing()
        for what, count in clipped.items():
            if count > self._clipped[what]:
                rospy.logwarn_throttle(
                    1.0, f"{what} clipped {count} times: {' '.join(self.sensors.clipped_muscles)}"
                )
        self._clipped = dict(clipped)
        notes = self.diagnostics.notes
        notes["inputs that are not ready"] = " ".join(missing) or "none"
        notes["begun anew"] = self.sensors.restarts
        notes["delay (s)"] = self.settings.delay_s
        notes.update({f"clipped {what}": count for what, count in clipped.items()})


if __name__ == "__main__":
    sys.exit(ros.main("mujoco_msk_arm_proprioception", Proprioception))
