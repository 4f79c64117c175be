"""Regions of pixels, and which of two pictures each shows."""

import numpy as np
import pytest

from videodp.kernels.regions import decide_regions, split_regions


def _split(first, second, one, two, drift=8) -> tuple[int, np.ndarray]:
    labels = np.full(first.shape, 9, np.int32)
    one, two = (np.repeat(p[..., None], 3, axis=2).astype(np.float32) for p in (one, two))
    return split_regions(first, second, one, two, 2, 1, drift, 10.0, labels), labels


def test_regions_are_joined_where_time_falls_apart_in_the_same_way() -> None:
    first = np.full((3, 8), 0b1111_1111, np.uint64)
    second = np.zeros((3, 8), np.uint64)
    first[:, :3], second[:, :3] = 0b0000_1111, 0b1111_0000
    first[:, 3:5], second[:, 3:5] = 0b1010_1010, 0b0101_0101
    count, labels = _split(first, second, np.zeros((3, 8)), np.zeros((3, 8)))
    assert count == 2
    assert labels[1].tolist() == [1, 1, 1, 2, 2, 0, 0, 0]


def test_a_region_does_not_drift_away_from_its_beginning() -> None:
    first = np.array([[0b1111, 0b0111, 0b0011, 0b0001]], np.uint64)
    second = np.full((1, 4), 0b1111_0000, np.uint64)
    flat = np.zeros((1, 4))
    assert _split(first, second, flat, flat)[1].tolist() == [[1, 1, 1, 1]]
    assert _split(first, second, flat, flat, drift=2)[1].tolist() == [[1, 1, 1, 2]]


def test_a_region_ends_where_pictures_go_on_crosswise() -> None:
    """On the left the larger set is a body and the smaller the road; on the right not."""
    first = np.full((2, 6), 0b1111, np.uint64)
    second = np.full((2, 6), 0b0011_0000, np.uint64)
    one, two = np.full((2, 2, 6), 100)
    one[:, :3], two[:, 3:] = 200, 200
    assert _split(first, second, one, two)[1][0].tolist() == [1, 1, 1, 2, 2, 2]
    two[:, 3:], one[:, 1] = 100, 180  # a body of two colours stays one
    assert _split(first, second, one, np.full((2, 6), 100))[1][0, :3].tolist() == [1, 1, 1]


def _decided(count, borders, prior) -> list[int]:
    """Slow: again and again, the region that is clearest against all decided ones."""
    chosen = {0: 0}
    while len(chosen) <= count:
        best = (-1.0, 0, 0)
        for region in (r for r in range(1, count + 1) if r not in chosen):
            mine = [b for b in borders if b[0] == region]
            there = [b for b in mine if b[1] in chosen]
            sums = [sum(steps[2 * x + chosen[o]] for _, o, steps, _ in there) for x in (0, 1)]
            clear = abs(prior * sums[0] - sums[1]) / (20 + sum(b[3] for b in mine))
            if clear > best[0]:
                best = (clear, region, int(sums[1] < prior * sums[0]))
        chosen[best[1]] = best[2]
    return [chosen[region] for region in range(count + 1)]


@pytest.mark.parametrize("seed", range(8))
def test_the_clearest_region_is_decided_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 7
    pairs = [(r, o) for r in range(1, count + 1) for o in range(count + 1) if r != o]
    pairs = [pair for pair in pairs if rng.random() < 0.5]
    borders = [(r, o, rng.uniform(0, 900, 4), float(rng.integers(1, 30))) for r, o in pairs]
    region, beyond = np.array(pairs, np.int64).T
    steps, length = np.array([b[2] for b in borders]), np.array([b[3] for b in borders])
    chosen = np.full(count + 1, 9, np.int64)
    decide_regions(count, region, beyond, steps, length, 0.9, chosen)
    assert chosen.tolist() == _decided(count, borders, 0.9)
