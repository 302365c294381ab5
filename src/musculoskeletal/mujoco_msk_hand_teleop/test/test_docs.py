"""The hand's page shows what the package has: pictures, tables, files, parameters."""

import json
import re

import pytest

from msk_hand.keyboard import KeyboardPolicy
from msk_hand.names import HOME, JOINTS, METRICS, MUSCLES, STATE_LABELS
from mujoco_ros_common import report

PAGE = HOME.parents[2] / "docs" / "musculoskeletal" / "mujoco_msk_hand_teleop.md"


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
    assert len(names) >= 10
    for name in names:
        assert table(page, name).count("\n") >= 2, name


def test_training_table_is_that_of_the_weights(page):
    metrics = json.loads(METRICS.read_text())
    assert table(page, "train").startswith(report.markdown_table(metrics["results"], "row"))


def test_joints_muscles_and_keys_are_named(page):
    assert all(f"`{joint}`" in table(page, "joints") for joint in JOINTS)
    assert all(f"`m_{muscle}`" in table(page, "muscles") for muscle in MUSCLES)
    policy = KeyboardPolicy()
    for key, muscle in policy.muscle_keys.items():
        assert re.search(rf"\| `{key}` \| `{muscle}` \|", table(page, "keys"))
    assert f"Float32MultiArray[{len(STATE_LABELS)}]" in page


def test_files_that_are_named_exist(page):
    files = page.split("## Files")[1].split("## ")[0]
    for line in files.strip().splitlines():
        first = line.split()[0].replace("msk_hand_*_node", "msk_hand_sim_node")
        assert (HOME / first).exists(), first
    modules = re.search(r"scripts/msk_hand/ +(.*)", files).group(1).replace("|", " ").split()
    found = {path.stem for path in (HOME / "scripts" / "msk_hand").glob("*.py")} - {"__init__"}
    assert set(modules) == found


def test_the_documented_message_is_valid_yaml(page):
    import yaml  # noqa: PLC0415

    text = re.search(r"geometry_msgs/Point '(.*?)'", page).group(1)
    assert yaml.safe_load(text) == {"x": 0.014, "y": 0.182, "z": 0.085}
