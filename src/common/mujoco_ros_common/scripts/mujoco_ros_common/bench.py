"""Measuring speed: beside bare `mj_step`, in the same run."""

import time

import mujoco


def measure(function, seconds=1.0, batches=10):
    """Microseconds of one call: the best of `batches` averages, which the machine's noise lifts."""
    function()
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < seconds / batches:
        function()
        count += 1
    best = (time.perf_counter() - start) / count
    for _ in range(batches - 1):
        start = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - start) / count)
    return 1e6 * best


def compare(model, data, nstep, function, seconds=1.0, rounds=5):
    """A control tick beside bare physics, measured in turns so that both see the same machine.

    Args:
        model, data: what `mj_step(model, data, nstep)` steps; `data` may be the tick's own.
        function: one whole control tick.

    Returns:
        (tick, physics): microseconds each, the best of the rounds.
    """
    tick = physics = float("inf")
    for _ in range(rounds):
        tick = min(tick, measure(function, seconds / rounds))
        physics = min(
            physics, measure(lambda: mujoco.mj_step(model, data, nstep), seconds / rounds)
        )
    return tick, physics
