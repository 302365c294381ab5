"""Figures of the hand's page: muscle, moment arms, training, workspace."""

import mujoco
import numpy as np

from msk_hand import anatomy, demo, nn
from msk_hand.core import MskHandSim
from msk_hand.names import JOINTS, MUSCLES
from mujoco_ros_common import report

_MUSCLE_COLORS = ("tab:red", "tab:blue", "tab:green", "tab:orange", "tab:purple", "tab:brown")


def training(path, model, errors):
    """Loss of each epoch, and the distribution of the errors {row: (n,) m}."""
    with report.figure(path, cols=2, size=(9.0, 3.6)) as (_, axes):
        axes[0].semilogy(np.arange(1, nn.EPOCHS + 1), model.metadata["losses"])
        axes[0].set(xlabel="epoch", ylabel="mean squared error of the activations")
        for name, values in errors.items():
            ordered = 1e3 * np.sort(values)
            axes[1].plot(ordered, np.linspace(0.0, 1.0, len(ordered)), label=name)
        axes[1].axvline(1e3 * demo.REACHED_M, color="black", linestyle="--", label="10 mm")
        axes[1].set(xlabel="error (mm)", ylabel="share of the targets", xscale="log")
        axes[1].legend(loc="upper left", fontsize="small")
        for axis in axes:
            axis.grid(alpha=0.3)


def workspace(path, model, targets, errors):
    """Training fingertips, and test targets (n, 3) m coloured by their errors (n,) m."""
    with report.figure(path, cols=2, size=(9.0, 3.8)) as (figure, axes):
        for axis, (first, second) in zip(axes, ((1, 2), (0, 1))):
            axis.plot(*(1e3 * model.tips[:, (first, second)].T), ".", color="0.8", markersize=3)
            dots = axis.scatter(
                *(1e3 * targets[:, (first, second)].T), c=1e3 * errors, s=14, cmap="viridis_r"
            )
            seed = demo.TARGETS[0]
            axis.plot(1e3 * seed[first], 1e3 * seed[second], "r*", markersize=10)
            axis.set(xlabel=f"{'xyz'[first]} (mm)", ylabel=f"{'xyz'[second]} (mm)", aspect="equal")
        figure.colorbar(dots, ax=axes, label="error (mm)")


def muscle(path):
    """MuJoCo's force-length, force-velocity and activation curves, as this hand sets them."""
    model = MskHandSim("free").model
    gain, bias = model.actuator_gainprm[0, :9], model.actuator_biasprm[0, :9]
    first, last, force, _, _, _, vmax, *_ = gain
    span, acc0 = np.array([first, last]), 1.0
    lengths, speeds = np.linspace(0.4, 1.7, 261), np.linspace(-1.2, 1.2, 241)
    # with lengthrange == range, L0 is 1 and LT 0: a length is a normalised one
    active = [-mujoco.mju_muscleGain(x, 0.0, span, acc0, gain) / force for x in lengths]
    passive = [-mujoco.mju_muscleBias(x, span, acc0, bias) / force for x in lengths]
    at_speed = [-mujoco.mju_muscleGain(1.0, v * vmax, span, acc0, gain) / force for v in speeds]
    with report.figure(path, cols=3, size=(11.0, 3.2)) as (_, axes):
        axes[0].plot(lengths, active, label="active, $F_L$")
        axes[0].plot(lengths, passive, label="passive, $F_P$")
        axes[0].axvspan(first, last, color="tab:green", alpha=0.15, label="working range")
        axes[0].set(xlabel="normalised length", ylabel="force / peak force", ylim=(0, 1.5))
        axes[0].legend(fontsize="small")
        axes[1].plot(speeds, at_speed)
        axes[1].set(xlabel="lengthening speed / $v_{max}$", ylabel="$F_V$")
        for excitation, label in ((1.0, "excited"), (0.0, "relaxed")):
            axes[2].plot(*_activation_curve(excitation), label=label)
        axes[2].set(xlabel="time (s)", ylabel="activation")
        axes[2].legend(fontsize="small")
        for axis in axes:
            axis.grid(alpha=0.3)


def _activation_curve(excitation):
    """Activation of a muscle of the hand after a step of its excitation, over 0.25 s."""
    sim, values = MskHandSim("free"), []
    if not excitation:
        sim.step(np.ones(len(MUSCLES)), 1000)
    for _ in range(125):
        values.append(sim.muscle_activations()[0])
        sim.step(np.full(len(MUSCLES), excitation), 1)
    return 0.002 * np.arange(125), values


def moment_arms(path):
    """Moment arms over the range of each joint, the others at rest."""
    sim = MskHandSim("free")
    shown = ("j_wrist_pitch", "j_wrist_yaw", "j_index_mcp", "j_index_pip", "j_thumb_abd")
    shown += ("j_thumb_mcp",)
    with report.figure(path, rows=2, cols=3, size=(11.0, 6.0)) as (_, axes):
        for axis, joint in zip(axes.flat, shown):
            column = JOINTS.index(joint)
            angles = np.linspace(*sim.model.joint(joint).range, 60)
            arms = []
            for angle in angles:
                sim.reset()
                sim.data.qpos[column] = angle
                arms.append(1e3 * anatomy.moment_arms(sim.model, sim.data)[:, column])
            movers = [m for m in MUSCLES if joint in anatomy.ACTS_ON[m]]
            for name, color in zip(movers, _MUSCLE_COLORS):
                values = np.array(arms)[:, MUSCLES.index(name)]
                axis.plot(angles, values, color=color, label=name)
            axis.axhline(0.0, color="black", linewidth=0.6)
            axis.set(xlabel=f"{joint} (rad)", ylabel="moment arm (mm)")
            axis.legend(fontsize="x-small")
            axis.grid(alpha=0.3)
