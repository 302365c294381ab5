"""How fast the hand is: physics alone, a control tick, the readout, the network."""

import itertools

import numpy as np

from msk_hand.core import MskHandSim
from msk_hand.names import MUSCLES, N_SUB
from mujoco_ros_common import bench

STATE_TICKS = 4  # joints are read in every control tick (100 Hz), the state in every fourth (25 Hz)


def measure(model, seconds):
    """The rows of `main.py bench`.

    Args:
        model: nn.InverseModel or None. seconds: of measuring, for each row.
    """
    sim, activation = MskHandSim("button"), np.full(len(MUSCLES), 0.2)
    count = itertools.count()

    def tick():
        sim.step(activation)
        sim.joint_angles(), sim.joint_velocities(), sim.joint_efforts()
        if next(count) % STATE_TICKS == 0:
            sim.state_vector()

    def whole_tick():
        sim.step(activation)
        sim.joint_angles(), sim.joint_velocities(), sim.joint_efforts()
        sim.state_vector()

    rows = {}
    for name, function in (("tick", tick), ("tick_reading_all", whole_tick)):
        sim.reset()
        microseconds, bare = bench.compare(sim.model, sim.data, N_SUB, function, seconds)
        rows[name] = {
            "us": microseconds,
            "ratio_to_bare": bare / microseconds,
            "times_real_time": 1e6 * sim.tick / microseconds,
        }
    rows["physics"] = {"us": bare}
    if model is not None:
        target = np.array([0.014, 0.182, 0.085])
        rows["inference"] = {"us": bench.measure(lambda: model.activations(target), seconds)}
    return rows
