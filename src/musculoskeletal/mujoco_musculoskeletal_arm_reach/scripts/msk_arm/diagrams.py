"""Diagrams of the arm's nodes, topics and control flow."""

from msk_arm.names import PACKAGE, TICK
from mujoco_ros_common import report

NODE, TOPIC, STEP, CHOICE = "#bbdefb", "#fff9c4", "#e8f5e9", "#ffe0b2"
INPUTS = ("target_position", "msk_arm/muscle_cmd", "msk_arm/co_contraction")
OUTPUTS = (
    "muscle_forces",
    "muscle_excitations",
    "muscle_activations",
    "joint_states",
    "end_effector_position",
    "msk_arm/status",
    "msk_arm/fatigue",
)


def graph(path):
    """Nodes (rounded) and topics, with the direction of the messages."""
    with report.figure(path, size=(11.5, 6.2)) as (_, axis):
        axis.set(xlim=(0, 11.5), ylim=(0, 7.4))
        axis.axis("off")
        _box(
            axis, 5.75, 3.7, 2.5, 1.0, PACKAGE.replace("_arm_reach", "\n_arm_reach"), NODE, "round"
        )
        places = dict(zip(INPUTS, (5.6, 3.7, 1.8)))
        for topic, y in places.items():
            _box(axis, 3.0, y, 2.2, 0.55, topic, TOPIC)
            _arrow(axis, (4.1, y), (4.5, 3.7 + 0.18 * (y - 3.7)))
        for row, topic in enumerate(OUTPUTS):
            y = 6.7 - row * 1.0
            _box(axis, 9.2, y, 2.4, 0.55, topic, TOPIC)
            _arrow(axis, (7.0, 3.7 + 0.12 * (y - 3.7)), (8.0, y))
        _box(axis, 0.95, 4.9, 1.5, 0.7, "msk_arm_\nkeyboard", NODE, "round")
        _box(axis, 0.95, 2.5, 1.5, 0.7, "msk_arm_nn", NODE, "round")
        for y in places.values():
            _arrow(axis, (1.7, 4.9), (1.9, y), "0.55")
        _arrow(axis, (1.7, 2.5), (1.9, 3.6), "0.55")
        axis.text(0.95, 1.9, "hears target, joint states,\nactivations", ha="center", fontsize=7)
        axis.text(0.95, 5.5, "hears status, hand", ha="center", fontsize=7)


START = (
    "read parameters",
    "compile models/arm.xml",
    "advertise topics,\naim at the default target",
    "subscribe: messages\ncome from now on",
    f"loop on monotonic deadlines,\na tick every {1e3 * TICK:g} ms",
)
JUDGED = (
    "a target comes",
    "finite?",
    "within reach, outside\nthe inner radius?",
    "joint limits kept,\nelbow up or down?",
    "strong enough to hold it?",
    "aim at it:\nminimum-jerk reach",
)
LOOP = (
    "sound state? else all\nactivations 0, stop",
    "fresh muscle_cmd?\nelse the controller",
    "reference, observer,\ntorques",
    "least activation,\nexact muscle inversion",
    "five steps of 2 ms",
    "publish forces, excitations,\nactivations, joints, hand",
)


def flow(path):
    """Start-up, validation of a target, control loop."""
    columns = ((1.8, "start", START), (5.5, "target", JUDGED), (9.2, "tick", LOOP))
    with report.figure(path, size=(11.0, 7.2)) as (_, axis):
        axis.set(xlim=(0, 11.2), ylim=(0, 7.6))
        axis.axis("off")
        for x, title, steps in columns:
            axis.text(x, 7.2, title, ha="center", fontsize=11, weight="bold")
            for row, step in enumerate(steps):
                y = 6.5 - 1.15 * row
                _box(axis, x, y, 2.7, 0.75, step, CHOICE if "?" in step else STEP)
                if row:
                    _arrow(axis, (x, y + 0.77), (x, y + 0.4))
        words = "no: refused with\nits reason, the last\ngood target stays"
        axis.text(7.37, 3.5, words, ha="center", va="center", fontsize=7)
        for row in range(1, 5):
            _arrow(axis, (6.9, 6.5 - 1.15 * row), (7.3, 3.95 if row < 3 else 3.05), "0.6")
        axis.plot([10.6, 10.9, 10.9, 10.6], [0.75, 0.75, 6.5, 6.5], color="0.4", lw=1.1)
        _arrow(axis, (10.7, 6.5), (10.57, 6.5))


def _box(axis, x, y, width, height, text, colour, kind="square"):
    axis.text(x, y, text, ha="center", va="center", fontsize=8, linespacing=1.1, zorder=3)
    from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415 (only where a figure is drawn)

    style = f"{kind},pad=0.02"
    corner = (x - width / 2.0, y - height / 2.0)
    axis.add_patch(
        FancyBboxPatch(corner, width, height, boxstyle=style, facecolor=colour, edgecolor="0.4")
    )


def _arrow(axis, start, end, colour="0.3"):
    axis.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": colour, "lw": 1.1})
