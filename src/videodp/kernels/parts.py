"""How large the connected parts of a picture are, and where."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["join_boxes", "measure_parts"]


@njit(nogil=True, cache=True)
def measure_parts(
    labels: np.ndarray, marks: np.ndarray, bounds: np.ndarray, sizes: np.ndarray, marked: np.ndarray
) -> None:
    """Measures each part but 0. OpenCV's own statistics take ten times as long as its labels.

    Args:
        labels: (h, w) int32: 0 for nothing, else the part.
        marks: (h, w) uint8, 1 for pixels that are counted apart.
        bounds: (n, 4) int64, written: x0, y0, x1, y1 of each part.
        sizes: (n,) int64, written: pixels of each part; 0 for part 0.
        marked: (n,) int64, written: how many of them are marked.
    """
    height, width = labels.shape
    bounds[:, 0], bounds[:, 1], bounds[:, 2:] = width, height, 0
    sizes[:] = 0
    marked[:] = 0
    for y in range(height):
        line, mark = labels[y], marks[y]
        for x in range(width):
            part = line[x]
            if part:
                one = bounds[part]
                one[0], one[1] = min(one[0], x), min(one[1], y)
                one[2], one[3] = max(one[2], x + 1), y + 1
                sizes[part] += 1
                marked[part] += mark[x]


@njit(nogil=True, cache=True)
def join_boxes(boxes: np.ndarray, groups: np.ndarray, gap: float, tall: float) -> None:
    """Joins boxes of which one stands above the other, the first two that fit first.

    Args:
        boxes: (n, 4) int64 x, y, width, height; changed in place.
        groups: (n,) int64, the number of each; changed to that of the first it is joined to.
        gap: largest gap between two, as a share of the taller one.
        tall: height over width of the slimmest box that is put together.
    """
    alive = np.ones(len(boxes), np.bool_)
    again = True
    while again:
        again = False
        for i in range(len(boxes)):
            if not alive[i]:
                continue
            for j in range(i + 1, len(boxes)):
                if alive[j] and _fits(boxes[i], boxes[j], gap, tall):
                    right = max(boxes[i, 0] + boxes[i, 2], boxes[j, 0] + boxes[j, 2])
                    bottom = max(boxes[i, 1] + boxes[i, 3], boxes[j, 1] + boxes[j, 3])
                    boxes[i, 0] = min(boxes[i, 0], boxes[j, 0])
                    boxes[i, 1] = min(boxes[i, 1], boxes[j, 1])
                    boxes[i, 2] = right - boxes[i, 0]
                    boxes[i, 3] = bottom - boxes[i, 1]
                    alive[j] = False
                    for k in range(len(groups)):
                        if groups[k] == j:
                            groups[k] = i
                    again = True
                    break
            if again:
                break


@njit(nogil=True, cache=True)
def _fits(a: np.ndarray, b: np.ndarray, gap: float, tall: float) -> bool:
    """Whether two boxes may be parts of one body."""
    shared = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    between = max(a[1], b[1]) - min(a[1] + a[3], b[1] + b[3])
    wide = max(a[0] + a[2], b[0] + b[2]) - min(a[0], b[0])
    high = max(a[1] + a[3], b[1] + b[3]) - min(a[1], b[1])
    if shared < 0.5 * min(a[2], b[2]) or between > gap * max(a[3], b[3]):
        return False
    return bool(high <= tall * wide and wide <= 1.5 * max(a[2], b[2]))
