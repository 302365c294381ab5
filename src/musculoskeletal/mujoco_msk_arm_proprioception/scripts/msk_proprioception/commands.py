"""The commands of main.py."""

import argparse
import time
from pathlib import Path

import numpy as np

from msk_proprioception import contract, evaluation, loop, nn, speed
from msk_proprioception.delay import DelayLine
from msk_proprioception.episodes import settings_with
from msk_proprioception.names import MAX_DELAY_S, METRICS, WEIGHTS
from msk_proprioception.stiffness import LumpedStiffness, SimulatedStiffness, smallest
from mujoco_ros_common import parallel, report
from mujoco_ros_common.errors import UserError

PARTS = ("all", "senses", "stiffness", "estimators", "loop")
SYSTEM = "msk_proprioception"
# what `check` holds the system to: figure, largest good value
LIMITS = {
    "delay_error_ticks": 0.0,
    "stiffness_curve_error_pct": 1.0,
    "stiffness_disagreement_pct": 2.0,
    "filter_q_mrad": 6.0,
    "filter_qd_rad_s": 0.12,
    "network_over_ridge": 1.05,
    "loop_final_mm": 12.0,
}


def delay(text):
    """An argument that is a delay: a number from 0 to 1 s."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= MAX_DELAY_S:
        raise argparse.ArgumentTypeError(f"expected 0 to {MAX_DELAY_S:g} s, got {text!r}")
    return value


def check(args):
    """Short forms of the measures that matter, each beside its limit; False if one falls short."""
    settings = contract.load()
    table = evaluation.estimator_table(6, args.seed, jobs=1)
    reaches = loop.run("predicted", 0.03, 0.1, 6, args.seed, jobs=1)
    found = {
        "delay_error_ticks": float(delay_error()),
        "stiffness_curve_error_pct": curve_error_pct(settings),
        "stiffness_disagreement_pct": disagreement_pct(args.seed),
        "filter_q_mrad": table["filter"]["q_mrad_rmse"],
        "filter_qd_rad_s": table["filter"]["qd_rad_s_rmse"],
        "network_over_ridge": table["network"]["q_mrad_rmse"] / table["ridge"]["q_mrad_rmse"],
        "loop_final_mm": reaches["final_mm_max"],
    }
    rows = {
        name: {"found": value, "at_most": LIMITS[name], "good": bool(value <= LIMITS[name])}
        for name, value in found.items()
    }
    report.table(rows, "proprioception: check")
    if args.json:
        report.write_json(args.json, report.record(SYSTEM, "check", args.seed, 6, rows))
    return all(row["good"] for row in rows.values())


def delay_error():
    """Largest error (ticks) of the delay line over every multiple of 10 ms up to 1 s."""
    worst, tick = 0, 10_000_000
    for hundredths in range(101):
        line = DelayLine(hundredths / 100.0)
        for k in range(hundredths + 5):
            line.push(k * tick, k)
            got = line.pop(k * tick)
            expected = k - hundredths
            worst = max(worst, abs((-1 if got is None else got) - max(expected, -1)))
    return worst


def curve_error_pct(settings):
    """Error of the calibrated stiffness at the two ends of its curve, %."""
    lumped = LumpedStiffness(
        settings.moment_arms, settings.max_forces, settings.stiffness_per_activation_nm_rad
    )
    pairs = [(0.02, 0.41), (0.40, 8.20)]
    return max(
        100.0 * abs(smallest(lumped.matrix([a] * 6)) / expected - 1.0) for a, expected in pairs
    )


def disagreement_pct(seed, n=100):
    """Analytic against measured stiffness of the simulated arm, largest over random poses, %."""
    arm, rng, worst = SimulatedStiffness(), np.random.default_rng(seed), 0.0
    for _ in range(n):
        pose, a = rng.uniform(arm.model.jnt_range[:, 0], arm.model.jnt_range[:, 1]), rng.random(6)
        analytic = arm.analytic(pose, a)
        off = np.linalg.norm(arm.measured(pose, a) - analytic) / np.linalg.norm(analytic)
        worst = max(worst, 100.0 * float(off))
    return worst


def demo(args):
    """One reach, its picture, and whether it came to its target."""
    result = loop.reach(
        {"seed": args.seed, "feedback": args.feedback, "delay_s": args.delay, "mismatch": 0.1}
    )
    row = {key: result[key] for key in ("error_mm", "held", "reached_s")}
    report.table({args.feedback: row}, f"reach on {args.feedback}, {1e3 * args.delay:g} ms late")
    if args.json:
        report.write_json(
            args.json, report.record(SYSTEM, "demo", args.seed, 1, {args.feedback: row})
        )
    if report.can_plot():
        from msk_proprioception import figures  # noqa: PLC0415 (only where a figure is drawn)

        path = Path(args.out) / "proprioception_reach.png"
        figures.reach(path, {args.feedback: result})
        print(f"wrote {path}")
    return bool(result["held"])


def collect(args):
    """Simulated reaches as an npz file."""
    x, y, starts = nn.dataset(
        args.n, args.seed, settings_with(0, 0.03).delay_s, args.jobs, args.dask
    )
    with report.atomic(args.out) as temporary, open(temporary, "wb") as stream:
        np.savez(stream, x=x, y=y, starts=starts, delay_s=0.03, seed=args.seed)
    print(f"wrote {args.out}: {len(x)} samples of {args.n} episodes")


def train(args):
    """Learn, compare on arms of other seeds, and write weights and metrics."""
    begin, late = time.monotonic(), contract.load().delay_s
    train_seed, validation_seed = parallel.seeds(args.seed, 2)
    if args.data:
        x, y = load_data(args.data)
    else:
        x, y, _ = nn.dataset(args.n, train_seed, late, args.jobs, args.dask)
    vx, vy, _ = nn.dataset(max(8, args.n // 5), validation_seed, late, args.jobs, args.dask)
    networks, losses = nn.train(x, y, (vx, vy), args.seed, args.epochs)
    network, _, ridge = networks
    linear = ridge.predict(vx)
    rows = {
        "ridge": nn.rmse(linear, vy),
        "network": nn.rmse(linear + network.predict(vx), vy),
    }
    for row in rows.values():
        row["samples"] = len(x)
    nn.save(networks, args.out, late, seed=args.seed, episodes=args.n, epochs=args.epochs)
    report.table(rows, "validation: arms of other seeds")
    record = report.record(SYSTEM, "train", args.seed, args.n, rows)
    record["loss"] = [float(losses[0]), float(losses[-1])]
    if Path(args.out) == WEIGHTS:
        report.write_json(METRICS, record)
    if args.json:
        report.write_json(args.json, record)
    print(f"wrote {args.out} after {time.monotonic() - begin:.0f} s")


def load_data(path):
    """x and y of a file of `collect`.

    Raises:
        UserError: missing, damaged, or of other features.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            x, y = archive["x"], archive["y"]
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise UserError(f"--data: expected a file of `collect` at {path}, but: {error}") from None
    if x.ndim != 2 or x.shape[1] != nn.FEATURES or y.shape != (len(x), 4):
        raise UserError(f"--data: expected x (n, {nn.FEATURES}) and y (n, 4) in {path}")
    return x, y


