"""Counting colours. A colour is the 24-bit number red * 65536 + green * 256 + blue."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = [
    "EMPTY",
    "count_colours",
    "crop_colours",
    "gather_worn",
    "histogram_colours",
    "rehash",
    "tally_colours",
]

EMPTY = np.int32(-1)
"""Marks a free slot of a table and, in a crop, a pixel of somebody else."""

_BLOCK = 128
_MIX = np.uint64(2654435769)  # 2**32 / golden ratio: spreads neighbouring colours


@njit(nogil=True, cache=True)
def count_colours(rgb: np.ndarray, histogram: np.ndarray) -> None:
    """Adds every pixel of `rgb`, (h, w, 3) uint8, to `histogram`, (2**24,) uint32.

    The histogram is ordered by (red - green, blue - green, green), modulo 256: neighbours in a
    picture differ in brightness more than in hue, so they meet in the same corner of memory.
    `histogram_colours` turns its places into colours.
    """
    places = np.empty(rgb.shape[1], np.uint32)
    for y in range(rgb.shape[0]):
        line = rgb[y]
        for x in range(len(line)):  # a whole line at a time: vector instructions
            green = np.uint32(line[x, 1])
            red = (np.uint32(line[x, 0]) + np.uint32(256) - green) & np.uint32(255)
            blue = (np.uint32(line[x, 2]) + np.uint32(256) - green) & np.uint32(255)
            places[x] = (red << np.uint32(16)) | (blue << np.uint32(8)) | green
        for x in range(len(line)):
            histogram[places[x]] += np.uint32(1)


def histogram_colours(places: np.ndarray) -> np.ndarray:
    """The colours at `places`, (n,) int64, of a histogram that `count_colours` filled."""
    green = places & 255
    red, blue = ((places >> 16) + green) & 255, ((places >> 8) + green) & 255
    return (red << 16) | (green << 8) | blue


@njit(nogil=True, cache=True, inline="always")
def _home(colour: np.int32, mask: int) -> np.int64:
    """Where the search for a colour begins: eight shades of a hue share a line of memory."""
    green = (np.int64(colour) >> 8) & 255
    red = ((np.int64(colour) >> 16) - green) & 255
    blue = (np.int64(colour) - green) & 255
    line = (red << 13) | (blue << 5) | (green >> 3)
    return (np.int64((np.uint64(line) * _MIX) >> np.uint64(8)) * 8 + (green & 7)) & mask


@njit(nogil=True, cache=True, inline="always")
def _slot(table: np.ndarray, colour: np.int32) -> np.int64:
    """The slot of `colour`, or the free slot where it belongs."""
    mask = len(table) - 1
    at = _home(colour, mask)
    while table[at, 0] != -1 and table[at, 0] != colour:
        at = (at + 1) & mask
    return at


@njit(nogil=True, cache=True)
def gather_worn(
    rgb: np.ndarray, owner: np.ndarray, bounds: np.ndarray, value: int, kept: np.ndarray
) -> int:
    """Writes the colours of the pixels of one owner to `kept`, in raster order.

    Args:
        rgb: (h, w, 3) uint8.
        owner: (h, w) int32.
        bounds: (4,) int64 x0, y0, x1, y1: where to look.
        value: the owner.
        kept: (n,) int32, written; must have room for every pixel in bounds.

    Returns:
        Number of pixels.
    """
    pixels = 0
    for y in range(bounds[1], bounds[3]):
        owners = owner[y, bounds[0] : bounds[2]]
        line = rgb[y, bounds[0] : bounds[2]]
        for x in range(len(owners)):
            if owners[x] == value:
                kept[pixels] = (
                    (np.int32(line[x, 0]) << 16) | (np.int32(line[x, 1]) << 8) | line[x, 2]
                )
                pixels += 1
    return pixels


@njit(nogil=True, cache=True)
def tally_colours(colours: np.ndarray, table: np.ndarray) -> int:
    """Counts colours in an open-addressing table.

    Args:
        colours: (n,) int32.
        table: (2**n, 2) int32: colour, -1 where free, and its count side by side, so that one
            look at memory serves both; must have room for every colour.

    Returns:
        Number of colours that are new in the table.
    """
    new = 0
    mask = len(table) - 1
    slots = np.empty(_BLOCK, np.int64)
    first = np.empty(_BLOCK, np.int32)
    for start in range(0, len(colours), _BLOCK):
        block = colours[start : start + _BLOCK]
        # Looks at memory for a whole block, so that the waits for it overlap; then counts.
        for i in range(len(block)):
            slots[i] = _home(block[i], mask)
            first[i] = table[slots[i], 0]
        for i in range(len(block)):
            at = slots[i]
            if first[i] != block[i]:
                at = _slot(table, block[i])
                if table[at, 0] == -1:
                    table[at, 0] = block[i]
                    new += 1
            table[at, 1] += np.int32(1)
    return new


@njit(nogil=True, cache=True)
def rehash(table: np.ndarray, larger: np.ndarray) -> None:
    """Moves a table into a larger, empty one."""
    for i in range(len(table)):
        if table[i, 0] != -1:
            larger[_slot(larger, table[i, 0])] = table[i]


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
