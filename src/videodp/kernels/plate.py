"""The scene without elements, from samples in which the elements are cut out."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["masked_median"]


@njit(nogil=True, cache=True)
def masked_median(
    samples: np.ndarray, plate: np.ndarray, state: np.ndarray, spread: np.ndarray
) -> None:
    """Median of each pixel over the samples in which it is background.

    Args:
        samples: (n, h, w, 4) uint8: red, green, blue, and 1 where background.
        plate: (h, w, 3) uint8, written: the lower median of each channel.
        state: (h, w) uint8, written: 1 where any sample shows background, else 0.
        spread: (h, w) uint8, written: green's third quartile less its first.
    """
    count, height, width, _ = samples.shape
    values = np.empty(count, np.uint8)
    for y in range(height):
        for x in range(width):
            state[y, x] = 0
            spread[y, x] = 0
            for channel in range(3):
                size = 0
                for i in range(count):
                    if samples[i, y, x, 3] == 0:
                        continue
                    value = samples[i, y, x, channel]
                    at = size
                    while at > 0 and values[at - 1] > value:
                        values[at] = values[at - 1]
                        at -= 1
                    values[at] = value
                    size += 1
                if size == 0:
                    break
                state[y, x] = 1
                plate[y, x, channel] = values[(size - 1) // 2]
                if channel == 1:
                    spread[y, x] = values[3 * (size - 1) // 4] - values[(size - 1) // 4]
