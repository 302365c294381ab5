"""Starting a node: its parameters, and one clear line where it can't start."""

import sys

import rospy

from mujoco_ros_common import config
from mujoco_ros_common.errors import UserError


def read_parameters(path):
    """The parameters of this node: the YAML file, overlaid by the private ones (`~`).

    A private name that the file does not know is warned about: it is most likely misspelt.
    """
    defaults = config.read(path)
    private = rospy.get_param(rospy.get_name(), {})
    unknown = sorted(set(private) - set(defaults.values) - {"diagnostic_period"})
    if unknown:
        rospy.logwarn(
            "unknown parameters are ignored: %s (known: %s)",
            " ".join(unknown),
            " ".join(sorted(defaults.values)),
        )
    return defaults.overlaid(private, rospy.get_name())


def main(name, make, **init):
    """Run a node to its end.

    Args:
        name: the node's name. make: builds the node; what it returns has `run()`.
        init: for rospy.init_node.

    Returns:
        the exit code: 0 when it was shut down, that of the UserError when it could not start,
        or what `run()` returned.
    """
    rospy.init_node(name, **init)
    try:
        return make().run() or 0
    except UserError as error:
        rospy.logfatal("%s", error)
        return error.exit_code
    except rospy.ROSException:
        if not rospy.is_shutdown():  # publishing fails while a node is shut down: no fault
            raise
        return 0
    finally:
        rospy.signal_shutdown("done")
        sys.stdout.flush()
