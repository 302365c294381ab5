#!/usr/bin/env python3
"""Network node of the car: from scan and heading to a twist."""

import sys
import threading

import rospy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Bool

from car_nn.kinematics import Heading, drive_command
from car_nn.messages import pose_of, twist_of, twist_to
from car_nn.nn import NetworkPolicy
from car_nn.scan import ScanReader
from car_nn.settings import CONFIG, WEIGHTS, Settings
from mujoco_ros_common import ros


class CarNetwork:
    """Answers each scan with the network's twist, while it has the wheel.

    A twist from anybody else (a person's keys) pre-empts it; it goes on ~preempt_time after
    the last of them. Without fresh scan and odometry it says nothing, and the car stops.

    Subscribes:
        scan (sensor_msgs/LaserScan): any fan that covers the network's sectors, either order.
        odom (nav_msgs/Odometry): the heading is its yaw, turns counted.
        car_nn/autopilot (std_msgs/Bool): whether the network drives.
        cmd_vel (geometry_msgs/Twist): to notice the commands of others.
    Publishes:
        cmd_vel (geometry_msgs/Twist): once for each scan; one standstill when it is told to stop.
    Parameters: ~weights (file; "": the package's own), ~autopilot, ~preempt_time (s),
        ~input_timeout (s), ~max_stamp_age (s), ~max_speed, ~max_yaw_rate, ~range_max,
        ~sectors, ~fan_deg, ~hidden; defaults and units in config/car_nn.yaml.
    """

    def __init__(self):
        parameters = ros.read_parameters(CONFIG)
        self.settings = s = Settings.of(parameters)
        self.policy = NetworkPolicy.load(parameters.text("weights") or WEIGHTS, s)
        self.preempt_time = parameters.number("preempt_time", 0.0)
        self.input_timeout = parameters.number("input_timeout", 0.0)
        self.driving = parameters.boolean("autopilot")
        self.heading, self.reader = Heading(), ScanReader(s.sectors, s.fan, s.range_max)
        self.news = threading.Event()
        self.command = rospy.Publisher("cmd_vel", Twist, queue_size=1)
        self.autopilot = ros.Checked("car_nn/autopilot", Bool, lambda message: (message.data,))
        self.others = ros.Checked("cmd_vel", Twist, self._foreign())
        oldest = parameters.number("max_stamp_age", 0.0) or None
        self.odom = ros.Checked("odom", Odometry, self._pose, max_stamp_age=oldest)
        self.scan = ros.Checked(
            "scan", LaserScan, self._distances, lambda *_: self.news.set(), max_stamp_age=oldest
        )
        self.diagnostics = ros.Diagnostics("network of the car", (self.scan, self.odom))

    def run(self):
        """Loop until the node is shut down."""
        while not rospy.is_shutdown():
            self.news.wait(0.1)
            self.news.clear()
            self._follow_autopilot()
            distances, heading = self.scan.take(), self.odom.value(self.input_timeout)
            if distances is None or heading is None or not self.driving:
                continue
            if self.others.age() > self.preempt_time:
                self._drive(distances, heading)

    def _drive(self, distances, heading):
        s = self.settings
        steer, throttle = self.policy.act(distances, heading)
        self._say(*drive_command(steer, throttle, s.max_speed, s.max_yaw_rate))

    def _follow_autopilot(self):
        news = self.autopilot.take()
        if news is None or news[0] == self.driving:
            return
        self.driving = news[0]
        rospy.loginfo("the network %s", "drives" if self.driving else "has been told to stop")
        if self.driving:
            self.others.forget()  # handed over: no need to wait
        elif self.others.age() > self.preempt_time:
            self._say(0.0, 0.0)

    def _say(self, speed, rate):
        self.command.publish(twist_to(Twist(), speed, rate))

    def _distances(self, message):
        m = message
        return self.reader.read(
            m.ranges, m.angle_min, m.angle_max, m.angle_increment, m.range_min, m.range_max
        )

    def _pose(self, message):
        """The heading after an odometry message; rad, continuous."""
        x, y, yaw = pose_of(message)
        return self.heading.update(yaw, x, y)

    @staticmethod
    def _foreign():
        """A check that lets only the twists of other nodes through."""
        own = rospy.get_name()

        def check(message):
            return None if message._connection_header["callerid"] == own else twist_of(message)

        return check


if __name__ == "__main__":
    sys.exit(ros.main("car_nn_nn", CarNetwork))
