"""Figures of the car: times and clearances, tracks, robustness, training."""

import numpy as np

from car_nn.core import CarEnv
from car_nn.evaluate import LOST, NOISE
from car_nn.settings import SCENES
from mujoco_ros_common import report

_COLORS = {"clone": "#1f5fbf", "expert": "#d98e04", "gap": "#5d8a3a"}


def bars(path, drives):
    """Time to the target line, and smallest true clearance, of each policy in each scene.

    Args:
        drives: {"policy.scene": Drive}
    """
    policies = list(dict.fromkeys(name.split(".")[0] for name in drives))
    width = 0.8 / len(policies)
    with report.figure(path, 1, 2, size=(9.0, 3.6)) as (_, axes):
        for axis, key, label in zip(
            axes,
            ("time_s", "clearance_m"),
            ("time to the target line (s)", "smallest clearance (m)"),
        ):
            for number, policy in enumerate(policies):
                values = [getattr(drives[f"{policy}.{scene}"], key) for scene in SCENES]
                places = np.arange(len(SCENES)) + (number - (len(policies) - 1) / 2) * width
                color = _COLORS.get(policy, "grey")
                rectangles = axis.bar(places, values, width, label=policy, color=color)
                axis.bar_label(rectangles, fmt="%.2f", fontsize=7)
            axis.set_xticks(range(len(SCENES)))
            axis.set_xticklabels(SCENES)
            axis.set_ylabel(label)
            axis.margins(y=0.2)
        axes[0].legend(loc="upper center", ncol=len(policies), fontsize=8)


def tracks(path, drives, settings):
    """The car's way through each scene, seen from above.

    Args:
        drives: {"policy.scene": Drive}; scenes without a drive are left out.
    """
    scenes = [scene for scene in SCENES if any(name.endswith("." + scene) for name in drives)]
    with report.figure(path, len(scenes), 1, size=(5.4, 3.2 * len(scenes)), squeeze=False) as (
        _,
        axes,
    ):
        for axis, scene in zip(axes[:, 0], scenes):
            _draw_scene(axis, CarEnv(scene, settings), settings)
            for name, result in drives.items():
                policy, where = name.rsplit(".", 1)
                if where != scene:
                    continue
                label = f"{policy} {result.time_s:.2f} s" + ("" if result.passed else " (failed)")
                x, y = result.track[:, 1], result.track[:, 2]
                axis.plot(x, y, color=_COLORS.get(policy, "black"), label=label)
            axis.set_title(scene, loc="left")
            axis.legend(loc="lower left", fontsize=8)
        axes[-1, 0].set_xlabel("x (m)")


def _draw_scene(axis, env, settings):
    """Obstacles, start and target line."""
    for corners in env.obstacles():
        axis.fill(corners[:, 0], corners[:, 1], color="#d8392b", alpha=0.85)
    axis.axvline(settings.target_x, color="grey", linestyle="--", linewidth=1)
    axis.plot(0.0, 0.0, marker="o", color="#3c8c4a")
    axis.set_ylabel("y (m)")
    axis.set_xlim(-0.3, settings.target_x + 0.4)
    axis.set_ylim(-1.9, 1.9)
    axis.set_aspect("equal")


def robustness(path, cells):
    """Passed runs and mean clearance over noise and lost beams.

    Args:
        cells: {(sigma, lost): list of Drive}
    """
    passed = np.array(
        [[np.mean([d.passed for d in cells[sigma, lost]]) for lost in LOST] for sigma in NOISE]
    )
    clear = np.array(
        [[min(d.clearance_m for d in cells[sigma, lost]) for lost in LOST] for sigma in NOISE]
    )
    with report.figure(path, 1, 2, size=(9.0, 4.0)) as (fig, axes):
        for axis, values, title, form, top in (
            (axes[0], 100.0 * passed, "arrived without contact (%)", "{:.0f}", 100.0),
            (axes[1], clear, "smallest true clearance (m)", "{:.2f}", max(0.5, clear.max())),
        ):
            image = axis.imshow(values, cmap="RdYlGn", vmin=0.0, vmax=top, aspect="auto")
            axis.set_xticks(range(len(LOST)))
            axis.set_xticklabels([f"{100 * lost:.0f} %" for lost in LOST])
            axis.set_yticks(range(len(NOISE)))
            axis.set_yticklabels([f"{sigma:.2f} m" for sigma in NOISE])
            axis.set_xlabel("lost beams")
            axis.set_title(title)
            for (row, column), value in np.ndenumerate(values):
                axis.text(column, row, form.format(value), ha="center", va="center")
            fig.colorbar(image, ax=axis)
        axes[0].set_ylabel("range noise")


def losses(path, values):
    """Training loss over the epochs."""
    with report.figure(path, size=(6.0, 3.2)) as (_, axis):
        axis.semilogy(np.arange(1, len(values) + 1), values, color="#1f5fbf")
        axis.set_xlabel("epoch")
        axis.set_ylabel("mean squared error")
        axis.grid(True, which="both", alpha=0.3)
