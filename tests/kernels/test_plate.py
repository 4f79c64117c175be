"""The masked lower median."""

import numpy as np
import pytest

import naive
from videodp.kernels.plate import mark_background, masked_median


@pytest.mark.parametrize("seed", range(8))
def test_median_of_what_is_background(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, height, width = int(rng.integers(1, 16)), 5, 6
    samples = rng.integers(0, 256, (n, height, width, 4)).astype(np.uint8)
    samples[..., 3] = rng.random((n, height, width)) < rng.uniform(0.1, 1)
    plate = np.full((height, width, 3), 9, np.uint8)
    state, spread = np.full((2, height, width), 5, np.uint8)
    masked_median(samples, plate, state, spread)
    for y in range(height):
        for x in range(width):
            free = samples[samples[:, y, x, 3] == 1, y, x].tolist()
            assert state[y, x] == bool(free)
            if not free:
                assert plate[y, x].tolist() == [9, 9, 9]
                assert spread[y, x] == 0
                continue
            expected = [naive.lower_median([pixel[i] for pixel in free]) for i in range(3)]
            assert plate[y, x].tolist() == expected
            green, last = sorted(pixel[1] for pixel in free), len(free) - 1
            assert spread[y, x] == green[3 * last // 4] - green[last // 4]


def test_sample_with_background_marked() -> None:
    rng = np.random.default_rng(3)
    rgb = rng.integers(0, 256, (4, 5, 3)).astype(np.uint8)
    free = rng.random((4, 5)) < 0.5
    sample = np.full((4, 5, 4), 9, np.uint8)
    mark_background(rgb.reshape(4, -1), free, sample.reshape(4, -1))
    np.testing.assert_array_equal(sample[..., :3], rgb)
    np.testing.assert_array_equal(sample[..., 3], free)
