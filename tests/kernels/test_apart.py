"""Keeping apart against a slow oracle."""

import numpy as np

from videodp.kernels.apart import keep_apart

DEPTH, SHARE, SLOTS = 0.3, 0.8, 40


def slow(feet, cuts, slot, shifts, low, high, looks):
    """The same, moment by moment and pair by pair."""
    placed, chosen, met = [], [], []
    for i in range(len(slot)):
        mine = feet[cuts[i] : cuts[i + 1]].astype(float)
        stride = max(len(mine) // looks, 1)
        counts = []
        for s in shifts:
            if low[i] <= s <= high[i]:
                moments = {slot[i] + s + j: row for j, row in enumerate(mine) if j % stride == 0}
                counts.append((s, sum(close(moments, other) for other in placed)))
        s, fewest = min(counts, key=lambda one: one[1])
        placed.append({slot[i] + s + j: row for j, row in enumerate(mine)})
        chosen.append(s)
        met.append(fewest)
    return chosen, met


def close(some, others):
    count = 0
    for moment in some.keys() & others.keys():
        (x, y, a), (u, v, b) = some[moment], others[moment]
        reach = 0.5 * (a + b) * SHARE
        count += ((x - u) / reach) ** 2 + ((y - v) / (reach * DEPTH)) ** 2 < 1
    return count


def test_everybody_takes_the_shift_with_fewest_meetings() -> None:
    rng = np.random.default_rng(0)
    total = 0
    for turn in range(20):
        looks = 100 if turn % 2 else 3
        n = 12
        sizes = rng.integers(0, 9, n)
        cuts = np.concatenate([[0], np.cumsum(sizes)])
        feet = np.column_stack([rng.uniform(0, 40, (cuts[-1], 2)), rng.uniform(10, 30, cuts[-1])])
        feet[:, 1] *= 0.3
        slot = rng.integers(5, 25, n)
        low, high = -rng.integers(0, 6, n), rng.integers(0, 6, n)
        shifts = np.array([0, 1, -1, 3, -3, 5, -5])
        shift, met = np.zeros(n, np.int64), np.zeros(n, np.int64)
        feet = feet.astype(np.float32)
        keep_apart(feet, cuts, slot, SLOTS, shifts, low, high, DEPTH, SHARE, looks, shift, met)
        chosen, fewest = slow(feet, cuts, slot, shifts, low, high, looks)
        assert shift.tolist() == chosen
        assert met.tolist() == fewest
        total += sum(fewest)
    assert total > 0
