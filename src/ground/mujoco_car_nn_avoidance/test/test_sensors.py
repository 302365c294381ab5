"""The laser against the geometry."""

import math
import unittest

import car_nn_paths

try:
    import mujoco
    import numpy as np
    from car_nn_worlds import world

    from car_nn import settings
    from car_nn.core import CarEnv
    from car_nn.expert import Expert
    from car_nn.sensors import RAY_GROUPS, RayFan, ray_scan
except ImportError:
    if car_nn_paths.HAS_MUJOCO:
        raise
    raise unittest.SkipTest("MuJoCo is not installed") from None

CONFIG = settings.load()
ALL_ROUND = CONFIG.replaced(beams=361, fan=math.pi)


def ray_to_box(origin, angle, box):
    """Distance along a ray to an upright box (x, y, half, yaw), by its own arithmetic."""
    x, y, half, yaw = box
    c, s = math.cos(-yaw), math.sin(-yaw)
    ox, oy = origin[0] - x, origin[1] - y
    p = np.array([c * ox - s * oy, s * ox + c * oy])
    d = np.array([math.cos(angle - yaw), math.sin(angle - yaw)])
    with np.errstate(divide="ignore"):
        slabs = np.sort(np.stack([(-half - p) / d, (half - p) / d]), axis=0)
    enter, leave = slabs[0].max(), slabs[1].min()
    return enter if 0.0 < enter <= leave else math.inf


