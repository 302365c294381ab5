"""What the arm's rostests share."""

import rospy
from diagnostic_msgs.msg import DiagnosticArray

from mujoco_ros_common.session import Session

NODE = "mujoco_musculoskeletal_arm_reach"
wait = Session.wait


class Listener:
    """Keeps what comes on a topic."""

    def __init__(self, topic, kind):
        self.messages = []
        self._subscriber = rospy.Subscriber(topic, kind, self.messages.append, queue_size=100)

    @property
    def last(self):
        return self.messages[-1] if self.messages else None

    def next(self, what):
        """The first message that comes from now on."""
        seen = len(self.messages)
        wait(lambda: len(self.messages) > seen, what)
        return self.messages[seen]

    def until(self, condition, what, timeout=20.0):
        """Wait for a message that fulfils condition(message); that message."""
        wait(lambda: self.last is not None and condition(self.last), what, timeout)
        return self.last


class DiagnosticsListener(Listener):
    """Keeps /diagnostics of one node."""

    def __init__(self, node=NODE):
        super().__init__("/diagnostics", DiagnosticArray)
        self._node = node

    def status(self):
        """The newest DiagnosticStatus of the node."""
        for array in reversed(self.messages):
            for status in array.status:
                if status.name.startswith(self._node):
                    return status
        self.next("diagnostics")
        return self.status()

    def values(self):
        return {item.key: item.value for item in self.status().values}
