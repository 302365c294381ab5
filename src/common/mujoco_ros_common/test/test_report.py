"""What is written is written whole or not at all, and reads well."""

import json
import os
import stat
import subprocess
import sys

import numpy as np
import pytest

from mujoco_ros_common import report
from mujoco_ros_common.errors import UserError


def test_atomic_writes_and_makes_the_folder(tmp_path):
    path = tmp_path / "新 folder" / "deep" / "a.txt"
    with report.atomic(path) as temporary:
        assert os.path.dirname(temporary) == str(path.parent)
        assert temporary.endswith(".txt")
        with open(temporary, "w", encoding="utf-8") as stream:
            stream.write("new")
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "new"
    assert [entry.name for entry in path.parent.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(error), report.atomic(path) as temporary:
        with open(temporary, "w", encoding="utf-8") as stream:
            stream.write("half")
        raise error
    assert path.read_text(encoding="utf-8") == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_who_reads_the_old_file_reads_all_of_it(tmp_path):
    path = tmp_path / "old.txt"
    path.write_text("old and long")
    with open(str(path), encoding="utf-8") as reader:
        with report.atomic(path) as temporary, open(temporary, "w") as stream:
            stream.write("new")
        assert reader.read() == "old and long"
    assert path.read_text() == "new"


def test_the_mode_is_that_of_any_new_file(tmp_path):
    old = os.umask(0o027)
    try:
        with report.atomic(tmp_path / "a"):
            pass
    finally:
        assert os.umask(old) == 0o027  # and it is left as it was
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_symbolic_link_keeps_pointing_at_its_file(tmp_path):
    (tmp_path / "real.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    report.write_json(tmp_path / "link.json", {})
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text(encoding="utf-8") == "{}\n"


def test_folders_and_places_that_cannot_be_written_are_refused_in_one_line(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in (tmp_path, tmp_path / "file" / "a.json"):
        with pytest.raises(UserError, match="expected a place to write to") as caught:
            report.write_json(path, {})
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)


def test_a_device_is_written_to_not_replaced(tmp_path):
    null = os.stat("/dev/null")
    report.write_json("/dev/null", {"a": 1})
    assert os.stat("/dev/null").st_ino == null.st_ino
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    program = (
        "from mujoco_ros_common import report\n"
        "print('table', flush=True)\n"
        "report.write_json('/dev/stdout', {'a': 1})\n"
    )
    command = [sys.executable, "-c", program]
    piped = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    assert piped == 'table\n{\n "a": 1\n}\n'
    with open(tmp_path / "out", "wb") as stream:
        subprocess.run(command, stdout=stream, check=True)
    assert (tmp_path / "out").read_text(encoding="utf-8") == piped


def test_json_has_one_form_and_null_for_what_json_lacks(tmp_path):
    results = {
        "row": {
            "nan": float("nan"),
            "inf": np.float64("inf"),
            "x": np.float32(0.5),
            "n": np.int64(3),
            "ok": np.bool_(True),
            "array": np.array([1.0, np.nan]),
            "tuple": (1, 2),
            3: None,
        }
    }
    report.write_json(tmp_path / "a.json", report.record("sys", "eval", 7, 20, results))
    content = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert list(content) == ["system", "command", "seed", "n", "python", "mujoco", "results"]
    assert content["python"] == ".".join(map(str, sys.version_info[:3]))
    assert content["results"]["row"] == {
        "nan": None,
        "inf": None,
        "x": 0.5,
        "n": 3,
        "ok": True,
        "array": [1.0, None],
        "tuple": [1, 2],
        "3": None,
    }


def test_json_that_cannot_be_written_leaves_the_old_file(tmp_path):
    report.write_json(tmp_path / "a.json", {"a": 1})
    before = (tmp_path / "a.json").read_bytes()
    with pytest.raises(TypeError):
        report.write_json(tmp_path / "a.json", {"a": 1, "b": object()})
    assert (tmp_path / "a.json").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_csv(tmp_path):
    report.write_csv(tmp_path / "a.csv", [{"x": 1, "y": "a,b"}, {"x": 2, "y": "手"}])
    assert (tmp_path / "a.csv").read_bytes().decode() == 'x,y\r\n1,"a,b"\r\n2,手\r\n'
    for rows in ([], [{"x": 1}, {"z": 1}]):
        with pytest.raises(ValueError):  # noqa: PT011 (the csv module's words)
            report.write_csv(tmp_path / "a.csv", rows)
    assert (tmp_path / "a.csv").read_bytes().decode().startswith("x,y")


RESULTS = {"first": {"mean": 1.23456, "ok": True}, "second row": {"mean": 12.0, "n": 3}}


def test_table_is_aligned_and_leaves_gaps():
    lines = report.text_table(RESULTS, "Title", "who").splitlines()
    assert lines == [
        "Title",
        "who          mean   ok  n",
        "first       1.235  yes",
        "second row     12       3",
    ]
    assert report.text_table({}) == ""


def test_table_is_printed(capsys):
    report.table(RESULTS)
    assert "second row" in capsys.readouterr().out


def test_markdown_table():
    assert report.markdown_table(RESULTS, "who").splitlines() == [
        "| who | mean | ok | n |",
        "|---|---|---|---|",
        "| first | 1.235 | yes |  |",
        "| second row | 12 |  | 3 |",
    ]


def test_show_knows_numpys_types():
    values = (np.bool_(False), np.float32(0.1), np.float64("nan"), np.int32(4), "text", None)
    assert [report.show(v) for v in values] == ["no", "0.1", "nan", "4", "text", "None"]


PAGE = (
    "# A\n<!-- table:one -->\nold\n<!-- /table -->\nmid\n<!-- table:two -->\n<!-- /table -->\nend\n"
)


def test_markers_are_filled_and_filling_again_changes_nothing(tmp_path):
    page = tmp_path / "p.md"
    page.write_text(PAGE, encoding="utf-8")
    report.fill_markers(page, "two", "| 新 |")
    report.fill_markers(page, "one", "| 1 |")
    once = page.read_text(encoding="utf-8")
    assert once == (
        "# A\n<!-- table:one -->\n\n| 1 |\n\n<!-- /table -->\nmid\n"
        "<!-- table:two -->\n\n| 新 |\n\n<!-- /table -->\nend\n"
    )
    report.fill_markers(page, "one", "| 1 |")
    assert page.read_text(encoding="utf-8") == once


@pytest.mark.parametrize(
    "content",
    [
        "nothing",
        "<!-- table:one -->\nnever ends",
        "<!-- /table -->\n<!-- table:one -->",
        "<!-- table:one -->\n<!-- table:two -->\n<!-- /table -->",  # would swallow the other
    ],
)
def test_missing_markers(tmp_path, content):
    page = tmp_path / "p.md"
    page.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match="<!-- table:one -->"):
        report.fill_markers(page, "one", "x")
    assert page.read_text(encoding="utf-8") == content


def test_figure_is_saved_only_when_it_was_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    with report.figure(tmp_path / "a.png", 1, 2) as (_, axes):
        axes[0].plot([0, 1])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ZeroDivisionError), report.figure(tmp_path / "b.png"):
        _ = 1 / 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.png"]


