"""The commands of main.py: what is run, printed and written."""

import math
from functools import partial
from pathlib import Path

from msk_arm.names import CONDITIONS, CONTROLLERS, METRICS, TENDONS, WEIGHTS
from mujoco_ros_common import cli, report
from mujoco_ros_common.errors import ArgumentError

PAIRS = 200  # reaches in a row of the table
GRID = 100  # refusals are compared on GRID x GRID targets
TRAINING_PAIRS = 100  # reaches that nn_metrics.json is measured on


def register(c):
    """Add the commands to a cli.Cli."""
    check = c.command("check", partial(_check, c), "check model, muscles, kinematics", seed=0)
    check.add_argument("--poses", type=cli.positive, default=20000, help="for the moment arms")
    demo = c.command("demo", partial(_demo, c), "one reach: plots and a GIF, without a window")
    demo.add_argument("--target", type=float, nargs=2, metavar=("X", "Z"), help="m")
    demo.add_argument("--controller", default="inverse", metavar="|".join(CONTROLLERS))
    demo.add_argument("--condition", default="healthy", metavar="|".join(CONDITIONS))
    demo.add_argument("--tendon", default="rigid", metavar="|".join(TENDONS))
    demo.add_argument("--load", type=float, default=0.0, metavar="KG", help="in the hand")
    demo.add_argument("--seconds", type=float, default=1.5)
    demo.add_argument("--out", default="results", help="folder for the plots and the GIF")
    demo.add_argument("--no-gif", action="store_true", help="figures and plots only")
    collect = c.command(
        "collect", partial(_collect, c), "reaches of the teacher", seed=0, n=80, jobs=True
    )
    collect.add_argument("--out", default="results/msk_arm_data.npz", help="the data set")
    train = c.command("train", partial(_train, c), "train the network (DAgger)", seed=0, jobs=True)
    train.add_argument("--data", metavar="FILE", help="a collection, instead of the first round")
    train.add_argument("--out", default=str(WEIGHTS), help="the weights")
    train.add_argument("--metrics", default=str(METRICS), help="what was measured")
    evaluate = c.command(
        "eval",
        partial(_eval, c),
        "the tables: random reaches, refusals",
        seed=7,
        n=PAIRS,
        jobs=True,
    )
    evaluate.add_argument("--rows", nargs="+", metavar="ROW", help="only these rows")
    evaluate.add_argument("--grid", type=cli.positive, default=GRID, help="side, for refusals")
    bench = c.command("bench", partial(_bench, c), "measure the speed")
    bench.add_argument("--seconds", type=cli.positive, default=3, help="for each figure")


def _check(c, args):
    from msk_arm import check  # noqa: PLC0415 (each command loads what it needs)

    rows = check.run(args.seed, args.poses)
    c.emit(args, rows, n=args.poses, title="\ncheck")
    return all(row["passed"] for row in rows.values())


def _demo(c, args):
    from msk_arm import demo  # noqa: PLC0415

    if not (math.isfinite(args.seconds) and 0.1 <= args.seconds <= 60.0):
        raise ArgumentError(f"--seconds: expected a number in [0.1, 60], got {args.seconds:g}")
    result = demo.run(args, Path(args.out))
    c.emit(args, {"reach": result.figures}, title=result.title)
    for path in result.written:
        print(f"wrote {path}")
    return result.figures["final_mm"] < demo.REACHED_MM


def _collect(c, args):
    from msk_arm import train  # noqa: PLC0415

    inputs, commands = train.collect(args.seed, args.n, None, args.jobs, args.dask)
    train.save_data(args.out, inputs, commands)
    row = {"reaches": args.n, "samples": len(inputs), "mean_excitation": float(commands.mean())}
    c.emit(args, {"teacher": row}, title="collected")
    print(f"wrote {args.out}")


def _train(c, args):
    from msk_arm import evaluate, train  # noqa: PLC0415

    first = train.load_data(args.data) if args.data else None
    network, inputs, commands, errors = train.dagger(args.seed, args.jobs, args.dask, first)
    # targets that no round has seen
    pairs = evaluate.random_pairs(args.seed + 10**6, TRAINING_PAIRS)
    rows = train.compare(network, inputs, commands, pairs)
    network.save(args.out, seed=args.seed, samples=len(inputs), round_errors=errors)
    record = report.record("msk_arm", "train", args.seed, len(inputs), rows)
    record["training"] = {"round_errors": errors}
    report.write_json(args.metrics, record)
    c.emit(args, rows, n=TRAINING_PAIRS, title=f"{TRAINING_PAIRS} reaches of new targets")
    print(f"wrote {args.out}\nwrote {args.metrics}")
    return rows["nn"]["success"] >= 0.98


def _eval(c, args):
    from msk_arm import evaluate  # noqa: PLC0415

    every = [*evaluate.ROWS, "seed_target", "pd_seed_target", "refusals"]
    wanted = args.rows or every
    unknown = [row for row in wanted if row not in every]
    if unknown:
        raise ArgumentError(f"unknown rows {' '.join(unknown)}, expected {' '.join(every)}")
    pairs, results = evaluate.random_pairs(args.seed, args.n), {}
    for row in wanted:
        if row == "refusals":
            results[row] = evaluate.refusals(args.grid, args.jobs, args.dask)
        elif row.endswith("seed_target"):
            results[row] = evaluate.seed_target("pd" if row.startswith("pd") else "inverse")
        else:
            results[row] = evaluate.run_row(row, pairs, args.jobs, args.dask)
    c.emit(args, results, title=f"{args.n} reaches of {evaluate.SECONDS:g} s, seed {args.seed}")


def _bench(c, args):
    from msk_arm import speed  # noqa: PLC0415

    c.emit(args, speed.measure(args.seconds), title="microseconds")
