"""Counting colours. A colour is the 24-bit number red * 65536 + green * 256 + blue."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["EMPTY", "count_colours", "crop_colours", "rehash", "tally_worn"]

EMPTY = np.int32(-1)
"""Marks a free slot of a table and, in a crop, a pixel of somebody else."""

_MIX = np.uint32(2654435769)  # 2**32 / golden ratio: spreads neighbouring colours


@njit(nogil=True, cache=True)
def count_colours(rgb: np.ndarray, histogram: np.ndarray) -> None:
    """Adds every pixel of `rgb`, (h, w, 3) uint8, to `histogram`, (2**24,) uint32."""
    for y in range(rgb.shape[0]):
        for x in range(rgb.shape[1]):
            colour = (np.int64(rgb[y, x, 0]) << 16) | (np.int64(rgb[y, x, 1]) << 8)
            histogram[colour | np.int64(rgb[y, x, 2])] += np.uint32(1)


@njit(nogil=True, cache=True, inline="always")
def _slot(keys: np.ndarray, colour: np.int32) -> np.int64:
    """The slot of `colour`, or the free slot where it belongs."""
    mask = len(keys) - 1
    at = np.int64((np.uint32(colour) * _MIX) >> np.uint32(8)) & mask
    while keys[at] != -1 and keys[at] != colour:
        at = (at + 1) & mask
    return at


@njit(nogil=True, cache=True)
def tally_worn(
    rgb: np.ndarray,
    owner: np.ndarray,
    bounds: np.ndarray,
    value: int,
    keys: np.ndarray,
    counts: np.ndarray,
) -> tuple[int, int]:
    """Counts the colours of the pixels of one owner in an open-addressing table.

    Args:
        rgb: (h, w, 3) uint8.
        owner: (h, w) int32.
        bounds: (4,) int64 x0, y0, x1, y1: where to look.
        value: the owner.
        keys: (2**n,) int32 colours, -1 where free; must have room for every pixel in bounds.
        counts: (2**n,) uint32.

    Returns:
        Number of pixels, number of colours that are new in the table.
    """
    pixels = 0
    new = 0
    last = np.int32(-1)
    at = np.int64(0)
    for y in range(bounds[1], bounds[3]):
        for x in range(bounds[0], bounds[2]):
            if owner[y, x] != value:
                continue
            colour = np.int32(
                (np.int32(rgb[y, x, 0]) << 16) | (np.int32(rgb[y, x, 1]) << 8) | rgb[y, x, 2]
            )
            if colour != last:
                at = _slot(keys, colour)
                last = colour
                if keys[at] == -1:
                    keys[at] = colour
                    new += 1
            counts[at] += np.uint32(1)
            pixels += 1
    return pixels, new


@njit(nogil=True, cache=True)
def rehash(
    keys: np.ndarray, counts: np.ndarray, new_keys: np.ndarray, new_counts: np.ndarray
) -> None:
    """Moves a table into a larger, empty one."""
    for i in range(len(keys)):
        if keys[i] != -1:
            at = _slot(new_keys, keys[i])
            new_keys[at] = keys[i]
            new_counts[at] = counts[i]


@njit(nogil=True, cache=True)
def crop_colours(
    rgb: np.ndarray, owner: np.ndarray, bounds: np.ndarray, value: int, crop: np.ndarray
) -> None:
    """Writes the colours of one owner's pixels into `crop`, (y1 - y0, x1 - x0) int32.

    Pixels of others become -1.
    """
    for y in range(bounds[1], bounds[3]):
        for x in range(bounds[0], bounds[2]):
            colour = np.int32(-1)
            if owner[y, x] == value:
                colour = np.int32(
                    (np.int32(rgb[y, x, 0]) << 16) | (np.int32(rgb[y, x, 1]) << 8) | rgb[y, x, 2]
                )
            crop[y - bounds[1], x - bounds[0]] = colour
