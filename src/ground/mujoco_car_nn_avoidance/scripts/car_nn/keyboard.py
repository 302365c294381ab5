"""What the keys of the car do: drive, speed, stop, hand over. Pure logic, no terminal."""

from mujoco_ros_common.errors import ArgumentError

_DRIVE = ("forward", "back", "left", "right")
_SINGLE = ("faster", "slower", "stop", "network", "quit")
_MEANINGS = {
    "forward": "drive forward while held",
    "back": "drive back while held",
    "left": "turn left while held",
    "right": "turn right while held",
    "faster": "faster",
    "slower": "slower",
    "stop": "stop, and take over from the network",
    "network": "hand over to the network, or take over from it",
    "quit": "stop and end",
}


class KeyboardPolicy:
    """Twists from key presses.

    A drive key counts until its time-out, so that holding it (the terminal repeats it) drives
    and letting go stops. Driving and turning have a time-out of their own and add up.

    Args:
        parameters: config.Parameters; see config/car_nn.yaml, "keyboard node".

    Raises:
        ArgumentError: a parameter is wrong, or a key has two meanings.
    """

    def __init__(self, parameters):
        p = parameters
        keys = [(key, name) for name in _DRIVE for key in p.names(f"{name}_keys")]
        keys += [(p.text(f"{name}_key"), name) for name in _SINGLE]
        self._actions = dict(keys)
        if len(self._actions) != len(keys):
            raise ArgumentError(
                f"{p.source}: expected no key with two meanings, got {' '.join(k for k, _ in keys)}"
            )
        self._max_speed = p.number("max_speed", 0.0)
        self._max_yaw_rate = p.number("max_yaw_rate", 0.0)
        self._step = p.number("speed_step", 0.01, 1.0)
        self.share = p.number("start_speed", self._step, 1.0)
        self._timeout = p.number("key_timeout", 0.0)
        self.network, self._said = False, (0.0, 0.0)
        self._stop()

    @property
    def toggles(self):
        """Keys that count once however long they are held."""
        return tuple(key for key, name in self._actions.items() if name == "network")

    def handle(self, key, now):
        """Act on a key by its name; unknown keys do nothing.

        Args:
            now: time of the press, s.

        Returns:
            False for the key that quits, True otherwise.
        """
        action = self._actions.get(key)
        if action in _DRIVE:
            self.network = False  # whoever drives has taken over
            axis = 0 if action in ("forward", "back") else 1
            self._axes[axis] = (1.0 if action in ("forward", "left") else -1.0, now)
        elif action in ("faster", "slower"):
            change = self._step if action == "faster" else -self._step
            self.share = min(1.0, max(self._step, self.share + change))
        elif action in ("stop", "quit"):
            self._stop()
            self.network, self._say_stop = False, True
        elif action == "network":
            self._stop()
            self.network = not self.network
        return action != "quit"

    def update(self, now):
        """The twist to publish now, or None when there is nothing to say.

        A drive that has ended is said once more, as zeros; after that nothing, so that an idle
        keyboard does not disturb another controller.

        Returns:
            speed (m/s) and yaw rate (rad/s), or None
        """
        twist = (
            self._axis(0, now) * self.share * self._max_speed,
            self._axis(1, now) * self.share * self._max_yaw_rate,
        )
        driving, ended = twist != (0.0, 0.0), self._said != (0.0, 0.0) and not self.network
        say = driving or ended or self._say_stop
        self._said, self._say_stop = twist, False
        return twist if say else None

    def _axis(self, axis, now):
        direction, since = self._axes[axis]
        return 0.0 if self._timeout and now - since > self._timeout else direction

    def _stop(self):
        self._axes = [(0.0, 0.0), (0.0, 0.0)]
        self._say_stop = False

    def bindings(self):
        """The keys of each action with its meaning: list of (list of keys, text)."""
        return [
            ([key for key, action in self._actions.items() if action == name], meaning)
            for name, meaning in _MEANINGS.items()
        ]

    def help(self):
        """What each key does, one line each."""
        lines = [f"  {' or '.join(keys):<12} {meaning}" for keys, meaning in self.bindings()]
        return "\n".join(["Keys of the car:", *lines])

    def status(self):
        """One line: speeds, what is driven, who drives."""
        speed, rate = self.share * self._max_speed, self.share * self._max_yaw_rate
        who = "the network drives" if self.network else "you drive"
        now = f"now {self._said[0]:+.2f} m/s {self._said[1]:+.2f} rad/s"
        return f"speed {speed:.2f} m/s, turn {rate:.2f} rad/s | {now} | {who}"
