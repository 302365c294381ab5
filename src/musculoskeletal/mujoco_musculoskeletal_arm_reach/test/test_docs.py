"""The arm's page shows what the package has: pictures, tables, files, messages."""

import json
import re

import pytest

from msk_arm.keyboard import KeyboardPolicy
from msk_arm.names import HOME, METRICS, MUSCLES, PARAMETERS, STATUS_LABELS
from msk_arm.target import WORDS
from mujoco_ros_common import report

PAGE = HOME.parents[2] / "docs" / "musculoskeletal" / "mujoco_musculoskeletal_arm_reach.md"


@pytest.fixture(scope="module")
def page():
    if not PAGE.is_file():
        pytest.skip("the page is not installed")
    return PAGE.read_text(encoding="utf-8")


def table(page, name):
    return re.search(rf"<!-- table:{name} -->\n(.*?)<!-- /table -->", page, re.S).group(1).strip()


def test_pictures_exist_and_are_small(page):
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", page)
    assert len(pictures) >= 10
    for picture in pictures:
        assert 1000 < (PAGE.parent / picture).stat().st_size < 1.5e6, picture


def test_links_lead_somewhere(page):
    for link in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", page):
        assert link.startswith("http") or (PAGE.parent / link).exists(), link


def test_all_tables_are_filled(page):
    names = re.findall(r"<!-- table:(\w+) -->", page)
    assert len(names) == len(set(names)) >= 10
    for name in names:
        assert table(page, name).count("\n") >= 2, name


def test_tables_are_those_of_the_files(page):
    metrics = json.loads(METRICS.read_text(encoding="utf-8"))
    assert table(page, "train").startswith(report.markdown_table(metrics["results"], "row"))
    assert table(page, "parameters") == report.parameter_table(PARAMETERS)


def test_muscles_reasons_and_keys_are_named(page):
    assert all(f"`{name}`" in table(page, "muscles") for name in MUSCLES)
    for code, words in WORDS.items():
        assert f"| {code} | {words} |" in table(page, "reasons")
    for line in KeyboardPolicy().help().splitlines()[1:]:
        assert f"`{line.strip().partition('  ')[0]}`" in table(page, "keys")
    assert f"Float32MultiArray[{len(STATUS_LABELS)}]" in page


def test_files_that_are_named_exist(page):
    files = page.split("## Files")[1]
    modules = re.search(r"scripts/msk_arm/ +(.*?)\nscripts", files, re.S).group(1)
    found = {path.stem for path in (HOME / "scripts" / "msk_arm").glob("*.py")} - {"__init__"}
    assert set(modules.replace("|", " ").split()) == found
    named = re.search(r"launch/ +(.*)", files).group(1).split(", ")
    assert set(named) == {path.stem for path in (HOME / "launch").glob("*.launch")}


def test_the_documented_message_is_valid_yaml(page):
    import yaml  # noqa: PLC0415

    text = re.search(r"geometry_msgs/Point '(.*?)'", page).group(1)
    assert yaml.safe_load(text) == {"x": 0.30, "y": 0.0, "z": -0.10}
