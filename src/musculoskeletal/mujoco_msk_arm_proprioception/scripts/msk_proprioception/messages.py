"""What the nodes read from messages; no ROS needed, the messages are only looked at."""

import math

import numpy as np

from msk_proprioception.names import MUSCLES
from msk_proprioception.sensors import Sample


def stamp_ns(message):
    """The header's stamp in nanoseconds."""
    return message.header.stamp.to_nsec()


def sample_of(message):
    """A Sample of proprioception/sensed; its tendon extension is left out (NaN).

    Raises:
        ValueError: other muscles, a wrong number of values, or values that are not finite.
    """
    if tuple(message.name) != MUSCLES:
        raise ValueError(f"expected {' '.join(MUSCLES)}, got {' '.join(message.name) or 'none'}")
    channels = (message.position, message.velocity, message.effort)
    if any(len(values) != len(MUSCLES) for values in channels):
        raise ValueError(f"expected {len(MUSCLES)} values each, got {[len(c) for c in channels]}")
    if not all(math.isfinite(value) for values in channels for value in values):
        raise ValueError("expected finite values")
    unknown = np.full(len(MUSCLES), math.nan)
    return Sample(stamp_ns(message), *(np.array(values) for values in channels), unknown, None)
