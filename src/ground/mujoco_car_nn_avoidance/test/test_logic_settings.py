"""Parameters, and that the logic runs where there is no MuJoCo."""

import math
import subprocess
import sys
import unittest

from car_nn_paths import PACKAGE

from car_nn import settings
from mujoco_ros_common.errors import ArgumentError

LOGIC = "kinematics scan sensor_noise expert gap nn keyboard messages settings"
# an interpreter in which MuJoCo can't be imported
WITHOUT = "import sys; sys.modules['mujoco'] = None; sys.path.insert(0, {test!r}); "


def run_without_mujoco(code):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(test=str(PACKAGE / "test")) + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        timeout=60,
        check=False,
    )


class Parameters(unittest.TestCase):
    def test_units_are_si(self):
        self.assertAlmostEqual(settings.load().fan, math.radians(60.0))

    def test_changes_overlay_the_file(self):
        self.assertEqual(settings.load(noise_sigma=0.3).noise_sigma, 0.3)
        self.assertEqual(settings.load().noise_sigma, 0.0)

    def test_wrong_ones_are_named_with_what_was_expected(self):
        for changes, words in (
            ({"scene": "maze"}, "scene: expected one of basic slalom dual, got 'maze'"),
            ({"lost_beams": 1.5}, r"lost_beams: expected a number in \[0, 1\], got 1.5"),
            ({"beams": 24}, "beams: expected a whole number >= 25"),
            ({"max_speed": "fast"}, "max_speed: expected a number"),
            ({"range_max": math.nan}, "range_max"),
            ({"start_box": [1.0]}, "start_box: expected a list of 3 numbers"),
        ):
            with self.assertRaisesRegex(ArgumentError, words):
                settings.load(**changes)


class WithoutMujoco(unittest.TestCase):
    def test_the_logic_modules_import(self):
        names = ", ".join(LOGIC.split())
        done = run_without_mujoco(f"import car_nn_paths; from car_nn import {names}")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_main_runs_the_logic_tests_of_one_module(self):
        # one module only: this test itself is among the logic tests
        done = run_without_mujoco(
            f"import runpy; sys.path.insert(0, {str(PACKAGE)!r}); import main; "
            "main.LOGIC = 'test_logic_kin*.py'; sys.exit(main.main(['--test', '--logic-only']))"
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"Ran \d\d tests")

    def test_other_commands_say_what_is_missing(self):
        done = run_without_mujoco(
            f"sys.path.insert(0, {str(PACKAGE)!r}); import main; sys.exit(main.main(['check']))"
        )
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("expected the Python package mujoco", done.stdout)
        self.assertNotIn("Traceback", done.stdout)


if __name__ == "__main__":
    unittest.main()
