"""Whole drives: shipped network, teacher, baseline, noise, collection, training, the tour."""

import json
import tempfile
import unittest
from pathlib import Path

import car_nn_paths

try:
    import numpy as np
    from car_nn_worlds import world

    from car_nn import evaluate, nn, settings
    from car_nn.collect import collect, explore, place_at_random
    from car_nn.core import CarEnv
    from car_nn.diagnose import diagnose
    from car_nn.episode import drive
    from car_nn.expert import Expert
    from car_nn.kinematics import drive_command
    from car_nn.tour import Tour
    from mujoco_ros_common.errors import ArgumentError
except ImportError:
    if car_nn_paths.HAS_MUJOCO:
        raise
    raise unittest.SkipTest("MuJoCo is not installed") from None

CONFIG = settings.load()
TIMES_TO_BEAT = {"basic": 17.70, "slalom": 18.62, "dual": 15.98}  # s


class Fixed:
    """A policy that always says the same."""

    def __init__(self, steer, throttle):
        self.command = steer, throttle

    def act(self, distances, heading):
        return self.command


class Drives(unittest.TestCase):
    def test_all_policies_arrive_everywhere_without_contact(self):
        drives = evaluate.scenes(CONFIG, settings.WEIGHTS)
        self.assertEqual(len(drives), 9)
        for name, result in drives.items():
            with self.subTest(name):
                self.assertTrue(result.passed)
                self.assertGreater(result.clearance_m, 0.1)
                self.assertLess(result.time_s, TIMES_TO_BEAT[result.scene])
                self.assertGreaterEqual(result.final_x_m, CONFIG.target_x)
                self.assertGreater(result.min_ray_m, result.clearance_m)
        rows = evaluate.summary(drives)
        self.assertAlmostEqual(
            rows["clone"]["time_s"], np.mean([drives[f"clone.{s}"].time_s for s in TIMES_TO_BEAT])
        )
        self.assertEqual(
            list(rows["clone.basic"]),
            ["reached", "contacts", "time_s", "clearance_m", "min_ray_m", "max_steer", "final_x_m"],
        )

    def test_a_worse_policy_gets_a_worse_report(self):
        env = CarEnv("basic", CONFIG)
        straight = drive(env, Fixed(0.0, 1.0))
        self.assertTrue(straight.contact)
        self.assertFalse(straight.passed or straight.reached)
        self.assertLess(straight.clearance_m, 0.01)
        asleep = drive(CarEnv("basic", CONFIG.replaced(timeout_s=2.0)), Fixed(0.0, 0.0))
        self.assertFalse(asleep.reached or asleep.contact)
        self.assertAlmostEqual(asleep.time_s, 2.0)
        circle = drive(CarEnv("basic", CONFIG.replaced(timeout_s=2.0)), Fixed(-0.7, 0.5))
        self.assertEqual(circle.max_steer, 0.7)

    def test_the_track_is_what_was_driven(self):
        result = drive(CarEnv("dual", CONFIG), Expert())
        self.assertEqual(result.track.shape[1], 6)
        self.assertAlmostEqual(result.track[-1, 0], result.time_s)
        self.assertAlmostEqual(result.track[-1, 1], result.final_x_m)
        length = np.hypot(*np.diff(result.track[:, 1:3], axis=0).T).sum()
        self.assertLess(length / result.time_s, CONFIG.max_speed)

    def test_clearance_is_measured_without_noise(self):
        noisy = CONFIG.replaced(noise_sigma=0.4, lost_beams=0.2)
        result = drive(CarEnv("basic", noisy), Expert(), seed=1)
        truth = drive(CarEnv("basic", CONFIG), Expert())
        self.assertGreater(result.min_ray_m, 0.3)  # the noisy minimum is near 0
        self.assertAlmostEqual(result.clearance_m, truth.clearance_m, delta=0.25)

    def test_the_noise_seed_decides(self):
        env = CarEnv("basic", CONFIG.replaced(noise_sigma=0.3, lost_beams=0.1))
        one, same, other = (drive(env, Expert(), seed=s).clearance_m for s in (1, 1, 2))
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)

    def test_the_network_stands_the_strongest_noise(self):
        policy = evaluate.make_policy("clone", CONFIG, settings.WEIGHTS)
        for scene in settings.SCENES:
            for sigma, lost in ((0.4, 0.2), (0.0, 0.2), (0.4, 0.0)):
                env = CarEnv(scene, CONFIG.replaced(noise_sigma=sigma, lost_beams=lost))
                self.assertTrue(drive(env, policy, seed=11).passed)

    def test_a_mirrored_world_mirrors_the_teachers_drive(self):
        results = []
        for side in (1.0, -1.0):
            with world([("box", 3.0, 0.2 * side, 0.3, 0.0)]) as path:
                results.append(drive(CarEnv(path, CONFIG), Expert()))
        self.assertTrue(results[0].passed and results[1].passed)
        self.assertAlmostEqual(results[0].track[-1, 2], -results[1].track[-1, 2], delta=0.02)
        self.assertLess(results[0].track[-1, 2], -0.3)

    def test_policies_by_name(self):
        for name in ("clone", "nn"):
            self.assertIsInstance(
                evaluate.make_policy(name, CONFIG, settings.WEIGHTS), nn.NetworkPolicy
            )
        with self.assertRaisesRegex(ArgumentError, "unknown policy 'driver'"):
            evaluate.make_policy("driver", CONFIG, settings.WEIGHTS)

    def test_robustness_counts_every_run(self):
        quick = CONFIG.replaced(timeout_s=0.1)
        cells = evaluate.robustness(quick, Fixed(0.0, 1.0), seed=0, n=2, jobs=1)
        self.assertEqual(len(cells), 18)
        rows = evaluate.robustness_rows(cells)
        self.assertEqual(rows["robustness"]["runs"], 18 * 3 * 2)
        self.assertEqual(rows["robustness"]["passed"], 0)
        self.assertEqual(len(rows), 19)

    def test_robustness_lets_the_policy_see_the_faults_of_its_cell(self):
        seen = []

        class Watcher:
            def act(self, distances, heading):
                seen.append(distances.copy())
                return 0.0, 0.0

        quick = CONFIG.replaced(timeout_s=CONFIG.substeps * 0.002)  # one tick
        cells = evaluate.robustness(quick, Watcher(), seed=3, n=2, jobs=1)
        truth = {scene: CarEnv(scene, CONFIG).scan(noisy=False) for scene in settings.SCENES}
        scans = np.array(seen).reshape(len(cells), len(settings.SCENES), 2, -1)
        for (sigma, lost), cell in zip(cells, scans):
            for scene, pair in zip(settings.SCENES, cell):
                echo = truth[scene] < CONFIG.range_max
                off = np.abs(pair - truth[scene])[:, echo]
                self.assertEqual(bool(off.any()), sigma > 0.0 or (pair == 6.0)[:, echo].any())
                self.assertTrue((pair[:, ~echo] == CONFIG.range_max).all())
            if sigma > 0.0 and lost == 0.0:
                spread = np.concatenate(
                    [(p - truth[s])[:, truth[s] < 6.0].ravel() for s, p in zip(truth, cell)]
                )
                self.assertTrue(0.4 * sigma < spread.std() < 2.0 * sigma, (sigma, spread))
        gone = [(cell == CONFIG.range_max).mean() for cell in scans[:3]]
        self.assertTrue(gone[0] <= gone[1] <= gone[2] and gone[0] < gone[2], gone)

    def test_diagnosis_tells_the_drive(self):
        with tempfile.TemporaryFile("w+") as stream:
            result, spread = diagnose(CarEnv("basic", CONFIG), Expert(), 0.5, stream=stream)
            stream.seek(0)
            lines = stream.read().splitlines()
        self.assertEqual(len(lines), 2 + len(range(0, len(result.track) - 1, 25)))
        self.assertEqual(len({len(line) for line in lines}), 1)
        self.assertEqual(spread["samples"], len(result.track) - 1)
        self.assertGreater(spread["steering_pct"], 5.0)


