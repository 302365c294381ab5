"""The commands of main.py that need MuJoCo. Each takes its arguments and `emit`, which reports."""

import time
from pathlib import Path

from car_nn import chassis, evaluate, movie, nn, plots, settings, speed
from car_nn.collect import collect as collect_data
from car_nn.core import CarEnv
from car_nn.diagnose import diagnose as tell_drive
from mujoco_ros_common import report
from mujoco_ros_common.render import can_write_gif

PASS_SHARE = 0.97  # of the robustness runs


def check(args, emit):
    """Smoke test of every scene: straight, turning, pitch, rays."""
    rows, good = {}, True
    for scene in settings.SCENES:
        rows[scene], faults = chassis.check_scene(CarEnv(scene, settings.load()))
        for fault in faults:
            print(f"{scene}: {fault}")
        good = good and not faults
    emit(args, rows, title="car: what it does against what it is told")
    return good


def collect(args, emit):
    """Exploring drives, labelled by the teacher, into a data set."""
    inputs, labels, scenes = _collected(args)
    path = Path(args.out) / "dataset.npz"
    nn.save_data(path, inputs, labels, scenes)
    rows = {name: nn.label_figures(labels[scenes == i]) for i, name in enumerate(settings.SCENES)}
    rows["all"] = nn.label_figures(labels)
    emit(args, rows, n=len(labels), title=f"data set {path}")


def train(args, emit):
    """Fit the network, write weights and metrics, and drive the scenes with it."""
    begin = time.perf_counter()
    config = settings.load(epochs=args.epochs, train_seed=args.seed)
    path = Path(args.data or Path(args.out) / "dataset.npz")
    if args.data or path.is_file():
        print(f"data set {path}")
        inputs, labels, _ = nn.load_data(path, config.sectors)
    else:
        print(f"no data set at {path}: collecting one")
        inputs, labels, scenes = _collected(args)
        nn.save_data(path, inputs, labels, scenes)
    network, losses = nn.train(config, inputs, labels)
    tail = min(20, len(losses))
    rows = {"labels": nn.label_figures(labels)}
    rows["training"] = {
        "epochs": len(losses),
        "loss_first": float(losses[0]),
        "loss_last_20": float(losses[-tail:].mean()),
        "seconds": time.perf_counter() - begin,
    }
    network.save(args.weights, epochs=len(losses), seed=args.seed, samples=len(labels))
    drives = evaluate.scenes(config, args.weights, ("clone",), jobs=1)
    rows.update(evaluate.summary(drives))
    metrics = report.record("car_nn", "train", args.seed, len(labels), rows)
    report.write_json(Path(args.weights).with_name("nn_metrics.json"), metrics)
    if report.can_plot():
        plots.losses(Path(args.out) / "training.png", losses)
    emit(args, rows, n=len(labels), title=f"weights {args.weights}")
    return all(result.passed for result in drives.values())


def evaluate_scenes(args, emit):
    """All policies through all scenes, without noise; report as CSV, bar chart and tracks."""
    config = settings.load()
    policies = args.policy or evaluate.POLICIES
    drives = evaluate.scenes(config, args.weights, policies, args.jobs, args.dask)
    out = Path(args.out)
    rows = [{"drive": name, **result.figures()} for name, result in drives.items()]
    report.write_csv(out / "eval_report.csv", rows)
    if report.can_plot():
        plots.bars(out / "eval_report.png", drives)
        plots.tracks(out / "eval_tracks.png", drives, config)
    emit(args, evaluate.summary(drives), n=len(drives), title=f"reports in {out}")
    judged = [d for name, d in drives.items() if name.startswith("clone.")] or drives.values()
    return all(result.passed for result in judged)


def robustness(args, emit):
    """The network over 6 noises x 3 shares of lost beams x 3 scenes x n noise seeds."""
    config = settings.load()
    policy = evaluate.make_policy(args.policy, config, args.weights)
    cells = evaluate.robustness(config, policy, args.seed, args.n, args.jobs, args.dask)
    rows, out = evaluate.robustness_rows(cells), Path(args.out)
    report.write_csv(out / "robustness.csv", [{"cell": key, **row} for key, row in rows.items()])
    if report.can_plot():
        plots.robustness(out / "robustness.png", cells)
    emit(args, rows, title=f"{args.policy}: reports in {out}")
    return rows["robustness"]["passed"] >= PASS_SHARE * rows["robustness"]["runs"]


def demo(args, emit):
    """A drive as a GIF."""
    if not can_write_gif():
        return False
    config = settings.load()
    policy = evaluate.make_policy(args.policy, config, args.weights)
    path = Path(args.out) / f"demo_{args.scene}.gif"
    result, frames = movie.record(path, CarEnv(args.scene, config), policy)
    emit(args, {f"{args.policy}.{args.scene}": result.figures()}, title=f"{path}: {frames} frames")
    return result.passed


def diagnose(args, emit):
    """One drive, told line by line."""
    config = settings.load(noise_sigma=args.noise, lost_beams=args.lost)
    policy = evaluate.make_policy(args.policy, config, args.weights)
    result, spread = tell_drive(CarEnv(args.scene, config), policy, args.every, args.seed)
    emit(args, {f"{args.policy}.{args.scene}": {**result.figures(), **spread}})
    return result.passed


def bench(args, emit):
    """Microseconds of a 50 Hz tick and of its parts."""
    rows = speed.measure(settings.load(), args.weights, args.seconds)
    emit(args, rows, title="one control tick of 20 ms: physics, rays, network, clearance")


def _collected(args):
    config = settings.load(**({"collect_s": args.seconds} if args.seconds is not None else {}))
    return collect_data(config, args.seed, args.jobs, args.dask)
