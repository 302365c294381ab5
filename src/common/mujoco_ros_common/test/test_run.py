"""The workspace's `run`, with an interpreter and a catkin_make that only note what is asked."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[4] / "run"
if not RUN.is_file() or shutil.which("dpkg-query") is None:
    pytest.skip("no workspace or no Debian around this package", allow_module_level=True)

PYTHON = """#!/bin/sh
case "$*" in
  *version_info*) echo 3.99 ;;
  *getsitepackages*) mkdir -p "$TRACE.site"; echo "$TRACE.site" ;;
  "-m venv "*)
    mkdir -p "$3/bin"
    cp "$0" "$(dirname "$0")/catkin_make" "$3/bin/"  # where nothing of /opt/ros comes before it
    echo venv >>"$TRACE"
    ;;
  *"-r requirements.txt"*) echo packages >>"$TRACE"; exit "${PIP_FAILS:-0}" ;;
esac
"""
CATKIN_MAKE = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2 ;;
    -DCATKIN_DEVEL_PREFIX=*) devel=${1#*=} ;;
  esac
  shift
done
mkdir -p "$build" "$devel"
echo "export BUILT_IN='$PWD'" >"$devel/setup.bash"
echo build >>"$TRACE"
"""


class Workspace:
    """A folder with `run` in it, and what it has asked for."""

    def __init__(self, root):
        self.root, self.tools, self.trace = root / "my 工作区", root / "tools", root / "trace"
        (self.root / "src").mkdir(parents=True)
        self.tools.mkdir()
        shutil.copy(str(RUN), str(self.root / "run"))
        (self.root / "requirements.txt").write_text("numpy\n")
        self.tool("python", PYTHON)
        self.tool("catkin_make", CATKIN_MAKE)
        # every package that `run` asks for is installed
        self.tool("comm", "#!/bin/sh\n")

    def tool(self, name, text):
        path = self.tools / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run(self, *arguments, **environment):
        """Call it: (exit code, standard output, what was done)."""
        self.trace.write_text("")
        done = subprocess.run(
            [str(self.root / "run"), *arguments],
            env={
                "PATH": f"{self.tools}{os.pathsep}/usr/bin{os.pathsep}/bin",
                "HOME": str(self.tools),
                "PYTHON": str(self.tools / "python"),
                "TRACE": str(self.trace),
                **environment,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout, self.trace.read_text().split()


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path)


ALL = ["venv", "packages", "build"]


def test_nothing_is_done_twice(workspace):
    assert workspace.run("setup") == (0, "", ALL)
    assert workspace.run("setup") == (0, "", [])
    code, out, done = workspace.run("exec", "sh", "-c", 'echo "$BUILT_IN"')
    assert (code, out, done) == (0, f"{workspace.root}\n", [])


def test_what_was_interrupted_is_done_again(workspace):
    code, _, done = workspace.run("setup", PIP_FAILS="1")
    assert code != 0
    assert done == ["venv", "packages"]
    assert workspace.run("setup")[::2] == (0, ALL)
    assert workspace.run("setup")[::2] == (0, [])


def test_new_requirements_are_installed_and_built_with(workspace):
    workspace.run("setup")
    (workspace.root / "requirements.txt").write_text("numpy\nscipy\n")
    assert "packages" in workspace.run("setup")[2]
    assert workspace.run("setup")[2] == []


def test_a_workspace_that_was_moved_is_set_up_anew(workspace):
    workspace.run("setup")
    moved = workspace.root.with_name("moved")
    workspace.root.rename(moved)
    workspace.root = moved
    code, out, done = workspace.run("exec", "sh", "-c", 'echo "$BUILT_IN"')
    assert (code, out, done) == (0, f"{moved}\n", ALL)
    assert workspace.run("setup")[2] == []


def test_a_link_to_the_workspace_is_the_workspace(workspace):
    workspace.run("setup")
    real, workspace.root = workspace.root, workspace.root.with_name("link")
    workspace.root.symlink_to(real)
    assert workspace.run("setup")[::2] == (0, [])


def test_exit_codes(workspace):
    assert workspace.run("exec", "sh", "-c", "exit 7")[0] == 7
    for wrong in (["dance"], ["exec"], ["test", "--fast"], ["setup", "x"], ["venv", "x"]):
        assert workspace.run(*wrong)[::2] == (2, []), wrong
    assert workspace.run("setup", PYTHON="/no/such")[0] == 2
    code, out, _ = workspace.run()
    assert code == 0
    assert "./run demo" in out
