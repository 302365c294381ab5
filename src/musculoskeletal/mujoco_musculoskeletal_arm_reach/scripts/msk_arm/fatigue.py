"""Muscle fatigue: the three compartments active, resting, fatigued.

Xia & Frey-Law 2008, doi:10.1016/j.jbiomech.2008.07.013, with the rest recovery multiplier of Looft
et al. 2018, doi:10.1016/j.jbiomech.2018.06.005. The compartments follow the load without the
model's recruitment rate (10/s), since MuJoCo's activation dynamics has smoothed it already.
"""

RELAXED = 0.02  # activation below which a muscle counts as resting


class Fatigue:
    """Shares of a muscle's motor units, which always sum to 1.

    Args:
        n: how many muscles.
        fatigue_rate, recovery_rate: F and R (1/s).
        rest_factor: r, recovery at rest over recovery under load.
        fatigued: fatigued share of every muscle at the start.
    """

    def __init__(self, n, fatigue_rate, recovery_rate, rest_factor=15.0, fatigued=0.0):
        self.fatigue_rate, self.recovery_rate = fatigue_rate, recovery_rate
        self.rest_factor, self._start = rest_factor, fatigued
        self.n = n
        self.reset()

    def reset(self):
        """Back to the fatigued share of the start, all other motor units at rest."""
        self.active, self.fatigued = [0.0] * self.n, [self._start] * self.n

    def step(self, load, dt):
        """Advance by dt (s).

        Args:
            load: wanted share of the peak force of each muscle, 0..1 (n floats).

        Returns:
            list of n: share of the wanted force that the muscle can give (1 where it is all).
        """
        factors = []
        for k, wanted in enumerate(load):
            active = min(wanted, 1.0 - self.fatigued[k])
            recovery = self.recovery_rate * (self.rest_factor if wanted < RELAXED else 1.0)
            gain = self.fatigue_rate * active - recovery * self.fatigued[k]
            fatigued = min(max(self.fatigued[k] + dt * gain, 0.0), 1.0)
            active = min(wanted, 1.0 - fatigued)
            self.active[k], self.fatigued[k] = active, fatigued
            factors.append(active / wanted if active < wanted else 1.0)
        return factors

    def shares(self):
        """Active, resting, fatigued of each muscle in turn: list of 3 n floats."""
        out = []
        for active, fatigued in zip(self.active, self.fatigued):
            out += [active, max(0.0, 1.0 - active - fatigued), fatigued]
        return out

    def ceiling(self):
        """The largest share of the peak force that each muscle can give now: list of n."""
        return [1.0 - fatigued for fatigued in self.fatigued]

    def save(self):
        return list(self.active), list(self.fatigued)

    def restore(self, saved):
        self.active, self.fatigued = list(saved[0]), list(saved[1])
