#!/usr/bin/env python3
"""A simulation of next to nothing: what the node scaffold is tested with."""

import sys
from pathlib import Path

import rospy
from std_msgs.msg import Float32, Float32MultiArray, Header

from mujoco_ros_common.errors import UserError
from mujoco_ros_common.model import SimulationError
from mujoco_ros_common.ros import (
    ArrayPublisher,
    Checked,
    SimulationNode,
    array_of,
    main,
    read_parameters,
    scalar,
)

TICK = 0.01  # s


class Toy(SimulationNode):
    """x grows by cmd[0] each tick. cmd[1] chooses a fault: 1 raises, 2 publishes too little,
    3 raises and cannot be relaxed, 4 cannot be restarted either. 5 is none: x is published too
    large for 32 bits.
    """

    def __init__(self):
        parameters = read_parameters(Path(__file__).with_name("toy.yaml"))
        if parameters.names("names") != ["a", "b"]:
            raise UserError("expected the names a b")
        super().__init__(parameters, TICK, "toy")
        self.x, self.relaxed, self.wrong = 0.0, 0, 0
        self.command = Checked("toy/cmd", Float32MultiArray, array_of(2, 0.0, 10.0))
        self.load = Checked("toy/load", Float32, scalar(0.0, 1.0))
        self.watch(self.command, self.load)
        labels = ["t", "x", "rejected", "received", "relaxed"]
        self.header = rospy.Publisher("toy/header", Header, queue_size=1)
        self.state = ArrayPublisher("toy/state", labels)
        size = parameters.integer("bulk", 0)
        self.bulk = ArrayPublisher("toy/bulk", ["v"] * size) if size else None
        self.rest = ArrayPublisher("toy/relaxed", ["times"], latch=True)

    def advance(self):
        step, self.wrong = self.command.value() or (0.0, 0)
        self.x += step
        if self.wrong in (1, 3, 4):
            raise SimulationError("the toy broke")

    def publish(self):
        rejected = self.command.rejected + self.load.rejected
        received = self.command.received + self.load.received
        x = 1e300 if self.wrong == 5 else self.x
        if self.wrong == 2:
            self.state.publish([self.time()])
        self.header.publish(Header(stamp=self.stamp()))
        self.state.publish([self.time(), x, rejected, received, self.relaxed])
        if self.bulk is not None:
            self.bulk.publish([self.time()] * self.bulk._size)

    def relax(self):
        self.relaxed += 1
        self.rest.publish([self.relaxed])
        if self.wrong in (3, 4):
            raise ValueError("no rest for the toy")

    def restart(self):
        if self.wrong == 4:
            self.wrong = 0
            raise SimulationError("the toy stays broken")
        self.x = 0.0
        self.command.forget()


if __name__ == "__main__":
    sys.exit(main("toy", Toy))
