"""What the keys do: delay, noise, co-contraction, and which senses are shown. No ROS, no clock."""

from msk_proprioception.names import MAX_DELAY_S

SENSES = ("length", "velocity", "force", "extension")
_SCALES = {"length": (1e3, "mm"), "velocity": (1e3, "mm/s"), "force": (1.0, "N")}
_SCALES["extension"] = (1e3, "mm")
MAX_NOISE = 100.0

KEYS = (
    ("up down", "delay longer, shorter"),
    ("+ -", "noise stronger, weaker"),
    ("0", "noise off, and back on"),
    ("c v", "co-contraction of the arm up, down"),
    ("1 2 3 4", "show or hide length, velocity, force, extension"),
    ("esc", "end; the co-contraction goes back to 0"),
)


class KeyboardPolicy:
    """Turns keys into settings.

    Args:
        parameters: Parameters (delay_s, noise_scale, and the steps of the keys).

    Attributes:
        delay_s, noise_scale, co_contraction: as the keys have set them. shown: the senses that
            are shown, in order.
    """

    toggles = ("0", "1", "2", "3", "4")

    def __init__(self, parameters):
        self.delay_s = parameters.number("delay_s", 0.0, MAX_DELAY_S)
        self.noise_scale = parameters.number("noise_scale", 0.0, MAX_NOISE)
        self.co_contraction = 0.0
        self.shown = ("length", "force")
        self._delay_step = parameters.number("delay_step_s", 0.001, MAX_DELAY_S)
        self._noise_step = parameters.number("noise_step", 0.001, MAX_NOISE)
        self._stiffer = parameters.number("co_contraction_step", 0.001, 1.0)
        self._noise_before = self.noise_scale or 1.0
        self._changes = {}

    def handle(self, key):
        """Act on a key; False ends."""
        if key == "esc":
            return False
        if key in ("up", "down"):
            self._set_delay(1 if key == "up" else -1)
        elif key in ("+", "=", "-"):
            self._set_noise(self.noise_scale + (-1 if key == "-" else 1) * self._noise_step)
        elif key == "0":
            if self.noise_scale > 0.0:
                self._noise_before = self.noise_scale
            self._set_noise(0.0 if self.noise_scale > 0.0 else self._noise_before)
        elif key in ("c", "v"):
            step = self._stiffer if key == "c" else -self._stiffer
            value = round(min(max(self.co_contraction + step, 0.0), 1.0), 6)
            self.co_contraction = self._changes["co_contraction"] = value
        elif key in ("1", "2", "3", "4"):
            chosen = SENSES[int(key) - 1]
            self.shown = tuple(s for s in SENSES if (s in self.shown) != (s == chosen))
        return True

    def adopt(self, delay_s, noise_scale):
        """Go on from what somebody else has set; does not count as a change."""
        self.delay_s, self.noise_scale = delay_s, noise_scale

    def take_changes(self):
        """What the keys have changed since this was last asked: dict of delay_s, noise_scale,
        co_contraction."""
        changes, self._changes = self._changes, {}
        return changes

    def help(self):
        return "\n".join(f"  {keys:<8} {what}" for keys, what in KEYS)

    def status(self, senses):
        """One line: the settings, and the newest values of the senses that are shown.

        Args:
            senses: dict from sense to its values (6), None where there are none.
        """
        parts = [
            f"delay {1e3 * self.delay_s:.0f} ms",
            f"noise x{self.noise_scale:g}",
            f"co-contraction {self.co_contraction:.2f}",
        ]
        for sense in self.shown:
            scale, unit = _SCALES[sense]
            values = senses.get(sense)
            text = "-" if values is None else " ".join(f"{scale * v:.1f}" for v in values)
            parts.append(f"{sense} ({unit}) {text}")
        return " | ".join(parts)

    def _set_delay(self, sign):
        value = round(self.delay_s + sign * self._delay_step, 6)
        self.delay_s = self._changes["delay_s"] = min(max(value, 0.0), MAX_DELAY_S)

    def _set_noise(self, value):
        value = round(min(max(value, 0.0), MAX_NOISE), 6)
        self.noise_scale = self._changes["noise_scale"] = value
