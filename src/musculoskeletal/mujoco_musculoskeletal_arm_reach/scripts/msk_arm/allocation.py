"""Sharing a joint torque among six muscles: the least activation that gives it."""


def allocate(w1, w2, t1, t2, low, high, rest, weight, rounds=40):
    """Solve min 1/2 |a - rest|^2 + 1/2 weight |A a - t|^2 with low <= a <= high.

    With two joints the dual has two unknowns l, from which a = clip(rest + A^T l, low, high). It is
    to minimise a convex function whose gradient, l / weight + A a(l) - t, is piecewise linear:
    Newton's method with a backtracking step ends in a few rounds, exactly.

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
    cost, r1, r2, j11, j12, j22, a = _dual(rows, rest, soft, l1, l2, t1, t2)
    for _ in range(rounds):
        if r1 * r1 + r2 * r2 < 1e-20:
            break
        det = j11 * j22 - j12 * j12
        d1, d2 = (j12 * r2 - j22 * r1) / det, (j12 * r1 - j11 * r2) / det
        slope, step = d1 * r1 + d2 * r2, 1.0
        while True:
            new = _dual(rows, rest, soft, l1 + step * d1, l2 + step * d2, t1, t2)
            if new[0] <= cost + 1e-4 * step * slope or step < 1e-6:
                break
            step *= 0.5
        if new[0] >= cost and new[1] ** 2 + new[2] ** 2 >= r1 * r1 + r2 * r2:
            break  # at the limit of the arithmetic
        l1, l2 = l1 + step * d1, l2 + step * d2
        cost, r1, r2, j11, j12, j22, a = new
    return a


def _dual(rows, rest, soft, l1, l2, t1, t2):
    """Dual function, its gradient (2), its Hessian (11, 12, 22), and the activations."""
    r1, r2 = l1 * soft - t1, l2 * soft - t2
    cost = 0.5 * soft * (l1 * l1 + l2 * l2) - t1 * l1 - t2 * l2
    j11, j12, j22 = soft, 0.0, soft
    a = []
    for b1, b2, low, high in rows:
        s = b1 * l1 + b2 * l2
        value = rest + s
        if value <= low:
            value = low
            cost += low * s - 0.5 * (low - rest) ** 2
        elif value >= high:
            value = high
            cost += high * s - 0.5 * (high - rest) ** 2
        else:
            j11 += b1 * b1
            j12 += b1 * b2
            j22 += b2 * b2
            cost += (rest + 0.5 * s) * s
        a.append(value)
        r1 += b1 * value
        r2 += b2 * value
    return cost, r1, r2, j11, j12, j22, a
