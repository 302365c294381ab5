"""Does the car do what it is told? Straight, turning and pitch, measured for `check` and tests."""

import numpy as np

STRAIGHT_S, TURN_S = 2.0, 4.0  # s of driving; the first half is left out of the means
LIMITS = {"speed_error_pct": 2.0, "yaw_rate_error_pct": 5.0, "pitch_deg": 1.0}


def straight(env):
    """Drive straight for 2 s at top speed.

    Returns:
        errors of the mean speed (%), largest tilt and sideways drift, height lost, way made (m)
    """
    env.reset()
    height, speeds, pitch = env.data.qpos[2], [], 0.0
    ticks = int(round(STRAIGHT_S / env.period))
    for _ in range(ticks):
        env.step(env.settings.max_speed, 0.0)
        speeds.append(env.twist[0])
        pitch = max(pitch, abs(env.tilt[0]))
    speed = float(np.mean(speeds[ticks // 2 :]))
    return {
        "speed_error_pct": 100.0 * abs(speed / env.settings.max_speed - 1.0),
        "pitch_deg": float(np.degrees(pitch)),
        "drift_m": abs(env.pose[1]),
        "sunk_m": abs(float(env.data.qpos[2] - height)),
        "way_m": env.pose[0],
    }


def turning(env, speed):
    """Turn at the largest yaw rate for 4 s, at a speed (m/s; 0 is on the spot).

    Returns:
        error of the mean yaw rate (%), pitch (degrees)
    """
    env.reset()
    rates, pitch = [], 0.0
    ticks = int(round(TURN_S / env.period))
    for _ in range(ticks):
        env.step(speed, env.settings.max_yaw_rate)
        rates.append(env.twist[2])
        pitch = max(pitch, abs(env.tilt[0]))
    rate = float(np.mean(rates[ticks // 2 :]))
    return {
        "yaw_rate_error_pct": 100.0 * abs(rate / env.settings.max_yaw_rate - 1.0),
        "pitch_deg": float(np.degrees(pitch)),
    }


def check_scene(env):
    """The smoke test of a scene: figures, and what is wrong with them (a list of texts)."""
    row = straight(env)
    for speed in (0.0, 0.5 * env.settings.max_speed):
        turn = turning(env, speed)
        error = turn["yaw_rate_error_pct"]
        row["yaw_rate_error_pct"] = max(row.get("yaw_rate_error_pct", 0.0), error)
        row["pitch_deg"] = max(row["pitch_deg"], turn["pitch_deg"])
    env.reset()
    distances = env.scan(noisy=False)
    row["nearest_ray_m"] = float(distances.min())
    row["rays_on_obstacles"] = int((distances < env.settings.range_max).sum())
    faults = [
        f"{name} is {row[name]:.3g}, expected at most {limit:g}"
        for name, limit in LIMITS.items()
        if row[name] > limit
    ]
    if row["way_m"] < 0.8 * STRAIGHT_S * env.settings.max_speed:  # the start takes 0.3 s
        faults.append(f"the car made {row['way_m']:.2f} m in {STRAIGHT_S:g} s")
    if row["rays_on_obstacles"] == 0 or row["nearest_ray_m"] < 1.0:
        faults.append(
            f"the nearest ray is {row['nearest_ray_m']:.2f} m, expected an obstacle ahead"
        )
    return row, faults
