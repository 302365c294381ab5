"""For the rostests: what comes on a topic, kept."""

import rospy

from mujoco_ros_common.session import Session

STATE = ("time", "x", "y", "yaw", "v", "w", "clearance", "collided", "reached")


class Listener:
    """Keeps the messages of a topic."""

    def __init__(self, topic, kind):
        self.messages = []
        self._subscriber = rospy.Subscriber(topic, kind, self.messages.append, queue_size=200)

    @property
    def last(self):
        return self.messages[-1] if self.messages else None

    def next(self, what):
        """The first message that comes from now on."""
        seen = len(self.messages)
        Session.wait(lambda: len(self.messages) > seen, what)
        return self.messages[seen]


def state_of(message):
    """A car_nn/state as a dictionary."""
    return dict(zip(STATE, message.data))
