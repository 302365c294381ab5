"""What a subscriber lets through: lengths, finiteness, ranges, names, ages. No master needed."""

import math

import numpy as np
import pytest

rospy = pytest.importorskip("rospy")

from geometry_msgs.msg import Point  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import Float32, Float32MultiArray  # noqa: E402

from mujoco_ros_common.ros import messages  # noqa: E402

NAN, INF = math.nan, math.inf


def array(*values):
    return Float32MultiArray(data=values)  # the layout is left empty


@pytest.mark.parametrize("values", [(0.0, 1.0, 0.5), (0, 1, 1)])
def test_a_sound_array(values):
    assert tuple(messages.array_of(3, 0.0, 1.0)(array(*values))) == values


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((), "expected 3 values, got 0"),
        ((0.0, 0.0), "expected 3 values, got 2"),
        ((0.0,) * 4, "expected 3 values, got 4"),
        ((0.0, NAN, 0.0), r"finite values in \[0, 1\], got nan"),
        ((0.0, 0.0, INF), r"finite values in \[0, 1\], got inf"),
        ((-INF, 0.0, 0.0), r"finite values in \[0, 1\], got -inf"),
        ((0.0, 1.01, 0.0), r"finite values in \[0, 1\], got 1.01"),
        ((-0.01, 0.0, 0.0), r"finite values in \[0, 1\], got -0.01"),
    ],
)
def test_a_bad_array(values, words):
    with pytest.raises(ValueError, match=words):
        messages.array_of(3, 0.0, 1.0)(array(*values))


@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_without_a_range_values_must_still_be_finite(value):
    messages.array_of(2)(array(1e30, -1e30))
    with pytest.raises(ValueError, match="finite"):
        messages.array_of(2)(array(0.0, value))
    messages.scalar()(Float32(1e30))
    with pytest.raises(ValueError, match="finite"):
        messages.scalar()(Float32(value))


def test_scalar():
    check = messages.scalar(0.0, 1.0)
    assert check(Float32(0.25)) == 0.25
    for value in (-0.1, 1.1, NAN, INF):
        with pytest.raises(ValueError, match=r"in \[0, 1\], got"):
            check(Float32(value))


def test_point():
    assert messages.point(Point(1.0, 2.0, -3.0)) == (1.0, 2.0, -3.0)
    for bad in (Point(NAN, 0.0, 0.0), Point(0.0, INF, 0.0), Point(0.0, 0.0, -INF)):
        with pytest.raises(ValueError, match="finite x, y, z, got"):
            messages.point(bad)


def joints(names, positions, velocities):
    return JointState(name=names, position=positions, velocity=velocities)


def test_joint_state_in_the_order_of_the_names_asked_for():
    check = messages.joint_state_of(["shoulder", "elbow"])
    message = joints(["elbow", "shoulder"], [1.0, 3.0], [4.0, 6.0])
    assert check(message) == ([3.0, 1.0], [6.0, 4.0])


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (joints([], [], []), "expected joints a b, got none"),
        (joints(["a"], [0.0], [0.0]), "expected joints a b, got a"),
        (joints(["a", "c"], [0.0] * 2, [0.0] * 2), "expected joints a b, got a c"),
        (joints(["a", "b", "a"], [0.0] * 3, [0.0] * 3), "expected joints a b, got a b a"),
        (joints(["a", "b", "c"], [0.0] * 3, [0.0] * 3), "expected joints a b, got a b c"),
        (joints(["a", "b"], [0.0], [0.0] * 2), "expected 2 positions and velocities, got 1 and 2"),
        (joints(["a", "b"], [0.0] * 2, []), "expected 2 positions and velocities, got 2 and 0"),
        (joints(["a", "b"], [0.0, NAN], [0.0] * 2), "finite positions"),
        (joints(["a", "b"], [0.0] * 2, [INF, 0.0]), "finite positions"),
    ],
)
def test_a_bad_joint_state(message, words):
    with pytest.raises(ValueError, match=words):
        messages.joint_state_of(["a", "b"])(message)


