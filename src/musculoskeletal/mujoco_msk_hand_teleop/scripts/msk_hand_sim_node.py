#!/usr/bin/env python3
"""Simulation node of the hand."""

import sys

import rospy
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32MultiArray

from msk_hand.core import MskHandSim
from msk_hand.names import JOINTS, MUSCLES, PARAMETERS, SCENES, STATE_LABELS, TICK
from msk_hand.pictures import decorate
from mujoco_ros_common import ros
from mujoco_ros_common.viewer import Viewer


class HandSimulation(ros.SimulationNode):
    """Steps the hand at 100 Hz by the newest activations.

    Subscribes:
        msk_hand/muscle_cmd (Float32MultiArray[11]): activations 0..1 in the order of MUSCLES.
        msk_hand/target (geometry_msgs/Point): shown as a marker, m.
    Publishes:
        msk_hand/state (Float32MultiArray[22], ~state_rate): STATE_LABELS.
        msk_hand/joint_states (sensor_msgs/JointState, 100 Hz): rad, rad/s, N m.
        /diagnostics.
    Parameters: ~scene, ~state_rate (Hz), ~command_timeout (s, 0: a command holds for ever),
        ~viewer, and those of SimulationNode; defaults and units in config/hand.yaml.
    Services: ~reset, ~set_pause, ~step.
    """

    def __init__(self):
        parameters = ros.read_parameters(PARAMETERS)
        self.sim = MskHandSim(parameters.choice("scene", SCENES))
        self.timeout = parameters.number("command_timeout", 0.0)
        parameters.integer("seed", 0)  # nothing is random yet; a wrong one is refused
        rate = parameters.number("state_rate", 0.1, 1.0 / TICK)
        self.state_every = max(1, round(1.0 / (rate * TICK)))
        self.relaxed = [0.0] * len(MUSCLES)
        self.state = ros.ArrayPublisher("msk_hand/state", STATE_LABELS)
        self.joints = rospy.Publisher("msk_hand/joint_states", JointState, queue_size=1)
        self.joint_message = JointState(name=list(JOINTS))
        super().__init__(parameters, TICK, "simulated hand")
        self.viewer = Viewer(
            self.sim.model,
            self.sim.data,
            parameters.boolean("viewer"),
            decorate=self.decorate,
        )
        checks = ros.array_of(len(MUSCLES), 0.0, 1.0)
        self.command = ros.Checked("msk_hand/muscle_cmd", Float32MultiArray, checks)
        self.target = ros.Checked("msk_hand/target", Point, ros.point)
        self.watch(self.command, self.target)

    def decorate(self, scene):
        """Activations as colours of the tendons, the task's figure as a text."""
        self.sim.color_tendons()
        decorate(scene, self.sim)

    def advance(self):
        target = self.target.take()
        if target is not None:
            self.sim.set_target(target)
        self.sim.step(self.command.value(self.timeout) or self.relaxed)
        self.sim.check()

    def publish(self):
        message = self.joint_message
        message.header.stamp = self.stamp()
        message.position = self.sim.joint_angles().tolist()
        message.velocity = self.sim.joint_velocities().tolist()
        message.effort = self.sim.joint_efforts().tolist()
        self.joints.publish(message)
        if self.ticks % self.state_every == 0:
            state = self.sim.state_vector()
            state[0] = self.time()
            self.state.publish(state)

    def relax(self):
        self.command.forget()
        self.sim.data.ctrl[:] = 0.0

    def restart(self):
        self.command.forget()
        self.sim.reset()


if __name__ == "__main__":
    sys.exit(ros.main("msk_hand_sim", HandSimulation))
