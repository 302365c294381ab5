"""The launch prefix that opens a terminal window, or says in one line why it can't."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "in_terminal"
TERMINAL = '#!/bin/sh\nshift\necho "window: $*"\nexec "$@"\n'
NODE = '#!/bin/sh\nfor word; do echo "[$word]"; done\nexit 6\n'


@pytest.fixture
def run(tmp_path):
    """Run in_terminal with a PATH that knows the terminal `goodterm` alone."""
    folder = tmp_path / "my 程序"
    folder.mkdir()
    for name, text in (("goodterm", TERMINAL), ("node.py", NODE)):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(stat.S_IRWXU)

    def call(*arguments, **environment):
        unset = {"DISPLAY", "WAYLAND_DISPLAY"}
        inherited = {key: value for key, value in os.environ.items() if key not in unset}
        done = subprocess.run(
            [sys.executable, str(SCRIPT), *arguments],
            env={**inherited, "PATH": str(folder), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=30,
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    call.node = str(folder / "node.py")
    return call


@pytest.mark.parametrize("display", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_the_terminal_gets_the_command_and_gives_its_exit_code(run, display):
    code, out, err = run("goodterm", "-e", run.node, "a b", "__name:=x", **{display: ":9"})
    assert (code, err) == (6, "")
    assert out == f"window: {run.node} a b __name:=x\n[a b]\n[__name:=x]\n"


def test_none_runs_the_command_where_it_is(run):
    assert run("none", run.node, "__name:=x") == (6, "[__name:=x]\n", "")


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["xterm", "-e", "node"], {"DISPLAY": ":9"}, "xterm, which is not installed; install it"),
        (["goodterm", "-e", "node"], {}, "DISPLAY is not set; set it"),
        (["goodterm", "-e", "node"], {"DISPLAY": ""}, "DISPLAY is not set; set it"),
        ([], {"DISPLAY": ":9"}, "got []"),
        (["none"], {}, "got ['none']"),
    ],
)
def test_one_clear_line_with_the_remedy(run, arguments, environment, words):
    code, out, err = run(*arguments, **environment)
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    for expected in (words, "terminal:='", "terminal:=none", "rosrun"):
        assert expected in err
