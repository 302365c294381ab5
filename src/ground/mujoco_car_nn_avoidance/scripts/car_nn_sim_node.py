#!/usr/bin/env python3
"""Simulation node of the car."""

import math
import sys

import rospy
from geometry_msgs.msg import TransformStamped, Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import LaserScan
from tf2_msgs.msg import TFMessage

from car_nn.core import CarEnv
from car_nn.kinematics import clamp
from car_nn.messages import twist_of
from car_nn.movie import draw_beams
from car_nn.scan import to_ranges
from car_nn.settings import CONFIG, SCENES, Settings
from car_nn.tour import Tour
from mujoco_ros_common import ros
from mujoco_ros_common.errors import ArgumentError
from mujoco_ros_common.viewer import Viewer

STATE_LABELS = ("time", "x", "y", "yaw", "v", "w", "clearance", "collided", "reached")


class CarSimulation(ros.SimulationNode):
    """Steps the car at 50 Hz by the newest twist; nobody's twist means standstill.

    Subscribes:
        cmd_vel (geometry_msgs/Twist): linear.x (m/s) and angular.z (rad/s), bounded by
            ~max_speed and ~max_yaw_rate, followed within the slew limits.
    Publishes, 50 Hz:
        scan (sensor_msgs/LaserScan): right to left, REP 117; frame ~laser_frame.
        odom (nav_msgs/Odometry): from where the car started; twist in ~base_frame.
        car_nn/state (Float32MultiArray[9]): STATE_LABELS; s, m, rad, m/s, rad/s, m, 0/1.
        /tf (odom -> base_link), /tf_static (base_link -> laser, latched), /diagnostics.
    Parameters: ~scene, or ~scenes (driven one after the other: then a report in ~out and the
        end), ~command_timeout (s), frames, sensor and drive, and those of SimulationNode;
        defaults and units in config/car_nn.yaml.
    Services: ~reset, ~set_pause, ~step.
    """

    def __init__(self):
        parameters = ros.read_parameters(CONFIG)
        self.settings = Settings.of(parameters)
        seed = parameters.integer("seed", 0)
        scenes = parameters.names("scenes")
        unknown = [scene for scene in scenes if scene not in SCENES]
        if unknown:
            raise ArgumentError(f"scenes: expected some of {' '.join(SCENES)}, got {unknown[0]!r}")
        self.out = parameters.text("out")
        self.timeout = parameters.number("command_timeout", 0.0)
        self.wants_viewer = parameters.boolean("viewer")
        self.tour = Tour(scenes, self.settings, seed) if scenes else None
        self.env = self.tour.env if scenes else CarEnv(self.settings.scene, self.settings, seed)
        self._make_messages(parameters)
        self.state = ros.ArrayPublisher("car_nn/state", STATE_LABELS)
        self.scan = rospy.Publisher("scan", LaserScan, queue_size=1)
        self.odom = rospy.Publisher("odom", Odometry, queue_size=1)
        super().__init__(parameters, self.env.period, "simulated car")
        self.tf = None
        if parameters.boolean("publish_tf"):
            self.tf = rospy.Publisher("/tf", TFMessage, queue_size=10)
            self._publish_static()
        self._open_viewer()
        self.command = ros.Checked("cmd_vel", Twist, twist_of)
        self.watch(self.command)

    def run(self):
        """Loop until the end of the tour, or until the node is shut down."""
        super().run()
        if self.tour is None or not self.tour.drives:
            return 0
        self.tour.write(self.out)
        return 0 if all(drive.passed for drive in self.tour.drives.values()) else 1

    def advance(self):
        twist = self.command.value(self.timeout)
        if twist is not None:
            s = self.settings
            twist = (
                clamp(twist[0], -s.max_speed, s.max_speed),
                clamp(twist[1], -s.max_yaw_rate, s.max_yaw_rate),
            )
        if self.tour is None:
            self.env.step(*(twist or (0.0, 0.0)))
            return
        drive = self.tour.step(twist)
        if drive is None:
            return
        rospy.loginfo("%s: %s", drive.scene, drive.figures())
        if not self.tour.next_scene():
            rospy.signal_shutdown("the tour is over")
            return
        self.env = self.tour.env
        self.command.forget()
        self._open_viewer()

    def publish(self):
        stamp, env = self.stamp(), self.env
        (x, y, yaw), (vx, vy, rate) = env.pose, env.twist
        self._publish_pose(stamp, x, y, yaw, vx, vy, rate)
        message = self.scan_message
        message.header.stamp = stamp
        s = self.settings
        message.ranges = to_ranges(env.scan(), s.range_min, s.range_max).tolist()
        self.scan.publish(message)
        flags = float(env.collided), float(env.reached)
        self.state.publish([self.time(), x, y, yaw, vx, rate, env.clearance, *flags])

    def _publish_pose(self, stamp, x, y, yaw, vx, vy, rate):
        odom = self.odom_message
        odom.header.stamp = stamp
        pose, twist = odom.pose.pose, odom.twist.twist
        pose.position.x, pose.position.y = x, y
        pose.orientation.z, pose.orientation.w = math.sin(0.5 * yaw), math.cos(0.5 * yaw)
        twist.linear.x, twist.linear.y, twist.angular.z = vx, vy, rate
        self.odom.publish(odom)
        if self.tf is not None:
            transform = self.transform
            transform.header.stamp = stamp
            transform.transform.translation.x, transform.transform.translation.y = x, y
            transform.transform.rotation = pose.orientation
            self.tf.publish(self.tf_message)

    def relax(self):
        self.command.forget()
        self.env.halt()

    def restart(self):
        self.command.forget()
        self.env.reset()
        if self.tour is not None:
            self.tour.restart_scene()

    def _make_messages(self, parameters):
        """What does not change in the messages, filled in once."""
        s, odom_frame = self.settings, parameters.text("odom_frame")
        self.base_frame = parameters.text("base_frame")
        self.laser_frame = parameters.text("laser_frame")
        self.scan_message = LaserScan(
            angle_min=-s.fan,
            angle_max=s.fan,
            angle_increment=2.0 * s.fan / (s.beams - 1),
            scan_time=self.env.period,
            range_min=s.range_min,
            range_max=s.range_max,
        )
        self.scan_message.header.frame_id = self.laser_frame
        self.odom_message = Odometry(child_frame_id=self.base_frame)
        self.odom_message.header.frame_id = odom_frame
        self.transform = TransformStamped(child_frame_id=self.base_frame)
        self.transform.header.frame_id = odom_frame
        self.tf_message = TFMessage([self.transform])

    def _publish_static(self):
        offset = TransformStamped(child_frame_id=self.laser_frame)
        offset.header.frame_id, offset.header.stamp = self.base_frame, self.stamp()
        shift = offset.transform.translation
        shift.x, shift.y, shift.z = self.env.laser_offset.tolist()
        offset.transform.rotation.w = 1.0
        self.tf_static = rospy.Publisher("/tf_static", TFMessage, queue_size=1, latch=True)
        self.tf_static.publish(TFMessage([offset]))

    def _open_viewer(self):
        """A window for the present scene, where one is wanted."""
        if self.viewer is not None:
            self.viewer.close()
        self.viewer = Viewer(
            self.env.model,
            self.env.data,
            self.wants_viewer,
            decorate=lambda scene: draw_beams(scene, self.env),
        )


if __name__ == "__main__":
    sys.exit(ros.main("car_nn_sim", CarSimulation))
