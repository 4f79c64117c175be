"""Keeping apart against a slow oracle."""

import numpy as np

from videodp.kernels.apart import keep_apart

DEPTH, SHARE, SLOTS, SIZE, GRID = 0.3, 0.8, 40, (60.0, 40.0), (4, 6)
SHIFTS = np.array([0, 1, -1, 3, -3, 5, -5])
SPOTS = np.array([[0, 0], [0.6, 0.1], [-0.7, 0.2], [0.1, 1.3], [1.1, -0.9], [-1.6, 0.4], [2.2, 0]])
SKIP, WEIGHT = 2, 3.0


def slow(feet, cuts, slot, low, high, rooms, where, looks, spots):
    """The same, move by move, moment by moment and pair by pair."""
    placed, result = [], []
    drift = np.zeros((len(rooms), *GRID))
    for i in range(len(slot)):
        mine = feet[cuts[i] : cuts[i + 1]]
        stride = max(len(mine) // looks, 1)
        tries = []
        for turn, k in enumerate(ranked(mine[::stride], spots, rooms[where[i]], drift[where[i]])):
            places = [aside(foot, spots[k]) for foot in mine]
            for s in SHIFTS[:: SKIP if turn else 1]:
                if low[i] <= s <= high[i]:
                    looked = {
                        slot[i] + s + j: place for j, place in enumerate(places) if j % stride == 0
                    }
                    tries.append((sum(close(looked, other) for other in placed), k, s))
        fewest, k, s = min(tries, key=lambda one: one[0])
        placed.append({slot[i] + s + j: aside(foot, spots[k]) for j, foot in enumerate(mine)})
        if k:
            drift[where[i]] += change(mine[::stride], spots[k])
        result.append((s, k, fewest))
    return [list(column) for column in zip(*result, strict=True)]


def aside(foot, spot):
    x, y, width, sway, growth = foot.astype(float)
    right, down = (sway * width * SHARE * part for part in (spot[0], spot[1] * DEPTH))
    place = np.array([x + right, y + down, width * max(1 + growth * down, 0.1)])
    return place.astype(np.float32).astype(float)


def cell(place):
    if not (0 <= place[0] <= SIZE[0] and 0 <= place[1] <= SIZE[1]):
        return None
    row, column = int(place[1] / SIZE[1] * GRID[0]), int(place[0] / SIZE[0] * GRID[1])
    return min(row, GRID[0] - 1), min(column, GRID[1] - 1)


def change(mine, spot):
    """What a move changes in the map, each actor counting 1."""
    moved = np.zeros(GRID)
    for foot in mine:
        new, old = cell(aside(foot, spot)), cell(foot)
        if new != old:
            moved[new] += 1 / len(mine)
            if old:
                moved[old] -= 1 / len(mine)
    return moved


def ranked(mine, spots, room, drift):
    costs = [(-np.inf, 0)]
    for k, spot in enumerate(spots[1:], 1):
        new = [(cell(aside(foot, spot)), cell(foot)) for foot in mine]
        if all(to and (to == old or room[to]) for to, old in new):
            misfit = np.sum((drift + change(mine, spot)) ** 2) - np.sum(drift**2)
            costs.append((np.sum(spot**2) + WEIGHT * misfit, k))
    return [k for _, k in sorted(costs)]


def close(some, others):
    count = 0
    for moment in some.keys() & others.keys():
        (x, y, a), (u, v, b) = some[moment], others[moment]
        reach = 0.5 * (a + b) * SHARE
        count += ((x - u) / reach) ** 2 + ((y - v) / (reach * DEPTH)) ** 2 < 1
    return count


def made(rng, n=12):
    """Actors here and there, and how far each may move."""
    cuts = np.concatenate([[0], np.cumsum(rng.integers(0, 9, n))])
    rows = cuts[-1]
    feet = np.column_stack(
        [
            rng.uniform(0, SIZE[0], rows),
            rng.uniform(0.4, 0.7, rows) * SIZE[1],
            rng.uniform(10, 30, rows),
            rng.choice([0, 0.5, 1], rows),
            rng.uniform(0, 0.05, rows),
        ]
    ).astype(np.float32)
    rooms = rng.random((2, *GRID)) < 0.7
    low, high = -rng.integers(0, 6, n), rng.integers(0, 6, n)
    return feet, cuts, rng.integers(5, 25, n), low, high, rooms, rng.integers(0, 2, n)


def fast(feet, cuts, slot, low, high, rooms, where, looks, spots, patience=10**9):
    out = [np.zeros(len(slot), np.int64) for _ in range(3)]
    numbers = (WEIGHT, DEPTH, SHARE, looks, patience)
    size = np.array(SIZE)
    keep_apart(
        feet, cuts, slot, SLOTS, SHIFTS, low, high, spots, SKIP, size, rooms, where, *numbers, *out
    )
    return [column.tolist() for column in out]


def test_everybody_takes_the_move_with_fewest_meetings() -> None:
    rng = np.random.default_rng(0)
    aside_, met_ = 0, 0
    for turn in range(30):
        crowd, looks = made(rng), 100 if turn % 2 else 3
        found = fast(*crowd, looks, SPOTS)
        assert found == slow(*crowd, looks, SPOTS)
        aside_ += np.count_nonzero(found[1])
        met_ += sum(found[2])
    assert aside_ > 20
    assert met_ > 0


def test_without_patience_all_stay_on_their_way() -> None:
    crowd = made(np.random.default_rng(1), 30)
    assert fast(*crowd, 100, SPOTS, patience=0) == fast(*crowd, 100, SPOTS[:1])
    assert any(fast(*crowd, 100, SPOTS)[1])
