"""The car's page shows what the package has: pictures, tables, files, parameters, keys."""

import json
import re
import unittest

import car_nn_paths

try:
    from car_nn import settings
    from car_nn.keyboard import KeyboardPolicy
    from mujoco_ros_common import config, report
except ImportError:
    if car_nn_paths.HAS_MUJOCO:
        raise
    raise unittest.SkipTest("a package is not installed") from None

HOME = settings.HOME
PAGE = HOME.parents[2] / "docs" / "ground" / "mujoco_car_nn_avoidance.md"


@unittest.skipUnless(PAGE.is_file(), "the page is not installed")
class Page(unittest.TestCase):
    def setUp(self):
        self.page = PAGE.read_text(encoding="utf-8")

    def table(self, name):
        marked = re.search(rf"<!-- table:{name} -->\n(.*?)<!-- /table -->", self.page, re.S)
        return marked.group(1).strip()

    def test_pictures_exist_and_are_small(self):
        pictures = re.findall(r"!\[.*?\]\((.*?)\)", self.page)
        self.assertGreaterEqual(len(pictures), 8)
        for picture in pictures:
            self.assertTrue(1000 < (PAGE.parent / picture).stat().st_size < 1.5e6, picture)

    def test_links_lead_somewhere(self):
        for link in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)\)", self.page):
            self.assertTrue(link.startswith("http") or (PAGE.parent / link).exists(), link)

    def test_all_tables_are_filled(self):
        names = re.findall(r"<!-- table:(\w+) -->", self.page)
        self.assertGreaterEqual(len(names), 10)
        for name in names:
            self.assertGreaterEqual(self.table(name).count("\n"), 2, name)

    def test_training_table_is_that_of_the_weights(self):
        metrics = json.loads((settings.ASSETS / "nn_metrics.json").read_text(encoding="utf-8"))
        for row in ("labels", "training"):
            table = report.markdown_table({row: metrics["results"][row]})
            self.assertIn(table, self.table("train"))

    def test_network_rows_are_those_of_the_weights(self):
        # measured by train and again by eval: the same network, the same scenes
        metrics = json.loads((settings.ASSETS / "nn_metrics.json").read_text(encoding="utf-8"))
        for scene in settings.SCENES:
            row = f"clone.{scene}"
            line = report.markdown_table({row: metrics["results"][row]}).splitlines()[-1]
            self.assertIn(line, self.table("eval"))

    def test_parameters_and_keys_are_those_of_the_configuration(self):
        self.assertEqual(self.table("parameters"), report.parameter_table(settings.CONFIG))
        policy = KeyboardPolicy(config.read(settings.CONFIG))
        for keys, meaning in policy.bindings():
            row = " ".join(f"`{key}`" for key in keys)
            self.assertIn(f"| {row} | {meaning} |", self.table("keys"))

    def test_files_that_are_named_exist(self):
        files = self.page.split("## Files")[1].split("## ")[0]
        for line in files.strip().splitlines():
            first = line.split()[0].replace("car_nn_*_node", "car_nn_sim_node")
            self.assertTrue((HOME / first).exists(), first)
        modules = re.search(r"scripts/car_nn/ +(.*)", files).group(1).replace("|", " ").split()
        found = {path.stem for path in (HOME / "scripts" / "car_nn").glob("*.py")} - {"__init__"}
        self.assertEqual(set(modules), found)

    def test_the_model_is_as_described(self):
        for scene in settings.SCENES:
            model = (settings.MODELS / f"car_scene_{scene}.xml").read_text(encoding="utf-8")
            places = re.search(rf"\| `{scene}` \| (.*?) \|", self.page).group(1)
            for x, y, half in re.findall(r"\(([\d.]+), (-?[\d.]+)\) ([\d.]+) m", places):
                self.assertRegex(model, rf'size="{half} {half} 0\.20" pos="{x} {y} 0\.20"')
            self.assertEqual(places.count("("), model.count('class="obstacle"'))


if __name__ == "__main__":
    unittest.main()
