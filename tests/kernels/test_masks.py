"""Who owns a pixel."""

import numpy as np
import pytest

from videodp.kernels.masks import bound_runs, clear_bounds, paint_elements


@pytest.mark.parametrize("seed", range(10))
def test_later_elements_are_in_front(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width, n = 7, 9, 5
    bounds, offsets, runs, values = [], [0], [], rng.permutation(np.arange(1, n + 1))
    expected = np.zeros((height, width), np.int32)
    for value in values:
        x0, x1 = sorted(rng.integers(0, width + 1, 2).tolist())
        y0, y1 = sorted(rng.integers(0, height + 1, 2).tolist())
        bounds.append((x0, y0, x1, y1))
        if rng.random() < 0.5:  # a mask: its runs count, not its bounds; a run may wrap
            for _ in range(rng.integers(1, 4)):
                start = int(rng.integers(0, height * width))
                length = int(rng.integers(1, min(12, height * width - start) + 1))
                runs.append((start, length))
                for at in range(start, start + length):
                    expected[at // width, at % width] = value
        else:
            for y in range(y0, y1):
                for x in range(x0, x1):
                    expected[y, x] = value
        offsets.append(len(runs))
    owner = np.zeros((height, width), np.int32)
    paint_elements(
        owner,
        np.array(bounds, np.int64),
        np.array(offsets, np.int64),
        np.array(runs, np.int32).reshape(-1, 2),
        values.astype(np.int32),
    )
    np.testing.assert_array_equal(owner, expected)


def test_nobody() -> None:
    owner = np.full((2, 3), 4, np.int32)
    none = np.zeros((0, 4), np.int64), np.zeros(1, np.int64), np.zeros((0, 2), np.int32)
    paint_elements(owner, *none, np.zeros(0, np.int32))
    assert (owner == 4).all()


@pytest.mark.parametrize("seed", range(10))
def test_bounds_of_masks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = 7, 9
    bounds = rng.integers(0, 5, (4, 4))
    expected, offsets, runs = bounds.tolist(), [0], []
    for i in range(len(bounds)):
        places = []
        for _ in range(rng.integers(0, 4)):
            start = int(rng.integers(0, height * width))
            length = int(rng.integers(1, min(12, height * width - start) + 1))
            runs.append((start, length))
            places += [(at % width, at // width) for at in range(start, start + length)]
        if places:
            x, y = ([place[side] for place in places] for side in (0, 1))
            expected[i] = [min(x), min(y), max(x) + 1, max(y) + 1]
        offsets.append(len(runs))
    runs = np.array(runs, np.int32).reshape(-1, 2)
    bound_runs(np.array(offsets, np.int64), runs, width, bounds)
    assert bounds.tolist() == expected


def test_only_what_was_painted_is_cleared() -> None:
    owner = np.ones((4, 5), np.int32)
    clear_bounds(owner, np.array([[1, 1, 3, 2], [0, 3, 5, 4], [2, 2, 2, 4]], np.int64))
    expected = [[1, 1, 1, 1, 1], [1, 0, 0, 1, 1], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
    np.testing.assert_array_equal(owner, expected)
