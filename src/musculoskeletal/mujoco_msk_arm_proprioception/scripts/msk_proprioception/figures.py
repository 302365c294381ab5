"""What is drawn: for `demo`, and for the pages in docs/."""

import numpy as np

from msk_proprioception import evaluation
from msk_proprioception.episodes import settings_with
from msk_proprioception.firing import Afferents
from msk_proprioception.names import MUSCLES
from msk_proprioception.stiffness import LumpedStiffness, SimulatedStiffness, ellipse, smallest
from mujoco_ros_common import report

TICK_S = 0.01


def reach(path, results):
    """Reaches side by side: the hand's path, and its distance from the target over time.

    Args:
        results: dict from a label to a result of loop.reach.
    """
    with report.figure(path, 1, 2, (10.0, 4.2)) as (_, (left, right)):
        for label, result in results.items():
            tip, target = result["tip"], np.array(result["target"])
            left.plot(tip[:, 0], tip[:, 1])
            distance = 1e3 * np.hypot(*(tip - target).T)
            time = TICK_S * np.arange(len(distance))
            right.semilogy(time, np.maximum(distance, 1e-2), label=label)
        left.plot(*target, "k+", markersize=12, markeredgewidth=2)
        left.set(xlabel="x (m)", ylabel="z (m)", aspect="equal", title="the hand")
        right.axhline(20.0, color="k", linewidth=0.8, linestyle=":")
        right.set(xlabel="time (s)", ylabel="distance from the target (mm)")
        right.legend()


def overlay(path, recording, delay_s=0.04, muscle="elbow_flexor"):
    """True and sensed force and fibre length of a muscle, late by delay_s."""
    index = MUSCLES.index(muscle)
    settings = settings_with(0, delay_s)
    sensed = evaluation.signals(recording.sensed(settings))[:, :, index]
    true = recording.true()[:, :, index]
    time = TICK_S * np.arange(len(true))
    with report.figure(path, 2, 1, (9.0, 5.2), sharex=True) as (_, (top, bottom)):
        top.plot(time, true[:, 2], label="true")
        top.plot(time, sensed[:, 2], label=f"sensed, {1e3 * delay_s:.0f} ms late")
        top.set(ylabel="force (N)", title=muscle.replace("_", " "))
        top.legend()
        bottom.plot(time, 1e3 * true[:, 0])
        bottom.plot(time, 1e3 * sensed[:, 0])
        bottom.set(ylabel="fibre length (mm)", xlabel="time (s)")


def grid(path, rows):
    """RMSE of length and force over the delay, a line for each noise."""
    with report.figure(path, 1, 2, (9.0, 3.8)) as (_, axes):
        for axis, label, name in zip(
            axes, ("length_mm", "force_n"), ("fibre length (mm)", "force (N)")
        ):
            for scale in evaluation.GRID_NOISE:
                values = [
                    rows[f"noise_{scale:g}_delay_{delay}ms"][label]
                    for delay in evaluation.GRID_DELAY_MS
                ]
                axis.plot(evaluation.GRID_DELAY_MS, values, marker="o", label=f"noise x{scale:g}")
            axis.set(xlabel="delay (ms)", ylabel=f"RMSE of the {name}")
        axes[0].legend()


def stiffness(path, settings):
    """The curve over co-contraction, and the ellipses of lumped and simulated stiffness."""
    lumped = LumpedStiffness(
        settings.moment_arms, settings.max_forces, settings.stiffness_per_activation_nm_rad
    )
    arm, levels = SimulatedStiffness(), np.linspace(0.0, 0.5, 26)
    with report.figure(path, 1, 2, (9.5, 4.2)) as (_, (left, right)):
        left.plot(levels, [smallest(lumped.matrix([a] * 6)) for a in levels], label="K, lumped")
        for pose in ((0.0, 0.5), (0.5, 1.2), (1.0, 2.1)):
            curve = [smallest(arm.analytic(np.array(pose), [a] * 6)) for a in levels]
            left.plot(levels, curve, "--", label=f"simulated, q = {pose[0]:g} {pose[1]:g} rad")
        left.plot([0.02, 0.40], [0.41, 8.20], "ko", markersize=4, label="calibration")
        left.set(xlabel="co-contraction", ylabel="smallest eigenvalue (N m/rad)")
        left.legend(fontsize=8)
        for a, color in ((0.1, "C0"), (0.2, "C1"), (0.4, "C2")):
            right.plot(*ellipse(lumped.matrix([a] * 6)), color=color, label=f"a = {a:g}")
            simulated = arm.analytic(np.array([0.5, 1.2]), [a] * 6)
            right.plot(*ellipse(simulated), "--", color=color)
        right.set(xlabel="shoulder (N m/rad)", ylabel="elbow (N m/rad)", aspect="equal")
        right.legend(fontsize=8, title="dashed: simulated")


def firing(path, recording, muscle="elbow_extensor"):
    """Firing rates of both spindle models and the Golgi organ over the example movement."""
    index, clean = MUSCLES.index(muscle), recording.true()
    time = TICK_S * np.arange(len(clean))
    with report.figure(path, 3, 1, (9.0, 6.0), sharex=True) as (_, axes):
        for model, dynamic, static in (
            ("prochazka", 0.0, 0.0),
            ("mileusnic", 0.0, 0.0),
            ("mileusnic", 70.0, 70.0),
        ):
            settings = settings_with(0, 0.0, 0.0)
            settings.spindle_model = model
            settings.gamma_dynamic_pps, settings.gamma_static_pps = dynamic, static
            afferents = Afferents(settings)
            rates = np.array([afferents.advance(t, c) for t, c in zip(recording.time_ns, clean)])[
                :, :, index
            ]
            label = model if not dynamic else f"{model}, gamma {dynamic:g} pulses/s"
            for axis, column in zip(axes, rates.T):
                if axis is not axes[2] or model == "prochazka":
                    axis.plot(time, column, label=label)
        for axis, name in zip(axes, ("Ia", "II", "Ib")):
            axis.set(ylabel=f"{name} (pulses/s)")
        axes[0].legend(fontsize=8)
        axes[0].set(title=muscle.replace("_", " "))
        axes[2].set(xlabel="time (s)")


def estimate(path, result):
    """Angle and velocity of the elbow over a reach: true, as delayed senses say, as estimated.

    Args:
        result: of evaluation.listen.
    """
    truth = result["truth"]
    time = TICK_S * np.arange(len(truth))
    with report.figure(path, 2, 1, (9.0, 5.6), sharex=True) as (_, axes):
        for axis, column, name in zip(axes, (1, 3), ("elbow (rad)", "elbow (rad/s)")):
            axis.plot(time, truth[:, column], "k", label="true")
            for label, style in (("delayed", "C1:"), ("network", "C2"), ("filter", "C0")):
                told, std = result[label]
                axis.plot(time, told[:, column], style, label=label)
                if label == "filter":
                    low, high = (told[:, column] + s * 2.0 * std[:, column] for s in (-1, 1))
                    axis.fill_between(time, low, high, alpha=0.25)
            axis.set(ylabel=name)
        axes[0].legend(ncol=4, fontsize=8)
        axes[1].set(xlabel="time (s)")
