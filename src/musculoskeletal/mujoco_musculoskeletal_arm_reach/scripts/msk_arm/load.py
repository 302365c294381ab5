"""What the hand seems to carry, from how the arm moves."""

from mujoco_ros_common.model import ids

RELEASE = 0.1  # share of what is too much, given back in each tick at rest


class LoadEstimate:
    """An estimate of a mass at the hand, kept in a controller's inner model.

    The torque that the inner model cannot explain is compared with the torque that a mass at the
    hand would need for the hand's acceleration and against gravity, a normalised least-mean-squares
    step in each tick. Only a hand that accelerates tells mass from strength; at rest nothing is
    learned, and a belief in more than `resting` fades into the plain disturbance, since an arm
    that is lighter than believed trembles where it should be still.

    Args:
        model: mujoco.MjModel of the inner model, whose load is changed. dynamics: its ArmDynamics.
        settings: Parameters: load_gain, load_threshold, load_slowness, load_moving, load_resting.
        step: s, a control tick.

    Attributes:
        kg: the mass believed in.
    """

    def __init__(self, model, dynamics, settings, step):
        self._model, self._arm, self._step = model, dynamics, step
        self._body = ids(model, "body", ["load"])[0]
        self._own = float(model.body_mass[self._body])
        self._gravity = -float(model.opt.gravity[2])
        self._gain = settings.number("load_gain", 0.0, 1.0)
        self._threshold = settings.number("load_threshold", 0.0)
        self._slowness = settings.number("load_slowness", 0.001)
        self._most = settings.number("load_moving", 0.0, 100.0)
        self._resting = settings.number("load_resting", 0.0, self._most)
        self.reset()

    def reset(self):
        """Believe in no load."""
        self._last = None
        self._believe(0.0)

    def observe(self, q, v, torque):
        """Learn from the last tick.

        Args:
            q, v: joint angles and velocities now. torque: what the inner model did not explain (2).

        Returns:
            torques (2) that the new belief explains from now on, to be taken off the disturbance.
        """
        dx1, dx2, dz1, dz2 = self._arm.jacobian(q[0], q[1])
        speed = (dx1 * v[0] + dx2 * v[1], dz1 * v[0] + dz2 * v[1])
        last, self._last = self._last, speed
        if last is None or self._gain == 0.0:
            return 0.0, 0.0
        ax, az = (speed[0] - last[0]) / self._step, (speed[1] - last[1]) / self._step
        size = ax * ax + az * az
        az += self._gravity
        y1, y2 = -(dx1 * ax + dz1 * az), -(dx2 * ax + dz2 * az)
        if size > self._threshold**2:
            trust = self._gain * (1.0 - self._threshold**2 / size)
            along = y1 * torque[0] + y2 * torque[1]
            change = trust * along / (self._slowness + y1 * y1 + y2 * y2)
        else:
            change = RELEASE * min(self._resting - self.kg, 0.0)
        before = self.kg
        self._believe(min(max(before + change, 0.0), self._most))
        change = self.kg - before
        return y1 * change, y2 * change

    def _believe(self, kg):
        self.kg = kg
        self._arm.believe_load(kg)
        self._model.body_mass[self._body] = self._own + kg
