"""The commands of main.py: what is run, printed and written."""

from functools import partial
from pathlib import Path

from msk_hand.names import METRICS, PARAMETERS, SCENES, WEIGHTS
from mujoco_ros_common import cli, config, report

TRAINING_SAMPLES, TEST_SAMPLES = 1200, 80


def register(c):
    """Add the commands to a cli.Cli."""
    check = c.command("check", partial(_check, c), "check the model and the scenes", seed=0)
    check.add_argument("--poses", type=cli.positive, default=20000, help="for the moment arms")
    demo = c.command("demo", partial(_demo, c), "a scripted task, without a window")
    demo.add_argument("--scene", default="button", metavar="|".join(SCENES))
    demo.add_argument("--out", default="results", help="folder for the GIF and the plot")
    demo.add_argument("--no-gif", action="store_true", help="metrics and plot only")
    collect = c.command(
        "collect",
        partial(_collect, c),
        "simulate training data",
        seed=0,
        n=TRAINING_SAMPLES,
        jobs=True,
    )
    collect.add_argument("--out", default="results/msk_hand_data.npz", help="the data set")
    collect.add_argument("--sampler", default="reciprocal", choices=("reciprocal", "uniform"))
    train = c.command(
        "train", partial(_train, c), "fit the inverse model", seed=0, n=TRAINING_SAMPLES, jobs=True
    )
    train.add_argument("--data", metavar="FILE", help="a collected data set, instead of a new one")
    train.add_argument("--out", default=str(WEIGHTS), help="the weights")
    train.add_argument("--metrics", default=str(METRICS), help="what was measured")
    evaluate = c.command(
        "eval", partial(_eval, c), "reach held-out targets", seed=0, n=TEST_SAMPLES, jobs=True
    )
    evaluate.add_argument("--weights", default=str(WEIGHTS))
    bench = c.command("bench", partial(_bench, c), "measure the speed")
    bench.add_argument("--seconds", type=cli.positive, default=3, help="for each figure")


def _check(c, args):
    from msk_hand import check  # noqa: PLC0415 (each command loads what it needs)

    rows = check.run(args.seed, args.poses)
    c.emit(args, rows, n=args.poses, title="\ncheck")
    return all(row["passed"] for row in rows.values())


def _demo(c, args):
    from msk_hand import demo, pictures  # noqa: PLC0415
    from mujoco_ros_common import model as models  # noqa: PLC0415

    models.scene_path("", args.scene, SCENES)  # refuses an unknown scene before anything moves
    report.expect_place(Path(args.out) / f"msk_hand_{args.scene}.gif")
    film = None
    if not args.no_gif and pictures.can_film():
        film = pictures.Film(args.scene)
    if film is None:
        series = _play(demo, args.scene, None)
    else:
        with film:
            series = _play(demo, args.scene, film.shoot)
    rows = demo.measure(series)
    c.emit(args, rows, title=f"scene {args.scene}")
    _write_pictures(Path(args.out), args.scene, series, film)
    return all(row["passed"] for row in rows.values())


def _play(demo, scene, each_tick):
    if scene == "free":
        return demo.reach_targets(_model(WEIGHTS), each_tick)
    return demo.play_keys(scene, each_tick, config.read(PARAMETERS))


def _write_pictures(folder, scene, series, film):
    from msk_hand import pictures  # noqa: PLC0415

    written = []
    if film is not None:
        written.append(folder / f"msk_hand_{scene}.gif")
        film.write(written[-1])
    if report.can_plot():
        written.append(folder / f"msk_hand_{scene}.png")
        pictures.plot(written[-1], series)
    for path in written:
        print(f"wrote {path}")


def _collect(c, args):
    from msk_hand import data  # noqa: PLC0415

    report.expect_place(args.out)
    dataset = data.collect(args.seed, args.n, args.sampler, args.jobs, args.dask)
    data.save(args.out, dataset, seed=args.seed, sampler=args.sampler)
    low, high = dataset.tips.min(axis=0), dataset.tips.max(axis=0)
    rows = {
        axis: {"min_mm": 1e3 * float(low[i]), "max_mm": 1e3 * float(high[i])}
        for i, axis in enumerate("xyz")
    }
    c.emit(args, rows, title=f"index fingertip in {args.n} samples")
    print(f"wrote {args.out}")


def _train(c, args):
    from msk_hand import data, evaluate  # noqa: PLC0415
    from mujoco_ros_common import parallel  # noqa: PLC0415

    for path in (args.out, args.metrics):
        report.expect_place(path)
    workers = args.jobs, args.dask
    training, weights, rival = parallel.seeds(args.seed, 3)
    if args.data:
        dataset = data.load(args.data)
    else:
        dataset = data.collect(training, args.n, "reciprocal", *workers)
    model = evaluate.train(dataset, weights, _within(), *workers, command_seed=args.seed)
    targets = evaluate.held_out_targets(args.seed, TEST_SAMPLES, *workers)
    rows = evaluate.evaluate(model, targets, *workers)
    # the same recipe on independent activations: what the choice of samples is worth
    plain = data.collect(rival, len(dataset.tips), "uniform", *workers)
    other = evaluate.train(plain, weights, _within(), *workers)
    errors = evaluate.reach_errors(other.activations, targets, *workers)
    rows["regression_uniform"] = evaluate.figures(errors)
    model.save(args.out)
    record = report.record("msk_hand", "train", args.seed, len(dataset.tips), rows)
    losses = model.metadata["losses"]
    record["training"] = {"loss_first": losses[0], "loss_last": losses[-1], "epochs": len(losses)}
    report.write_json(args.metrics, record)
    c.emit(args, rows, title=f"{TEST_SAMPLES} held-out targets")
    print(f"wrote {args.out}\nwrote {args.metrics}")
    return rows["regression"]["mean_mm"] < rows["ridge"]["mean_mm"]


def _eval(c, args):
    from msk_hand import evaluate  # noqa: PLC0415

    model = _model(args.weights)
    targets = evaluate.held_out_targets(args.seed, args.n, args.jobs, args.dask)
    rows = evaluate.evaluate(model, targets, args.jobs, args.dask)
    c.emit(args, rows, title=f"{args.n} held-out targets")


def _bench(c, args):
    from msk_hand import speed  # noqa: PLC0415

    c.emit(args, speed.measure(_model(WEIGHTS), args.seconds))


def _model(path):
    from msk_hand import nn  # noqa: PLC0415

    return nn.InverseModel.load(path, _within())


def _within():
    return config.read(PARAMETERS).number("reachable_within", low=0.0)
