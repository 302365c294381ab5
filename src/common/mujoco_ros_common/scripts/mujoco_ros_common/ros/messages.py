"""Messages that carry their labels, and subscribers that let only sound ones through."""

import math
import threading
import time
from array import array

import rospy
from std_msgs.msg import Float32MultiArray, MultiArrayDimension


class ArrayPublisher:
    """Publishes a Float32MultiArray whose layout says what its entries are.

    Args:
        topic: its (relative) name. labels: what each entry is. latch: keep it for late comers.
    """

    def __init__(self, topic, labels, latch=False):
        self._size = len(labels)
        self._message = Float32MultiArray()
        self._message.layout.dim = [
            MultiArrayDimension(label=",".join(labels), size=self._size, stride=self._size)
        ]
        self._publisher = rospy.Publisher(topic, Float32MultiArray, queue_size=1, latch=latch)

    def publish(self, values):
        """values: numpy array or list (n,), one for each label.

        A value too large for 32 bits becomes infinite: rospy would raise in the middle of the
        message, and send the half of it before the next one.
        """
        data = array("f", values.tolist() if hasattr(values, "tolist") else values)
        if len(data) != self._size:
            raise ValueError(f"expected {self._size} values, got {len(data)}")
        self._message.data = data.tolist()
        self._publisher.publish(self._message)

    def has_listeners(self):
        return self._publisher.get_num_connections() > 0


def array_of(size, low=-math.inf, high=math.inf):
    """A check for Checked: a Float32MultiArray of `size` finite values in [low, high]."""

    def check(message):
        data = message.data
        if len(data) != size:
            raise ValueError(f"expected {size} values, got {len(data)}")
        for value in data:
            if not low <= value <= high or value - value != 0.0:
                raise ValueError(f"expected finite values in [{low:g}, {high:g}], got {value:g}")
        return data

    return check


def scalar(low=-math.inf, high=math.inf):
    """A check for Checked: a finite std_msgs number in [low, high]."""

    def check(message):
        value = message.data
        if not math.isfinite(value) or not low <= value <= high:
            raise ValueError(f"expected a finite value in [{low:g}, {high:g}], got {value:g}")
        return value

    return check


def point(message):
    """A check for Checked: a geometry_msgs/Point with finite coordinates, as (x, y, z)."""
    values = (message.x, message.y, message.z)
    if not all(math.isfinite(value) for value in values):
        raise ValueError(f"expected finite x, y, z, got {values}")
    return values


def joint_state_of(names):
    """A check for Checked: a JointState of the joints `names`, each once, in any order.

    Its value is (positions, velocities), each a list in the order of `names`.
    """

    def check(message):
        found = list(message.name)
        if sorted(found) != sorted(names):
            raise ValueError(f"expected joints {' '.join(names)}, got {' '.join(found) or 'none'}")
        if len(message.position) != len(found) or len(message.velocity) != len(found):
            raise ValueError(
                f"expected {len(found)} positions and velocities, "
                f"got {len(message.position)} and {len(message.velocity)}"
            )
        order = [found.index(name) for name in names]
        positions = [message.position[i] for i in order]
        velocities = [message.velocity[i] for i in order]
        if not all(math.isfinite(value) for value in positions + velocities):
            raise ValueError("expected finite positions and velocities")
        return positions, velocities

    return check


class Checked:
    """A subscriber that keeps the newest sound message, and counts and warns of the others.

    A message that the check refuses is dropped; the last good one stays. One for which it
    returns None is none of ours: it passes unnoticed.

    Args:
        topic: its (relative) name. kind: the message type.
        check: function(message) -> value, raising ValueError with what was expected and came.
        callback: function(value, message) for each sound message, called in rospy's thread.
        on_bad: function() for each dropped one.
        max_stamp_age: s; a stamped message older than this is dropped (None: any age).
    """

    def __init__(self, topic, kind, check, callback=None, on_bad=None, max_stamp_age=None):
        self.topic, self.rejected, self.received = topic, 0, 0
        self._check, self._callback, self._on_bad = check, callback, on_bad
        self._max_stamp_age = max_stamp_age
        self._lock = threading.Lock()
        # of each topic, on the wall clock: rospy's throttle is one for all and may stand still
        self._warned = -math.inf
        self._value, self._arrival, self._sender, self._fresh = None, -math.inf, "", False
        self._subscriber = rospy.Subscriber(topic, kind, self._on, queue_size=1, tcp_nodelay=True)

    def value(self, timeout=0.0):
        """The newest sound value, or None: none yet, or older than `timeout` s (0: any age)."""
        with self._lock:
            if timeout and time.monotonic() - self._arrival > timeout:
                return None
            return self._value

    def take(self):
        """The newest sound value if it has not been taken yet, else None."""
        with self._lock:
            value = self._value if self._fresh else None
            self._fresh = False
            return value

    def age(self):
        """Wall-clock time since the newest sound message, s; infinite before the first."""
        with self._lock:
            return time.monotonic() - self._arrival

    def sender(self):
        """Name of the node that sent the newest sound message."""
        with self._lock:
            return self._sender

    def forget(self):
        """Drop the kept value, as if none had come."""
        with self._lock:
            self._value, self._arrival, self._fresh = None, -math.inf, False

    def _on(self, message):
        try:
            self._check_age(message)
            value = self._check(message)
        except ValueError as error:
            with self._lock:
                self.rejected += 1
                warn = time.monotonic() - self._warned >= 1.0
                if warn:
                    self._warned = time.monotonic()
            if warn:
                rospy.logwarn(f"{self.topic}: message dropped: {error}")
            if self._on_bad is not None:
                self._on_bad()
            return
        if value is None:
            return
        with self._lock:
            self.received += 1
            self._value, self._arrival, self._fresh = value, time.monotonic(), True
            self._sender = (getattr(message, "_connection_header", None) or {}).get("callerid", "")
        if self._callback is not None:
            self._callback(value, message)

    def _check_age(self, message):
        if self._max_stamp_age is None:
            return
        age = (rospy.Time.now() - message.header.stamp).to_sec()
        if age > self._max_stamp_age:
            raise ValueError(f"expected a stamp at most {self._max_stamp_age:g} s old, got {age:g}")
