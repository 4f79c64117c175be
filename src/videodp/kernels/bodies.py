"""Whose pixels they are around a box, when boxes overlap."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["BOX", "CORE", "DRAWN", "MINE", "claim", "keep_central", "span_lines"]

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
    wide = 0.75
    if down < 0.0 or down > 1.0:
        across = max(across, 1.0 + 2.0 * max(-down, down - 1.0))
        wide = 1.0
    elif box[3] < 1.3 * box[2]:
        across = max(across, abs(2.0 * down - 1.0))
        wide = 1.0
    elif down < 0.2:
        wide = 0.45 + 5.0 * max(down - 0.14, 0.0)
    return float(across / wide)


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
    x, y, w, h = boxes[i]
    bottom = y + h
    across = np.empty(width)
    for column in range(width):
        u = 2.0 * (x0 + column + 0.5 - x) / w - 1.0
        across[column] = u * u
    # A pixel that the box touches at all is in it.
    left, right = max(int(np.floor(x)) - x0, 0), min(int(np.ceil(x + w)) - x0, width)
    top, end = max(int(np.floor(y)) - y0, 0), min(int(np.ceil(bottom)) - y0, height)
    for line in range(height):
        v = 2.0 * (y0 + line + 0.5 - y) / h - 1.0
        v = 1.0 - v * v
        here = out[line]
        for column in range(width):
            core = across[np.uint64(column)] <= v
            here[np.uint64(column)] = np.uint8(MINE + DRAWN) + np.uint8(CORE) * np.uint8(core)
        if top <= line < end:
            for column in range(left, right):
                here[column] |= BOX
    for j in range(len(boxes)):
        if j == i:
            continue
        a, b, c, d = boxes[j]
        # The pixels whose centre is in the other box.
        start, stop = max(int(np.ceil(a - x0 - 0.5)), 0), min(int(np.ceil(a + c - x0 - 0.5)), width)
        first, last = (
            max(int(np.ceil(b - y0 - 0.5)), 0),
            min(int(np.ceil(b + d - y0 - 0.5)), height),
        )
        front = bottom > b + d + _CLEAR * h
        behind = b + d > bottom + _CLEAR * h
        for line in range(first, last):
            for column in range(start, stop):
                flags = out[line, column]
                if not flags & BOX:
                    out[line, column] = flags & (BOX | CORE)
                elif flags & DRAWN and not behind:
                    off = _off(x0 + column + 0.5, y0 + line + 0.5, boxes[i])
                    if front and off <= 1.0:
                        continue
                    if off > _off(x0 + column + 0.5, y0 + line + 0.5, boxes[j]):
                        out[line, column] = flags & (BOX | CORE | MINE)


@njit(nogil=True, cache=True)
def keep_central(labels: np.ndarray, flags: np.ndarray, count: int, out: np.ndarray) -> float:
    """Keeps the parts that reach into the core.

    Args:
        labels: (h, w) uint16: 0 for nothing, else the part.
        flags: (h, w) uint8, from `claim`.
        count: of the labels, 0 included.
        out: (h, w) uint8, written: 1 for parts that are kept.

    Returns:
        Share of the core that they fill.
    """
    height, width = labels.shape
    inside = np.zeros(count, np.int64)
    for y in range(height):
        for x in range(width):
            inside[labels[y, x]] += (flags[y, x] & CORE) != 0
    core = inside.sum()
    kept = (inside > 0).astype(np.uint8)
    kept[0] = 0
    for y in range(height):
        for x in range(width):
            out[y, x] = kept[labels[y, x]]
    return float((core - inside[0]) / max(core, 1))


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
    held = np.zeros(width, np.int32)
    for y in range(-reach, height):
        if y + reach < height:
            entering = mask[y + reach]
            for x in range(width):
                held[np.uint64(x)] += entering[np.uint64(x)]
        if y - reach > 0:
            leaving = mask[y - reach - 1]
            for x in range(width):
                held[np.uint64(x)] -= leaving[np.uint64(x)]
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
