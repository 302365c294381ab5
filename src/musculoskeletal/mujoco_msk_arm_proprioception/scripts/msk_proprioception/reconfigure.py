"""The live parameters as dynamic_reconfigure describes them, made from the parameter file.

There is no .cfg file and no generated code, so that every parameter stands in one place; and the
generator's wrapper script does not work in a folder whose name has a space.
"""

import re

from msk_proprioception.names import PARAMETERS, SPINDLE_MODELS
from msk_proprioception.settings import LIVE

_TYPES = {float: "double", int: "int", bool: "bool", str: "str"}


def descriptions(path=PARAMETERS):
    """What the comments of the parameter file say: name -> text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"(\w+):[^#]*#\s*(.+)", line) for line in lines)
    return {match.group(1): match.group(2) for match in found if match}


class Description:
    """What dynamic_reconfigure.server.Server wants to be told.

    Args:
        parameters: Parameters that hold the values to start with.
    """

    def __init__(self, parameters):
        texts, entries = descriptions(), []
        for level, (name, (kind, low, high)) in enumerate(LIVE.items()):
            entries.append(
                {
                    "name": name,
                    "type": _TYPES[kind],
                    "level": 1 << level,
                    "description": texts.get(name, name),
                    "min": low,
                    "max": high,
                    "default": kind(parameters.values[name]),
                    "edit_method": _choices(name, SPINDLE_MODELS) if kind is str else "",
                }
            )
        self.config_description = {
            "name": "Default",
            "type": "",
            "state": True,
            "cstate": "true",
            "id": 0,
            "parent": 0,
            "parameters": entries,
            "groups": [],
        }
        for key in ("min", "max", "level", "type"):
            setattr(self, key, {entry["name"]: entry[key] for entry in entries})
        self.defaults = {entry["name"]: entry["default"] for entry in entries}
        self.all_level = sum(entry["level"] for entry in entries)


def _choices(name, values):
    choices = [{"name": v, "type": "str", "value": v, "description": v} for v in values]
    return repr({"enum": choices, "enum_description": name})
