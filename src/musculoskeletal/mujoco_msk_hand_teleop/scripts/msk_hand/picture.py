"""What a picture of the hand shows beside the bodies: activations as colours, depth as a text."""

import math

from mujoco_ros_common.viewer import add_label

_LABEL_OFFSET = (0.0, 0.0, 0.03)  # m, above what the text is about


def decorate(sim, scene):
    """Colour the tendons of a MskHandSim, and label the button or the ball in a scene.

    MuJoCo 3.2.3's viewer draws no text of its own, but it draws the labels of geoms.

    Args:
        sim: MskHandSim. scene: mujoco.MjvScene that takes the labels.
    """
    sim.color_tendons()
    if not math.isnan(sim.button_depth()):
        _label(scene, sim.data.body("button_cap"), f"depth {1e3 * sim.button_depth():.1f} mm")
    if not math.isnan(sim.ball_center()):
        _label(scene, sim.data.body("ball"), f"height {1e3 * sim.ball_center():.1f} mm")


def _label(scene, body, text):
    add_label(scene, body.xpos + _LABEL_OFFSET, text)
