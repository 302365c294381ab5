"""What the keys of the arm do: move the target, stiffen, drive one muscle. Pure logic."""

import math

from msk_arm.names import MUSCLES, parameters
from mujoco_ros_common.errors import ArgumentError

ARROWS = {"left": (-1, 0), "right": (1, 0), "down": (0, -1), "up": (0, 1)}
STIFFER, SOFTER = "page_up", "page_down"
_DONE = 1e-3  # difference of excitation below which a command has arrived


class KeyboardPolicy:
    """Targets, co-contraction and muscle commands from key presses.

    A press of an arrow moves the target from where it is; the arm may refuse it, and the target
    is then the last good one again. A press of a muscle's key switches it on at the present
    level, or off; as long as one is on, its command replaces the arm's controller.

    Args:
        settings: Parameters; config/simulation.yaml by default.

    Attributes:
        target: (x, z) in m, None until the arm has told. co_contraction: 0..1.

    Raises:
        ArgumentError: a parameter is wrong, or two actions share a key.
    """

    def __init__(self, settings=None):
        p = parameters() if settings is None else settings
        self._step = p.number("target_step", 0.0001, 0.2)
        self._stiffen = p.number("co_contraction_step", 0.001, 1.0)
        self._keys = dict(zip(p.names("muscle_keys"), MUSCLES))
        self._level_key, self._hold_key = p.text("level_key"), p.text("hold_key")
        self._quit_key = p.text("quit_key")
        keys = [*p.names("muscle_keys"), self._level_key, self._hold_key, self._quit_key]
        keys += [*ARROWS, STIFFER, SOFTER]
        if len(keys) != len(MUSCLES) + 9 or len(set(keys)) != len(keys):
            raise ArgumentError(
                f"{p.source}: expected {len(MUSCLES)} muscle_keys, and no key with two meanings, "
                f"got {' '.join(keys)}"
            )
        self._levels = p.vector("levels", low=0.0, high=1.0).tolist()
        if not self._levels or min(self._levels) <= 0.0:
            raise ArgumentError(f"{p.source}: expected levels in (0, 1], got {self._levels}")
        self._smoothing = p.number("smoothing", 0.0, 10.0)
        self._level = 0
        self.target, self._good, self._hand = None, None, None
        self._new_target = self._new_stiffness = False
        self.co_contraction = 0.0
        self._wanted, self._command = [0.0] * len(MUSCLES), [0.0] * len(MUSCLES)

    @property
    def toggles(self):
        """The keys that must count once however long they are held."""
        return (*self._keys, self._level_key, self._hold_key)

    @property
    def busy(self):
        """Whether a muscle is driven, or still fades."""
        return any(self._wanted) or any(self._command)

    def hear_status(self, x, z, accepted):
        """What the arm says of its last target: a refused one gives way to the last good one."""
        if accepted:
            self._good = (x, z)
            if self.target is None:
                self.target = self._good
        elif self._good is not None:
            self.target = self._good

    def hear_hand(self, x, z):
        """Where the hand is (m)."""
        self._hand = (x, z)

    def handle(self, key):
        """Act on a key, by its name (see terminal.RawTerminal); unknown keys do nothing.

        Returns:
            False for the key that quits, True otherwise.
        """
        if key in ARROWS:
            base = self.target or self._hand
            if base is not None:
                dx, dz = ARROWS[key]
                self._aim(base[0] + dx * self._step, base[1] + dz * self._step)
        elif key in (STIFFER, SOFTER):
            change = self._stiffen if key == STIFFER else -self._stiffen
            self.co_contraction = round(min(max(self.co_contraction + change, 0.0), 1.0), 6)
            self._new_stiffness = True
        elif key in self._keys:
            muscle = MUSCLES.index(self._keys[key])
            self._wanted[muscle] = 0.0 if self._wanted[muscle] else self._levels[self._level]
        elif key == self._level_key:
            self._level = (self._level + 1) % len(self._levels)
        elif key == self._hold_key:  # at once: the arm's controller takes over with the target
            self._wanted, self._command = [0.0] * len(MUSCLES), [0.0] * len(MUSCLES)
            if self._hand is not None:
                self._aim(*self._hand)
        elif key == self._quit_key:
            self._wanted = [0.0] * len(MUSCLES)
            return False
        return True

    def take_target(self):
        """The target (x, z), once after each change; else None."""
        changed, self._new_target = self._new_target, False
        return self.target if changed else None

    def take_co_contraction(self):
        """The co-contraction, once after each change; else None."""
        changed, self._new_stiffness = self._new_stiffness, False
        return self.co_contraction if changed else None

    def update(self, dt):
        """Let `dt` seconds pass; the muscle command after them: six floats, 0..1."""
        if not 0.0 <= dt < math.inf:
            raise ValueError(f"expected a time step >= 0 s, got {dt}")
        share = -math.expm1(-dt / self._smoothing) if self._smoothing else 1.0
        for k, wanted in enumerate(self._wanted):
            gap = wanted - self._command[k]
            self._command[k] = wanted if abs(gap) < _DONE else self._command[k] + share * gap
        return list(self._command)

    def help(self):
        """What each key does, one line each."""
        centimetres = 100 * self._step
        lines = [f"  {'arrows':<10} move the target by {centimetres:g} cm: x left right, z up down"]
        lines.append(f"  {'page up':<10} more co-contraction, page down less")
        lines += [
            f"  {key:<10} drive the {muscle.replace('_', ' ')}, again: stop"
            for key, muscle in self._keys.items()
        ]
        levels = " -> ".join(f"{level:g}" for level in self._levels)
        lines.append(f"  {self._level_key:<10} excitation of the next muscle: {levels} -> ...")
        lines.append(f"  {self._hold_key:<10} hold the hand where it is")
        lines.append(f"  {self._quit_key:<10} relax what is driven, and end")
        return "\n".join(["Keys of the arm:", *lines])

    def status(self):
        """One line: target, co-contraction, level, driven muscles."""
        place = "none" if self.target is None else "{:.3f} {:.3f}".format(*self.target)
        on = [f"{name} {value:g}" for name, value in zip(MUSCLES, self._wanted) if value]
        return (
            f"target {place} m | co-contraction {self.co_contraction:.2f} | "
            f"level {self._levels[self._level]:g} | {', '.join(on) or 'controller drives'}"
        )

    def _aim(self, x, z):
        self.target, self._new_target = (x, z), True
