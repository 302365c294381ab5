"""Learned estimators: features, training that repeats to the bit, files, and their worth."""

import numpy as np
import pytest
from helpers import TICK, quiet, settings

from msk_proprioception import evaluation, nn
from msk_proprioception.names import WEIGHTS
from msk_proprioception.sensors import Sensors
from mujoco_ros_common.mlp import Mlp, WeightsError


def fed(sensing, estimator, n=30, pose=lambda k: np.array([0.1, 0.5]), force=5.0):
    """An estimator that has heard n samples and commands."""
    sensors = Sensors(sensing)
    for k in range(n):
        sample = sensors.sense(k * TICK, pose(k), np.full(6, force))
        if sample is not None:
            estimator.sense(sample)
        estimator.command(k * TICK, np.full(6, 0.01 * k))
    return n * TICK


def test_features_are_the_newest_frames_and_commands_newest_first():
    sensing = quiet(delay_s=0.03)
    features = nn.Features(sensing)
    now = fed(sensing, features, pose=lambda k: np.array([0.01 * k, 0.5]))
    x = features.vector(now)
    frames = x[: nn.FRAMES * nn.PER_FRAME].reshape(nn.FRAMES, nn.PER_FRAME)
    commands = x[nn.FRAMES * nn.PER_FRAME :].reshape(nn.COMMANDS, 6)
    newest = 29 - 3  # taken 30 ms before the last tick
    assert frames[0, :2] == pytest.approx([0.01 * newest, 0.5])
    np.testing.assert_allclose(frames[1:, 0], -0.01 * np.arange(1, nn.FRAMES), atol=1e-12)
    np.testing.assert_allclose(frames[:, 4:], 5.0)
    np.testing.assert_allclose(commands[:, 0], 0.01 * np.arange(29, 29 - nn.COMMANDS, -1))
    assert features.age(now - TICK) == pytest.approx(0.03)


def test_there_are_no_features_before_there_are_enough_frames():
    sensing = quiet(delay_s=0.0)
    features = nn.Features(sensing)
    fed(sensing, features, nn.FRAMES - 1)
    assert features.vector(0) is None
    assert features.age(0) is None
    fed(sensing, features, nn.FRAMES)  # time went back: counted anew
    assert features.vector(nn.FRAMES * TICK) is not None
    features.reset()
    assert features.vector(0) is None


def test_missing_samples_are_filled_in_and_long_gaps_begin_anew():
    sensing = quiet(delay_s=0.0)
    whole, gaps = nn.Features(sensing), nn.Features(sensing)
    sensors = Sensors(sensing)
    for k in range(20):
        sample = sensors.sense(k * TICK, np.array([0.01 * k, 0.5]), np.full(6, 5.0 + k))
        whole.sense(sample)
        if k not in (13, 15, 16):
            gaps.sense(sample)
    np.testing.assert_allclose(gaps.vector(19 * TICK), whole.vector(19 * TICK), atol=1e-3)
    gaps.sense(sensors.sense(40 * TICK, np.array([0.0, 0.5]), np.full(6, 5.0)))
    assert gaps.vector(40 * TICK) is None


@pytest.fixture(scope="module")
def data():
    return nn.dataset(6, 3, 0.03, jobs=1), nn.dataset(3, 4, 0.03, jobs=1)


def test_data_are_the_same_whatever_the_number_of_workers(data):
    (x, y, starts), _ = data
    again = nn.dataset(6, 3, 0.03, jobs=2)
    np.testing.assert_array_equal(x, again[0])
    np.testing.assert_array_equal(y, again[1])
    assert len(starts) == 6 and starts[0] == 0
    assert x.shape == (len(y), nn.FEATURES)
    assert np.isfinite(x).all() and np.isfinite(y).all()
    assert np.abs(y[:, :2]).max() > 0.02  # the joints go on while a sample travels


