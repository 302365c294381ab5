"""One reach, recorded: figures, plots and a GIF."""

import sys
from collections import namedtuple

from msk_arm import controller, evaluate, plots
from msk_arm.core import MskArmSim
from msk_arm.dynamics import ArmDynamics
from msk_arm.names import TICK, parameters
from msk_arm.picture import Picture
from msk_arm.target import TargetCheck
from mujoco_ros_common import render, report
from mujoco_ros_common.errors import ArgumentError, UserError

REACHED_MM = 10.0  # the hand has arrived, by pd too
FPS, SLOWER = 25.0, 4.0  # pictures a second of the GIF, and how much slower than life it is
WIDTH, HEIGHT, COLORS = 480, 360, 256

Result = namedtuple("Result", "figures title written rows")


class Film:
    """Pictures of a running arm, taken as it goes; a context manager.

    Args:
        sim: MskArmSim. target: (x, z) in m.
    """

    def __init__(self, sim, target, width=WIDTH, height=HEIGHT):
        self.picture, self.frames = Picture(sim), []
        self.picture.set_target(*target)
        self._screen = render.Offscreen(self.picture.model, width, height, camera="view")
        self._every = max(1, round(1.0 / (FPS * SLOWER * TICK)))
        self._count = 0

    def __enter__(self):
        self._screen.__enter__()
        return self

    def __exit__(self, *error):
        self._screen.__exit__(*error)

    def shoot(self, note=""):
        """Take a picture of this tick, if its turn has come."""
        if self._count % self._every == 0:
            self.picture.note = note
            self.frames.append(self.frame())
        self._count += 1

    def frame(self):
        """A picture of the present state: uint8 (height, width, 3)."""
        self.picture.update()
        return self._screen.frame(self.picture.data, self.picture.decorate)


def run(args, out):
    """Reach as `main.py demo` was told to.

    Args:
        args: target, controller, condition, tendon, load, seconds, no_gif. out: folder (Path).

    Returns:
        Result: figures of the reach, a title, the paths written, the recorded rows.

    Raises:
        ArgumentError: the target is refused, or an unknown name was given.
    """
    settings = parameters()
    goal = args.target or settings.vector("default_target", 2).tolist()
    sim = MskArmSim(args.condition, args.load, args.tendon, settings=settings)
    target = TargetCheck(ArmDynamics(sim.rigid_model))(*goal, sim.strength_ceiling())
    if not target.accepted:
        raise ArgumentError(f"--target {goal[0]:g} {goal[1]:g}: {target.words}")
    driver = controller.make(args.controller, settings)
    start, film = sim.end_effector(), None
    if not args.no_gif and render.can_write_gif():
        film = _film(sim, goal)
    if film is None:
        rows = evaluate.record(sim, driver, target, args.seconds)
    else:
        with film:
            rows = evaluate.record(sim, driver, target, args.seconds, film.shoot)
    title = f"{args.controller}, {args.condition}, {args.tendon} tendons, {args.load:g} kg"
    written = _write(out, film, rows, start, target, title)
    return Result(evaluate.figures(rows["hand"], start, goal), title, written, rows)


def _film(sim, goal):
    try:
        return Film(sim, goal)
    except UserError as error:
        print(f"{error}: the GIF is skipped", file=sys.stderr)
        return None


def _write(out, film, rows, start, target, title):
    written = []
    if film is not None:
        written.append(out / "msk_arm_reach.gif")
        render.write_gif(written[-1], film.frames, FPS, COLORS)
    if report.can_plot():
        written.append(out / "msk_arm_trajectory.png")
        plots.trajectory(written[-1], rows, start, target, title)
        written.append(out / "msk_arm_response.png")
        plots.response(written[-1], rows, target, title)
    return written
