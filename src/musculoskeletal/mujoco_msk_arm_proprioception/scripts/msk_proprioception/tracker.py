"""From messages to an estimate in every tick of the arm; without ROS, which brings the messages."""

from msk_proprioception.inbox import Inbox

CLOCK, COMMAND, SENSED = "joint_states", "muscle_excitations", "sensed"
PATIENCE = 0.005  # s, for the command and the sample of the same tick
AWAY_NS = 500_000_000  # a step of the clock that is no tick


class Tracker:
    """Feeds an estimator.

    Inputs (`inbox.put`): CLOCK: (time_ns, angles, velocities) of the arm, of which only TrueState
    looks at more than the time; COMMAND: six excitations that drove the tick up to that time;
    SENSED: Sample.

    Args:
        estimator: Estimator. stale_s: s without a sample, after which there is no estimate.
    """

    def __init__(self, estimator, stale_s):
        self.estimator = estimator
        self.inbox = Inbox((CLOCK, COMMAND, SENSED))
        self._stale_ns = round(1e9 * stale_s)
        self._now_ns = self._sensed_ns = None

    def step(self, timeout, needs_samples=True):
        """Wait for the next tick.

        Args:
            timeout: s. needs_samples: False where the estimator looks at the true state.

        Returns:
            (now_ns, Estimate), or None: no tick, or no estimate.
        """
        optional = (SENSED,) if needs_samples else ()
        values = self.inbox.gather(CLOCK, (COMMAND,), PATIENCE, timeout, optional)
        if values is None:
            return None
        (now_ns, angles, velocities), excitations = values[:2]
        self._follow(now_ns)
        estimator = self.estimator
        estimator.command(now_ns - estimator.tick_ns, excitations)
        estimator.observe(angles, velocities)
        if needs_samples and values[2] is not None:
            estimator.sense(values[2])
            self._sensed_ns = now_ns
        fresh = self._sensed_ns is not None and now_ns - self._sensed_ns <= self._stale_ns
        if needs_samples and not fresh:
            return None
        estimate = estimator.estimate(now_ns)
        return None if estimate is None else (now_ns, estimate)

    def _follow(self, now_ns):
        """A clock that goes back or leaps ahead (another arm, or the same one anew) begins anew."""
        if self._now_ns is not None and not 0 <= now_ns - self._now_ns <= AWAY_NS:
            self.estimator.reset()
            self._sensed_ns = None
        self._now_ns = now_ns
