"""Settings that contradict the arm, or themselves, are refused in one line."""

import numpy as np
import pytest
from helpers import parameters, settings

from msk_arm import core, plant
from msk_proprioception import contract
from msk_proprioception.names import MUSCLES
from msk_proprioception.settings import LIVE, SensorSettings
from mujoco_ros_common.errors import ArgumentError


def refused(match, **changes):
    with pytest.raises(ArgumentError, match=match) as caught:
        contract.load(parameters(**changes))
    assert "\n" not in str(caught.value)


def test_the_packages_own_settings_agree_with_the_arm():
    s = contract.load()
    np.testing.assert_array_equal(s.moment_arms, plant.moment_arms(plant.build()))
    np.testing.assert_allclose(s.tendon_stiffness, core.tendon_stiffness(), rtol=1e-12)
    assert contract.same_tendons(s)
    assert not contract.same_tendons(settings(tendon_stiffness_n_m=[1e5] * 6))


def test_muscles_in_another_order_are_refused():
    swapped = list(MUSCLES)
    swapped[0], swapped[1] = swapped[1], swapped[0]
    refused("muscle_names: expected shoulder_flexor shoulder_extensor", muscle_names=swapped)
    refused("muscle_names", muscle_names=list(MUSCLES[:5]))


def test_other_moment_arms_and_forces_than_the_models_are_refused():
    arms = settings().moment_arms.ravel().tolist()
    arms[5] = -0.04
    refused("moment_arms_flat: expected the arm's .* for elbow_flexor", moment_arms_flat=arms)
    refused("moment_arms_flat: expected a list of 12", moment_arms_flat=arms[:11])
    refused("max_forces_n: expected the arm's 800.0 for shoulder_flexor", max_forces_n=[700.0] * 6)


def test_a_model_that_was_changed_is_noticed():
    with pytest.raises(ArgumentError, match="max_forces_n"):
        contract.check(settings(), plant.build(strength=0.9))


def test_fibres_that_would_vanish_are_refused():
    refused(
        "resting_lengths_m: expected fibres longer than 0.01 m .* biarticular_flexor",
        resting_lengths_m=[0.18, 0.18, 0.24, 0.24, 0.13, 0.27],
    )
    assert (contract.shortest_fibres(settings(), plant.build()) > 0.05).all()


def test_shortest_fibres_are_what_a_search_over_poses_finds():
    s, model = settings(), plant.build()
    q1, q2 = np.meshgrid(*[np.linspace(*model.jnt_range[j], 40) for j in range(2)])
    poses = np.stack([q1.ravel(), q2.ravel()])
    lengths = s.resting_lengths[:, None] + s.moment_arms @ poses
    lengths -= (s.max_forces / s.tendon_stiffness)[:, None]
    np.testing.assert_allclose(contract.shortest_fibres(s, model), lengths.min(axis=1), atol=1e-12)


@pytest.mark.parametrize("name", sorted(LIVE))
def test_every_live_parameter_is_checked(name):
    kind, low, high = LIVE[name]
    wrong = [None, [1.0]]
    wrong += [low - 1, high + 1, float("nan"), "1"] if kind in (int, float) else ["other", 1]
    for value in wrong:
        with pytest.raises(ArgumentError, match=name):
            SensorSettings(parameters(**{name: value}))


def test_a_wrong_change_changes_nothing():
    s = settings()
    with pytest.raises(ArgumentError):
        s.apply(parameters(delay_s=0.5, noise_scale=-1.0))
    assert s.delay_s == 0.03
