"""Counting colours."""

from collections import Counter

import numpy as np
import pytest

from naive import colour
from videodp.kernels.colours import (
    EMPTY,
    count_colours,
    crop_colours,
    gather_worn,
    histogram_colours,
    rehash,
    tally_colours,
)


def picture(rng: np.random.Generator, height: int = 9, width: int = 11) -> np.ndarray:
    """Some colours often, some once, and the ends of the scale."""
    few = np.vstack([rng.integers(0, 256, (6, 3)), [[0, 0, 0], [255, 255, 255]]])
    rgb = few[rng.integers(0, len(few), (height, width))]
    rgb[0] = rng.integers(0, 256, (width, 3))
    return rgb.astype(np.uint8)


def test_histogram() -> None:
    rng = np.random.default_rng(0)
    histogram, expected = np.zeros(2**24, np.uint32), Counter()
    for _ in range(3):
        rgb = picture(rng)[:, ::-1]  # strided, like a frame that was turned
        count_colours(rgb, histogram)
        expected.update(colour(pixel) for line in rgb for pixel in line)
    places = np.flatnonzero(histogram)
    colours = histogram_colours(places)
    assert dict(zip(colours.tolist(), histogram[places].tolist(), strict=True)) == expected


def empty(size: int) -> np.ndarray:
    table = np.zeros((size, 2), np.int32)
    table[:, 0] = EMPTY
    return table


def stored(table: np.ndarray) -> dict[int, int]:
    return dict(table[table[:, 0] != EMPTY].tolist())


@pytest.mark.parametrize("seed", range(5))
def test_tally_of_owners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables = {1: empty(256), 2: empty(256)}
    expected: dict[int, Counter[int]] = {1: Counter(), 2: Counter()}
    bounds = {1: (0, 0, 11, 9), 2: (2, 1, 10, 8)}
    for turned in (False, True):
        rgb, owner = picture(rng), rng.integers(0, 3, (9, 11)).astype(np.int32)
        rgb = rgb[:, ::-1] if turned else rgb
        kept, order = np.empty(99, np.int32), [2, 1]
        ends = gather_worn(
            rgb, owner, np.array([bounds[i] for i in order]), np.array(order, np.int32), kept
        )
        assert ends[0] == 0
        for i, start, end in zip(order, ends[:-1], ends[1:], strict=True):
            x0, y0, x1, y1 = bounds[i]
            in_order = [
                colour(rgb[y, x]) for y in range(y0, y1) for x in range(x0, x1) if owner[y, x] == i
            ]
            assert kept[start:end].tolist() == in_order
            known = len(expected[i])
            expected[i] += Counter(in_order)
            assert tally_colours(kept[start:end], tables[i]) == len(expected[i]) - known
    assert {i: stored(table) for i, table in tables.items()} == expected


def test_table_that_is_nearly_full_and_then_grows() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.choice(2**24, 62, replace=False)
    numbers[:2] = 0, 2**24 - 1
    table, larger = empty(64), empty(256)
    tally_colours(numbers.astype(np.int32), table)
    rehash(table, larger)
    tally_colours(numbers.astype(np.int32), larger)
    assert stored(larger) == dict.fromkeys(numbers.tolist(), 2)


def test_crop() -> None:
    rng = np.random.default_rng(5)
    rgb, owner = picture(rng), rng.integers(0, 3, (9, 11)).astype(np.int32)
    crop = np.full((4, 5), 99, np.int32)
    crop_colours(rgb, owner, np.array([3, 2, 8, 6], np.int64), 1, crop)
    for y in range(4):
        for x in range(5):
            mine = owner[y + 2, x + 3] == 1
            assert crop[y, x] == (colour(rgb[y + 2, x + 3]) if mine else -1)