class Rays(unittest.TestCase):
    def test_the_obstacle_ahead_is_as_far_as_it_is(self):
        env = CarEnv("basic", CONFIG)
        distances = env.scan()
        x = env.laser_position()[0]
        self.assertAlmostEqual(distances[12], 3.2 - 0.30 - x, places=6)
        self.assertEqual(distances.shape, (25,))
        self.assertEqual(distances.max(), CONFIG.range_max)

    def test_alone_the_car_sees_nothing_of_itself_or_the_floor(self):
        env = CarEnv(settings.MODELS / "car.xml", ALL_ROUND)
        self.assertTrue((env.scan() == CONFIG.range_max).all())
        for nose_down in (0.1, -0.1, 0.3):  # also when it pitches
            half = 0.5 * nose_down
            env.data.qpos[3:7] = math.cos(half), 0.0, math.sin(half), 0.0
            mujoco.mj_kinematics(env.model, env.data)
            self.assertTrue((env.scan() == CONFIG.range_max).all())

    def test_lines_on_the_floor_are_no_obstacles(self):
        env = CarEnv(settings.MODELS / "car.xml", ALL_ROUND)
        env.data.qpos[2] = 0.0005 - env.laser_offset[2]  # the beams at the height of the line
        mujoco.mj_kinematics(env.model, env.data)
        self.assertTrue((env.scan() == CONFIG.range_max).all())

    def test_the_scan_is_that_of_the_pose_after_a_tick(self):
        env = CarEnv("basic", CONFIG)
        for _ in range(60):
            env.step(0.6, 0.0)
        ahead = 3.2 - 0.30 - env.data.qpos[0] - env.laser_offset[0]
        self.assertAlmostEqual(env.scan()[12], ahead, delta=3e-4)  # a physics step is 1.2 mm

    def test_without_the_masks_it_would_see_itself(self):
        env = CarEnv(settings.MODELS / "car.xml", ALL_ROUND)
        fan = RayFan(env.model, env.angles, CONFIG.range_max)
        fan._arguments.update(geomgroup=np.ones(6, dtype=np.uint8), bodyexclude=-1)
        self.assertLess(fan.scan(env.data).min(), 0.5)

    def test_rays_and_surfaces_agree_everywhere(self):
        rng = np.random.default_rng(5)
        for _ in range(20):
            box = (*rng.uniform((1.0, -1.0), (3.0, 1.0)), rng.uniform(0.1, 0.4), rng.uniform(0, 3))
            with world([("box", *box)]) as path:
                env = CarEnv(path, ALL_ROUND)
            env.place(*rng.uniform((-1.0, -0.5, -3.0), (0.0, 0.5, 3.0)))
            origin, got = env.laser_position(), env.scan()
            for angle, distance in zip(env.angles + env.world_yaw, got):
                expected = min(ray_to_box(origin, angle, box), CONFIG.range_max)
                self.assertAlmostEqual(distance, expected, places=5)

    def test_one_call_gives_what_single_rays_give(self):
        env = CarEnv("dual", ALL_ROUND)
        env.place(2.0, 0.1, 0.4)
        geom = np.zeros(1, dtype=np.int32)
        for angle, distance in zip(env.angles + env.world_yaw, env.scan()):
            way = np.array([math.cos(angle), math.sin(angle), 0.0])
            car = env.model.body("car").id
            single = mujoco.mj_ray(
                env.model, env.data, env.laser_position(), way, RAY_GROUPS, 1, car, geom
            )
            expected = single if 0.0 <= single <= CONFIG.range_max else CONFIG.range_max
            self.assertAlmostEqual(distance, expected, places=9)

    def test_right_comes_first(self):
        with world([("box", 1.0, -1.0, 0.2, 0.0)]) as path:
            distances = CarEnv(path, CONFIG).scan()
        self.assertLess(distances[:12].min(), 2.0)
        self.assertTrue((distances[12:] == CONFIG.range_max).all())

    def test_a_mirrored_world_gives_the_mirrored_scan_and_command(self):
        boxes = [("box", 1.4, -0.5, 0.3, 0.3), ("cylinder", 2.5, 0.9, 0.2)]
        mirrored = [("box", 1.4, 0.5, 0.3, -0.3), ("cylinder", 2.5, -0.9, 0.2)]
        with world(boxes) as one, world(mirrored) as two:
            first, second = CarEnv(one, CONFIG).scan(), CarEnv(two, CONFIG).scan()
        np.testing.assert_allclose(first, second[::-1], atol=1e-6)
        self.assertLess(first.min(), 1.5)
        steer, throttle = Expert().act(first, 0.1)
        other = Expert().act(second, -0.1)
        self.assertAlmostEqual(steer, -other[0], places=5)
        self.assertEqual(throttle, other[1])
        self.assertGreater(abs(steer), 0.1)

    def test_the_fan_turns_with_the_car_and_starts_at_the_site(self):
        env = CarEnv("basic", CONFIG)
        env.place(1.0, 0.5, 0.7)
        c, s = math.cos(0.7), math.sin(0.7)
        dx, dy, dz = env.laser_offset
        expected = [1.0 + c * dx - s * dy, 0.5 + s * dx + c * dy, env.data.qpos[2] + dz]
        np.testing.assert_allclose(env.laser_position(), expected, atol=1e-3)

    def test_noise_is_in_the_noisy_scan_only(self):
        env = CarEnv("basic", CONFIG.replaced(noise_sigma=0.2, lost_beams=0.2), seed=1)
        truth = ray_scan(env, noisy=False)
        np.testing.assert_array_equal(truth, ray_scan(env, noisy=False))
        self.assertFalse(np.array_equal(ray_scan(env), ray_scan(env)))
        first = ray_scan(CarEnv("basic", env.settings, seed=4))
        again = CarEnv("basic", env.settings, seed=9)
        again.reset(4)
        np.testing.assert_array_equal(first, ray_scan(again))

    def test_more_beams_are_pooled_for_the_network(self):
        with world([("cylinder", 2.0, 0.37, 0.02)]) as path:
            few, many = CarEnv(path, CONFIG), CarEnv(path, CONFIG.replaced(beams=241))
        self.assertEqual(few.sectors(few.scan()).min(), CONFIG.range_max)  # between two beams
        pooled = many.sectors(many.scan())
        self.assertEqual(pooled.shape, (25,))
        self.assertLess(pooled.min(), 2.0)


if __name__ == "__main__":
    unittest.main()
