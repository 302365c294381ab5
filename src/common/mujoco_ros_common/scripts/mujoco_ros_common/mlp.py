"""The numpy multilayer perceptron of all systems: forward, backward, fit, save, load."""

import json
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np

from mujoco_ros_common import report
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.optimizers import OPTIMIZERS

# each activation: value(z) and its derivative expressed by the value y
_ACTIVATIONS = {
    "linear": (lambda z: z, np.ones_like),
    "relu": (lambda z: np.maximum(z, 0.0), lambda y: (y > 0.0).astype(y.dtype)),
    "tanh": (np.tanh, lambda y: 1.0 - y * y),
    "sigmoid": (lambda z: 0.5 * (1.0 + np.tanh(0.5 * z)), lambda y: y * (1.0 - y)),
}
_NORMALIZATION = ("input_shift", "input_scale", "output_shift", "output_scale")
# what reading a damaged or foreign file can raise
_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, EOFError, RuntimeError)
_DAMAGE += (ArithmeticError, MemoryError, zipfile.BadZipFile, zlib.error, struct.error)


class WeightsError(UserError):
    """A weight file that is missing, damaged, or of another network."""


class Mlp:
    """A fully connected network that keeps its input and output normalisation with its weights.

    Args:
        sizes: number of units of each layer, input first, e.g. (3, 64, 64, 11).
        hidden: activation of the hidden layers: "relu" or "tanh".
        output: activation of the last layer: "linear", "sigmoid" or "tanh".
        seed: of the initial weights (He 2015: normal, variance 2 / fan-in; biases 0).
    """

    def __init__(self, sizes, hidden="relu", output="linear", seed=0):
        sizes = tuple(int(size) for size in sizes)
        if len(sizes) < 2 or min(sizes) < 1:
            raise ValueError(f"expected at least two layers of at least one unit, got {sizes}")
        for name in (hidden, output):
            if name not in _ACTIVATIONS:
                raise ValueError(f"unknown activation {name!r}, expected {' '.join(_ACTIVATIONS)}")
        self.sizes, self.hidden, self.output = sizes, hidden, output
        self.metadata = {}
        rng = np.random.default_rng(seed)
        self.parameters = []
        for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
            self.parameters.append(rng.normal(0.0, np.sqrt(2.0 / fan_in), (fan_in, fan_out)))
            self.parameters.append(np.zeros(fan_out))
        self.input_shift, self.input_scale = np.zeros(sizes[0]), np.ones(sizes[0])
        self.output_shift, self.output_scale = np.zeros(sizes[-1]), np.ones(sizes[-1])

    def copy(self):
        """An independent network with the same weights, normalisation and metadata."""
        twin = Mlp(self.sizes, self.hidden, self.output)
        twin.parameters = [value.copy() for value in self.parameters]
        for name in _NORMALIZATION:
            setattr(twin, name, getattr(self, name).copy())
        twin.metadata = dict(self.metadata)
        return twin

    def normalize(self, x, y=None):
        """Take mean and standard deviation of x (n, n_in), and of y (n, n_out) where given."""
        self.input_shift, self.input_scale = _standard(x)
        if y is not None:
            self.output_shift, self.output_scale = _standard(y)

    def predict(self, x):
        """Outputs for inputs, each in their own units: ([batch x] n_in) -> ([batch x] n_out)."""
        layer = (np.asarray(x, dtype=float) - self.input_shift) / self.input_scale
        last = len(self.parameters) - 2
        for index in range(0, last + 1, 2):
            z = layer @ self.parameters[index] + self.parameters[index + 1]
            layer = _ACTIVATIONS[self.output if index == last else self.hidden][0](z)
        return layer * self.output_scale + self.output_shift

    def forward(self, x):
        """The raw network on normalised inputs (batch, n_in).

        Returns:
            outputs (batch, n_out) and the cache that `backward` wants.
        """
        layers = [x]
        last = len(self.parameters) - 2
        for index in range(0, last + 1, 2):
            z = layers[-1] @ self.parameters[index] + self.parameters[index + 1]
            layers.append(_ACTIVATIONS[self.output if index == last else self.hidden][0](z))
        return layers[-1], layers

    def backward(self, cache, dy):
        """Gradients of a scalar loss, given its gradient dy (batch, n_out) at the raw outputs.

        Returns:
            gradients in the order of `parameters`, and dx (batch, n_in).
        """
        grads = [None] * len(self.parameters)
        delta = dy * _ACTIVATIONS[self.output][1](cache[-1])
        for index in range(len(self.parameters) - 2, -1, -2):
            below = cache[index // 2]
            grads[index], grads[index + 1] = below.T @ delta, delta.sum(axis=0)
            delta = delta @ self.parameters[index].T
            if index:
                delta = delta * _ACTIVATIONS[self.hidden][1](below)
        return grads, delta

    def jacobian(self, x):
        """d predict / d x at one input (n_in,): (n_out, n_in), in the units of both."""
        x = (np.asarray(x, dtype=float) - self.input_shift) / self.input_scale
        _, cache = self.forward(np.tile(x, (self.sizes[-1], 1)))
        _, dx = self.backward(cache, np.eye(self.sizes[-1]))
        return self.output_scale[:, None] * dx / self.input_scale

    def fit(
        self,
        x,
        y,
        epochs,
        batch_size=64,
        optimizer="adam",
        learning_rate=1e-3,
        seed=0,
        weight_decay=0.0,
        loss_weights=None,
        validation=None,
        progress=True,
    ):
        """Minimise the mean squared error of the normalised outputs, in shuffled minibatches.

        Args:
            x: inputs (n, n_in). y: outputs (n, n_out). Both in their own units.
            epochs: passes over the data; the order of each comes from `seed`.
            optimizer: "adam" or "sgd". learning_rate: a number, or a function epoch -> number.
            weight_decay: added to the gradient of the weights (not of the biases), per weight.
            loss_weights: weight of each output's squared error, (n_out,).
            validation: (x, y) whose loss is shown with the progress.
            progress: show a progress bar on a terminal.

        Returns:
            mean loss of each epoch, (epochs,)

        Raises:
            ValueError: shapes that do not fit, or data that are not finite.
        """
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if x.ndim != 2 or y.ndim != 2 or len(x) != len(y) or len(x) == 0:
            raise ValueError(f"expected x (n, n_in) and y (n, n_out), got {x.shape} and {y.shape}")
        if (x.shape[1], y.shape[1]) != (self.sizes[0], self.sizes[-1]):
            raise ValueError(f"expected {self.sizes[0]} inputs and {self.sizes[-1]} outputs")
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            raise ValueError("expected finite training data")
        xn, yn = self._normalized(x, y)
        weights = 1.0 if loss_weights is None else np.asarray(loss_weights, dtype=float)
        rate = learning_rate if callable(learning_rate) else lambda epoch: learning_rate
        stepper = OPTIMIZERS[optimizer](self.parameters)
        rng = np.random.default_rng(seed)
        losses = np.empty(epochs)
        bar = report.progress(range(epochs), "training", enabled=progress)
        for epoch in bar:
            stepper.learning_rate = rate(epoch)
            order, total = rng.permutation(len(xn)), 0.0
            for start in range(0, len(xn), batch_size):
                rows = order[start : start + batch_size]
                total += self._step(xn[rows], yn[rows], weights, stepper, weight_decay) * len(rows)
            losses[epoch] = total / len(xn)
            if epoch % 10 == 0 or epoch == epochs - 1:
                notes = {"loss": f"{losses[epoch]:.5f}"}
                if validation is not None:
                    notes["validation"] = f"{self.loss(*validation, loss_weights=weights):.5f}"
                bar.set_postfix(notes)
        return losses

    def loss(self, x, y, loss_weights=1.0):
        """Mean squared error of the normalised outputs over x (n, n_in), y (n, n_out)."""
        xn, yn = self._normalized(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        return float((loss_weights * (self.forward(xn)[0] - yn) ** 2).mean())

    def save(self, path, **metadata):
        """Write weights, normalisation and `metadata` (JSON values) to an npz, or nothing."""
        head = {"sizes": self.sizes, "hidden": self.hidden, "output": self.output}
        head["metadata"] = metadata or self.metadata
        arrays = {name: getattr(self, name) for name in _NORMALIZATION}
        arrays.update({f"p{i}": value for i, value in enumerate(self.parameters)})
        with report.atomic(path) as temporary, open(temporary, "wb") as stream:
            np.savez(stream, head=json.dumps(head, sort_keys=True), **arrays)

    @classmethod
    def load(cls, path, sizes=None):
        """Read a network that `save` wrote.

        Args:
            path: the npz file.
            sizes: the layers that the caller needs; others are refused.

        Raises:
            WeightsError: missing, damaged, not finite, or of another shape.
        """
        if not Path(path).is_file():
            raise WeightsError(f"expected network weights at {path}, found none (train them first)")
        try:
            archive = np.load(path, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise ValueError("it holds a single array")
            with archive:
                head = json.loads(str(archive["head"]))
                network = cls(head["sizes"], head["hidden"], head["output"])
                values = [archive[f"p{i}"] for i in range(len(network.parameters))]
                normalization = {name: archive[name] for name in _NORMALIZATION}
                network.metadata = dict(head.get("metadata", {}))
        except _DAMAGE as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise WeightsError(f"{path}: expected network weights, but: {reason}") from None
        if sizes is not None and tuple(sizes) != network.sizes:
            raise WeightsError(f"{path}: expected layers {tuple(sizes)}, got {network.sizes}")
        pairs = list(zip(values, network.parameters))
        pairs += [(normalization[name], getattr(network, name)) for name in _NORMALIZATION]
        if not all(_sound(new, old.shape) for new, old in pairs):
            raise WeightsError(f"{path}: expected finite weights for layers {network.sizes}")
        if min(normalization["input_scale"].min(), normalization["output_scale"].min()) <= 0.0:
            raise WeightsError(f"{path}: expected positive scales")
        network.parameters = values
        for name, value in normalization.items():
            setattr(network, name, value)
        return network

    def _normalized(self, x, y):
        xn = (x - self.input_shift) / self.input_scale
        return xn, (y - self.output_shift) / self.output_scale

    def _step(self, x, y, weights, stepper, weight_decay):
        predicted, cache = self.forward(x)
        error = predicted - y
        grads, _ = self.backward(cache, 2.0 * weights * error / error.size)
        if weight_decay:
            for index in range(0, len(grads), 2):
                grads[index] += weight_decay * self.parameters[index]
        stepper.step(grads)
        return float((weights * error * error).mean())


class Ridge:
    """Affine least squares with a penalty on the slopes, in closed form: the linear baseline.

    Args:
        x: inputs (n, n_in). y: outputs (n, n_out).
        strength: weight of the squared slopes (of standardised inputs), >= 0.
    """

    def __init__(self, x, y, strength=1.0):
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        self.shift, self.scale = _standard(x)
        xn = (x - self.shift) / self.scale
        self.offset = y.mean(axis=0)
        gram = xn.T @ xn + strength * np.eye(x.shape[1])
        self.slopes = np.linalg.solve(gram, xn.T @ (y - self.offset))

    def predict(self, x):
        """([batch x] n_in) -> ([batch x] n_out)"""
        return (np.asarray(x, dtype=float) - self.shift) / self.scale @ self.slopes + self.offset


def _standard(values):
    """Mean and standard deviation of each column; a constant column keeps the scale 1.

    Raises:
        ValueError: data that are not finite.
    """
    values = np.asarray(values, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError("expected finite data")
    mean, scale = values.mean(axis=0), values.std(axis=0)
    # the deviation of a constant column is the rounding of its mean
    return mean, np.where(scale > 1e-12 + 1e-12 * np.abs(mean), scale, 1.0)


def _sound(array, shape):
    """Whether an array has the shape and holds finite floating-point numbers."""
    return array.shape == shape and array.dtype == np.float64 and bool(np.isfinite(array).all())
