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

_BLOCK = 256
_MIX = np.uint64(2654435769)  # 2**32 / golden ratio: spreads neighbouring colours


def count_colours(rgb: np.ndarray, histogram: np.ndarray) -> None:
    """Adds every pixel of `rgb`, (h, w, 3) uint8, to `histogram`, (2**24,) uint32.

    The histogram is ordered by (red - green, blue - green, green), modulo 256: neighbours in a
    picture differ in brightness more than in hue, so they meet in the same corner of memory.
    `histogram_colours` turns its places into colours.
    """
    _count_lines(rgb.reshape(len(rgb), -1), histogram)


@njit(nogil=True, cache=True)
def _count_lines(lines: np.ndarray, histogram: np.ndarray) -> None:
    """The same for (h, 3 * w) uint8: channels side by side become vector instructions."""
    places = np.empty(lines.shape[1] // 3, np.uint32)
    low, above = np.uint32(255), np.uint32(256)
    for y in range(len(lines)):
        line = lines[y]
        for x in range(len(places)):
            at = np.uint64(3 * x)
            green = np.uint32(line[at + np.uint64(1)])
            red = (np.uint32(line[at]) + above - green) & low
            blue = (np.uint32(line[at + np.uint64(2)]) + above - green) & low
            places[x] = (red << np.uint32(16)) | (blue << np.uint32(8)) | green
        for x in range(len(places)):
            histogram[places[x]] += np.uint32(1)


def histogram_colours(places: np.ndarray) -> np.ndarray:
    """The colours at `places`, (n,) int64, of a histogram that `count_colours` filled."""
    green = places & 255
    red, blue = ((places >> 16) + green) & 255, ((places >> 8) + green) & 255
    return (red << 16) | (green << 8) | blue


@njit(nogil=True, cache=True, inline="always")
def _home(colour: np.int32, mask: np.uint64) -> np.uint64:
    """Where the search for a colour begins: eight shades of a hue share a line of memory."""
    low, above = np.uint64(255), np.uint64(256)
    every = np.uint64(colour)
    green = (every >> np.uint64(8)) & low
    red = ((every >> np.uint64(16)) + above - green) & low
    blue = ((every & low) + above - green) & low
    line = (red << np.uint64(13)) | (blue << np.uint64(5)) | (green >> np.uint64(3))
    spread = (line * _MIX) >> np.uint64(8)
    return np.uint64(((spread << np.uint64(3)) | (green & np.uint64(7))) & mask)


@njit(nogil=True, cache=True, inline="always")
def _slot(table: np.ndarray, colour: np.int32, at: np.uint64, mask: np.uint64) -> np.uint64:
    """The slot of `colour` at or after `at`, or the free slot where it belongs."""
    while table[at, 0] != -1 and table[at, 0] != colour:
        at = (at + np.uint64(1)) & mask
    return at


def gather_worn(
    rgb: np.ndarray, owner: np.ndarray, bounds: np.ndarray, values: np.ndarray, kept: np.ndarray
) -> np.ndarray:
    """Writes the colours of the pixels of each owner to `kept`, in raster order.

    Args:
        rgb: (h, w, 3) uint8.
        owner: (h, w) int32.
        bounds: (n, 4) int64 x0, y0, x1, y1: where to look for each.
        values: (n,) int32: the owners.
        kept: (h * w,) int32, written: one owner after the other.

    Returns:
        (n + 1,) int64: owner i has ``kept[ends[i]:ends[i + 1]]``.
    """
    ends = np.zeros(len(values) + 1, np.int64)
    _gather(rgb.reshape(len(rgb), -1), owner, bounds, values, kept, ends)
    return ends


@njit(nogil=True, cache=True)
def _gather(
    lines: np.ndarray,
    owner: np.ndarray,
    bounds: np.ndarray,
    values: np.ndarray,
    kept: np.ndarray,
    ends: np.ndarray,
) -> None:
    pixels = 0
    for i in range(len(values)):
        value = values[i]
        for y in range(bounds[i, 1], bounds[i, 3]):
            line, owners = lines[y], owner[y]
            for x in range(bounds[i, 0], bounds[i, 2]):
                if owners[np.uint64(x)] == value:
                    at = np.uint64(3 * x)
                    kept[np.uint64(pixels)] = (
                        (np.int32(line[at]) << np.int32(16))
                        | (np.int32(line[at + np.uint64(1)]) << np.int32(8))
                        | np.int32(line[at + np.uint64(2)])
                    )
                    pixels += 1
        ends[i + 1] = pixels


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
    mask = np.uint64(len(table) - 1)
    slots = np.empty(_BLOCK, np.uint64)
    for start in range(0, len(colours), _BLOCK):
        block = colours[start : start + _BLOCK]
        for i in range(len(block)):
            slots[i] = _home(block[i], mask)
        for i in range(len(block)):
            at = _slot(table, block[i], slots[i], mask)
            if table[at, 0] == -1:
                table[at, 0] = block[i]
                new += 1
            table[at, 1] += np.int32(1)
    return new


@njit(nogil=True, cache=True)
def rehash(table: np.ndarray, larger: np.ndarray) -> None:
    """Moves a table into a larger, empty one."""
    mask = np.uint64(len(larger) - 1)
    for i in range(len(table)):
        colour = table[i, 0]
        if colour != -1:
            larger[_slot(larger, colour, _home(colour, mask), mask)] = table[i]


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
