"""The network: sizes, ranges, initial weights, training, files."""

import tempfile
import unittest
from pathlib import Path

import car_nn_paths  # noqa: F401
import numpy as np

from car_nn import nn, settings
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.mlp import Mlp, WeightsError

CONFIG = settings.load()


def some_data(n=400, seed=0):
    """Inputs as the car sees them, labels of a simple rule."""
    rng = np.random.default_rng(seed)
    inputs = rng.uniform(0.0, 1.0, (n, 26))
    inputs[:, 25] = rng.uniform(-0.2, 0.2, n)
    steer = inputs[:, 15:25].mean(1) - inputs[:, :10].mean(1) - inputs[:, 25]
    return inputs, np.stack([steer, inputs[:, :25].min(1)], axis=1)


class Network(unittest.TestCase):
    def test_the_recipe(self):
        self.assertEqual(nn.new_network(CONFIG).sizes, (26, 32, 2))
        self.assertEqual(nn.new_network(CONFIG).hidden, "tanh")
        self.assertEqual(nn.new_network(CONFIG).output, "linear")
        self.assertEqual((CONFIG.epochs, CONFIG.batch_size), (300, 64))
        self.assertEqual((CONFIG.learning_rate, CONFIG.train_seed), (0.005, 42))

    def test_he_initial_weights(self):
        w0, b0, w1, b1 = nn.new_network(CONFIG).parameters
        self.assertAlmostEqual(w0.std(), np.sqrt(2.0 / 26.0), delta=0.03)
        self.assertAlmostEqual(w1.std(), np.sqrt(2.0 / 32.0), delta=0.06)
        self.assertFalse(b0.any() or b1.any())

    def test_inputs_are_distances_and_heading_without_units(self):
        inputs = nn.features(np.full(25, 3.0), np.pi / 2.0, 6.0)
        np.testing.assert_allclose(inputs, [0.5] * 25 + [0.5])

    def test_outputs_are_clamped_whatever_comes(self):
        policy = nn.NetworkPolicy(nn.new_network(CONFIG), 6.0)
        rng, outputs = np.random.default_rng(1), []
        for _ in range(200):
            outputs.append(policy.act(rng.uniform(0.0, 6.0, 25), rng.uniform(-9.0, 9.0)))
        steer, throttle = np.array(outputs).T
        self.assertTrue((np.abs(steer) <= 1.0).all() and (throttle >= 0).all())
        self.assertTrue((throttle <= 1.0).all())
        self.assertGreater(steer.std(), 0.05)

    def test_the_heading_moves_the_output_continuously_through_pi(self):
        policy = nn.NetworkPolicy(nn.new_network(CONFIG), 6.0)
        steers = [policy.act(np.full(25, 6.0), np.pi + e)[0] for e in (-1e-4, 1e-4)]
        self.assertAlmostEqual(*steers, delta=1e-3)


class Training(unittest.TestCase):
    def test_learns_and_repeats_itself(self):
        inputs, labels = some_data()
        quick = CONFIG.replaced(epochs=150)
        network, losses = nn.train(quick, inputs, labels, progress=False)
        again, _ = nn.train(quick, inputs, labels, progress=False)
        self.assertEqual(losses.shape, (150,))
        self.assertLess(losses[-1], 0.2 * losses[0])
        error = network.predict(inputs) - labels
        self.assertAlmostEqual(float((error**2).mean()), losses[-1], delta=0.5 * losses[-1])
        for one, same in zip(network.parameters, again.parameters):
            np.testing.assert_array_equal(one, same)
        other, _ = nn.train(quick.replaced(train_seed=1), inputs, labels, progress=False)
        self.assertFalse(np.array_equal(other.parameters[0], network.parameters[0]))

    def test_label_figures(self):
        labels = np.array([[0.5, 1.0], [0.02, 1.0], [-0.3, 0.5], [-0.2, 0.5]])
        got = nn.label_figures(labels)
        self.assertEqual((got["samples"], got["steering_pct"]), (4, 75.0))
        self.assertEqual((got["left_pct"], got["right_pct"]), (25.0, 50.0))
        self.assertEqual(got["throttle_mean"], 0.75)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "weights.npz"

    def test_saved_and_loaded_it_drives_the_same(self):
        network = nn.new_network(CONFIG)
        network.save(self.path, epochs=1)
        distances = np.linspace(0.0, 6.0, 25)
        for policy in (nn.NetworkPolicy.load(self.path, CONFIG),):
            self.assertEqual(
                policy.act(distances, 0.2), nn.NetworkPolicy(network, 6.0).act(distances, 0.2)
            )

    def test_missing_damaged_or_other_weights_are_named(self):
        with self.assertRaisesRegex(WeightsError, "found none"):
            nn.NetworkPolicy.load(self.path, CONFIG)
        Mlp((26, 16, 2), hidden="tanh").save(self.path)
        with self.assertRaisesRegex(WeightsError, r"expected layers \(26, 32, 2\)"):
            nn.NetworkPolicy.load(self.path, CONFIG)
        self.path.write_bytes(self.path.read_bytes()[:200])
        with self.assertRaisesRegex(WeightsError, "expected network weights"):
            nn.NetworkPolicy.load(self.path, CONFIG)

    def test_data_sets_come_back_and_bad_ones_are_named(self):
        inputs, labels = some_data(30)
        nn.save_data(self.path, inputs, labels, np.zeros(30, dtype=int))
        got = nn.load_data(self.path, 25)
        np.testing.assert_array_equal(got[0], inputs)
        np.testing.assert_array_equal(got[1], labels)
        with self.assertRaisesRegex(UserError, r"inputs \(n, 41\)"):
            nn.load_data(self.path, 40)
        inputs[3, 3] = np.nan
        nn.save_data(self.path, inputs, labels, np.zeros(30, dtype=int))
        with self.assertRaisesRegex(UserError, "finite"):
            nn.load_data(self.path, 25)
        self.path.write_text("no data")
        with self.assertRaisesRegex(UserError, "expected a data set, but"):
            nn.load_data(self.path, 25)
        with self.assertRaisesRegex(UserError, "found none"):
            nn.load_data(self.path.with_name("other.npz"), 25)


if __name__ == "__main__":
    unittest.main()
