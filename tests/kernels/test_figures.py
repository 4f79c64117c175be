"""Finding drawn pixels, drawing background pixels, stamping figures."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from naive import colour
from videodp.kernels.figures import crop_mask, find_ordinals, select_background, stamp


def few_colours(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    few = np.array([[0, 0, 0], [255, 255, 255], [1, 2, 3], [200, 100, 50]], np.uint8)
    return few[rng.integers(0, 4, shape)]


@pytest.mark.parametrize("seed", range(6))
def test_ordinals(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frames = few_colours(rng, (3, 8, 9))
    owners = rng.integers(0, 3, (3, 8, 9)).astype(np.int32)
    bounds = np.array([1, 2, 8, 7], np.int64)
    places: dict[int, list[tuple[int, int, int]]] = {}
    for t in range(3):
        for y in range(2, 7):
            for x in range(1, 8):
                if owners[t, y, x] == 2:
                    places.setdefault(colour(frames[t, y, x]), []).append((t, y, x))
    colours = sorted(places)[:3]
    wanted = [
        (c, int(ordinal))
        for c in range(len(colours))
        for ordinal in rng.choice(len(places[colours[c]]), 2, replace=False)
    ]
    wanted.append(wanted[0])  # the same pixel may be wanted twice
    passed = np.zeros(len(colours), np.int64)
    which, ordinals = (np.array(column, np.int64) for column in zip(*wanted, strict=True))
    at = {}
    for t in range(3):
        found = np.full((len(wanted), 2), -1, np.int64)
        hits = find_ordinals(
            frames[t],
            owners[t],
            bounds,
            2,
            np.array(colours, np.int64),
            passed,
            which,
            ordinals,
            found,
        )
        here = np.flatnonzero(found[:, 0] >= 0)
        assert hits == len(here)
        at.update({int(i): (t, *found[i].tolist()) for i in here})
    assert at == {i: places[colours[c]][ordinal] for i, (c, ordinal) in enumerate(wanted)}
    assert passed.tolist() == [len(places[c]) for c in colours]


class Background:
    """A picture in which black is drawn, white suppressed, and the rest kept."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rgb = few_colours(rng, (5, 6))
        self.owner = (rng.random((5, 6)) < 0.3).astype(np.int32)
        self.fate = np.full(2**24, -1, np.int32)
        self.fate[0], self.fate[2**24 - 1] = 0, -2
        self.black = ((self.rgb == 0).all(-1)) & (self.owner == 0)
        self.white = ((self.rgb == 255).all(-1)) & (self.owner == 0)

    def select(self, draws: int, words: np.ndarray) -> tuple[int, np.ndarray]:
        state = np.full(self.owner.shape, 9, np.uint8)
        pixels, left = np.array([self.black.sum()]), np.array([draws])
        used = select_background(self.rgb, self.owner, self.fate, pixels, left, words, state)
        if used >= 0:
            assert pixels.tolist() == left.tolist() == [0]
        return used, state


def test_background_keeps_draws_and_suppresses() -> None:
    rng = np.random.default_rng(1)
    scene = Background(rng)
    for draws in range(int(scene.black.sum()) + 1):
        words = rng.integers(0, 2**64, 94, dtype=np.uint64)
        used, state = scene.select(draws, words)
        assert 0 <= used <= scene.black.sum() + 1
        assert (state[scene.owner != 0] == 9).all()
        assert (state[scene.white] == 0).all()
        assert (state[(scene.owner == 0) & ~scene.black & ~scene.white] == 1).all()
        assert (state[scene.black] == 1).sum() == draws


def test_background_sets_are_uniform() -> None:
    """All sets of 2 pixels, chi-square; false-alarm rate 1e-4, seed fixed."""
    rng = np.random.default_rng(2)
    scene = Background(rng)
    n = int(scene.black.sum())
    runs, sets = 3000, n * (n - 1) // 2
    seen: Counter[bytes] = Counter()
    for words in rng.integers(0, 2**64, (runs, 40), dtype=np.uint64):
        seen[scene.select(2, words)[1][scene.black].tobytes()] += 1
    assert runs / sets > 20
    counts = [*seen.values(), *[0] * (sets - len(seen))]
    assert stats.chisquare(counts).pvalue > 1e-4


def test_background_throws_words_away_that_would_favour_some() -> None:
    scene = Background(np.random.default_rng(1))
    high = np.full(64, 2**64 - 1, np.uint64)
    used, _ = scene.select(1, high)
    assert used == -1
    words = np.concatenate([high[:3], np.zeros(40, np.uint64)])
    used, state = scene.select(1, words)
    assert used == 4
    first = np.argwhere(scene.black)[0]
    assert state[tuple(first)] == 1


@pytest.mark.parametrize("seed", range(5))
def test_crop_mask_and_stamp(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = 6, 7
    starts = np.sort(rng.choice(height * width - 5, 4, replace=False))
    runs = np.array([(s, rng.integers(1, 6)) for s in starts], np.int32)
    inside = {at for start, length in runs.tolist() for at in range(start, start + length)}
    x0, y0, x1, y1 = 2, 1, 6, 5
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    crop_mask(runs, np.array([x0, y0, x1, y1], np.int64), width, mask)
    for y in range(y0, y1):
        for x in range(x0, x1):
            assert mask[y - y0, x - x0] == (y * width + x in inside)
    picture = np.zeros((height, width, 3), np.uint8)
    crop = rng.integers(1, 256, (*mask.shape, 3)).astype(np.uint8)
    stamp(picture, crop, mask, x0, y0)
    for y in range(height):
        for x in range(width):
            painted = y0 <= y < y1 and x0 <= x < x1 and mask[y - y0, x - x0]
            expected = crop[y - y0, x - x0].tolist() if painted else [0, 0, 0]
            assert picture[y, x].tolist() == expected


def test_without_runs_the_box_is_the_mask() -> None:
    mask = np.zeros((2, 3), np.uint8)
    crop_mask(np.zeros((0, 2), np.int32), np.array([0, 0, 3, 2], np.int64), 9, mask)
    assert mask.all()