def test_without_matplotlib_one_line_says_so(monkeypatch, capsys):
    monkeypatch.setattr(report.util, "find_spec", lambda name: None)
    assert not report.can_plot()
    assert capsys.readouterr().err.splitlines() == [
        "matplotlib is not installed: the figure is skipped"
    ]
    assert report.versions()["mujoco"] is None


def test_progress_is_silent_without_a_terminal(capsys):
    assert list(report.progress(range(3), "label")) == [0, 1, 2]
    assert capsys.readouterr().err == ""


def test_parameter_table_lists_each_setting_with_its_unit(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("# head: not a parameter\n\nrate: 25.0  # Hz, state\nkeys: [a, b] # a | b\n")
    rows = report.parameter_table(path).splitlines()
    assert rows[2:] == ["| `~rate` | `25.0` | Hz, state |", "| `~keys` | `[a, b]` | a \\| b |"]


def test_parameter_without_a_unit_is_refused(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("rate: 25.0\n")
    with pytest.raises(UserError, match="rate"):
        report.parameter_table(path)


def test_device_that_does_not_exist_is_one_clear_line():
    with pytest.raises(UserError, match="/proc/no/such") as error:
        report.write_json("/proc/no/such.json", {"a": 1})
    assert "\n" not in str(error.value)
