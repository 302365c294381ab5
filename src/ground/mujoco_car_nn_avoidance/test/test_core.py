"""The plant: reset, replay, pose, limits, errors."""

import math
import shutil
import tempfile
import unittest
from pathlib import Path

import car_nn_paths

try:
    import numpy as np
    from car_nn_worlds import world

    from car_nn import settings
    from car_nn.core import CarEnv
    from mujoco_ros_common.errors import ArgumentError, UserError
    from mujoco_ros_common.model import SimulationError
except ImportError:
    if car_nn_paths.HAS_MUJOCO:
        raise
    raise unittest.SkipTest("MuJoCo is not installed") from None

CONFIG = settings.load()


def wander(env, ticks=150, seed=0):
    """Some driving; the poses."""
    rng, poses = np.random.default_rng(seed), []
    for _ in range(ticks):
        env.step(rng.uniform(0.0, 0.6), rng.uniform(-1.5, 1.5))
        poses.append((*env.pose, *env.twist, env.clearance))
    return np.array(poses)


class Plant(unittest.TestCase):
    def test_starts_at_the_origin_of_its_odometry(self):
        env = CarEnv("basic", CONFIG)
        np.testing.assert_allclose(env.pose, 0.0, atol=1e-12)
        self.assertEqual((env.time, env.heading, env.collided, env.reached), (0, 0, False, False))

    def test_a_reset_replays_exactly(self):
        env = CarEnv("slalom", CONFIG.replaced(noise_sigma=0.1, lost_beams=0.1), seed=3)
        first, scan = wander(env), env.scan()
        env.reset(3)
        np.testing.assert_array_equal(wander(env), first)
        np.testing.assert_array_equal(env.scan(), scan)
        np.testing.assert_array_equal(wander(CarEnv("slalom", env.settings, 3)), first)

    def test_looking_does_not_change_what_happens(self):
        one, two = CarEnv("dual", CONFIG), CarEnv("dual", CONFIG)
        for _ in range(100):
            one.step(0.5, 0.3)
            two.step(0.5, 0.3)
            for _ in range(3):
                two.scan()
        self.assertEqual(one.pose, two.pose)

    def test_time_counts_ticks_of_20_ms(self):
        env = CarEnv("basic", CONFIG)
        wander(env, 50)
        self.assertAlmostEqual(env.time, 1.0)
        self.assertAlmostEqual(env.data.time, 1.0)

    def test_slew_limits_hold_in_the_plant(self):
        env, last = CarEnv("basic", CONFIG), (0.0, 0.0)
        for _ in range(40):
            env.step(0.6, 1.5)
            speed, _, rate = env.twist
            self.assertLess(speed - last[0], 1.05 * 2.0 * env.period)
            self.assertLess(rate - last[1], 1.1 * 8.0 * env.period)
            left, right = env.wheel_speeds  # the wheels roll, they do not slip
            self.assertAlmostEqual(speed, 0.5 * env.radius * (left + right), delta=0.01)
            last = speed, rate

    def test_heading_counts_the_turns(self):
        env, headings = CarEnv("basic", CONFIG), []
        for _ in range(500):
            env.step(0.0, 1.5)
            headings.append(env.heading)
        self.assertGreater(headings[-1], 4.0 * math.pi)
        self.assertLess(np.abs(np.diff(headings)).max(), 0.05)
        self.assertLess(abs(env.pose[2]), math.pi + 1e-9)

    def test_placed_where_it_is_told_at_rest(self):
        env = CarEnv("basic", CONFIG)
        wander(env, 60)
        env.place(1.0, -0.5, 0.8)
        np.testing.assert_allclose(env.pose, (1.0, -0.5, 0.8), atol=1e-9)
        self.assertAlmostEqual(env.heading, 0.8)
        env.step(0.0, 0.0)
        np.testing.assert_allclose(env.twist, 0.0, atol=0.02)

    def test_halt_stops_the_wheels(self):
        env = CarEnv("basic", CONFIG)
        wander(env, 60)
        env.halt()
        self.assertFalse(env.data.ctrl.any())

    def test_reached_is_the_target_line(self):
        env = CarEnv("basic", CONFIG)
        env.place(5.99, 0.0, 0.0)
        self.assertFalse(env.reached)
        env.place(6.0, 0.0, 0.0)
        self.assertTrue(env.reached)

    def test_wheels_turn_as_commanded(self):
        env = CarEnv("basic", CONFIG)
        for _ in range(60):
            env.step(0.5, 0.0)
        np.testing.assert_allclose(env.wheel_speeds, 10.0, rtol=0.02)


class Errors(unittest.TestCase):
    def test_an_unknown_scene_is_named(self):
        with self.assertRaisesRegex(ArgumentError, "unknown scene 'maze'.*basic slalom dual"):
            CarEnv("maze", CONFIG)

    def test_a_missing_model_is_named(self):
        with self.assertRaisesRegex(UserError, "no_such.xml, found none"):
            CarEnv(Path("no_such.xml"), CONFIG)

    def test_a_model_without_a_car_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "other.xml"
            path.write_text("<mujoco><worldbody><body name='x'/></worldbody></mujoco>")
            with self.assertRaisesRegex(UserError, "no .* named"):
                CarEnv(path, CONFIG)

    def test_a_broken_state_stops_the_simulation_and_a_reset_brings_it_back(self):
        env = CarEnv("basic", CONFIG)
        env.data.qvel[0] = math.nan
        with self.assertRaisesRegex(SimulationError, "BADQ|finite"):
            env.step(0.1, 0.0)
        env.reset()
        env.step(0.1, 0.0)
        self.assertTrue(np.isfinite(env.pose).all())

    def test_spaces_and_chinese_characters_in_the_path(self):
        with world([("box", 2.0, 0.0, 0.3, 0.0)], folder="智能 车") as path:
            self.assertLess(CarEnv(path, CONFIG).scan().min(), 2.0)

    def test_a_renamed_copy_of_the_package_finds_its_own_models(self):
        with tempfile.TemporaryDirectory(prefix="路径 ") as folder:
            target = Path(folder) / "models"
            shutil.copytree(str(settings.MODELS), str(target))
            for scene in settings.SCENES:
                CarEnv(target / f"car_scene_{scene}.xml", CONFIG)


if __name__ == "__main__":
    unittest.main()
