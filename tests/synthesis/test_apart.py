"""Actors keep apart, and nothing else about them changes."""

from fractions import Fraction

import numpy as np

from synthesis.people import FRAMES, RATE
from videodp.synthesis.apart import meetings, spread_out

WINDOW = Fraction(7500)


def lane(n: int, seed: int = 0) -> list[np.ndarray]:
    """Cars of one lane, some faster than others, at random times."""
    rng = np.random.default_rng(seed)
    ways = []
    for start in rng.uniform(0, FRAMES - 500, n):
        y, long = rng.uniform(200, 206), rng.uniform(100, 400)
        ways.append(np.array([[start, 0, y, 80, 40], [start + long, 640, y, 80, 40]]))
    return ways


def test_cars_in_a_lane_hardly_meet() -> None:
    ways = lane(100)
    before, moments = meetings(ways, FRAMES, RATE)
    after, same = meetings(spread_out(ways, FRAMES, RATE, WINDOW), FRAMES, RATE)
    assert before > 0.05 * moments
    assert after < 0.1 * before
    assert abs(same - moments) <= len(ways)


def test_only_the_time_changes_and_by_little() -> None:
    ways = lane(200, 1)
    moved = spread_out(ways, FRAMES, RATE, WINDOW)
    for old, new in zip(ways, moved, strict=True):
        assert np.array_equal(old[:, 1:], new[:, 1:])
        later = new[:, 0] - old[:, 0]
        assert np.ptp(later) < 1e-6
        assert abs(later[0]) <= 40 * float(RATE)
        assert new[0, 0] >= 0
        assert new[-1, 0] <= FRAMES - 1
        # The window in which it comes stays the same.
        assert new[0, 0] // float(WINDOW) == old[0, 0] // float(WINDOW)


def test_who_is_there_all_the_time_cannot_be_moved() -> None:
    way = np.array([[0.0, 10, 100, 20, 50], [FRAMES - 1, 10, 100, 20, 50]])
    moved = spread_out([way, way], FRAMES, RATE, WINDOW)
    assert all(np.array_equal(new, way) for new in moved)


def test_nobody_meets_nobody() -> None:
    assert spread_out([], FRAMES, RATE, WINDOW) == []
    assert meetings([], FRAMES, RATE) == (0, 0)
