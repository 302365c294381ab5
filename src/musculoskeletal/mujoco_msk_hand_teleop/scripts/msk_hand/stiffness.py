"""Co-contraction: stiffer joints, with as little motion of the fingertip as pairs allow."""

import numpy as np

from msk_hand.names import MUSCLES

# muscles that pull a joint of the index finger's chain against each other
_PAIRS = (
    ("index_flex", "index_ext"),
    ("wrist_flex", "wrist_ext"),
    ("wrist_yaw_l", "wrist_yaw_r"),
)
_MEMBERS = [MUSCLES.index(name) for pair in _PAIRS for name in pair]


def add_co_contraction(activation, level):
    """Raise both muscles of every antagonist pair by the same share of what is left to them.

    Args:
        activation: (11,) 0..1. level: 0 (none) to 1 (both muscles of each pair fully active).

    Returns:
        (11,) 0..1
    """
    stiffened = np.array(activation, dtype=float)
    stiffened[_MEMBERS] += level * (1.0 - stiffened[_MEMBERS])
    return stiffened
