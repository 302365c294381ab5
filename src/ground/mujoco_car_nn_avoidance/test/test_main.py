"""The command line: commands, spellings, exit codes, files."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import car_nn_paths

try:
    import mujoco  # noqa: F401
except ImportError:
    raise unittest.SkipTest("MuJoCo is not installed") from None

MAIN = str(car_nn_paths.PACKAGE / "main.py")


def run(*arguments, cwd=None, env=None, code=0):
    """Run main.py; its output, after checking the exit code and that there is no traceback."""
    done = subprocess.run(
        [sys.executable, MAIN, *arguments],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)

    def test_check_needs_no_environment_at_all(self):
        bare = {"PATH": os.environ.get("PATH", "")}
        self.assertIn("speed_error_pct", run("check", cwd=str(self.out), env=bare))

    def test_the_shell_entry_evaluates_where_nothing_else_is_said(self):
        shell = str(car_nn_paths.PACKAGE / "main.sh")
        path = os.pathsep.join([str(self.out), os.environ.get("PATH", "")])
        (self.out / "python3").symlink_to(sys.executable)
        for arguments, words in (["--version"], "avoidance 0"), ([], "clone.dual"):
            done = subprocess.run(
                ["bash", shell, *arguments],
                cwd=str(self.out),
                env=dict(os.environ, PATH=path, PYTHONPATH=os.pathsep.join(sys.path)),
                stdout=subprocess.PIPE,
                universal_newlines=True,
                timeout=120,
                check=False,
            )
            self.assertEqual(done.returncode, 0)
            self.assertIn(words, done.stdout)

    def test_the_pipeline_in_both_spellings(self):
        out, weights = ["--out", str(self.out)], str(self.out / "weights.npz")
        record = self.out / "collect.json"
        text = run("--collect", "--seconds", "2", *out, "--json", str(record), "--jobs", "1")
        self.assertIn("dataset.npz", text)
        content = json.loads(record.read_text())
        self.assertEqual(content["results"]["all"]["samples"], 300)
        self.assertEqual((content["system"], content["command"]), ("car_nn", "collect"))
        # 300 samples and 2 epochs are too few: the network may fail, and then says so
        done = subprocess.run(
            [sys.executable, MAIN, "train", "--epochs", "2", *out, "--weights", weights],
            stdout=subprocess.PIPE,
            universal_newlines=True,
            check=False,
        )
        metrics = json.loads((self.out / "nn_metrics.json").read_text())["results"]
        passed = all(metrics[f"clone.{s}"]["reached"] for s in ("basic", "slalom", "dual"))
        self.assertEqual(done.returncode, 0 if passed else 1)
        self.assertEqual(metrics["training"]["epochs"], 2)
        self.assertEqual(metrics["labels"]["samples"], 300)

    def test_eval_writes_its_reports(self):
        record = self.out / "eval.json"
        for command in ("eval", "--eval"):
            run(command, "--out", str(self.out), "--json", str(record), "--jobs", "1")
            results = json.loads(record.read_text())["results"]
            self.assertEqual(len(results), 12)
            self.assertTrue(results["clone.slalom"]["reached"])
            with open(str(self.out / "eval_report.csv"), encoding="utf-8") as stream:
                rows = list(csv.DictReader(stream))
            self.assertEqual(len(rows), 9)
            self.assertAlmostEqual(float(rows[0]["time_s"]), results[rows[0]["drive"]]["time_s"])

    def test_the_same_seed_gives_the_same_numbers(self):
        texts = []
        for number in ("one", "two"):
            record = self.out / f"{number}.json"
            arguments = ("--seed", "3", "--noise", "0.3", "--lost", "0.1", "--json", str(record))
            run("diagnose", "--scene", "dual", *arguments)
            texts.append(record.read_text())
        self.assertEqual(*texts)

    def test_diagnose_fails_when_the_drive_does(self):
        self.assertIn("clone.basic", run("diagnose", "--every", "2"))
        self.assertIn("expert.slalom", run("--diagnose", "--policy", "expert", "--scene", "slalom"))

    def test_wrong_arguments_are_2(self):
        for arguments in (
            ["fly"],
            [],
            ["demo", "--scene", "maze"],
            ["train", "--epochs", "0"],
            ["collect", "--seconds", "-1"],
            ["robustness", "--policy", "driver"],
        ):
            with self.subTest(arguments):
                self.assertIn("usage:", run(*arguments, code=2))

    def test_missing_weights_and_data_are_1(self):
        missing = ["--weights", str(self.out / "none.npz"), "--out", str(self.out)]
        self.assertIn("found none", run("eval", *missing, "--policy", "clone", code=1))
        self.assertIn(
            "found none", run("train", *missing, "--data", str(self.out / "none.npz"), code=1)
        )

    def test_version_and_help(self):
        self.assertRegex(run("--version"), r"mujoco_car_nn_avoidance \d+\.\d+\.\d+")
        text = run("--help")
        commands = ("check", "collect", "train", "eval", "demo", "robustness", "diagnose", "bench")
        for command in (*commands, "launch", "sim", "keyboard", "nn", "test"):
            self.assertRegex(text, rf"\n +{command}\s")

    def test_without_ros_nodes_and_launch_say_so(self):
        bare = {"PATH": str(self.out), "PYTHONPATH": ""}
        blocked = self.out / "rospy.py"
        blocked.write_text("raise ImportError('no ROS here')")
        bare["PYTHONPATH"] = str(self.out)
        for command in ("sim", "keyboard", "nn", "launch"):
            self.assertIn("sourced ROS workspace", run(command, env=bare, code=1))


if __name__ == "__main__":
    unittest.main()
