"""The scene without elements, from samples in which the elements are cut out."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["mark_background", "masked_median"]


@njit(nogil=True, cache=True)
def masked_median(
    samples: np.ndarray, plate: np.ndarray, state: np.ndarray, spread: np.ndarray
) -> None:
    """Median of each pixel over the samples in which it is background.

    Args:
        samples: (n, h, w, 4) uint8: red, green, blue, and 1 where background, else 0.
        plate: (h, w, 3) uint8, written: the lower median of each channel.
        state: (h, w) uint8, written: 1 where any sample shows background, else 0.
        spread: (h, w) uint8, written: green's third quartile less its first.
    """
    count, height, width, _ = samples.shape
    values = np.empty((count, width), np.uint8)
    size = np.empty(width, np.int64)
    for y in range(height):
        size[:] = 0
        for i in range(count):
            for x in range(width):
                size[x] += samples[i, y, x, 3]
        for x in range(width):
            state[y, x] = size[x] > 0
            spread[y, x] = 0
        for channel in range(3):
            for i in range(count):
                line = samples[i, y]
                for x in range(width):  # what is no background goes behind everything else
                    values[i, x] = line[x, channel] | np.uint8(255 * (1 - line[x, 3]))
            _sort_columns(values)
            for x in range(width):
                if size[x] > 0:
                    plate[y, x, channel] = values[(size[x] - 1) // 2, x]
            if channel == 1:
                for x in range(width):
                    if size[x] > 0:
                        last = size[x] - 1
                        spread[y, x] = values[3 * last // 4, x] - values[last // 4, x]


@njit(nogil=True, cache=True)
def _sort_columns(values: np.ndarray) -> None:
    """Sorts each column of (n, w) uint8: odd-even transposition, whole lines at a time."""
    count = len(values)
    for turn in range(count):
        for i in range(turn % 2, count - 1, 2):
            low, high = values[i], values[i + 1]
            for x in range(len(low)):
                a, b = low[x], high[x]
                low[x] = min(a, b)
                high[x] = max(a, b)


@njit(nogil=True, cache=True)
def mark_background(lines: np.ndarray, background: np.ndarray, sample: np.ndarray) -> None:
    """Makes a sample for `masked_median`.

    Args:
        lines: (h, 3 * w) uint8, red, green and blue side by side.
        background: (h, w) bool.
        sample: (h, 4 * w) uint8, written: the same, and 1 where background, else 0.
    """
    for y in range(len(lines)):
        line, free, out = lines[y], background[y], sample[y]
        for x in range(len(free)):
            at, to = np.uint64(3 * x), np.uint64(4 * x)
            out[to] = line[at]
            out[to + np.uint64(1)] = line[at + np.uint64(1)]
            out[to + np.uint64(2)] = line[at + np.uint64(2)]
            out[to + np.uint64(3)] = free[np.uint64(x)]
