"""The laser fan without its physics: angles, REP 117 ranges, sectors for the network."""

import math

import numpy as np

_OFF = 0.25  # of an increment: more than float32 angles are off, less than one beam too many


def beam_angles(beams, fan):
    """Angles of the beams, right to left: (beams,) from -fan to +fan, rad."""
    return np.linspace(-fan, fan, beams)


def to_ranges(distances, range_min, range_max):
    """Distances (m) as a LaserScan has them (REP 117): +inf no return, -inf too near."""
    ranges = np.where(distances >= range_max, np.inf, distances)
    ranges[distances < range_min] = -np.inf
    return ranges


def from_ranges(ranges, range_min, range_max, limit):
    """Ranges of a LaserScan as distances that a network can take, all within [0, limit].

    +inf and what is beyond range_max is free space, NaN and what is below range_min (zeros
    included) are lost beams: both become the limit. -inf is an object too near to measure.

    Args:
        ranges: m, (n,). range_min, range_max: of the message, m. limit: of the network, m.
    """
    ranges = np.asarray(ranges, dtype=float)
    near = ranges == -np.inf
    valid = (ranges >= range_min) & (ranges <= range_max)  # False for NaN
    distances = np.where(valid, np.minimum(ranges, limit), limit)
    distances[near] = min(range_min, limit)
    return distances


class Sectors:
    """Beams to the sectors that the network sees: the shortest beam of each sector.

    Args:
        angles: of the beams, rad, (n,), in any order.
        sectors: number of sectors. fan: their centres go from -fan to +fan, rad.

    Raises:
        ValueError: the beams leave a sector empty.
    """

    def __init__(self, angles, sectors, fan):
        pitch = 2.0 * fan / (sectors - 1)
        place = (np.asarray(angles, dtype=float) + fan) / pitch
        index = np.rint(place).astype(int)
        inside = np.abs(place - (sectors - 1) / 2) <= sectors / 2 + 1e-3
        index = np.clip(index, 0, sectors - 1)
        used = np.flatnonzero(inside)
        self._order = used[np.argsort(index[used], kind="stable")]
        found, self._starts = np.unique(index[self._order], return_index=True)
        if len(found) != sectors:
            degrees = np.degrees(fan)
            raise ValueError(
                f"expected beams in each of {sectors} sectors from {-degrees:g} to {degrees:g} "
                f"degrees, found them in {len(found)}"
            )
        self.beams = len(place)
        plain = np.array_equal(self._order, np.arange(sectors))
        self.identity = plain and len(place) == sectors

    def pool(self, distances):
        """([n beams] distances) -> ([sectors] distances), both m, right to left."""
        if self.identity:
            return distances
        return np.minimum.reduceat(distances[self._order], self._starts)


class ScanReader:
    """Checks the scans of a message and turns them into the network's sectors.

    Args:
        sectors, fan, range_max: of the network (rad, m).
    """

    def __init__(self, sectors, fan, range_max):
        self._sectors, self._fan, self._limit = sectors, fan, range_max
        self._layout, self._pool = None, None

    def read(self, ranges, angle_min, angle_max, increment, range_min, range_max):
        """Distances per sector, m, (sectors,), right to left, whatever the beams' order.

        Raises:
            ValueError: the message contradicts itself or does not cover the sectors.
        """
        layout = (len(ranges), angle_min, angle_max, increment)
        if layout != self._layout:
            self._pool = self._sectors_of(*layout)
            self._layout = layout
        if not (0.0 <= range_min < range_max):  # False for NaN
            raise ValueError(f"expected 0 <= range_min < range_max, got {range_min}, {range_max}")
        return self._pool.pool(from_ranges(ranges, range_min, range_max, self._limit))

    def _sectors_of(self, beams, angle_min, angle_max, increment):
        if not all(map(math.isfinite, (angle_min, angle_max, increment))) or increment == 0.0:
            raise ValueError(
                "expected finite angles and an increment, "
                f"got {angle_min}, {angle_max}, {increment}"
            )
        end = angle_min + (beams - 1) * increment
        if abs(end - angle_max) > _OFF * abs(increment):
            raise ValueError(
                f"expected angle_max = angle_min + (n - 1) increment = {end:.4f}, "
                f"got {angle_max:.4f} with {beams} beams"
            )
        return Sectors(angle_min + increment * np.arange(beams), self._sectors, self._fan)
