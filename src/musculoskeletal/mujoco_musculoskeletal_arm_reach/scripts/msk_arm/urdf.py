"""The arm as a URDF for rviz, from the numbers of the MJCF."""

from xml.etree import ElementTree

from msk_arm import plant
from msk_arm.names import JOINTS, MUSCLES
from mujoco_ros_common.model import ids

COLOURS = {"torso": "0.62 0.68 0.76 1", "bone": "0.90 0.87 0.80 1", "skin": "0.86 0.66 0.54 1"}
SHAPES = {  # what is drawn: link -> (kind, radius in m)
    "base_link": ("sphere", 0.045, "torso"),
    "upper_arm": ("cylinder", 0.028, "bone"),
    "forearm": ("cylinder", 0.021, "skin"),
    "hand": ("sphere", 0.016, "skin"),
}


def text():
    """The URDF: links base_link, upper_arm, forearm, hand; joints shoulder, elbow, wrist."""
    model = plant.build()
    bodies = ids(model, "body", ["upper_arm", "forearm"])
    l1 = float(model.body_pos[bodies[1], 0])
    l2 = float(model.site_pos[ids(model, "site", ["hand"])[0], 0])
    robot = ElementTree.Element("robot", name="msk_arm")
    for name, colour in COLOURS.items():
        material = ElementTree.SubElement(robot, "material", name=name)
        ElementTree.SubElement(material, "color", rgba=colour)
    for name, length in (("base_link", 0.0), ("upper_arm", l1), ("forearm", l2), ("hand", 0.0)):
        link = ElementTree.SubElement(robot, "link", name=name)
        _draw(link, name, length)
    for name, body in zip(("upper_arm", "forearm"), bodies):
        _inertia(robot.find(f"./link[@name='{name}']"), model, body)
    ends = (("base_link", "upper_arm", 0.0), ("upper_arm", "forearm", l1))
    for joint, number, (parent, child, x) in zip(JOINTS, ids(model, "joint", JOINTS), ends):
        element = _joint(robot, joint, "revolute", parent, child, x)
        ElementTree.SubElement(element, "axis", xyz=_numbers(model.jnt_axis[number]))
        low, high = model.jnt_range[number].tolist()
        ElementTree.SubElement(
            element,
            "limit",
            lower=repr(low),
            upper=repr(high),
            effort=_effort(model, number),
            velocity="30",
        )
        damping = repr(float(model.dof_damping[number]))
        ElementTree.SubElement(element, "dynamics", damping=damping)
    _joint(robot, "wrist", "fixed", "forearm", "hand", l2)
    _indent(robot)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(robot, encoding="unicode") + "\n"


def _joint(robot, name, kind, parent, child, x):
    element = ElementTree.SubElement(robot, "joint", name=name, type=kind)
    ElementTree.SubElement(element, "parent", link=parent)
    ElementTree.SubElement(element, "child", link=child)
    ElementTree.SubElement(element, "origin", xyz=_numbers([x, 0.0, 0.0]), rpy="0 0 0")
    return element


def _draw(link, name, length):
    kind, radius, material = SHAPES[name]
    visual = ElementTree.SubElement(link, "visual")
    origin = _numbers([length / 2.0, 0.0, 0.0])
    ElementTree.SubElement(visual, "origin", xyz=origin, rpy="0 1.5707963267948966 0")
    geometry = ElementTree.SubElement(visual, "geometry")
    sizes = {"radius": repr(radius)}
    if kind == "cylinder":
        sizes["length"] = repr(length)
    ElementTree.SubElement(geometry, kind, **sizes)
    ElementTree.SubElement(visual, "material", name=material)


def _inertia(link, model, body):
    inertial = ElementTree.SubElement(link, "inertial")
    ElementTree.SubElement(inertial, "origin", xyz=_numbers(model.body_ipos[body]), rpy="0 0 0")
    ElementTree.SubElement(inertial, "mass", value=repr(float(model.body_mass[body])))
    xx, yy, zz = (repr(value) for value in model.body_inertia[body].tolist())
    ElementTree.SubElement(inertial, "inertia", ixx=xx, iyy=yy, izz=zz, ixy="0", ixz="0", iyz="0")


def _effort(model, joint):
    """The most that the muscles can turn the joint with: arms times peak forces (N m)."""
    arms = plant.moment_arms(model)[:, joint]
    peak = model.actuator_gainprm[ids(model, "actuator", MUSCLES), 2]
    return f"{float((arms.clip(min=0.0) * peak).sum()):.6g}"


def _numbers(values):
    return " ".join(repr(float(value)) for value in values)


def _indent(element, level=0):
    """Line breaks for people (ElementTree.indent came with Python 3.9)."""
    if len(element):
        element.text = "\n" + "  " * (level + 1)
        for child in element:
            _indent(child, level + 1)
            child.tail = "\n" + "  " * (level + 1)
        element[-1].tail = "\n" + "  " * level