def test_training_repeats_to_the_bit_and_learns(data, tmp_path):
    (x, y, _), (vx, vy, _) = data
    runs = [nn.train(x, y, (vx, vy), 5, 6, progress=False) for _ in range(2)]
    (first, losses), (second, _) = runs
    for one, two in zip(first, second):
        for a, b in zip(one.parameters, two.parameters):
            np.testing.assert_array_equal(a, b)
    assert losses[-1] < 0.5 * losses[0]
    plain = nn.rmse(np.zeros_like(vy), vy)
    ridge = nn.rmse(first[2].predict(vx), vy)
    assert ridge["q_mrad_rmse"] < 0.5 * plain["q_mrad_rmse"]
    nn.save(first, tmp_path / "w.npz", 0.03, seed=5)
    sensing = settings()
    for kind in ("network", "ridge"):
        estimator = nn.LearnedEstimator(sensing, kind, tmp_path / "w.npz")
        estimate = estimator.estimate(fed(sensing, estimator))
        assert np.isfinite(np.concatenate(estimate[:3])).all()
        assert (estimate.std > 0.0).all()
        assert estimator.trained_delay_s == 0.03


def test_ridge_is_the_closed_form_of_its_normal_equations():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((200, 5)) * [1, 2, 3, 4, 5] + 7.0
    y = x @ rng.standard_normal((5, 4)) + 0.1 * rng.standard_normal((200, 4))
    linear = nn.fit_ridge(x, y, strength=3.0)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    slopes = np.linalg.solve(z.T @ z + 3.0 * np.eye(5), z.T @ (y - y.mean(axis=0)))
    np.testing.assert_allclose(linear.predict(x), z @ slopes + y.mean(axis=0), atol=1e-10)


def test_missing_foreign_and_damaged_weights_are_refused(tmp_path):
    with pytest.raises(WeightsError, match="found none"):
        nn.LearnedEstimator(settings(), "network", tmp_path / "none.npz")
    networks = nn.load_networks(WEIGHTS)
    nn.save(networks, tmp_path / "w.npz", 0.03)
    Mlp((3, 4)).save(tmp_path / "w_ridge.npz", std=[1.0] * 4)
    with pytest.raises(WeightsError, match="expected layers"):
        nn.LearnedEstimator(settings(), "ridge", tmp_path / "w.npz")
    nn.save(networks, tmp_path / "w.npz", 0.03)
    networks[0].save(tmp_path / "w.npz", other="metadata")
    with pytest.raises(WeightsError, match="weights of this estimator"):
        nn.LearnedEstimator(settings(), "network", tmp_path / "w.npz")
    (tmp_path / "w.npz").write_bytes(b"not an archive")
    with pytest.raises(WeightsError, match="expected network weights"):
        nn.LearnedEstimator(settings(), "network", tmp_path / "w.npz")


@pytest.mark.parametrize("delay_s, complains", [(0.03, False), (0.05, True), (0.0, True)])
def test_it_says_so_when_the_delay_is_not_the_one_it_learned(delay_s, complains):
    sensing = settings(delay_s=delay_s)
    estimator = nn.LearnedEstimator(sensing)
    now = fed(sensing, estimator) - TICK
    assert bool(estimator.complaint(now)) == complains
    if complains:
        assert "trained for a delay of 0.03 s" in estimator.complaint(now)


def test_estimators_on_arms_and_seeds_they_have_not_seen():
    """The figures that `eval` holds the system to, on fewer reaches."""
    rows = evaluation.estimator_table(8, 12345, jobs=1)
    assert rows["filter"]["q_mrad_rmse"] < 6.0
    assert rows["filter"]["qd_rad_s_rmse"] < 0.12
    assert rows["filter"]["q_mrad_rmse"] < rows["ridge"]["q_mrad_rmse"]
    assert rows["filter"]["qd_rad_s_rmse"] < rows["ridge"]["qd_rad_s_rmse"]
    assert rows["network"]["q_mrad_rmse"] <= 1.05 * rows["ridge"]["q_mrad_rmse"]
    for name in ("filter", "network", "ridge"):
        assert 0.85 < rows[name]["within_2_std"] <= 1.0
        assert rows[name]["q_mrad_rmse"] < 0.5 * rows["delayed"]["q_mrad_rmse"]