class Learning(unittest.TestCase):
    def test_collected_labels_are_the_teachers_and_both_sides_are_there(self):
        inputs, labels, scenes = collect(CONFIG, seed=1)
        self.assertEqual((inputs.shape, labels.shape), ((3000, 26), (3000, 2)))
        self.assertEqual(np.bincount(scenes).tolist(), [1000, 1000, 1000])
        for index in range(0, 3000, 97):
            distances = inputs[index, :25] * CONFIG.range_max
            expected = Expert().act(distances, inputs[index, 25] * np.pi)
            np.testing.assert_allclose(labels[index], expected, atol=1e-9)
        figures = nn.label_figures(labels)
        self.assertGreater(figures["steering_pct"], 50.0)
        self.assertGreater(min(figures["left_pct"], figures["right_pct"]), 15.0)

    def test_the_seed_decides_and_the_workers_do_not(self):
        quick = CONFIG.replaced(collect_s=2.0)
        one, same, other = collect(quick, 5), collect(quick, 5, jobs=2), collect(quick, 6)
        for a, b in zip(one, same):
            np.testing.assert_array_equal(a, b)
        self.assertFalse(np.array_equal(one[0], other[0]))

    def test_exploring_starts_in_the_scene_and_again_elsewhere(self):
        env = CarEnv("basic", CONFIG.replaced(restart_s=1.0, collect_s=3.0))
        starts, place = [], env.place

        def noted(*pose):
            starts.append(pose)
            place(*pose)

        env.place = noted
        inputs, _ = explore(env, Expert(), 0)
        self.assertAlmostEqual(inputs[0, 25], 0.0)
        self.assertGreaterEqual(len(starts), 2)
        self.assertAlmostEqual(inputs[100, 25] * np.pi, starts[-1][2], places=6)

    def test_random_places_keep_their_distance(self):
        env, rng = CarEnv("dual", CONFIG), np.random.default_rng(0)
        for _ in range(30):
            place_at_random(env, rng)
            self.assertGreaterEqual(env.clearance, 0.3)

    def test_training_from_nothing_gives_a_network_that_arrives(self):
        inputs, labels, _ = collect(CONFIG, seed=2)
        network, losses = nn.train(CONFIG, inputs, labels, progress=False)
        self.assertLess(losses[-1], 0.1 * losses[0])
        policy = nn.NetworkPolicy(network, CONFIG.range_max)
        for scene in settings.SCENES:
            self.assertTrue(drive(CarEnv(scene, CONFIG), policy).passed)

    def test_the_shipped_metrics_are_those_of_the_shipped_weights(self):
        metrics = json.loads((settings.ASSETS / "nn_metrics.json").read_text(encoding="utf-8"))
        network = nn.NetworkPolicy.load(settings.WEIGHTS, CONFIG).network
        self.assertEqual(network.metadata["epochs"], metrics["results"]["training"]["epochs"])
        self.assertEqual(network.metadata["samples"], metrics["n"])
        self.assertEqual(network.metadata["seed"], metrics["seed"])
        self.assertEqual(metrics["n"], 3000)


