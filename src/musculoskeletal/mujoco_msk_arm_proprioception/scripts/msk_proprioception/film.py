"""A film: the arm reaching on the prediction beside the arm reaching on raw, late senses."""

import sys

import numpy as np

from msk_arm import controller
from msk_arm.picture import Picture
from msk_arm.target import TargetCheck
from msk_proprioception import loop
from msk_proprioception.episodes import Episode, drive, loop_parameters, settings_with
from mujoco_ros_common import render
from mujoco_ros_common.errors import UserError

WIDTH, HEIGHT, FPS = 400, 360, 12.5
TARGETS = ((0.30, -0.30), (0.45, 0.10), (0.40, -0.25))  # m
SECONDS_EACH = 1.6


def can_film():
    """Whether frames can be drawn and written; says in one line why not."""
    try:
        render.backend()
    except UserError as error:
        print(f"the GIF is skipped: {error}", file=sys.stderr)
        return False
    return render.can_write_gif()


def frames(feedback, delay_s, title):
    """Frames (n x height x width x 3) of the arm going from target to target on a feedback."""
    settings = settings_with(1, delay_s)
    episode = Episode(settings, pose=[0.2, 1.0])
    control = controller.make("inverse", loop_parameters(feedback))
    check = TargetCheck(control.dynamics)
    estimator = loop.make_estimator(feedback, settings)
    picture, shots = Picture(episode.sim), []
    every = round(1.0 / (FPS * episode.sim.control_step))
    per_target = round(SECONDS_EACH / episode.sim.control_step)
    seconds = SECONDS_EACH * len(TARGETS)
    control.set_target(check(*TARGETS[0]))
    with render.Offscreen(picture.model, WIDTH, HEIGHT, "view") as screen:
        for k, _, _, _, _ in drive(episode, control, [estimator], seconds, estimator):
            if k % per_target == 0:
                control.set_target(check(*TARGETS[k // per_target]))
                picture.set_target(*TARGETS[k // per_target])
            picture.update()
            if k % every == 0:
                distance = np.hypot(*(episode.sim.end_effector() - TARGETS[k // per_target]))
                picture.note = f"{title} {1e3 * distance:.0f} mm"
                shots.append(screen.frame(picture.data, picture.decorate))
    return shots


def write(path, delay_s=0.06):
    """Write both, side by side, as a GIF."""
    left = frames("predicted", delay_s, "predicted")
    right = frames("delayed", delay_s, "raw")
    both = [np.concatenate(pair, axis=1) for pair in zip(left, right)]
    render.write_gif(path, both, FPS, colors=200)
