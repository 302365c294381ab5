"""From messages to estimates: pairing, readiness, silence, and clocks that begin anew."""

import threading
import time

import numpy as np
import pytest
from helpers import TICK, quiet, settings

from msk_proprioception.estimate import Delayed, TrueState
from msk_proprioception.inbox import Inbox
from msk_proprioception.messages import sample_of
from msk_proprioception.names import MUSCLES
from msk_proprioception.sensors import Sensors
from msk_proprioception.tracker import CLOCK, COMMAND, SENSED, Tracker


def test_gather_waits_for_the_trigger_and_for_what_belongs_to_it():
    inbox = Inbox(("a", "b"))
    inbox.put("b", 1)
    assert inbox.gather("a", ("b",), 0.01, 0.01) is None  # no trigger
    inbox.put("a", 10)
    assert inbox.gather("a", ("b",), 0.01, 0.01) == [10, 1]
    inbox.put("a", 11)
    later = threading.Timer(0.05, inbox.put, ("b", 2))
    later.start()
    assert inbox.gather("a", ("b",), 5.0, 5.0) == [11, 2]
    inbox.put("a", 12)
    assert inbox.gather("a", ("b",), 0.01, 1.0) == [12, 2]  # an older one will do


def test_withdrawn_inputs_are_missing_until_a_good_one_comes():
    inbox = Inbox(("a", "b"))
    assert inbox.missing() == ["a", "b"]
    inbox.put("a", 1)
    inbox.put("b", 1)
    assert inbox.missing() == []
    inbox.withdraw("b")
    assert inbox.missing() == ["b"]
    assert inbox.gather("a", ("b",), 0.01, 0.01) is None
    inbox.put("a", 2)
    inbox.put("b", 2)
    assert inbox.gather("a", ("b",), 0.01, 0.01) == [2, 2]


def test_optional_inputs_count_only_when_they_are_new():
    inbox = Inbox(("a", "b", "c"))
    for name in "abc":
        inbox.put(name, name)
    assert inbox.gather("a", ("b",), 0.01, 0.01, ("c",)) == ["a", "b", "c"]
    inbox.put("a", "A")
    inbox.put("b", "B")
    assert inbox.gather("a", ("b",), 0.01, 0.01, ("c",)) == ["A", "B", None]


class Feed:
    """An arm at rest, its senses, and a tracker that hears of both."""

    def __init__(self, estimator, stale_s=0.1, delay_s=0.02):
        self.tracker = Tracker(estimator, stale_s)
        self.sensors = Sensors(quiet(delay_s=delay_s))
        self.pose = np.array([0.2, 0.9])

    def tick(self, k, sensed=True, command=True):
        inbox = self.tracker.inbox
        if command:
            inbox.put(COMMAND, [0.1] * 6)
        sample = self.sensors.sense(k * TICK, self.pose, np.zeros(6))
        if sensed and sample is not None:
            inbox.put(SENSED, sample)
        inbox.put(CLOCK, (k * TICK, self.pose, np.zeros(2)))
        return self.tracker.step(0.01)


def test_there_is_no_estimate_before_the_line_is_full():
    feed = Feed(Delayed(quiet()))
    out = [feed.tick(k) for k in range(5)]
    assert out[:2] == [None, None]
    assert [found[0] for found in out[2:]] == [2 * TICK, 3 * TICK, 4 * TICK]
    np.testing.assert_allclose(out[2][1].angles, feed.pose, atol=1e-12)


def test_without_a_command_there_is_no_estimate():
    feed = Feed(Delayed(quiet()))
    assert [feed.tick(k, command=False) for k in range(5)] == [None] * 5


def test_commands_reach_the_estimator_with_the_tick_they_drove():
    estimator = Delayed(quiet())
    feed = Feed(estimator)
    for k in range(4):
        feed.tick(k)
    excitations, activations = estimator.efference.at(2 * TICK)
    assert excitations == [0.1] * 6
    assert 0.0 < activations[0] < estimator.efference.activations[0] < 0.1


def test_estimates_stop_when_the_samples_stop():
    feed = Feed(Delayed(quiet()), stale_s=0.05)
    found = [feed.tick(k, sensed=k < 10) is not None for k in range(25)]
    assert found == [False] * 2 + [True] * 8 + [True] * 5 + [False] * 10


@pytest.mark.parametrize("start", [0, 1000])
def test_another_clock_begins_anew(start):
    """An arm that dies and comes back starts its time again, or much later."""
    estimator = Delayed(quiet())
    feed = Feed(estimator)
    for k in range(100, 120):
        feed.tick(k)
    assert feed.tick(start) is None
    assert [feed.tick(start + k) is not None for k in (1, 2, 3)] == [False, True, True]
    assert estimator.efference.at((start - 10) * TICK)[0] == [0.0] * 6  # the old commands are gone


def test_the_true_state_needs_no_samples():
    feed = Feed(TrueState(settings()))
    feed.tracker.inbox.put(COMMAND, [0.1] * 6)
    feed.tracker.inbox.put(CLOCK, (0, [0.1, 0.2], [0.3, 0.4]))
    begin = time.monotonic()
    _, estimate = feed.tracker.step(1.0, needs_samples=False)
    assert time.monotonic() - begin < 0.5
    assert estimate.angles.tolist() == [0.1, 0.2]
    assert estimate.velocities.tolist() == [0.3, 0.4]


class Stamp:
    def to_nsec(self):
        return 123


class Message:
    """What a sensor_msgs/JointState looks like from here."""

    def __init__(self, **changes):
        self.header = type("Header", (), {"stamp": Stamp()})()
        self.name = list(MUSCLES)
        self.position, self.velocity, self.effort = [0.1] * 6, [0.2] * 6, [3.0] * 6
        vars(self).update(changes)


def test_samples_are_read_from_messages():
    sample = sample_of(Message())
    assert sample.time_ns == 123
    assert sample.length.tolist() == [0.1] * 6
    assert sample.force.tolist() == [3.0] * 6
    assert np.isnan(sample.extension).all()


@pytest.mark.parametrize(
    "changes, what",
    [
        ({"name": list(MUSCLES[::-1])}, "expected shoulder_flexor"),
        ({"name": []}, "got none"),
        ({"position": [0.1] * 5}, "expected 6 values"),
        ({"effort": [float("nan")] * 6}, "finite"),
        ({"velocity": [float("inf")] * 6}, "finite"),
    ],
)
def test_bad_samples_are_refused(changes, what):
    with pytest.raises(ValueError, match=what):
        sample_of(Message(**changes))
