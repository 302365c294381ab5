"""The parameters of the sensing core, checked; without MuJoCo."""

import numpy as np

from msk_proprioception.names import MAX_DELAY_S, MUSCLES, SPINDLE_MODELS
from mujoco_ros_common.errors import ArgumentError

# scalar parameters that may change while the node runs: kind, lowest, highest
LIVE = {
    "sample_rate_hz": (float, 1.0, 1000.0),
    "delay_s": (float, 0.0, MAX_DELAY_S),
    "length_noise_std_m": (float, 0.0, 0.1),
    "velocity_noise_std_m_s": (float, 0.0, 10.0),
    "force_noise_std_n": (float, 0.0, 1000.0),
    "tendon_extension_noise_std_m": (float, 0.0, 0.1),
    "noise_scale": (float, 0.0, 100.0),
    "random_seed": (int, 0, 2**31 - 1),
    "velocity_filter_tau_s": (float, 0.0, 1.0),
    "minimum_fibre_length_m": (float, 0.001, 0.1),
    "max_gap_s": (float, 0.01, 10.0),
    "input_timeout_s": (float, 0.0, 60.0),
    "stiffness_per_activation_nm_rad": (float, 0.0, 10000.0),
    "firing_rates": (bool, False, True),
    "spindle_model": (str, "", ""),
    "gamma_dynamic_pps": (float, 0.0, 300.0),
    "gamma_static_pps": (float, 0.0, 300.0),
}


class SensorSettings:
    """What the sensing core is told.

    Args:
        parameters: Parameters (config/simulation.yaml, overlaid).

    Attributes: every name of LIVE, and the arrays moment_arms (6, 2) in m/rad, max_forces (6,) in
        N, resting_lengths (6,) in m, tendon_stiffness (6,) in N/m.

    Raises:
        ArgumentError: a parameter is missing or wrong, or the muscles are not in the arm's order.
    """

    def __init__(self, parameters):
        names = parameters.names("muscle_names")
        if tuple(names) != MUSCLES:
            raise ArgumentError(
                f"{parameters.source}: parameter muscle_names: expected {' '.join(MUSCLES)} "
                f"in this order, got {' '.join(names)}"
            )
        n = len(MUSCLES)
        self.moment_arms = parameters.vector("moment_arms_flat", 2 * n, -1.0, 1.0).reshape(n, 2)
        self.max_forces = parameters.vector("max_forces_n", n, 1.0, 1e5)
        self.resting_lengths = parameters.vector("resting_lengths_m", n, 0.01, 2.0)
        self.tendon_stiffness = parameters.vector("tendon_stiffness_n_m", n, 100.0, 1e9)
        self.source = parameters.source
        self.apply(parameters)

    def apply(self, parameters):
        """Take the live parameters from `parameters`; all of them, or none where one is wrong."""
        values = {}
        for name, (kind, low, high) in LIVE.items():
            if kind is bool:
                values[name] = parameters.boolean(name)
            elif kind is str:
                values[name] = parameters.choice(name, SPINDLE_MODELS)
            elif kind is int:
                values[name] = parameters.integer(name, low, high)
            else:
                values[name] = parameters.number(name, low, high)
        vars(self).update(values)

    def noise_std(self):
        """Standard deviations of length, velocity, force and extension noise: (4,)."""
        stds = (
            self.length_noise_std_m,
            self.velocity_noise_std_m_s,
            self.force_noise_std_n,
            self.tendon_extension_noise_std_m,
        )
        return self.noise_scale * np.array(stds)
