"""Scripted tasks: a person's key presses played back, and three targets for the network."""

from collections import namedtuple

import numpy as np

from msk_hand.core import MskHandSim
from msk_hand.keyboard import KeyboardPolicy
from msk_hand.names import MUSCLES, REACH_S, STATE_LABELS

KEYBOARD_TICKS = 2  # control ticks between two updates of the policy: 50 Hz
REACHED_M = 0.010
TARGETS = ((0.014, 0.182, 0.085), (0.040, 0.140, 0.045), (-0.015, 0.160, 0.065))
RETURNED_M = 0.0002  # a released button is this near its upper stop
TOUCH_N = 0.01  # the least contact force that counts as touch
# when (s) which key goes down: a muscle's, or "level" or "relax"
PRESSES = {
    "button": ((0.3, "wrist_flex"), (1.3, "level"), (1.4, "index_flex"), (2.7, "index_flex"))
    + ((3.2, "relax"),),
    "ball": ((0.3, "wrist_flex"), (1.6, "index_flex"), (2.4, "relax")),
}
LENGTH_S = {"button": 4.0, "ball": 3.2, "free": REACH_S * len(TARGETS)}

# time series of a run: state (n, 22) as STATE_LABELS, activation (n, 11)
Series = namedtuple("Series", "scene state activation")


def column(series, label):
    """One entry of the state over time, (n,)."""
    return series.state[:, STATE_LABELS.index(label)]


def presses(scene, policy):
    """The key presses of a scene: a list of (time in s, key of the policy)."""
    keys = {muscle: key for key, muscle in policy.muscle_keys.items()}
    keys.update(level=policy.level_key, relax=policy.relax_key)
    return [(when, keys[what]) for when, what in PRESSES[scene]]


def play_keys(scene, each_tick=None, parameters=None):
    """Run the button or the ball scene by key presses.

    Args:
        each_tick: function(sim) called after every tick, for pictures.
        parameters: of the keyboard policy.

    Returns:
        Series
    """
    sim, policy = MskHandSim(scene), KeyboardPolicy(parameters)
    waiting, command = presses(scene, policy), policy.command()

    def drive(tick):
        nonlocal command
        while waiting and tick * sim.tick >= waiting[0][0] - 1e-9:
            policy.handle(waiting.pop(0)[1])
        if tick % KEYBOARD_TICKS == 0:
            command = policy.update(KEYBOARD_TICKS * sim.tick)
        return command

    return _record(sim, scene, drive, each_tick)


def reach_targets(model, each_tick=None):
    """Send three targets, one after the other, through the inverse model.

    Args:
        model: nn.InverseModel

    Returns:
        Series
    """
    sim = MskHandSim("free")
    per_target = round(REACH_S / sim.tick)

    def drive(tick):
        target = TARGETS[tick // per_target]
        if tick % per_target == 0:
            sim.set_target(target)
        return model.activations(target)

    return _record(sim, "free", drive, each_tick)


def _record(sim, scene, drive, each_tick):
    ticks = round(LENGTH_S[scene] / sim.tick)
    state, activation = np.empty((ticks, len(STATE_LABELS))), np.empty((ticks, len(MUSCLES)))
    for tick in range(ticks):
        sim.step(drive(tick))
        state[tick], activation[tick] = sim.state_vector(), sim.muscle_activations()
        if each_tick is not None:
            each_tick(sim)
    sim.check()
    return Series(scene, state, activation)


def measure(series):
    """The figures of the task, and whether it was done.

    Returns:
        {row: {figure: value, ..., "passed": bool}}
    """
    return {"button": _button, "ball": _ball, "free": _free}[series.scene](series)


def _button(series):
    time, depth = column(series, "time"), column(series, "button_depth")
    force = column(series, "contact_force")
    travel = float(MskHandSim("button").model.joint("j_button").range[1])
    down = depth >= travel
    row = {
        "depth_max_mm": 1e3 * float(depth.max()),
        "pressed_at_s": float(time[down.argmax()]) if down.any() else float("nan"),
        "held_s": float(down.sum() * (time[1] - time[0])),
        "force_min_N": float(force[down].min()) if down.any() else float("nan"),
        "force_max_N": float(force[down].max()) if down.any() else float("nan"),
        "returned_to_mm": 1e3 * float(depth[-1]),
        "passed": bool(down.any() and depth[-1] < RETURNED_M),
    }
    return {"button": row}


def _ball(series):
    time, height = column(series, "time"), column(series, "ball_height")
    force = column(series, "contact_force")
    top = MskHandSim("ball").post_top
    touched, fallen = force > TOUCH_N, height < top
    touch = float(time[touched.argmax()]) if touched.any() else float("nan")
    fall = float(time[fallen.argmax()]) if fallen.any() else float("nan")
    pushing = force[touched & (time <= fall)]
    row = {
        "height_start_mm": 1e3 * float(height[0]),
        "height_end_mm": 1e3 * float(height[-1]),
        "table_mm": 1e3 * top,
        "touched_at_s": touch,
        "fell_at_s": fall,
        "force_min_N": float(pushing.min()) if pushing.size else float("nan"),
        "force_max_N": float(pushing.max()) if pushing.size else float("nan"),
        "passed": bool(height[0] > top and fallen[-1] and touch < fall),
    }
    return {"ball": row}


def _free(series):
    time, error = column(series, "time"), column(series, "reach_error")
    rows = {}
    for number, target in enumerate(TARGETS):
        last = np.searchsorted(time, REACH_S * (number + 1) + 1e-9) - 1
        name = "target " + " ".join(f"{value:g}" for value in target)
        rows[name] = {
            "error_mm": 1e3 * float(error[last]),
            "passed": bool(error[last] < REACHED_M),
        }
    return rows
