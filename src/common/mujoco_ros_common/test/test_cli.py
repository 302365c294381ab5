"""The command line that all main.py share."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from mujoco_ros_common import cli
from mujoco_ros_common.errors import ArgumentError, UserError


def run(argv, function, **options):
    """The exit code of a main.py with one command, `eval`."""
    line = cli.Cli("sys", ".", "A test.")
    line.command("eval", function, help="evaluate", **options).add_argument("--scene")
    try:
        return line.main(argv)
    except SystemExit as end:  # argparse ends by itself
        return end.code


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (None, 0),
        (True, 0),
        (False, 1),
        (np.bool_(True), 0),
        (np.bool_(False), 1),
        (0, 0),
        (1, 1),
        (5, 5),
    ],
)
def test_exit_codes(result, code):
    got = run(["eval"], lambda args: result)
    assert got == code
    assert type(got) is int


@pytest.mark.parametrize(("error", "code"), [(UserError, 1), (ArgumentError, 2)])
def test_an_error_of_the_user_is_one_line_on_standard_error(capsys, error, code):
    def fail(args):
        raise error("expected this, got that")

    assert run(["eval"], fail) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "main.py: expected this, got that\n")


def test_an_interrupt_is_no_stack_trace(capsys):
    def interrupt(args):
        raise KeyboardInterrupt

    assert run(["eval"], interrupt) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("no fog", name="fog"), "expected the Python package fog"),
        (MemoryError("no 8 PiB"), "out of memory: no 8 PiB"),
    ],
)
def test_what_the_machine_lacks_is_one_line(capsys, error, words):
    def fail(args):
        raise error

    assert run(["eval"], fail) == 1
    captured = capsys.readouterr().err
    assert words in captured
    assert len(captured.splitlines()) == 1


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path, capsys):
    done = []
    assert run(["eval", "--json", str(tmp_path)], done.append) == 1
    assert done == []
    assert "expected a place to write to" in capsys.readouterr().err
    assert run(["eval", "--json", str(tmp_path / "new" / "x.json")], done.append) == 0
    assert len(done) == 1
    assert list((tmp_path / "new").iterdir()) == []  # nothing was tried there that stays


def test_other_errors_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run(["eval"], lambda args: 1 / 0)


def test_the_command_may_be_written_as_an_option():
    seen = []
    for first in ("eval", "--eval"):
        run([first, "--seed", "3", "--n", "5", "--scene", "x"], seen.append, seed=7, n=20)
    assert vars(seen[0]) == vars(seen[1])
    assert (seen[0].command, seen[0].seed, seen[0].n, seen[0].scene) == ("eval", 3, 5, "x")


def test_defaults():
    seen = []
    run(["eval"], seen.append, seed=7, n=20, jobs=True)
    assert (seen[0].seed, seen[0].n, seen[0].json, seen[0].jobs, seen[0].dask) == (
        7,
        20,
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["unknown"],
        ["--unknown"],
        ["eval", "--nonsense"],
        ["eval", "--seed", "-1"],
        ["eval", "--seed", "1.5"],
        ["eval", "--n", "0"],
        ["eval", "--n", "many"],
        ["eval", "--jobs", "0"],
        ["eval", "--json"],
        ["eval", "extra"],
    ],
)
def test_wrong_arguments(argv, capsys):
    assert run(argv, lambda args: pytest.fail("ran"), seed=0, n=1, jobs=True) == 2
    assert "main.py" in capsys.readouterr().err


def test_a_command_has_only_the_options_that_it_asked_for(capsys):
    for argv in (["--seed", "1"], ["--n", "1"], ["--jobs", "1"], ["--json", "x"]):
        assert run(["eval", *argv], lambda args: pytest.fail("ran"), json=False) == 2


def test_help_shows_the_commands(capsys):
    assert run(["--help"], None) == 0
    assert "evaluate" in capsys.readouterr().out


def test_emit_prints_the_table_and_writes_the_json(tmp_path, capsys):
    path = tmp_path / "out" / "a.json"
    line = cli.Cli("msk_arm", ".", "")
    results = {"inverse": {"mm": 0.25, "lost": float("nan")}}
    line.command("eval", lambda args: line.emit(args, results, title="T"), "", seed=7, n=20)
    assert line.main(["eval", "--json", str(path), "--n", "9"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "T"
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["results"] == {"inverse": {"mm": 0.25, "lost": None}}
    assert [content[key] for key in ("system", "command", "seed", "n")] == ["msk_arm", "eval", 7, 9]


def test_json_into_a_place_that_is_none_is_one_line(tmp_path, capsys):
    line = cli.Cli("sys", ".", "")
    line.command("eval", lambda args: line.emit(args, {"row": {"x": 1}}), "")
    assert line.main(["eval", "--json", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


NODE = """
    import os, signal, sys, time
    import rospy  # the stand-in beside main.py
    from mujoco_ros_common import errors  # found although nothing is sourced
    print(os.getpid(), *sys.argv[1:], flush=True)
    if "wait" in sys.argv:
        try:
            time.sleep(30)
        except KeyboardInterrupt:
            time.sleep(0.7)  # a node says farewell in its own time
            print("farewell", flush=True)
            sys.exit(7)
    sys.exit(5)
"""
MAIN = """
    import sys
    from pathlib import Path
    from mujoco_ros_common import cli
    line = cli.Cli("sys", Path(__file__).resolve().parent, "")
    line.node("sim", "node.py", "start the node")
    sys.exit(line.main())
"""


@pytest.fixture
def package(tmp_path):
    home = tmp_path / "my 包"
    (home / "scripts").mkdir(parents=True)
    (home / "main.py").write_text(textwrap.dedent(MAIN), encoding="utf-8")
    (home / "rospy.py").write_text("", encoding="utf-8")
    (home / "scripts" / "node.py").write_text(textwrap.dedent(NODE), encoding="utf-8")
    return home


def test_a_node_gets_its_arguments_and_gives_its_exit_code(package):
    command = [sys.executable, str(package / "main.py"), "sim", "_scene:=ball", "a:=b"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=30)
    assert done.returncode == 5
    assert done.stdout.decode().split()[1:] == ["_scene:=ball", "a:=b"]


def test_a_node_takes_the_place_of_main_so_signals_reach_it_and_it_ends_in_its_own_time(package):
    command = [sys.executable, str(package / "main.py"), "sim", "wait"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert int(process.stdout.readline().split()[0]) == process.pid
    time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    assert process.communicate(timeout=10)[0] == b"farewell\n"
    assert process.returncode == 7


def test_without_ros_a_node_is_refused_in_one_line(package):
    (package / "rospy.py").write_text("raise ImportError", encoding="utf-8")
    command = [sys.executable, str(package / "main.py"), "sim"]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, timeout=30)
    assert done.returncode == 1
    assert done.stderr.decode() == (
        "main.py: expected a sourced ROS workspace (rospy), found none\n"
    )
