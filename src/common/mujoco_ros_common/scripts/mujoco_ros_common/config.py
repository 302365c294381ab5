"""Parameters: read from YAML, overlaid by a node's private ones, checked where they are used."""

import math
import sys
from pathlib import Path

import numpy as np
import yaml

from mujoco_ros_common.errors import ArgumentError, UserError


def read(path):
    """Read a YAML file of parameters.

    Args:
        path: the file; its top level is a mapping from name to value.

    Returns:
        Parameters

    Raises:
        UserError: the file is missing, is not YAML, or its top level is not a mapping.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UserError(
            f"expected a parameter file at {path}, but: {error.strerror or error}"
        ) from None
    try:
        values = yaml.safe_load(content.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise UserError(f"{path}: expected YAML, but: {reason}") from None
    if not isinstance(values, dict):
        raise UserError(f"{path}: expected a mapping of parameters, got {type(values).__name__}")
    return Parameters(values, str(path))


class Parameters:
    """Named values with checked access; every wrong one raises ArgumentError in one line.

    Args:
        values: mapping from name to value.
        source: where they come from, for the messages.
    """

    def __init__(self, values, source="parameters"):
        self.values = dict(values)
        self.source = source

    def overlaid(self, values, source):
        """A copy in which `values` replace those of the same name; unknown names are kept too."""
        merged = dict(self.values)
        merged.update(values)
        return Parameters(merged, source)

    def number(self, name, low=-math.inf, high=math.inf):
        """A finite number in [low, high], as float."""
        value = self._get(name)
        if not (_is_number(value) and low <= value <= high):
            self._refuse(name, f"a number{_span(low, high)}", value)
        return float(value)

    def integer(self, name, low=-math.inf, high=math.inf):
        """A whole number in [low, high]."""
        value = self._get(name)
        good = isinstance(value, int) and not isinstance(value, bool)
        if not (good and low <= value <= high):
            self._refuse(name, f"a whole number{_span(low, high)}", value)
        return value

    def boolean(self, name):
        value = self._get(name)
        if not isinstance(value, bool):
            self._refuse(name, "true or false", value)
        return value

    def text(self, name):
        value = self._get(name)
        if not isinstance(value, str):
            self._refuse(name, "a text", value)
        return value

    def choice(self, name, options):
        """One of the texts in `options`."""
        value = self._get(name)
        if not isinstance(value, str) or value not in options:
            self._refuse(name, "one of " + " ".join(options), value)
        return value

    def names(self, name):
        """A list of texts."""
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._refuse(name, "a list of texts", value)
        return list(value)

    def vector(self, name, size=None, low=-math.inf, high=math.inf):
        """A list of finite numbers in [low, high]; float array (size,)."""
        value = self._get(name)
        count = "" if size is None else f"{size} "
        expected = f"a list of {count}numbers{_span(low, high)}"
        if not isinstance(value, list) or not all(_is_number(item) for item in value):
            self._refuse(name, expected, value)
        array = np.array(value, dtype=float)
        inside = (array >= low).all() and (array <= high).all()
        if not inside or (size is not None and array.size != size):
            self._refuse(name, expected, value)
        return array

    def _get(self, name):
        if name not in self.values:
            known = " ".join(sorted(map(str, self.values)))
            raise ArgumentError(f"{self.source}: parameter {name} is missing (there are: {known})")
        return self.values[name]

    def _refuse(self, name, expected, value):
        raise ArgumentError(f"{self.source}: parameter {name}: expected {expected}, got {value!r}")


def _is_number(value):
    """Whether a value is a number that a float can hold, and finite."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return -sys.float_info.max <= value <= sys.float_info.max


def _span(low, high):
    if low == -math.inf and high == math.inf:
        return ""
    if high == math.inf:
        return f" >= {low:g}"
    if low == -math.inf:
        return f" <= {high:g}"
    return f" in [{low:g}, {high:g}]"
