"""What the keys of the hand do: each switches a muscle on or off. Pure logic, no terminal."""

import math

import numpy as np

from msk_hand.names import MUSCLES, PARAMETERS
from mujoco_ros_common import config
from mujoco_ros_common.errors import ArgumentError

_ACTIONS = {
    "index_flex": "bend the index finger",
    "index_ext": "stretch the index finger",
    "middle_flex": "bend the middle finger",
    "middle_ext": "stretch the middle finger",
    "thumb_flex": "bend the thumb",
    "thumb_ext": "stretch the thumb",
    "thumb_add": "swing the thumb under the index finger",
    "wrist_flex": "bend the wrist down",
    "wrist_ext": "lift the wrist",
    "wrist_yaw_l": "turn the hand away from the thumb",
    "wrist_yaw_r": "turn the hand towards the thumb",
}
_DONE = 1e-4  # difference of activation below which the command has arrived


class KeyboardPolicy:
    """Muscle commands from key presses: toggles, then a first-order low-pass.

    A press of a muscle's key sets its target to the present level, the next press to 0. The
    command follows with d cmd/dt = (target - cmd) / smoothing, integrated exactly, so that it
    does not depend on the rate of `update`.

    Args:
        parameters: config.Parameters with muscle_keys, level_key, relax_key, quit_key, levels
            and smoothing (s); those of config/hand.yaml by default.

    Raises:
        ArgumentError: a parameter is wrong, or two actions share a key.
    """

    def __init__(self, parameters=None):
        p = config.read(PARAMETERS) if parameters is None else parameters
        self.muscle_keys = dict(zip(p.names("muscle_keys"), MUSCLES))
        self.level_key, self.relax_key = p.text("level_key"), p.text("relax_key")
        self.quit_key = p.text("quit_key")
        keys = p.names("muscle_keys") + [self.level_key, self.relax_key, self.quit_key]
        if len(keys) != len(MUSCLES) + 3 or len(set(keys)) != len(keys):
            raise ArgumentError(
                f"{p.source}: expected {len(MUSCLES)} muscle_keys, and no key with two meanings, "
                f"got {' '.join(keys)}"
            )
        self.levels = p.vector("levels", low=0.0, high=1.0).tolist()
        if not self.levels or min(self.levels) <= 0.0:
            raise ArgumentError(f"{p.source}: expected levels in (0, 1], got {self.levels}")
        self.smoothing = p.number("smoothing", low=0.0)
        self._level = 0
        self._target, self._command = np.zeros(len(MUSCLES)), np.zeros(len(MUSCLES))

    @property
    def toggles(self):
        """The keys that must count once however long they are held."""
        return tuple(self.muscle_keys) + (self.level_key,)

    @property
    def level(self):
        """Activation of the muscles that are switched on next."""
        return self.levels[self._level]

    @property
    def busy(self):
        """Whether there is something to say: a muscle is on, or its command still fades."""
        return bool(self._target.any() or self._command.any())

    def target(self):
        """Where the command goes, (11,) 0..1."""
        return self._target.copy()

    def command(self):
        """The smoothed command, (11,) 0..1."""
        return self._command.copy()

    def handle(self, key):
        """Act on a key, by its name (see terminal.RawTerminal); unknown keys do nothing.

        Returns:
            False for the key that quits (all targets are 0 then), True otherwise.
        """
        if key in self.muscle_keys:
            muscle = MUSCLES.index(self.muscle_keys[key])
            self._target[muscle] = 0.0 if self._target[muscle] else self.level
        elif key == self.level_key:
            self._level = (self._level + 1) % len(self.levels)
        elif key in (self.relax_key, self.quit_key):
            self._target[:] = 0.0
        return key != self.quit_key

    def update(self, dt):
        """Let `dt` seconds pass; the command after them, (11,) 0..1.

        Raises:
            ValueError: dt is negative or not finite.
        """
        if not 0.0 <= dt < math.inf:
            raise ValueError(f"expected a time step >= 0 s, got {dt}")
        share = -math.expm1(-dt / self.smoothing) if self.smoothing else 1.0
        gap = self._target - self._command
        arrived = np.abs(gap) < _DONE
        self._command = np.where(arrived, self._target, self._command + share * gap)
        return self.command()

    def help(self):
        """What each key does, one line each."""
        lines = ["Each key switches a muscle on, pressed again off:"]
        lines += [
            f"  {key:<6} {muscle:<12} {_ACTIONS[muscle]}"
            for key, muscle in self.muscle_keys.items()
        ]
        levels = " -> ".join(f"{level:g}" for level in self.levels)
        lines.append(f"  {self.level_key:<6} {'level':<12} of the next muscles: {levels} -> ...")
        lines.append(f"  {self.relax_key:<6} {'relax':<12} all muscles off")
        lines.append(f"  {self.quit_key:<6} {'quit':<12} relax and end")
        return "\n".join(lines)

    def status(self):
        """One line: the level of the next muscle, and what is on."""
        on = [f"{name} {value:g}" for name, value in zip(MUSCLES, self._target) if value]
        return f"level {self.level:g} | {', '.join(on) or 'relaxed'}"
