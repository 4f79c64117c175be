"""Which samples of a pixel show the scene, and the scene made from them.

At most 64 samples, so that a set of samples is one 64-bit number.
"""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["MOST_SAMPLES", "count_members", "erode_members", "find_modes", "mean_of_members"]

MOST_SAMPLES = 64
"""Samples that fit into one set."""

_ONE = np.uint64(1)
_FEW = 15
"""Values of which the median and the quartiles are taken."""


@njit(nogil=True, cache=True)
def count_members(bits: np.uint64) -> int:
    """Number of samples in a set."""
    n = 0
    while bits:
        bits = bits & (bits - _ONE)
        n += 1
    return n


@njit(nogil=True, cache=True)
def find_modes(
    samples: np.ndarray, free: np.ndarray, tolerance: int, first: np.ndarray, second: np.ndarray
) -> None:
    """The largest set of samples that agree at each pixel, and the largest among the others.

    A set is all samples no further than `tolerance` from one of them in each channel; of equally
    large ones it is that around the earliest sample.

    Args:
        samples: (n, h, w, 3) uint8, n <= 64, in the same light.
        free: (n, h, w) uint8, 1 where a sample may show the scene.
        tolerance: grey levels.
        first: (h, w) uint64, written: bit i is sample i; 0 where no sample is free.
        second: (h, w) uint64, written.
    """
    count, height, width, _ = samples.shape
    near = np.empty(count, np.uint64)
    for y in range(height):
        for x in range(width):
            near[:] = 0
            for i in range(count):
                if free[i, y, x] == 0:
                    continue
                near[i] |= _ONE << np.uint64(i)
                red = np.int32(samples[i, y, x, 0])
                green = np.int32(samples[i, y, x, 1])
                blue = np.int32(samples[i, y, x, 2])
                for j in range(i):
                    if (
                        free[j, y, x]
                        and abs(np.int32(samples[j, y, x, 1]) - green) <= tolerance
                        and abs(np.int32(samples[j, y, x, 0]) - red) <= tolerance
                        and abs(np.int32(samples[j, y, x, 2]) - blue) <= tolerance
                    ):
                        near[i] |= _ONE << np.uint64(j)
                        near[j] |= _ONE << np.uint64(i)
            most = 0
            best = np.uint64(0)
            for i in range(count):
                size = count_members(near[i])
                if size > most:
                    most, best = size, near[i]
            first[y, x] = best
            most = 0
            other = np.uint64(0)
            for i in range(count):
                if best >> np.uint64(i) & _ONE:
                    continue
                rest = near[i] & ~best
                size = count_members(rest)
                if size > most:
                    most, other = size, rest
            second[y, x] = other


@njit(nogil=True, cache=True)
def erode_members(members: np.ndarray, least: int, out: np.ndarray) -> None:
    """Keeps the samples that all eight neighbours have too, where at least `least` are left.

    At the outline of a body a pixel is mixed and may pass for scene; its neighbour tells.

    Args:
        members: (h, w) uint64.
        least: samples.
        out: (h, w) uint64, written: `members` where fewer would be left.
    """
    height, width = members.shape
    for y in range(height):
        for x in range(width):
            common = members[y, x]
            for b in range(max(y - 1, 0), min(y + 2, height)):
                for a in range(max(x - 1, 0), min(x + 2, width)):
                    if members[b, a]:
                        common &= members[b, a]
            out[y, x] = common if count_members(common) >= least else members[y, x]


@njit(nogil=True, cache=True)
def mean_of_members(
    samples: np.ndarray,
    tables: np.ndarray,
    members: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    plate: np.ndarray,
    noise: np.ndarray,
) -> None:
    """The scene: the mean of the samples that show it, without those far from their median.

    Args:
        samples: (n, h, w, 3) uint8.
        tables: (n, 3, 256) float32: value of each grey level of a sample in common light.
        members: (H, W) uint64: the samples that show the scene, coarser than the picture.
        rows: (h,) int64: line of `members` for each line.
        columns: (w,) int64: column of `members` for each column.
        plate: (h, w, 3) uint8, written where there is any member.
        noise: (h, w) uint8, written: standard deviation of a channel in 1/8 grey levels.
    """
    count, height, width, _ = samples.shape
    picks = _spread_picks(count)
    members_here = np.empty(count, np.uint64)
    values = np.empty(count, np.float32)
    few = np.empty(_FEW, np.float32)
    for y in range(height):
        for x in range(width):
            bits = members[rows[y], columns[x]]
            total = 0
            for i in range(count):
                if bits >> np.uint64(i) & _ONE:
                    members_here[total] = i
                    total += 1
            if total == 0:
                noise[y, x] = 255
                continue
            square = np.float32(0.0)
            size = min(total, _FEW)
            for channel in range(3):
                for j in range(total):
                    i = members_here[j]
                    values[j] = tables[i, channel, samples[i, np.uint64(y), np.uint64(x), channel]]
                for j in range(size):
                    value = values[picks[total, j]]
                    at = j
                    while at > 0 and few[at - 1] > value:
                        few[at] = few[at - 1]
                        at -= 1
                    few[at] = value
                middle = few[size // 2]
                # Half of a normal distribution is within 0.67 of it: the quartiles are robust.
                wide = max(few[3 * size // 4] - few[size // 4], np.float32(3.0)) * np.float32(2.2)
                sums = np.float32(0.0)
                squares = np.float32(0.0)
                near = 0
                for j in range(total):
                    off = values[j] - middle
                    if abs(off) <= wide:
                        sums += off
                        squares += off * off
                        near += 1
                mean = sums / near
                square += max(squares / near - mean * mean, np.float32(0.0))
                plate[y, x, channel] = np.uint8(min(max(middle + mean + 0.5, 0.0), 255.0))
            noise[y, x] = np.uint8(min(8.0 * np.sqrt(square / 3.0) + 0.5, 254.0))


@njit(nogil=True, cache=True)
def _spread_picks(count: int) -> np.ndarray:
    """(count + 1, _FEW) int64: which of so many values stand for all of them, evenly spread."""
    picks = np.zeros((count + 1, _FEW), np.int64)
    for total in range(1, count + 1):
        size = 0
        for j in range(total):
            take = total <= _FEW or (j * _FEW) // total != ((j - 1) * _FEW) // total
            if take and size < _FEW:
                picks[total, size] = j
                size += 1
    return picks
