"""The car in its scenes: stands still, drives as told, does not drag or tip."""

import unittest

import car_nn_paths

try:
    import mujoco
    import numpy as np

    from car_nn import chassis, settings
    from car_nn.core import CarEnv
    from mujoco_ros_common.model import check, load_model
except ImportError:
    if car_nn_paths.HAS_MUJOCO:
        raise
    raise unittest.SkipTest("MuJoCo is not installed") from None

CONFIG = settings.load()


def names_in_contact(model, data):
    """Pairs of geom names, each sorted."""
    pairs = (data.contact.geom[i] for i in range(data.ncon))
    return sorted(tuple(sorted(model.geom(g).name for g in pair)) for pair in pairs)


class Standing(unittest.TestCase):
    def test_every_scene_rests_on_three_points_without_a_warning(self):
        for scene in settings.SCENES:
            env = CarEnv(scene, CONFIG.replaced(settle_s=0.0))
            model, data = env.model, env.data
            for _ in range(400):
                mujoco.mj_step(model, data)
                check(model, data)
                self.assertLess(np.abs(data.qacc).max(), 100.0)
            self.assertEqual(sum(w.number for w in data.warning), 0)
            self.assertEqual(
                names_in_contact(model, data),
                [("floor", "front_caster"), ("floor", "left_tyre"), ("floor", "right_tyre")],
            )
            self.assertLess(np.abs(data.qvel).max(), 1e-3)
            self.assertLess(np.hypot(*data.qpos[:2]), 1e-3)

    def test_contact_is_there_from_the_first_step(self):
        env = CarEnv("basic", CONFIG.replaced(settle_s=0.0))
        mujoco.mj_forward(env.model, env.data)
        self.assertEqual(env.data.ncon, 3)
        self.assertAlmostEqual(float(env.data.contact.dist.min()), -0.002, places=6)

    def test_the_wheels_carry_four_fifths(self):
        env = CarEnv("basic", CONFIG)
        model, data, force = env.model, env.data, np.zeros(6)
        mujoco.mj_forward(model, data)
        loads = {}
        for i in range(data.ncon):
            mujoco.mj_contactForce(model, data, i, force)
            pair = {model.geom(g).name for g in data.contact.geom[i]}
            loads[(pair - {"floor"}).pop()] = force[0]
        weight = 9.81 * model.body_mass.sum()
        self.assertAlmostEqual(sum(loads.values()), weight, delta=0.01 * weight)
        share = (loads["left_tyre"] + loads["right_tyre"]) / weight
        self.assertAlmostEqual(share, 0.8, delta=0.03)

    def test_masses_and_measures(self):
        env = CarEnv("basic", CONFIG)
        model, data = env.model, env.data
        self.assertEqual(model.body("car").mass[0], 4.0)
        self.assertEqual(model.body("car").ipos.tolist(), [0.04, 0.0, 0.0])
        self.assertEqual((env.track, env.radius, env.wheel_limit), (0.26, 0.05, 60.0))
        rear = data.geom("rear_caster").xpos[2] - model.geom("rear_caster").size[0]
        self.assertAlmostEqual(rear, 0.006, delta=0.001)
        self.assertEqual(model.opt.timestep, 0.002)
        self.assertEqual(env.period, 0.02)


class Driving(unittest.TestCase):
    def test_every_scene_passes_its_check(self):
        for scene in settings.SCENES:
            row, faults = chassis.check_scene(CarEnv(scene, CONFIG))
            self.assertEqual(faults, [])
            self.assertLess(row["speed_error_pct"], 2.0)
            self.assertLess(row["yaw_rate_error_pct"], 5.0)
            self.assertLess(row["pitch_deg"], 1.0)
            self.assertLess(row["drift_m"], 0.005)

    def test_the_check_finds_a_dragging_caster(self):
        env = CarEnv("basic", CONFIG)
        caster = env.model.geom("front_caster").id
        env.model.geom_condim[caster], env.model.geom_priority[caster] = 3, 0
        _, faults = chassis.check_scene(env)
        self.assertTrue(faults)

    def test_the_check_finds_a_blind_laser(self):
        env = CarEnv("basic", CONFIG)
        env.model.geom_group[env.model.geom("obstacle_1").id] = 1
        self.assertRegex(" ".join(chassis.check_scene(env)[1]), "obstacle ahead")

    def test_backwards_and_in_a_curve(self):
        env = CarEnv("basic", CONFIG)
        for speed, rate in ((-0.6, 0.0), (0.6, 1.5), (0.3, -0.8), (0.05, 0.0)):
            env.reset()
            for _ in range(75):
                env.step(speed, rate)
            got_speed, sideways, got_rate = env.twist
            self.assertAlmostEqual(got_speed, speed, delta=0.02 * abs(speed))
            self.assertAlmostEqual(got_rate, rate, delta=0.05 * abs(rate) + 1e-6)
            self.assertLess(abs(sideways), 0.02)  # vy of the car's own frame, also in a curve

    def test_full_braking_does_not_tip(self):
        env, tilt = CarEnv("basic", CONFIG), 0.0
        for speed in (0.6, 0.0, -0.6, 0.6):
            for _ in range(30):
                env.step(speed, 0.0)
                tilt = max(tilt, *map(abs, env.tilt))
        self.assertLess(np.degrees(tilt), 1.0)

    def test_even_without_slew_limits_it_stays_on_its_wheels(self):
        env = CarEnv("basic", CONFIG.replaced(acceleration=1000.0, yaw_acceleration=10000.0))
        for speed, rate in ((0.6, 0.0), (-0.6, 0.0), (0.6, 1.5), (0.0, -1.5)):
            for _ in range(25):
                env.step(speed, rate)
                self.assertLess(np.degrees(max(map(abs, env.tilt))), 1.0)
        self.assertAlmostEqual(env.twist[2], -1.5, delta=0.075)

    def test_zero_speed_holds_still(self):
        env = CarEnv("basic", CONFIG)
        for _ in range(250):
            env.step(0.0, 0.0)
        self.assertLess(np.hypot(*env.pose[:2]), 1e-4)


class Scenes(unittest.TestCase):
    def test_obstacles_stand_where_the_scenes_say(self):
        expected = {
            "basic": [(3.2, 0.0, 0.30)],
            "slalom": [(3.0, 0.0, 0.30), (5.4, -0.85, 0.26)],
            "dual": [(3.0, 0.7, 0.30), (4.8, -0.7, 0.30)],
        }
        for scene, boxes in expected.items():
            env = CarEnv(scene, CONFIG)
            for outline, (x, y, half) in zip(env.obstacles(), boxes):
                np.testing.assert_allclose(outline.mean(axis=0), [x, y], atol=1e-9)
                np.testing.assert_allclose(np.ptp(outline, axis=0), 2 * half, atol=1e-9)
            self.assertEqual(len(env.obstacles()), len(boxes))

    def test_the_target_line_is_drawn_where_it_counts(self):
        for scene in settings.SCENES:
            model = load_model(settings.MODELS / f"car_scene_{scene}.xml")
            self.assertEqual(model.geom("target_line").pos[0], CONFIG.target_x)

    def test_markings_are_seen_by_nobody(self):
        model = load_model(settings.MODELS / "car_scene_dual.xml")
        for name in ("target_line", "start_line"):
            self.assertEqual(model.geom(name).contype[0] | model.geom(name).conaffinity[0], 0)
            self.assertEqual(model.geom(name).group[0], 1)


if __name__ == "__main__":
    unittest.main()
