"""The arm on elastic tendons: a spring between each muscle's fibres and the bone, in MuJoCo.

Each muscle gets a fibre of its own, a small mass that slides, on which the muscle acts; a fixed
tendon joins fibre and joints and carries the spring. Its length is its stretch: moment arms times
joint angles, less the fibre's position. It pulls when stretched and is slack otherwise.
"""

from xml.etree import ElementTree

import mujoco

from mujoco_ros_common.errors import ArgumentError, UserError

SLACK = 10.0  # m, more than any tendon can be slack


def stiffness_per_force(settings):
    """Stiffness over peak force (1/m) of a tendon with the strain and length of the settings."""
    strain = settings.number("tendon_strain", low=0.001, high=0.5)
    return 1.0 / (strain * settings.number("tendon_length", low=0.001, high=1.0))


def load(path, settings, muscles):
    """Compile the rigid arm's file with elastic tendons.

    Args:
        path: models/arm.xml. settings: Parameters. muscles: names, which are also the tendons'.

    Returns:
        mujoco.MjModel whose first joints are the arm's, then one slide `<muscle>_fibre` each.

    Raises:
        UserError: the file is missing or not a model. ArgumentError: the tendon is so stiff or so
            little damped that the model's time step cannot carry it.
    """
    try:
        root = ElementTree.parse(str(path)).getroot()
        for muscle in muscles:
            _make_elastic(root, muscle, settings)
        model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    except (OSError, ElementTree.ParseError, ValueError, AttributeError) as error:
        reason = " ".join(str(error).split())
        raise UserError(f"{path}: expected the arm's model, but: {reason}") from None
    return model


def _make_elastic(root, muscle, settings):
    actuator = root.find(f"./actuator/muscle[@name='{muscle}']")
    tendon = root.find(f"./tendon/fixed[@name='{muscle}']")
    stiffness = stiffness_per_force(settings) * float(actuator.get("force"))
    mass = settings.number("fibre_mass", low=0.001, high=1.0)
    damping_time = settings.number("tendon_damping_time", low=0.0, high=0.1)
    _check_step(float(root.find("option").get("timestep")), stiffness, mass, damping_time)

    fibre = f"{muscle}_fibre"
    body = ElementTree.SubElement(root.find("worldbody"), "body", name=fibre)
    ElementTree.SubElement(body, "joint", name=fibre, type="slide", axis="0 1 0")
    ElementTree.SubElement(
        body, "inertial", pos="0 0 0", mass=repr(mass), diaginertia="0.00001 0.00001 0.00001"
    )
    ElementTree.SubElement(tendon, "joint", joint=fibre, coef="-1")
    tendon.set("stiffness", repr(stiffness))
    tendon.set("damping", repr(stiffness * damping_time))
    tendon.set("springlength", f"{-SLACK} 0")
    del actuator.attrib["tendon"]
    actuator.set("joint", fibre)


def _check_step(step, stiffness, mass, damping_time):
    """The semi-implicit Euler step is stable while h^2 k < 4 m + 2 h d, with d = k T.

    The limit is kept by a factor of 1.5, for the muscle and the arm that move along.
    """
    shortest = 1.5 * (step / 2.0 - 2.0 * mass / (step * stiffness))
    if damping_time < shortest:
        raise ArgumentError(
            f"tendon_damping_time: expected at least {shortest:.5f} s for a tendon of "
            f"{stiffness:.0f} N/m in steps of {step:g} s, got {damping_time:g}"
        )
