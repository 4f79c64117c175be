"""Actors keep apart, and little else about them changes."""

from fractions import Fraction

import numpy as np
import pytest

from synthesis.people import FRAMES, RATE, SIZE
from videodp.synthesis.apart import Ground, meetings, spread_out

WINDOW = Fraction(7500)
ALL = Ground(np.ones((9, 16), bool), 0.0)


def spread(ways: list[np.ndarray], ground: Ground = ALL) -> list[np.ndarray]:
    return spread_out(ways, [ground], [0] * len(ways), SIZE, FRAMES, RATE, WINDOW)


def lane(n: int, seed: int = 0) -> list[np.ndarray]:
    """Cars of one lane, some faster than others, at random times."""
    rng = np.random.default_rng(seed)
    ways = []
    for start in rng.uniform(0, FRAMES - 500, n):
        y, long = rng.uniform(200, 206), rng.uniform(100, 400)
        ways.append(np.array([[start, 0, y, 80, 40], [start + long, 640, y, 80, 40]]))
    return ways


def waiting(n: int, seed: int = 0) -> list[np.ndarray]:
    """People who come from the left, wait for five minutes in one place, and go on."""
    rng = np.random.default_rng(seed)
    ways = []
    for start in rng.uniform(0, 5000, n):
        y = rng.uniform(198, 202)
        when = start + np.array([0, 100, 7600, 7700])
        x = np.array([0, 320, 320, 640])
        ways.append(np.column_stack([when, x, *np.broadcast_to([[y], [24], [60]], (3, 4))]))
    return ways


def test_cars_in_a_lane_hardly_meet() -> None:
    ways = lane(100)
    before, moments = meetings(ways, FRAMES, RATE)
    after, same = meetings(spread(ways), FRAMES, RATE)
    assert before > 0.05 * moments
    assert after < 0.1 * before
    assert abs(same - moments) <= len(ways)


def test_only_the_time_changes_and_by_little() -> None:
    ways = lane(200, 1)
    moved = spread(ways)
    for old, new in zip(ways, moved, strict=True):
        assert np.array_equal(old[:, 1:], new[:, 1:])
        later = new[:, 0] - old[:, 0]
        assert np.ptp(later) < 1e-6
        assert abs(later[0]) <= 40 * float(RATE)
        assert new[0, 0] >= 0
        assert new[-1, 0] <= FRAMES - 1
        # The window in which it comes stays the same.
        assert new[0, 0] // float(WINDOW) == old[0, 0] // float(WINDOW)


def test_those_who_wait_stand_beside_each_other() -> None:
    ways = waiting(20)
    moved = spread(ways)
    before, moments = meetings(ways, FRAMES, RATE)
    after, _ = meetings(moved, FRAMES, RATE)
    assert before > 5 * moments
    assert after < 0.01 * moments
    for old, new in zip(ways, moved, strict=True):
        # Where it comes from and goes to stays, and so does how long it stands, and that it does.
        assert new[[0, -1], 1:] == pytest.approx(old[[0, -1], 1:])
        assert np.diff(new[:, 0]) == pytest.approx(np.diff(old[:, 0]))
        assert np.array_equal(new[1, 1:], new[2, 1:])
        assert np.abs(new[1, 1:3] - old[1, 1:3]).max() < 4 * old[1, 3]


def test_a_place_nearer_to_the_camera_makes_taller_as_perspective_says() -> None:
    ground = Ground(ALL.room, 80.0)
    grown = []
    for new in spread(waiting(20), ground):
        away = new[:, 2] - ground.horizon
        start = new[0, 4] / away[0]
        assert new[:, 4] / away == pytest.approx(np.full(4, start))
        assert new[:, 4] / new[:, 3] == pytest.approx(np.full(4, 2.5))
        grown.append(new[1, 4] / new[0, 4])
    assert np.ptp(grown) > 0.05


def test_nobody_stands_where_the_map_says_nobody_is() -> None:
    room = np.zeros((9, 16), bool)
    room[5, 7:9] = True
    for new in spread(waiting(60), Ground(room, 0.0)):
        assert (new[1, 1] // 40, new[1, 2] // 40) in {(7, 5), (8, 5), (8, 4)}  # 4: where it was


def test_nobody_stands_outside_of_the_picture() -> None:
    ways = waiting(40)
    for way in ways:
        way[:, 2] += SIZE[1] - 202
    for new in spread(ways):
        assert np.all((new[:, 2] <= SIZE[1]) & (new[:, 1] >= 0) & (new[:, 1] <= SIZE[0]))


def test_who_is_there_all_the_time_and_goes_nowhere_stands_aside() -> None:
    way = np.array([[0.0, 10, 100, 20, 50], [FRAMES - 1, 10, 100, 20, 50]])
    one, other = spread([way, way])
    assert np.array_equal(one, way)
    assert meetings([one, other], FRAMES, RATE)[0] == 0
    assert np.array_equal(other[:, 0], way[:, 0])


def test_nobody_meets_nobody() -> None:
    assert spread([]) == []
    assert spread_out([], [], [], SIZE, FRAMES, RATE, WINDOW) == []
    assert meetings([], FRAMES, RATE) == (0, 0)
