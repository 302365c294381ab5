"""What a real range finder does to a scan: lost beams and noise."""

import numpy as np


def apply_sensor_noise(distances, sigma, lost, range_max, rng):
    """A noisy copy of a scan.

    First it is decided which beams are lost, then the valid echoes get noise, and at last the
    lost beams are set to the range limit, so that a lost beam equals the limit exactly.

    Args:
        distances: m, (n,); the range limit where nothing returned.
        sigma: standard deviation of the noise, m. lost: probability of a lost beam, 0..1.
        range_max: the range limit, m. rng: numpy.random.Generator

    Returns:
        m, (n,), within [0, range_max]
    """
    gone = rng.random(len(distances)) < lost
    noise = rng.normal(0.0, sigma, len(distances)) if sigma > 0.0 else 0.0
    echo = distances < range_max
    noisy = np.where(echo, np.clip(distances + noise, 0.0, range_max), range_max)
    noisy[gone] = range_max
    return noisy
