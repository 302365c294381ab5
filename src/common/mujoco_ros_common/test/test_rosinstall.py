"""The list of ROS sources for platforms without Noetic binaries."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[4]
ROSINSTALL = ROOT / "rosinstall"
if not ROSINSTALL.is_file():
    pytest.skip("only in the source tree", allow_module_level=True)
config_yaml = pytest.importorskip("wstool.config_yaml")

# the packages that an entry with several of them, or with another name, holds
PACKAGES = {
    "common_msgs": "actionlib_msgs diagnostic_msgs geometry_msgs nav_msgs sensor_msgs shape_msgs "
    "stereo_msgs trajectory_msgs visualization_msgs",
    "ros_comm_msgs": "rosgraph_msgs std_srvs",
    "roscpp_core": "cpp_common roscpp_serialization roscpp_traits rostime",
    "ros": "mk rosbash rosboost_cfg rosbuild rosclean roscreate roslang roslib rosmake rosunit",
    "ros_comm": "message_filters rosbag rosbag_storage roscpp rosgraph roslaunch roslz4 rosmaster "
    "rosmsg rosnode rosout rosparam rospy rosservice rostest rostopic roswtf topic_tools xmlrpcpp",
    "urdf": "urdf urdf_parser_plugin",
}
# what the packages of the entries need of each other (their package.xml, without the system's)
NEEDS = {
    "actionlib": "actionlib_msgs message_generation roscpp rospy rostest std_msgs",
    "class_loader": "cmake_modules",
    "diagnostic_updater": "diagnostic_msgs roscpp rospy rostest std_msgs",
    "dynamic_reconfigure": "message_generation roscpp rospy rosservice rostest std_msgs",
    "gencpp": "genmsg",
    "geneus": "genmsg",
    "genlisp": "genmsg",
    "gennodejs": "genmsg",
    "genpy": "genmsg",
    "kdl_parser": "cmake_modules rosconsole roscpp rostest urdf",
    "message_generation": "gencpp geneus genlisp genmsg gennodejs genpy",
    "message_runtime": "cpp_common genpy roscpp_serialization roscpp_traits rostime",
    "pluginlib": "class_loader cmake_modules rosconsole roslib",
    "robot_state_publisher": "kdl_parser rosbag rosconsole roscpp rostest rostime sensor_msgs tf "
    "tf2_kdl tf2_ros",
    "rosbag_storage": "cpp_common pluginlib roscpp_serialization roscpp_traits roslz4 rostime",
    "rosconsole": "cpp_common rostime rosunit",
    "rosconsole_bridge": "cpp_common rosconsole",
    "rospack": "cmake_modules ros_environment",
    "std_msgs": "message_generation message_runtime",
    "tf": "angles geometry_msgs message_filters rosconsole roscpp rostime roswtf sensor_msgs "
    "tf2_ros",
    "tf2": "geometry_msgs rostime tf2_msgs",
    "tf2_kdl": "cmake_modules ros_environment tf2 tf2_ros",
    "tf2_msgs": "actionlib_msgs geometry_msgs message_generation",
    "tf2_py": "rospy tf2",
    "tf2_ros": "actionlib actionlib_msgs geometry_msgs message_filters roscpp rosgraph rospy "
    "rostest std_msgs tf2 tf2_msgs tf2_py xmlrpcpp",
    "urdf": "cmake_modules pluginlib rosconsole_bridge roscpp rostest",
}
SYSTEM = re.compile(r"python3-.*|xterm")  # rosdep keys
WITHOUT = {"rviz"}  # only its own launch files need it; a platform without it goes without


@pytest.fixture
def entries(monkeypatch):
    """As wstool reads them, with no network."""
    load = yaml.load  # wstool calls that of PyYAML 5, which needs no loader
    monkeypatch.setattr(yaml, "load", lambda stream, Loader=yaml.SafeLoader: load(stream, Loader))
    return config_yaml.get_path_specs_from_uri(str(ROSINSTALL), as_is=True)


def provided(entries):
    found = set()
    for entry in entries:
        found |= set(PACKAGES.get(entry.get_local_name(), entry.get_local_name()).split())
    return found


def test_every_entry_is_a_version_of_a_git_repository(entries):
    assert len(entries) > 30
    for entry in entries:
        assert entry.get_scmtype() == "git"
        assert re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+\.git", entry.get_uri())
        assert re.fullmatch(r"(release/noetic/\w+/)?\d+\.\d+\.\d+(-\d+)?", entry.get_version())


def test_names_are_unique_and_those_of_the_repositories(entries):
    names = [entry.get_local_name() for entry in entries]
    assert len(set(names)) == len(names)
    for entry in entries:
        name, version = entry.get_local_name(), entry.get_version()
        if version.startswith("release/"):
            assert version.split("/")[2] == name
            assert entry.get_uri().endswith("-release.git")
        else:
            assert entry.get_uri().endswith(f"/{name}.git")


def test_packages_of_one_repository_have_one_version(entries):
    versions = {}
    for entry in entries:
        number = entry.get_version().rsplit("/", 1)[-1]
        assert versions.setdefault(entry.get_uri(), number) == number


def test_the_tables_speak_of_entries_that_exist(entries):
    assert set(PACKAGES) <= {entry.get_local_name() for entry in entries}
    assert set(NEEDS) <= provided(entries)


def test_what_the_packages_of_the_workspace_need_is_there(entries):
    found, own, needed = provided(entries), set(), {}
    for path in sorted((ROOT / "src").glob("**/package.xml")):
        tree = ElementTree.parse(str(path)).getroot()
        own.add(tree.findtext("name"))
        for tag in tree:
            if tag.tag == "depend" or tag.tag.endswith("_depend"):
                needed.setdefault(tag.text.strip(), path.parent.name)
    assert {"catkin", "rospy", "std_msgs"} <= set(needed)
    missing = {
        name: user
        for name, user in needed.items()
        if name not in found | own | WITHOUT and not SYSTEM.fullmatch(name)
    }
    assert missing == {}


def test_what_the_entries_need_of_each_other_is_there(entries):
    found = provided(entries)
    missing = {name: set(needs.split()) - found for name, needs in NEEDS.items()}
    assert {name: lacks for name, lacks in missing.items() if lacks} == {}


def test_wstool_accepts_the_file(entries, tmp_path):
    """`wstool init` and `merge` without a download: the workspace lists every entry."""
    multiproject_cmd = pytest.importorskip("wstool.multiproject_cmd")
    config = multiproject_cmd.get_config(str(tmp_path), config_filename=".rosinstall")
    multiproject_cmd.add_uris(config, additional_uris=[str(ROSINSTALL)])
    assert len(config.get_config_elements()) == len(entries)
    multiproject_cmd.cmd_persist_config(config, ".rosinstall")
    kept = config_yaml.get_path_specs_from_uri(str(tmp_path / ".rosinstall"), as_is=True)
    assert [entry.get_version() for entry in kept] == [entry.get_version() for entry in entries]
