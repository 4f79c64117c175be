"""The light of a frame against the light of the plate."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["fit_light", "local_light"]

_BINS = 512


@njit(nogil=True, cache=True)
def fit_light(frame: np.ndarray, plate: np.ndarray, known: np.ndarray, light: np.ndarray) -> float:
    """Fits frame = gain * plate + offset for each channel, not disturbed by what is not scene.

    Starts from the median ratio, then three rounds of least squares over what fits.

    Args:
        frame: (h, w, 3) uint8.
        plate: (h, w, 3) uint8.
        known: (h, w) uint8, 1 where the plate is known and may be looked at.
        light: (3, 2) float32, written: gain and offset.

    Returns:
        Share of the known pixels that fit in the end.
    """
    height, width = known.shape
    fitting = 0
    total = 0
    below, above = np.empty((2, height * width), np.int64)
    for channel in range(3):
        n = 0
        for y in range(height):
            for x in range(width):
                below[n] = plate[y, x, channel]
                above[n] = frame[y, x, channel]
                n += known[y, x] != 0
        gain, offset = _median_ratio(below[:n], above[:n]), 0.0
        for turn in range(3):
            wide = 20.0 if turn == 0 else 10.0
            # Whole numbers, which may be added in any order: many at a time.
            m = sp = sf = spp = spf = 0
            for i in range(n):
                p, f = below[np.uint64(i)], above[np.uint64(i)]
                fits = (f >= 4) & (f <= 251) & (abs(f - gain * p - offset) <= wide)
                p, f = p * fits, f * fits
                m += fits
                sp += p
                sf += f
                spp += p * p
                spf += p * f
            if m < 16:
                break
            # Drawn towards no offset, as strongly as a few hundred grey levels of contrast: a
            # plain picture has no slope of its own.
            spread = spp - np.float64(sp) * sp / m
            ridge = 25.0 * m
            slope = (spf - np.float64(sp) * sf / m + ridge * sf / max(sp, 1)) / (spread + ridge)
            gain = min(max(slope, 0.05), 8.0)
            offset = (sf - gain * sp) / m
        light[channel, 0] = gain
        light[channel, 1] = offset
        total += n
        for i in range(n):
            p, f = below[np.uint64(i)], above[np.uint64(i)]
            fitting += abs(f - gain * p - offset) <= 10.0
    return fitting / max(total, 1)


@njit(nogil=True, cache=True)
def _median_ratio(below: np.ndarray, above: np.ndarray) -> float:
    """How many times as bright the one is as the other, (n,) int64 each; 1 if all is dark."""
    ratios = np.zeros(_BINS, np.int64)
    n = 0
    for i in range(len(below)):
        if below[i] >= 24:
            ratio = (np.float32(above[i]) + 0.5) / (np.float32(below[i]) + 0.5)
            ratios[min(int(ratio * 128.0), _BINS - 1)] += 1
            n += 1
    if n == 0:
        return 1.0
    half, at = 0, 0
    while 2 * (half + ratios[at]) < n:
        half += ratios[at]
        at += 1
    inside = (0.5 * n - half) / max(ratios[at], 1)
    return float(max((at + inside) / 128.0, 0.05))


@njit(nogil=True, cache=True)
def local_light(
    frame: np.ndarray,
    plate: np.ndarray,
    known: np.ndarray,
    light: np.ndarray,
    reach: int,
    grid: np.ndarray,
    trust: np.ndarray,
) -> None:
    """What is left of the light's change, cell by cell: the median of what nearly fits.

    Args:
        frame: (h, w, 3) uint8.
        plate: (h, w, 3) uint8.
        known: (h, w) uint8.
        light: (3, 2) float32, from `fit_light`.
        reach: largest difference, in grey levels, that is taken for light.
        grid: (rows, columns, 3) float32, written: grey levels to add; 0 where nothing fits.
        trust: (rows, columns) float32, written: share of the cell that fits.
    """
    height, width = known.shape
    rows, columns = trust.shape
    counts = np.zeros((3, 2 * reach + 1), np.int64)
    for r in range(rows):
        for c in range(columns):
            counts[:] = 0
            n, total = 0, 0
            for y in range(r * height // rows, (r + 1) * height // rows):
                for x in range(c * width // columns, (c + 1) * width // columns):
                    total += 1
                    if known[y, x] == 0:
                        continue
                    red = frame[y, x, 0] - light[0, 0] * plate[y, x, 0] - light[0, 1]
                    green = frame[y, x, 1] - light[1, 0] * plate[y, x, 1] - light[1, 1]
                    blue = frame[y, x, 2] - light[2, 0] * plate[y, x, 2] - light[2, 1]
                    if abs(red) > reach or abs(green) > reach or abs(blue) > reach:
                        continue
                    counts[0, int(np.floor(red + 0.5)) + reach] += 1
                    counts[1, int(np.floor(green + 0.5)) + reach] += 1
                    counts[2, int(np.floor(blue + 0.5)) + reach] += 1
                    n += 1
            trust[r, c] = n / max(total, 1)
            for channel in range(3):
                grid[r, c, channel] = 0.0
                if n == 0:
                    continue
                below, at = 0, 0
                while 2 * (below + counts[channel, at]) < n:
                    below += counts[channel, at]
                    at += 1
                inside = (0.5 * n - below) / max(counts[channel, at], 1)
                grid[r, c, channel] = at - reach - 0.5 + inside
