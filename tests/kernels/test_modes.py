"""Sets of samples that agree, and the scene made from them, against loops."""

import numpy as np
import pytest

from videodp.kernels.modes import erode_members, find_modes, mean_of_members


def members(bits: np.ndarray, count: int) -> list[int]:
    return [i for i in range(count) if int(bits) >> i & 1]


@pytest.mark.parametrize("seed", range(6))
def test_largest_set_and_the_largest_of_the_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, h, w, tolerance = int(rng.integers(1, 12)), 4, 5, 8
    centres = rng.integers(0, 256, (3, 3))
    picks = centres[rng.integers(0, 3, (n, h, w))] + rng.integers(-6, 7, (n, h, w, 3))
    samples = picks.clip(0, 255).astype(np.uint8)
    free = (rng.random((n, h, w)) < 0.8).astype(np.uint8)
    first, second = np.zeros((2, h, w), np.uint64)
    find_modes(samples, free, tolerance, first, second)
    for y in range(h):
        for x in range(w):
            values = samples[:, y, x].astype(int)
            there = [i for i in range(n) if free[i, y, x]]
            near = {i: [j for j in there if abs(values[i] - values[j]).max() <= 8] for i in there}
            best = max(near.values(), key=len, default=[])
            assert members(first[y, x], n) == best
            rest = {i: [j for j in near[i] if j not in best] for i in there if i not in best}
            assert members(second[y, x], n) == max(rest.values(), key=len, default=[])


def test_the_last_of_sixty_four_samples_counts() -> None:
    samples = np.zeros((64, 1, 1, 3), np.uint8)
    samples[63] = 200
    first, second = np.zeros((2, 1, 1), np.uint64)
    find_modes(samples, np.ones((64, 1, 1), np.uint8), 5, first, second)
    assert members(first[0, 0], 64) == list(range(63))
    assert members(second[0, 0], 64) == [63]


@pytest.mark.parametrize("seed", range(4))
def test_erosion_keeps_what_all_neighbours_have(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sets = rng.integers(0, 256, (5, 6)).astype(np.uint64)
    out = np.zeros_like(sets)
    erode_members(sets, 2, out)
    for y in range(5):
        for x in range(6):
            around = sets[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].reshape(-1)
            common = 255
            for near in [*around[around > 0].tolist(), int(sets[y, x])]:
                common &= near
            assert out[y, x] == (common if common.bit_count() >= 2 else sets[y, x])


@pytest.mark.parametrize("count", [1, 7, 15, 40])
def test_mean_of_the_samples_near_their_median(count: int) -> None:
    rng = np.random.default_rng(count)
    h, w = 4, 6
    scene = rng.integers(60, 200, (h, w, 3))
    samples = (scene + rng.normal(0, 2, (count, h, w, 3))).round().astype(np.uint8)
    samples[: count // 5] = 255  # somebody, who was taken for scene
    tables = np.broadcast_to(np.arange(256, dtype=np.float32), (count, 3, 256)).copy()
    sets = np.full((2, 3), (1 << count) - 1, np.uint64)
    sets[0, 0] = 0
    plate, noise = np.zeros((h, w, 3), np.uint8), np.zeros((h, w), np.uint8)
    rows, columns = np.arange(h) // 2, np.arange(w) // 2
    mean_of_members(samples, tables, sets, rows, columns, plate, noise)
    assert (noise[:2, :2] == 255).all()
    assert not plate[:2, :2].any()
    assert (noise[2:] < 5 * 8).all()
    expected = samples[count // 5 :].astype(float).mean(axis=0)
    assert np.abs(plate[2:] - expected[2:]).max() <= 3.1


def test_tables_bring_samples_into_one_light() -> None:
    samples = np.full((2, 1, 1, 3), 50, np.uint8)
    samples[1] = 100
    levels = np.arange(256, dtype=np.float32)
    tables = np.stack([np.stack([levels] * 3), np.stack([levels / 2] * 3)])
    plate, noise = np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.uint8)
    at = np.zeros(1, np.int64)
    mean_of_members(samples, tables, np.full((1, 1), 3, np.uint64), at, at, plate, noise)
    assert plate[0, 0].tolist() == [50, 50, 50]
    assert noise[0, 0] == 0
