"""Figures of the arm: workspace, reaches, responses, conditions, fatigue."""

import numpy as np

from msk_arm import evaluate
from msk_arm.brute_force import target_grid
from msk_arm.core import MskArmSim
from msk_arm.names import JOINTS, MUSCLES
from msk_arm.picture import Picture
from msk_arm.target import JOINT_LIMITS, OUT_OF_REACH, TOO_NEAR, TOO_WEAK, WORDS
from mujoco_ros_common import report

COLOURS = ("#c62828", "#ef9a9a", "#1565c0", "#90caf9", "#2e7d32", "#a5d6a7")  # by muscle
REFUSED = {OUT_OF_REACH: "#eceff1", TOO_NEAR: "#ffe0b2", JOINT_LIMITS: "#cfd8dc"}
REFUSED[TOO_WEAK] = "#f8bbd0"
REACHED = "#e8f5e9"


def workspace(path, check, title="", side=241, half=0.62):
    """Which targets are accepted and why others are not, with the arm and its muscles' paths."""
    with report.figure(path, size=(7.2, 6.4)) as (_, axis):
        draw_workspace(axis, check, side, half)
        _draw_arm(axis, check, (-0.3167, 1.5416))
        axis.legend(loc="upper left", fontsize=8)
        axis.set_title(title or "workspace and muscle paths")


def draw_workspace(axis, check, side=241, half=0.62):
    """Colour an axis by the verdict of the target check."""
    from matplotlib.colors import ListedColormap  # noqa: PLC0415 (only where a figure is drawn)

    reasons = np.array([check(*place).reason for place in target_grid(side, half).tolist()])
    order = [0, *sorted(REFUSED)]
    picture = np.searchsorted(order, reasons).reshape(side, side).T
    colours = [REACHED, *(REFUSED[reason] for reason in order[1:])]
    axis.imshow(
        picture,
        origin="lower",
        extent=(-half, half, -half, half),
        cmap=ListedColormap(colours),
        vmin=0,
        vmax=len(order) - 1,
        interpolation="nearest",
    )
    for reason, colour in zip(order, colours):
        if (reasons == reason).any():
            axis.plot([], [], "s", color=colour, markeredgecolor="0.6", label=WORDS[reason])
    axis.set(xlabel="x (m)", ylabel="z (m)", aspect="equal", xlim=(-half, half), ylim=(-half, half))


def _draw_arm(axis, check, pose):
    sim = MskArmSim(initial_pose=pose)
    picture = Picture(sim)
    picture.update()
    for name, colour, path in zip(MUSCLES, COLOURS, picture.paths()):
        axis.plot(path[:, 0], path[:, 2], color=colour, lw=3.5, label=name.replace("_", " "))
    _draw_bones(axis, check.dynamics, pose)


def _draw_bones(axis, arm, pose, colour="0.25", **style):
    elbow = (arm.l1 * np.cos(pose[0]), -arm.l1 * np.sin(pose[0]))
    hand = arm.forward(*pose)
    points = np.array([(0.0, 0.0), elbow, hand])
    axis.plot(points[:, 0], points[:, 1], "o-", color=colour, lw=2, ms=4, **style)


def trajectory(path, rows, start, target, title=""):
    """The hand's way through the workspace."""
    check = evaluate.nominal_check()
    with report.figure(path, size=(6.6, 6.0)) as (_, axis):
        draw_workspace(axis, check)
        for tick in np.linspace(0, len(rows["time"]) // 4, 6).astype(int):
            _draw_bones(axis, check.dynamics, rows["angles"][tick], "0.6", alpha=0.7)
        _draw_bones(axis, check.dynamics, rows["angles"][-1])
        hand = np.vstack([start, rows["hand"]])
        axis.plot(hand[:, 0], hand[:, 1], color="#1565c0", lw=2, label="hand")
        axis.plot(*start, "o", color="#1565c0", label="start")
        axis.plot(target.x, target.z, "x", color="#c62828", ms=10, mew=2.5, label="target")
        axis.legend(loc="upper left", fontsize=8)
        axis.set_title(f"closed-loop trajectory: {title}", fontsize=10)


def response(path, rows, target, title=""):
    """Error, joint angles, activations and forces over time."""
    time, error = rows["time"], np.hypot(*(rows["hand"] - [target.x, target.z]).T)
    with report.figure(path, 2, 2, size=(10.5, 6.6), sharex=True) as (figure, axes):
        figure.suptitle(title, fontsize=10)
        ((a, b), (c, d)) = axes
        a.semilogy(time, np.maximum(1e3 * error, 1e-6), color="#1565c0")
        a.axhline(20.0, color="0.5", ls="--", lw=1, label="2 cm")
        a.axhline(1.0, color="0.5", ls=":", lw=1, label="1 mm")
        a.set(ylabel="error of the hand (mm)")
        a.legend(fontsize=8)
        for k, (joint, colour) in enumerate(zip(JOINTS, ("#1565c0", "#c62828"))):
            b.plot(time, rows["angles"][:, k], color=colour, label=joint)
            b.axhline(target.q[k], color=colour, ls="--", lw=1)
        b.set(ylabel="joint angle (rad)")
        b.legend(fontsize=8)
        for axis, name, label in ((c, "activations", "activation"), (d, "forces", "tension (N)")):
            for k, muscle in enumerate(MUSCLES):
                axis.plot(time, rows[name][:, k], color=COLOURS[k], label=muscle.replace("_", " "))
            axis.set(ylabel=label, xlabel="time (s)")
        c.legend(fontsize=7)


def errors(path, series, title=""):
    """Error of the hand over time, a line for each {label: (time, error in mm)}."""
    with report.figure(path, size=(8.0, 4.4)) as (_, axis):
        for label, (time, error) in series.items():
            axis.semilogy(time, np.maximum(error, 1e-6), label=label)
        axis.axhline(20.0, color="0.5", ls="--", lw=1)
        axis.text(time[-1], 21.0, "2 cm", ha="right", va="bottom", fontsize=8, color="0.4")
        axis.set(xlabel="time (s)", ylabel="error of the hand (mm)", title=title)
        axis.legend(fontsize=8, ncol=2)


def endurance(path, time, shares, error, title=""):
    """How a held weight tires the muscles: shares of one muscle, and the hand's error."""
    with report.figure(path, 1, 2, size=(10.0, 3.8)) as (figure, (a, b)):
        figure.suptitle(title, fontsize=10)
        labels = ("active", "resting", "fatigued")
        for k, (label, colour) in enumerate(zip(labels, ("#2e7d32", "#90a4ae", "#c62828"))):
            a.plot(time, shares[:, k], color=colour, label=label)
        a.set(xlabel="time (s)", ylabel="share of the motor units", ylim=(0, 1))
        a.legend(fontsize=8)
        b.semilogy(time, np.maximum(error, 1e-6), color="#1565c0")
        b.set(xlabel="time (s)", ylabel="error of the hand (mm)")
