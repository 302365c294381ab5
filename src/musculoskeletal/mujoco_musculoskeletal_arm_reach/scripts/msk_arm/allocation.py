"""Sharing a joint torque among six muscles: the least activation that gives it."""


def allocate(w1, w2, t1, t2, low, high, rest, weight, rounds=50):
    """Solve min 1/2 |a - rest|^2 + 1/2 weight |A a - t|^2 with low <= a <= high.

    With two joints the dual has two unknowns l, from which a = clip(rest + A^T l, low, high). It is
    to minimise a convex function whose gradient, l / weight + A a(l) - t, is piecewise linear:
    Newton's method with an exact search along each step ends after a few rounds.

    Args:
        w1, w2: six torques per activation on each joint (N m). t1, t2: wanted torques (N m).
        low, high: six limits each. rest: activation that costs nothing.
        weight: of the torque error against the activation's square, 1/(N m)^2.

    Returns:
        list of six activations
    """
    soft = 1.0 / weight
    rows = list(zip(w1, w2, low, high))
    l1 = l2 = 0.0
    small = 1e-18 * (1.0 + t1 * t1 + t2 * t2)
    for _ in range(rounds):
        r1, r2 = l1 * soft - t1, l2 * soft - t2
        j11, j12, j22 = soft, 0.0, soft
        a, free = [], []
        for b1, b2, lower, upper in rows:
            value = rest + b1 * l1 + b2 * l2
            free.append(value)
            if value <= lower:
                value = lower
            elif value >= upper:
                value = upper
            else:
                j11 += b1 * b1
                j12 += b1 * b2
                j22 += b2 * b2
            a.append(value)
            r1 += b1 * value
            r2 += b2 * value
        if r1 * r1 + r2 * r2 < small:
            break
        det = j11 * j22 - j12 * j12
        d1, d2 = (j12 * r2 - j22 * r1) / det, (j12 * r1 - j11 * r2) / det
        step = _search(rows, free, soft * (d1 * d1 + d2 * d2), d1, d2, d1 * r1 + d2 * r2)
        l1, l2 = l1 + step * d1, l2 + step * d2
    return a


def _search(rows, free, curvature, d1, d2, slope):
    """The step along d1, d2 that minimises the dual function: its slope there is piecewise linear.

    Args:
        free: the activations before clipping. curvature: of the part that has no limits.
        slope: along the direction at step 0, below 0.
    """
    bends = []
    for (b1, b2, low, high), value in zip(rows, free):
        rate = b1 * d1 + b2 * d2
        if rate == 0.0:
            continue
        enter, leave = (low - value) / rate, (high - value) / rate
        if enter > leave:
            enter, leave = leave, enter
        if leave <= 0.0:
            continue
        if enter <= 0.0:
            curvature += rate * rate
        else:
            bends.append((enter, rate * rate))
        bends.append((leave, -rate * rate))
    bends.sort()
    at = 0.0
    for place, change in bends:
        next_slope = slope + curvature * (place - at)
        if next_slope >= 0.0:
            break
        slope, at = next_slope, place
        curvature += change
    return at - slope / curvature
