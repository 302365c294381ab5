"""Clearance between surfaces, and collision as physical contact."""

import math
import unittest

import car_nn_paths

try:
    import mujoco
    import numpy as np
    from car_nn_worlds import world

    from car_nn import settings
    from car_nn.core import CarEnv
    from mujoco_ros_common.errors import UserError
except ImportError:
    if car_nn_paths.HAS_MUJOCO:
        raise
    raise unittest.SkipTest("MuJoCo is not installed") from None

CONFIG = settings.load()


def outline_points(n=4000):
    """Points all over the car's outline seen from above, in its own frame."""
    t = np.linspace(-1.0, 1.0, n)
    hull = [(0.07 + 0.16 * t, 0.1 * s + 0 * t) for s in (1, -1)]
    hull += [(0.07 + 0.16 * s + 0 * t, 0.1 * t) for s in (1, -1)]
    turn = math.pi * t
    tyres = [(0.05 * np.cos(turn), y + 0.02 * np.sin(turn)) for y in (0.13, -0.13)]
    return np.concatenate([np.stack(part, axis=1) for part in hull + tyres])


class Clearance(unittest.TestCase):
    def test_against_brute_force(self):
        points, rng = outline_points(), np.random.default_rng(2)
        for kind in ("box", "cylinder"):
            for _ in range(10):
                x, y, size, yaw = rng.uniform((0.6, -0.6, 0.05, 0.0), (2.0, 0.6, 0.3, 3.0))
                with world([(kind, x, y, size, yaw)]) as path:
                    env = CarEnv(path, CONFIG)
                pose = rng.uniform((-0.5, -0.4, -3.0), (0.0, 0.4, 3.0))
                c, s = math.cos(pose[2]), math.sin(pose[2])
                placed = points @ np.array([[c, s], [-s, c]]) + pose[:2] - (x, y)
                if kind == "cylinder":
                    expected = np.hypot(*placed.T).min() - size
                else:
                    c, s = math.cos(yaw), math.sin(yaw)
                    local = np.abs(placed @ np.array([[c, -s], [s, c]])) - size
                    expected = np.hypot(*np.maximum(local, 0.0).T).min()
                if expected <= 0.0:
                    continue
                self.assertAlmostEqual(env.clearance_at(*pose), expected, delta=5e-4)

    def test_a_corner_that_points_at_the_flat_side(self):
        with world([("box", 0.20, 0.5, 0.1, math.pi / 4.0)]) as path:
            env = CarEnv(path, CONFIG)
        expected = 0.5 - 0.1 * math.sqrt(2.0) - 0.10
        self.assertAlmostEqual(env.clearance_at(0.0, 0.0, 0.0), expected, places=9)

    def test_is_that_of_the_pose_after_a_tick(self):
        env = CarEnv("basic", CONFIG)
        for _ in range(30):
            env.step(0.6, 0.0)
        nose = env.data.qpos[0] + 0.23
        self.assertAlmostEqual(env.clearance, 3.2 - 0.30 - nose, places=4)

    def test_nothing_near_is_the_limit(self):
        self.assertEqual(CarEnv(settings.MODELS / "car.xml", CONFIG).clearance, CONFIG.range_max)

    def test_a_leaning_obstacle_is_refused(self):
        leaning = '<geom type="box" size="0.1 0.1 0.3" pos="2 0 0.3" euler="0.3 0 0"/>'
        for item in (leaning, '<geom type="sphere" size="0.2" pos="2 0 0.2"/>'):
            with world([item]) as path, self.assertRaisesRegex(UserError, "upright"):
                CarEnv(path, CONFIG)


class Collision(unittest.TestCase):
    def drive(self, obstacles, speed=0.6, ticks=250):
        with world(obstacles) as path:
            env = CarEnv(path, CONFIG)
        for _ in range(ticks):
            env.step(speed, 0.0)
        return env

    def test_into_a_wall_is_a_collision_and_the_wall_holds(self):
        env = self.drive([("box", 1.5, 0.0, 0.3, 0.0)])
        self.assertTrue(env.collided)
        self.assertLess(env.data.qpos[0] + 0.23, 1.2 + 0.02)
        self.assertLess(env.clearance, 0.02)

    def test_every_kind_and_side_registers(self):
        for item in (("cylinder", 1.2, 0.05, 0.05), ("box", 1.2, 0.13, 0.02, 0.5)):
            self.assertTrue(self.drive([item]).collided)
        self.assertTrue(self.drive([("cylinder", -1.0, 0.0, 0.1)], speed=-0.4).collided)

    def test_a_touch_between_two_ticks_counts(self):
        # a thin pole grazed by a tyre for two or three of a tick's ten steps, wherever in the tick
        way = 0.6 * 0.02  # m in a tick
        for part in range(6):
            env = self.drive([("cylinder", 1.0 + part * way / 6, 0.15 + 0.005 - 2e-5, 0.005)])
            self.assertTrue(env.collided, part)
            self.assertGreater(env.pose[0], 2.0)

    def test_a_grazing_touch_counts_and_the_car_goes_on(self):
        env = self.drive([("cylinder", 1.0, 0.15 + 0.05 - 0.002, 0.05)])
        self.assertTrue(env.collided)
        self.assertGreater(env.pose[0], 2.0)

    def test_passing_close_by_is_none(self):
        env = self.drive([("box", 1.5, 0.15 + 0.30 + 0.01, 0.30, 0.0)])
        self.assertFalse(env.collided)
        self.assertGreater(env.pose[0], 2.0)

    def test_standing_on_the_floor_is_none(self):
        self.assertFalse(self.drive([], speed=0.0, ticks=20).collided)

    def test_collided_exactly_when_the_physics_has_a_contact(self):
        with world([("box", 1.0, 0.2, 0.2, 0.4)]) as path:
            env = CarEnv(path, CONFIG)
        obstacle = [g for g in range(env.model.ngeom) if env.model.geom(g).group[0] == 0]
        touched = False
        for _ in range(120):
            env.step(0.5, 0.0)
            mujoco.mj_collision(env.model, env.data)
            touched = touched or bool(np.isin(env.data.contact.geom, obstacle).any())
            if env.clearance > 0.01:
                self.assertFalse(touched)
            self.assertTrue(env.collided or not touched or env.clearance < 0.005)
        self.assertTrue(touched and env.collided)

    def test_a_reset_forgives(self):
        env = self.drive([("box", 1.0, 0.0, 0.3, 0.0)])
        env.reset()
        self.assertFalse(env.collided)


if __name__ == "__main__":
    unittest.main()
