"""Ways through a grid against slow oracles."""

import numpy as np
import pytest

from videodp.kernels.ways import fit_ways, trace_ways, visit_cells


def test_visits_are_those_of_an_exact_walk() -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(0, 6, (20, 8, 2))
    effort = rng.uniform(0.1, 2, (20, 7))
    pause, place = rng.uniform(0, 0.9, 20) * (rng.random(20) < 0.5), rng.random(20)
    out = np.empty((20, 40), np.int32)
    visit_cells(points, effort, pause, place, 6, 6, out)
    for i in range(20):
        reach = np.concatenate([[0], np.cumsum(effort[i])]) / effort[i].sum()
        stand = np.interp(place[i], np.linspace(0, 1, 8), reach)
        for s in range(40):
            now, moving = (s + 0.5) / 40, 1 - pause[i]
            if now < moving * stand:
                share = now / moving
            else:
                share = stand if now < moving * stand + pause[i] else (now - pause[i]) / moving
            x, y = (np.interp(share, reach, points[i, :, axis]) for axis in range(2))
            assert out[i, s] == int(y) * 6 + int(x)


def test_ways_follow_the_field_or_go_straight_on() -> None:
    # On a row of 5 cells, each cell is reached from its neighbour.
    before = np.array(
        [[[b + np.sign(a - b) if a != b else -9999 for b in range(5)] for a in range(5)]]
    )
    ends = np.array([[[0.5, 0.5], [4.5, 0.5]], [[0.5, 0.5], [4.5, 0.5]]])
    points = np.empty((2, 9, 2))
    trace_ways(
        before.astype(np.int32),
        np.array([-1, 0]),
        np.full(2, -1),
        ends,
        np.zeros((2, 2)),
        5,
        1,
        points,
    )
    assert np.allclose(points[:, :, 0], np.linspace(0.5, 4.5, 9))
    assert np.allclose(points[:, :, 1], 0.5)


def test_a_sweep_takes_the_best_way_for_each_in_turn() -> None:
    rng = np.random.default_rng(1)
    n, ways, cells = 12, 4, 9
    visits = rng.integers(0, cells, (n, ways, 5))
    weight, stress = np.full(5, 0.2), rng.uniform(0.5, 2, cells)
    target, luck, order = (
        rng.uniform(0, 3, cells),
        rng.normal(0, 0.1, (n, ways)),
        rng.permutation(n),
    )
    oracle = np.zeros(n, np.int64)

    def walked(chosen: np.ndarray) -> np.ndarray:
        return sum(np.bincount(visits[i, chosen[i]], weight, cells) for i in range(n))

    for i in order:
        costs = []
        for way in range(ways):
            oracle[i] = way
            costs.append(float(stress @ (target - walked(oracle)) ** 2) - luck[i, way])
        oracle[i] = int(np.argmin(costs))
    chosen = np.zeros(n, np.int64)
    residual = target - walked(chosen)
    fit_ways(visits, weight, order, residual, stress, luck, chosen)
    assert np.array_equal(chosen, oracle)
    assert residual == pytest.approx(target - walked(chosen))
