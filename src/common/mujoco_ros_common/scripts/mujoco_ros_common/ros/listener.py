"""What came on a topic, for tests and measurements."""

import rospy
from diagnostic_msgs.msg import DiagnosticArray

from mujoco_ros_common.session import Session


class Listener:
    """Keeps every message of a topic.

    Args:
        topic: its name. kind: the message type.
    """

    def __init__(self, topic, kind):
        self.topic, self.messages = topic, []
        self._subscriber = rospy.Subscriber(topic, kind, self.messages.append, queue_size=1000)

    @property
    def last(self):
        """The newest message, or None."""
        return self.messages[-1] if self.messages else None

    def connections(self):
        """Number of nodes that it hears."""
        return self._subscriber.get_num_connections()

    def next(self, timeout=20.0):
        """The first message that comes from now on.

        Raises:
            UserError: none came in time.
        """
        seen = len(self.messages)
        Session.wait(lambda: len(self.messages) > seen, f"a message on {self.topic}", timeout)
        return self.messages[seen]

    def wait_for(self, condition, what, timeout=20.0):
        """Wait until condition(newest message) is true; that message.

        Raises:
            UserError: it was not in time.
        """
        Session.wait(lambda: self.messages and condition(self.last), what, timeout)
        return self.last


class DiagnosticsListener(Listener):
    """Keeps the /diagnostics of one node.

    Args:
        node: its name, without the slash.
    """

    def __init__(self, node):
        super().__init__("/diagnostics", DiagnosticArray)
        self._node = node

    def status(self):
        """The newest DiagnosticStatus of the node."""
        self.wait_for(lambda _: self._statuses(), f"diagnostics of {self._node}")
        return self._statuses()[-1]

    def next_status(self):
        """The first DiagnosticStatus of the node that comes from now on."""
        seen = len(self._statuses())
        what = f"new diagnostics of {self._node}"
        self.wait_for(lambda _: len(self._statuses()) > seen, what)
        return self._statuses()[seen]

    def values(self):
        """Its key-value pairs, as texts."""
        return {item.key: item.value for item in self.next_status().values}

    def _statuses(self):
        statuses = [status for array in list(self.messages) for status in array.status]
        return [status for status in statuses if status.name.split(":")[0] == self._node]