def evaluate(args):
    """The tables: senses (noise x delay), estimators, closed loop."""
    results = {}
    if args.part in ("all", "senses"):
        grid = evaluation.noise_delay_grid(args.seed)
        report.table(grid, "RMSE of the senses against the present truth, example movement")
        results.update(grid)
        force = grid["noise_1_delay_80ms"]["force_n"]
        print(f"force RMSE at 80 ms: {force:.2f} N")
    if args.part in ("all", "stiffness"):
        rows = evaluation.stiffness_table(contract.load())
        report.table(rows, f"joint stiffness at co-contraction {evaluation.STIFFNESS_LEVEL:g}")
        results.update(rows)
    if args.part in ("all", "estimators"):
        rows = evaluation.estimator_table(args.n, args.seed, jobs=args.jobs, dask=args.dask)
        report.table(rows, "estimators: 30 ms, default noise, arms +-10 %")
        results.update(rows)
    if args.part in ("all", "loop"):
        rows = evaluation.loop_table(args.n, args.seed, args.jobs, args.dask)
        report.table(rows, "closed loop: 3 s reaches; 100 ms with arms +-20 %, others +-10 %")
        print(f"raw delayed feedback fails at {evaluation.raw_failure_ms(rows):g} ms")
        rows["loop_raw_fails"] = {"delay_ms": evaluation.raw_failure_ms(rows)}
        results.update(rows)
    if args.json:
        report.write_json(args.json, report.record(SYSTEM, "eval", args.seed, args.n, results))


def bench(args):
    """The speed of a tick and of its parts."""
    rows = speed.measure()
    report.table(rows, "microseconds")
    if args.json:
        report.write_json(args.json, report.record(SYSTEM, "bench", None, None, rows))
