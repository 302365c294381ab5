"""Pictures of a task: a GIF of the scene and the time series with the thresholds."""

import math
import sys

from msk_hand import demo
from msk_hand.core import MskHandSim
from msk_hand.names import MUSCLES
from mujoco_ros_common import render, report, viewer
from mujoco_ros_common.errors import UserError

WIDTH, HEIGHT = 400, 300
COLORS = 256
_INK = (0.08, 0.10, 0.14, 1.0)
_ABOVE_HAND = (0.0, 0.08, 0.150)  # m; where the figure of the task is written


def label(sim):
    """What is written into the picture of a scene: (position (3,) m, text), or None."""
    if not math.isnan(sim.button_depth()):
        return _ABOVE_HAND, f"depth {1e3 * sim.button_depth():.1f} mm"
    if not math.isnan(sim.ball_center()):
        return _ABOVE_HAND, f"ball {1e3 * sim.ball_center():.1f} mm"
    if sim.target is not None:
        return _ABOVE_HAND, f"error {1e3 * sim.reach_error():.1f} mm"
    return None


def decorate(scene, sim):
    """Add the label to a scene that is being drawn."""
    written = label(sim)
    if written is not None:
        viewer.add_label(scene, written[0], written[1], rgba=_INK)


class Film:
    """Frames of a running task: a context manager whose `shoot` is called after every tick.

    Args:
        scene: name of the scene. fps: pictures for each second of simulation.
        camera: of the scene.
    """

    def __init__(self, scene, fps=12.5, camera="view", width=WIDTH, height=HEIGHT):
        self.fps, self.frames = fps, []
        self._model_of = MskHandSim(scene)
        self._screen = render.Offscreen(self._model_of.model, width, height, camera)
        self._next = 0.0

    def __enter__(self):
        self._screen.__enter__()
        return self

    def __exit__(self, *error):
        self._screen.__exit__(*error)

    def shoot(self, sim):
        """Take a frame of a simulation of the same scene, when one is due."""
        if sim.time + 1e-9 >= self._next:
            self._next += 1.0 / self.fps
            self.frames.append(self.frame(sim))

    def frame(self, sim):
        """A frame (height, width, 3) now, whether one is due or not."""
        shown = self._model_of
        shown.restore(sim.save())
        shown.color_tendons()
        return self._screen.frame(shown.data, lambda scene: decorate(scene, shown))

    def write(self, path):
        """Write the frames taken by `shoot` as a GIF."""
        render.write_gif(path, self.frames, self.fps, COLORS)


def can_film():
    """Whether frames can be drawn and written; says in one line why not."""
    try:
        render.backend()
    except UserError as error:
        print(f"the GIF is skipped: {error}", file=sys.stderr)
        return False
    return render.can_write_gif()


def plot(path, series):
    """Draw the muscles' activation, the task's figure with its threshold, and the force."""
    with report.figure(path, rows=3, size=(8.0, 7.0), sharex=True) as (_, axes):
        time = demo.column(series, "time")
        for row, muscle in enumerate(MUSCLES):
            if series.activation[:, row].max() > 0.05:
                axes[0].plot(time, series.activation[:, row], label=muscle)
        axes[0].set(ylabel="activation", ylim=(-0.03, 1.05))
        axes[0].legend(loc="upper right", fontsize="small", ncol=2)
        _PLOTS[series.scene](axes[1], time, series)
        axes[1].legend(loc="upper right", fontsize="small")
        axes[2].plot(time, demo.column(series, "contact_force"), color="tab:purple")
        axes[2].set(ylabel="contact force (N)", xlabel="time (s)")
        for axis in axes:
            axis.grid(alpha=0.3)


def _plot_button(axis, time, series):
    travel = MskHandSim("button").model.joint("j_button").range[1]
    axis.plot(time, 1e3 * demo.column(series, "button_depth"), label="button depth")
    axis.axhline(1e3 * travel, color="red", linestyle="--", label=f"travel {1e3 * travel:.0f} mm")
    axis.set(ylabel="depth (mm)")


def _plot_ball(axis, time, series):
    top = MskHandSim("ball").post_top
    axis.plot(time, 1e3 * demo.column(series, "ball_height"), label="ball height")
    axis.axhline(1e3 * top, color="green", linestyle="--", label=f"table {1e3 * top:.0f} mm")
    axis.set(ylabel="height of the centre (mm)", ylim=(0, None))


def _plot_free(axis, time, series):
    axis.plot(time, 1e3 * demo.column(series, "reach_error"), label="reach error")
    limit = 1e3 * demo.REACHED_M
    axis.axhline(limit, color="black", linestyle="--", label=f"{limit:.0f} mm")
    for number in range(1, len(demo.TARGETS)):
        axis.axvline(number * demo.REACH_S, color="gray", alpha=0.5)
    axis.set(ylabel="error (mm)", ylim=(0, None))


_PLOTS = {"button": _plot_button, "ball": _plot_ball, "free": _plot_free}
