"""Whose pixels they are around a box, when boxes overlap."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["BOX", "CORE", "DRAWN", "MINE", "claim", "span_lines"]

BOX, CORE, MINE, DRAWN = 1, 2, 4, 8
"""In the box; in the ellipse in it; not only in another box; and not more likely of another."""

_CLEAR = 0.08
"""Share of its height by which a box must stand lower than another to be surely in front."""


@njit(nogil=True, cache=True)
def _off(x: float, y: float, box: np.ndarray) -> float:
    """How far from the middle of a body a point is: up to 1 is well within it.

    Upright boxes hold a body: a narrow head, then shoulders, then legs. Others are filled.
    """
    across = abs(2.0 * (x - box[0]) / box[2] - 1.0)
    down = (y - box[1]) / box[3]
    if down < 0.0 or down > 1.0:
        return max(across, 1.0 + 2.0 * max(-down, down - 1.0))
    if box[3] < 1.3 * box[2]:
        return max(across, abs(2.0 * down - 1.0))
    if down < 0.14:
        return across / 0.45
    if down < 0.2:
        return across / (0.45 + (down - 0.14) * 5.0)
    return across / 0.75


@njit(nogil=True, cache=True)
def claim(boxes: np.ndarray, i: int, x0: int, y0: int, out: np.ndarray) -> None:
    """Tells for each pixel around a box what that box may claim of it.

    Args:
        boxes: (n, 4) float64 x, y, width, height, sides above 0.
        i: which of them.
        x0: column of the first pixel.
        y0: its line.
        out: (h, w) uint8, written: sum of BOX, CORE, MINE, DRAWN.
    """
    height, width = out.shape
    mine = boxes[i]
    bottom = mine[1] + mine[3]
    near = np.empty(len(boxes), np.int64)
    count = 0
    for j in range(len(boxes)):
        other = boxes[j]
        if (
            j != i
            and other[0] < x0 + width
            and other[0] + other[2] > x0
            and other[1] < y0 + height
            and other[1] + other[3] > y0
        ):
            near[count] = j
            count += 1
    for y in range(height):
        b = y0 + y + 0.5
        for x in range(width):
            a = x0 + x + 0.5
            u = 2.0 * (a - mine[0]) / mine[2] - 1.0
            v = 2.0 * (b - mine[1]) / mine[3] - 1.0
            # A pixel that the box touches at all is in it.
            inside = (
                a + 0.5 > mine[0]
                and a - 0.5 < mine[0] + mine[2]
                and b + 0.5 > mine[1]
                and b - 0.5 < bottom
            )
            flags = (BOX if inside else 0) + (CORE if u * u + v * v <= 1.0 else 0)
            free, drawn = True, True
            for k in range(count):
                other = boxes[near[k]]
                if not (
                    a > other[0]
                    and a < other[0] + other[2]
                    and b > other[1]
                    and b < other[1] + other[3]
                ):
                    continue
                free = False
                off = _off(a, b, mine)
                front = bottom > other[1] + other[3] + _CLEAR * mine[3]
                behind = other[1] + other[3] > bottom + _CLEAR * mine[3]
                if front:
                    drawn &= off <= 1.0 or off <= _off(a, b, other)
                elif not behind:
                    drawn &= off <= _off(a, b, other)
            if inside or free:
                flags += MINE
                if drawn:
                    flags += DRAWN
            out[y, x] = flags


@njit(nogil=True, cache=True)
def span_lines(mask: np.ndarray, flags: np.ndarray, reach: int, gap: int, out: np.ndarray) -> None:
    """Closes gaps along each line, and fills lines without anything with the core.

    Args:
        mask: (h, w) uint8.
        flags: (h, w) uint8, from `claim`.
        reach: a line holds what any line no further away holds.
        gap: longest gap that is closed, in pixels.
        out: (h, w) uint8, written.
    """
    height, width = mask.shape
    held = np.zeros(width, np.int64)
    for y in range(-reach, height):
        if y + reach < height:
            for x in range(width):
                held[x] += mask[y + reach, x]
        if y - reach > 0:
            for x in range(width):
                held[x] -= mask[y - reach - 1, x]
        if y < 0:
            continue
        last = -1
        for x in range(width):
            out[y, x] = held[x] > 0
            if held[x] > 0:
                if last >= 0 and x - last <= gap + 1:
                    for a in range(last + 1, x):
                        out[y, a] = 1
                last = x
        if last < 0:
            for x in range(width):
                out[y, x] = (flags[y, x] & CORE) != 0