class Tours(unittest.TestCase):
    def finish(self, tour, policy, before=0):
        """Drive all scenes of a tour, after some ticks without a command in each."""
        s, going, waited = CONFIG, True, 0
        while going:
            env, twist = tour.env, None
            if waited >= before:
                distances = env.sectors(env.scan())
                twist = drive_command(
                    *policy.act(distances, env.heading), s.max_speed, s.max_yaw_rate
                )
            waited += 1
            if tour.step(twist) is not None:
                going, waited = tour.next_scene(), 0

    def test_is_the_same_drive_as_without_it(self):
        tour = Tour(["dual", "basic"], CONFIG, 0)
        self.finish(tour, Expert())
        self.assertEqual(list(tour.drives), ["ros.dual", "ros.basic"])
        for scene in ("dual", "basic"):
            alone = drive(CarEnv(scene, CONFIG), Expert())
            for name, value in tour.drives[f"ros.{scene}"].figures().items():
                self.assertAlmostEqual(value, alone.figures()[name], places=9)

    def test_the_clock_runs_from_the_first_command(self):
        tour, late = Tour(["basic"], CONFIG, 0), Tour(["basic"], CONFIG, 0)
        self.finish(tour, Expert())
        self.finish(late, Expert(), before=100)
        one, two = tour.drives["ros.basic"], late.drives["ros.basic"]
        self.assertAlmostEqual(one.time_s, two.time_s, delta=0.05)

    def test_a_tour_without_commands_after_the_first_runs_out_of_time(self):
        tour = Tour(["basic"], CONFIG.replaced(timeout_s=1.0), 0)
        self.assertIsNone(tour.step((0.1, 0.0)))
        ended = [tour.step(None) for _ in range(49)]
        self.assertEqual(ended[:-1], [None] * 48)
        self.assertFalse(ended[-1].reached)
        self.assertFalse(tour.next_scene())

    def test_a_reset_begins_the_scene_anew(self):
        tour = Tour(["basic"], CONFIG, 0)
        for _ in range(200):
            tour.step((0.5, 0.5))
        tour.env.reset()
        tour.restart_scene()
        self.finish(tour, Expert())
        alone = drive(CarEnv("basic", CONFIG), Expert())
        self.assertAlmostEqual(tour.drives["ros.basic"].time_s, alone.time_s)

    def test_its_report_is_written(self):
        tour = Tour(["basic"], CONFIG, 0)
        self.finish(tour, Expert())
        with tempfile.TemporaryDirectory() as folder:
            tour.write(folder)
            record = json.loads((Path(folder) / "ros_report.json").read_text())
            self.assertTrue(record["results"]["ros.basic"]["reached"])
            header, row = (Path(folder) / "ros_report.csv").read_text().splitlines()
            self.assertEqual(row.split(",")[header.split(",").index("drive")], "ros.basic")


if __name__ == "__main__":
    unittest.main()
