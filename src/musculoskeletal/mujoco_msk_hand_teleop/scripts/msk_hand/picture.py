"""What a picture of the hand shows beside the bodies: activations as colours, depth as a text."""

from mujoco_ros_common.viewer import add_label

_LABEL_OFFSET = (0.0, 0.0, 0.03)  # m, above what the text is about


def decorate(sim, scene):
    """Colour the tendons of a MskHandSim, and label the button or the ball in a scene.

    MuJoCo 3.2.3's viewer draws no text of its own, but it draws the labels of geoms.

    Args:
        sim: MskHandSim. scene: mujoco.MjvScene that takes the labels.
    """
    sim.color_tendons()
    if sim.button_position() is not None:
        _label(scene, sim.button_position(), f"depth {1e3 * sim.button_depth():.1f} mm")
    if sim.ball_position() is not None:
        _label(scene, sim.ball_position(), f"height {1e3 * sim.ball_center():.1f} mm")


def _label(scene, position, text):
    add_label(scene, [a + b for a, b in zip(position, _LABEL_OFFSET)], text)
