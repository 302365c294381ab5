"""Parameters: every wrong one is refused in one line that says what was expected and what came."""

import math

import numpy as np
import pytest

from mujoco_ros_common import config
from mujoco_ros_common.errors import ArgumentError, UserError

HUGE = 10**400  # YAML has whole numbers that no float can hold


def parameters(**values):
    return config.Parameters(values, "here.yaml")


def test_read(tmp_path):
    path = tmp_path / "参数 1.yaml"
    path.write_text("rate: 50.0\nname: 手\nlist: [1, 2]\n", encoding="utf-8")
    read = config.read(path)
    assert read.number("rate") == 50.0
    assert read.text("name") == "手"
    np.testing.assert_array_equal(read.vector("list", 2), [1.0, 2.0])
    assert read.source == str(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a: [1, 2", "expected YAML"),
        (b"a: \xff\xfe", "expected YAML"),
        (b"- 1\n- 2\n", "mapping of parameters, got list"),
        (b"", "mapping of parameters, got NoneType"),
        (b"a: !!python/object/apply:os.getcwd []\n", "expected YAML"),
    ],
)
def test_unreadable_files(tmp_path, content, words):
    path = tmp_path / "p.yaml"
    path.write_bytes(content)
    with pytest.raises(UserError, match=words) as caught:
        config.read(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_missing_file_and_folder(tmp_path):
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(UserError, match="expected a parameter file at") as caught:
            config.read(path)
        assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("get", "value", "result"),
    [
        (lambda p: p.number("a", 0.0, 1.0), 1, 1.0),
        (lambda p: p.number("a"), -0.25, -0.25),
        (lambda p: p.integer("a", 0), 3, 3),
        (lambda p: p.boolean("a"), False, False),
        (lambda p: p.text("a"), "", ""),
        (lambda p: p.choice("a", ["x", "y"]), "y", "y"),
        (lambda p: p.names("a"), ["x"], ["x"]),
        (lambda p: p.vector("a", 2, -1.0, 1.0).tolist(), [1, -0.5], [1.0, -0.5]),
        (lambda p: p.vector("a", 0).tolist(), [], []),
    ],
)
def test_good_values(get, value, result):
    got = get(parameters(a=value))
    assert got == result
    assert type(got) is type(result)


@pytest.mark.parametrize(
    ("get", "values", "words"),
    [
        (
            lambda p: p.number("a", 0.0, 1.0),
            [1.5, -1, True, "1e-3", None, math.nan, [0.5]],
            "a number in [0, 1]",
        ),
        (lambda p: p.number("a", 2.0), [1, HUGE, math.inf], "a number >= 2"),
        (lambda p: p.number("a", high=2.0), [3, -HUGE, -math.inf], "a number <= 2"),
        (lambda p: p.integer("a", 1, 3), [0, 4, 2.0, True, "2"], "a whole number in [1, 3]"),
        (lambda p: p.boolean("a"), [0, 1, "true", None], "true or false"),
        (lambda p: p.text("a"), [1, None, ["x"]], "a text"),
        (lambda p: p.choice("a", {"x": 1, "y": 2}), ["z", 1, [], {}], "one of x y"),
        (lambda p: p.names("a"), ["x", [1], [["x"]], None], "a list of texts"),
        (
            lambda p: p.vector("a", 2, 0.0),
            [[1.0], [1.0, 2.0, 3.0], [1.0, -1.0], [1.0, math.nan], [1.0, True], [1.0, HUGE]],
            "a list of 2 numbers >= 0",
        ),
        (lambda p: p.vector("a"), [1.0, "12", [[1.0]], ["1"], None, {}], "a list of numbers"),
    ],
)
def test_wrong_values(get, values, words):
    for value in values:
        with pytest.raises(ArgumentError) as caught:
            get(parameters(a=value))
        text = str(caught.value)
        assert text.startswith("here.yaml: parameter a: expected " + words), value
        assert text.endswith(f"got {value!r}")
        assert "\n" not in text
        assert caught.value.exit_code == 2


def test_missing_parameter_names_those_there_are():
    with pytest.raises(ArgumentError, match=r"parameter b is missing \(there are: 1 a\)"):
        config.Parameters({"a": 1, 1: 2}).number("b")


def test_overlay_replaces_and_leaves_the_original():
    base = parameters(a=1.0, b=2.0)
    over = base.overlaid({"a": 5.0}, "/node")
    assert (over.number("a"), over.number("b"), base.number("a")) == (5.0, 2.0, 1.0)
    with pytest.raises(ArgumentError, match="^/node: "):
        over.text("a")
