#!/usr/bin/env python3
"""The workspace builds, installs, runs and tests in a path with a space and Chinese characters."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import rostest

PACKAGE = "mujoco_msk_hand_teleop"
SOURCE = Path(__file__).resolve().parents[3]
LAYOUT = SOURCE / "common/mujoco_ros_common/cmake/debian_layout.py"
INTERPRETER = (
    f'-DPYTHON_EXECUTABLE="{sys.executable}" '
    f'-DSETUPTOOLS_DEB_LAYOUT=$("{sys.executable}" "{LAYOUT}")'
)
NEEDED = ("common", f"musculoskeletal/{PACKAGE}")


def outside(name):
    """A path variable without what this workspace has put there."""
    spaces = os.environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep)
    ours = [space for space in spaces if Path(space, ".catkin").is_file()]
    ours = [space for space in ours if not space.startswith("/opt/ros")]
    kept = os.environ.get(name, "").split(os.pathsep)
    return os.pathsep.join(
        path for path in kept if path and not any(path.startswith(space) for space in ours)
    )


class Workspace:
    """A copy of the packages in a folder of its own."""

    def __init__(self, prefix):
        self.temporary = tempfile.TemporaryDirectory(prefix=prefix)
        self.root = Path(self.temporary.name)
        for folder in NEEDED:
            shutil.copytree(
                str(SOURCE / folder),
                str(self.root / "src" / folder),
                ignore=shutil.ignore_patterns("__pycache__", "results"),
            )
        self.environment = dict(os.environ, MAKEFLAGS="")
        for name in ("CMAKE_PREFIX_PATH", "PYTHONPATH", "ROS_PACKAGE_PATH", "PKG_CONFIG_PATH"):
            self.environment[name] = outside(name)

    def run(self, command):
        """Run a shell command in the workspace: (exit code, what it printed)."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=str(self.root),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def call(self, command):
        """The same where it must succeed: what it printed."""
        code, output = self.run(command)
        if code:
            raise AssertionError(f"{command}: exit code {code}\n{output[-4000:]}")
        return output

    def home(self, space):
        """Where the hand's files are found when a space is sourced."""
        program = "from msk_hand import names; print(names.HOME)"
        return self.call(f'source {space}/setup.bash && "{sys.executable}" -c "{program}"')


class HandSpaces(unittest.TestCase):
    def workspace(self, prefix):
        workspace = Workspace(prefix)
        self.addCleanup(workspace.temporary.cleanup)
        return workspace

    def test_install_space_in_a_path_with_chinese_characters(self):
        workspace = self.workspace("工作区")
        workspace.call(f"catkin_make install {INTERPRETER}")
        shutil.rmtree(str(workspace.root / "src"))  # nothing of it is needed
        output = workspace.call(
            f"source install/setup.bash && rosrun {PACKAGE} demo.py --out pictures"
        )
        self.assertTrue(list((workspace.root / "pictures").glob("*.gif")), output)
        self.assertIn(str(workspace.root / "install"), workspace.home("install"))

    def test_devel_space_in_a_path_with_a_space_and_chinese_characters(self):
        workspace = self.workspace("a work space 工作区 ")
        workspace.call(f"catkin_make {INTERPRETER}")
        self.assertIn(str(workspace.root / "src"), workspace.home("devel"))
        target = f"run_tests_{PACKAGE}_rostest_hand_timeout"
        workspace.call(f"source devel/setup.bash && catkin_make {target}")
        summary = workspace.call("catkin_test_results build")
        self.assertRegex(summary, r"[1-9]\d* tests, 0 errors, 0 failures")
        code, output = workspace.run("catkin_make install")
        self.assertEqual(code, 1)
        self.assertIn("catkin cannot install in a path with a space", output)


if __name__ == "__main__":
    rostest.rosrun(PACKAGE, "hand_spaces", HandSpaces, sys.argv)