class Clock:
    """What stands for rospy's subscriber, its log, and both clocks."""

    def __init__(self, monkeypatch):
        self.now, self.warnings = 1000.0, []
        monkeypatch.setattr(messages.rospy, "Subscriber", lambda *args, **options: None)
        monkeypatch.setattr(messages.rospy, "logwarn", self.warnings.append)
        monkeypatch.setattr(messages.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(
            messages.rospy.Time, "now", staticmethod(lambda: rospy.Time.from_sec(self.now))
        )


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_the_last_good_value_stays_until_it_is_too_old(clock):
    checked = messages.Checked("cmd", Float32, messages.scalar(0.0, 1.0))
    assert (checked.value(), checked.take(), checked.age()) == (None, None, INF)
    checked._on(Float32(0.5))
    clock.now += 0.3
    checked._on(Float32(7.0))
    assert checked.value() == 0.5
    assert checked.value(timeout=0.5) == 0.5
    assert checked.age() == pytest.approx(0.3)
    clock.now += 0.3  # a bad message does not keep it fresh
    assert checked.value(timeout=0.5) is None
    assert checked.value(timeout=0.0) == 0.5
    assert (checked.received, checked.rejected) == (1, 1)


def test_a_value_is_taken_once_and_can_be_forgotten(clock):
    checked = messages.Checked("cmd", Float32, messages.scalar())
    checked._on(Float32(0.5))
    assert (checked.take(), checked.take(), checked.value()) == (0.5, None, 0.5)
    checked._on(Float32(0.25))
    checked.forget()
    assert (checked.take(), checked.value(), checked.age()) == (None, None, INF)


def test_bad_messages_are_counted_and_warned_of_once_a_second_for_each_topic(clock):
    bad = []
    first = messages.Checked("first", Float32, messages.scalar(), on_bad=lambda: bad.append(1))
    second = messages.Checked("second", Float32, messages.scalar())
    for _ in range(250):  # 2.5 s at 100 Hz
        first._on(Float32(NAN))
        second._on(Float32(INF))
        clock.now += 0.01
    assert (first.rejected, second.rejected, len(bad)) == (250, 250, 250)
    assert [text.split(":")[0] for text in clock.warnings] == ["first", "second"] * 3
    assert (
        clock.warnings[0]
        == "first: message dropped: expected a finite value in [-inf, inf], got nan"
    )


def test_callbacks_get_sound_messages_alone(clock):
    seen = []
    checked = messages.Checked("cmd", Float32, messages.scalar(), lambda *both: seen.append(both))
    message = Float32(0.5)
    message._connection_header = {"callerid": "/someone"}
    checked._on(message)
    checked._on(Float32(NAN))
    assert seen == [(0.5, message)]
    assert checked.sender() == "/someone"


def test_a_message_that_is_none_of_ours_passes_unnoticed(clock):
    checked = messages.Checked("cmd", Float32, lambda message: None)
    checked._on(Float32(0.5))
    assert (checked.received, checked.rejected, checked.age()) == (0, 0, INF)


@pytest.mark.parametrize(("age", "good"), [(0.1, True), (-5.0, True), (0.6, False)])
def test_old_stamps_are_refused_where_that_is_asked_for(clock, age, good):
    message = joints(["a"], [0.0], [0.0])
    message.header.stamp = rospy.Time.from_sec(clock.now - age)
    strict = messages.Checked("s", JointState, messages.joint_state_of(["a"]), max_stamp_age=0.5)
    any_age = messages.Checked("s", JointState, messages.joint_state_of(["a"]))
    for checked in (strict, any_age):
        checked._on(message)
    assert (strict.received, strict.rejected) == ((1, 0) if good else (0, 1))
    assert any_age.received == 1
    assert good or "expected a stamp at most 0.5 s old, got 0.6" in clock.warnings[0]


def test_array_publisher_labels_its_values(monkeypatch):
    sent = []

    class Publisher:
        def __init__(self, topic, kind, **options):
            self.options = options

        def publish(self, message):
            sent.append((list(message.data), message.layout.dim[0]))

        def get_num_connections(self):
            return 2

    monkeypatch.setattr(messages.rospy, "Publisher", Publisher)
    publisher = messages.ArrayPublisher("state", ["t", "x"], latch=True)
    publisher.publish([1.0, 2.0])
    publisher.publish(np.array([3.0, NAN]))
    publisher.publish([1e300, -1e39])
    data, dim = sent[0]
    assert (data, dim.label, dim.size, dim.stride) == ([1.0, 2.0], "t,x", 2, 2)
    assert sent[1][0][0] == 3.0
    assert math.isnan(sent[1][0][1])
    assert sent[2][0] == [INF, -INF]  # what 32 bits make of them
    assert publisher._publisher.options == {"queue_size": 1, "latch": True}
    assert publisher.has_listeners()
    for wrong in ([1.0], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match="expected 2 values, got"):
            publisher.publish(wrong)
