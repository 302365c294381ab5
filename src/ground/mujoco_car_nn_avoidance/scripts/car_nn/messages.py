"""What is taken from incoming messages, and what is refused. Duck-typed: imports no ROS."""

import math

from car_nn.kinematics import yaw_of_quaternion


def twist_of(message):
    """Speed (m/s) and yaw rate (rad/s) of a geometry_msgs/Twist.

    Raises:
        ValueError: any of its six values is not finite.
    """
    linear, angular = message.linear, message.angular
    values = (linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
    if not all(map(math.isfinite, values)):
        raise ValueError(f"expected a finite twist, got {values}")
    return linear.x, angular.z


def pose_of(message):
    """x, y (m) and yaw (rad) of a nav_msgs/Odometry.

    Raises:
        ValueError: not finite, or the quaternion is far from one.
    """
    q, p = message.pose.pose.orientation, message.pose.pose.position
    norm = math.sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z)
    if not (0.5 < norm < 2.0 and math.isfinite(p.x + p.y)):  # False for NaN
        raise ValueError(
            f"expected a finite position and a unit quaternion, got {p.x:g}, {p.y:g}, norm {norm:g}"
        )
    return p.x, p.y, yaw_of_quaternion(q.w / norm, q.x / norm, q.y / norm, q.z / norm)


def twist_to(message, speed, yaw_rate):
    """Write a speed (m/s) and yaw rate (rad/s) into a Twist; returns it."""
    message.linear.x, message.angular.z = speed, yaw_rate
    return message
