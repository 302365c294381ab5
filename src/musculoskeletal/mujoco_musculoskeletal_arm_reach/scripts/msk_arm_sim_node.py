#!/usr/bin/env python3
"""Simulation node of the arm: it reaches for the newest good target."""

import math
import sys
from collections import deque

import rospy
from geometry_msgs.msg import Point
from sensor_msgs.msg import JointState
from std_msgs.msg import Float32, Float32MultiArray

from msk_arm import controller
from msk_arm.core import MskArmSim
from msk_arm.dynamics import ArmDynamics
from msk_arm.names import (
    CONDITIONS,
    CONTROLLERS,
    FATIGUE_LABELS,
    JOINTS,
    MUSCLES,
    PACKAGE,
    PARAMETERS,
    STATUS_LABELS,
    TENDONS,
    TICK,
)
from msk_arm.picture import ArmViewer, Picture
from msk_arm.target import TargetCheck
from mujoco_ros_common import ros

SLOW_EVERY = 10  # ticks between messages of fatigue and status


class ArmSimulation(ros.SimulationNode):
    """Steps the arm at 100 Hz towards its target.

    Subscribes:
        target_position (geometry_msgs/Point): x, z in m from the shoulder, y ignored. One that
            cannot be reached or held is refused, see msk_arm/status; the last good one stays. A
            good one takes the arm back from msk_arm/muscle_cmd, until the next of those comes.
        msk_arm/muscle_cmd (Float32MultiArray[6]): excitations 0..1 that replace the controller
            while they are newer than ~command_timeout.
        msk_arm/co_contraction (std_msgs/Float32): lower bound of all activations, 0..1.
    Publishes, 100 Hz unless said otherwise, in this order:
        muscle_forces (N, tension), muscle_excitations, muscle_activations (Float32MultiArray[6]),
        joint_states (sensor_msgs/JointState: rad, rad/s, N m), end_effector_position (Point: m);
        msk_arm/fatigue (Float32MultiArray[18], 10 Hz, condition fatigued);
        msk_arm/status (Float32MultiArray[6], latched, on change and 10 Hz): STATUS_LABELS;
        /diagnostics.
    Parameters: ~condition, ~load_kg, ~tendon, ~controller, ~initial_pose, ~default_target,
        ~command_timeout (s), ~seed, ~viewer, and those of SimulationNode; all of them, with
        defaults and units, are in config/simulation.yaml.
    Services: ~reset, ~set_pause, ~step.
    """

    def __init__(self):
        p = ros.read_parameters(PARAMETERS)
        self.sim = MskArmSim(
            p.choice("condition", CONDITIONS),
            p.number("load_kg", 0.0, 100.0),
            p.choice("tendon", TENDONS),
            seed=p.integer("seed", 0),
            settings=p,
        )
        self.driver = controller.make(p.choice("controller", CONTROLLERS), p)
        self.check = TargetCheck(ArmDynamics(self.sim.rigid_model))
        self.default_target = p.vector("default_target", 2).tolist()
        self.timeout = p.number("command_timeout", 0.0)
        self.near, self.slow = p.number("settled_error", 0.0), p.number("settled_speed", 0.0)
        self.verdicts = deque()
        self.verdict, self.settled, self.replaced = None, False, False
        self._advertise()
        super().__init__(p, TICK, "simulated arm")
        self.picture = Picture(self.sim) if p.boolean("viewer") else None
        if self.picture is not None:
            self.viewer = ArmViewer(self.picture, True)
        self._aim(self.check(*self.default_target, self.sim.strength_ceiling()))
        # the last of all: messages come from now on
        self.targets = ros.Checked("target_position", Point, self._judge)
        excitations = ros.array_of(len(MUSCLES), 0.0, 1.0)
        self.command = ros.Checked("msk_arm/muscle_cmd", Float32MultiArray, excitations)
        self.stiffness = ros.Checked("msk_arm/co_contraction", Float32, ros.scalar(0.0, 1.0))
        self.watch(self.targets, self.command, self.stiffness)

    def _advertise(self):
        self.forces = ros.ArrayPublisher("muscle_forces", MUSCLES)
        self.excitations = ros.ArrayPublisher("muscle_excitations", MUSCLES)
        self.activations = ros.ArrayPublisher("muscle_activations", MUSCLES)
        self.joints = rospy.Publisher("joint_states", JointState, queue_size=1)
        self.hand = rospy.Publisher("end_effector_position", Point, queue_size=1)
        self.status = ros.ArrayPublisher("msk_arm/status", STATUS_LABELS, latch=True)
        self.fatigue = None
        if self.sim.condition == "fatigued":
            self.fatigue = ros.ArrayPublisher("msk_arm/fatigue", FATIGUE_LABELS)
        self.joint_message = JointState(name=list(JOINTS))

    def _judge(self, message):
        """Check a target in rospy's thread; what the loop makes of it, it makes later."""
        target = self.check(message.x, message.z, self.sim.strength_ceiling())
        self.verdicts.append(target)
        if not target.accepted:
            raise ValueError(target.words)
        return target

    def _aim(self, target):
        """Take a judged target: go for a good one, and tell of both kinds."""
        self.verdict = target
        if target.accepted:
            self.driver.set_target(target)
            if self.picture is not None:
                self.picture.set_target(target.x, target.z)
        else:
            rospy.logwarn("target (%.4g, %.4g) refused: %s", target.x, target.z, target.words)
            self.diagnostics.notes["last refusal"] = target.words
        self.settled = False
        self._tell()

    def advance(self):
        while self.verdicts:
            target = self.verdicts.popleft()
            if target.accepted:
                self.command.forget()
            self._aim(target)
        self.sim.check()
        self.driver.co_contraction = self.stiffness.value() or 0.0
        outside = self.command.value(self.timeout)
        if outside is not None:
            low = self.driver.co_contraction
            self.sim.step([max(value, low) for value in outside])
        else:
            if self.replaced:
                self.driver.reset()  # what others did is no disturbance
            self.sim.step(self.driver.update(*self.sim.state()))
        self.replaced = outside is not None

    def publish(self):
        sim = self.sim
        self.forces.publish(sim.muscle_forces())
        self.excitations.publish(sim.muscle_excitations())
        self.activations.publish(sim.muscle_activations())
        message = self.joint_message
        message.header.stamp = self.stamp()
        message.position = sim.joint_angles().tolist()
        message.velocity = sim.joint_velocities().tolist()
        message.effort = sim.joint_torques().tolist()
        self.joints.publish(message)
        x, z = sim.end_effector().tolist()
        self.hand.publish(Point(x, 0.0, z))
        settled = self._settled(x, z)
        slow = self.ticks % SLOW_EVERY == 0
        if settled != self.settled or slow:
            self.settled = settled
            self._tell()
        if slow and self.fatigue is not None:
            self.fatigue.publish(sim.fatigue_shares())

    def _settled(self, x, z):
        goal = self.driver.target
        if goal is None or math.hypot(x - goal.x, z - goal.z) > self.near:
            return False
        (q1, q2), (v1, v2), _ = self.sim.state()
        dx1, dx2, dz1, dz2 = self.check.dynamics.jacobian(q1, q2)
        return math.hypot(dx1 * v1 + dx2 * v2, dz1 * v1 + dz2 * v2) <= self.slow

    def _tell(self):
        last, goal = self.verdict, self.driver.target
        x, z = self.sim.end_effector().tolist()
        error = math.nan if goal is None else math.hypot(x - goal.x, z - goal.z)
        self.status.publish(
            [last.x, last.z, float(last.accepted), float(last.reason), float(self.settled), error]
        )
        if self.picture is not None:
            self.picture.note = f"error {1e3 * error:.1f} mm"

    def relax(self):
        self.sim.relax()
        nothing = [0.0] * len(MUSCLES)
        self.excitations.publish(nothing)
        self.activations.publish(nothing)

    def restart(self):
        for subscriber in (self.command, self.stiffness):
            subscriber.forget()
        self.verdicts.clear()
        self.sim.reset()
        self.driver.reset()
        self._aim(self.check(*self.default_target, self.sim.strength_ceiling()))


if __name__ == "__main__":
    sys.exit(ros.main(PACKAGE, ArmSimulation))
