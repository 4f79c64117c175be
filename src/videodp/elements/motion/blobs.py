"""From patches of foreground to bodies."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from videodp.kernels.parts import join_boxes, measure_parts

__all__ = ["connected_parts", "join_fragments", "split_group"]

_GAP = 0.35
"""Gap between two parts of one body, as a share of the taller part."""
_TALL = 4.5
"""Height over width of the slimmest body that is put together."""
_VALLEY = 0.55
"""Height of a valley between two bodies against the lower of both."""
_WIDE = 0.7
"""Width over height from which on a patch may hold two bodies."""
_BODY = 0.18
"""Width over height of the slimmest part that is cut off."""


def connected_parts(
    mask: np.ndarray, marks: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The patches of a mask.

    Args:
        mask: (h, w) uint8.
        marks: (h, w) uint8, 1 for pixels that are counted apart.

    Returns:
        (h, w) int32, 0 for nothing, else the patch; and of each patch, 0 included, (n, 4) int64
        x0, y0, x1, y1, (n,) int64 pixels, and (n,) int64 marked pixels.
    """
    count, labels = cv2.connectedComponents(mask, connectivity=8)
    bounds = np.empty((count, 4), np.int64)
    sizes, marked = np.empty((2, count), np.int64)
    measure_parts(np.asarray(labels), marks, bounds, sizes, marked)
    return np.asarray(labels), bounds, sizes, marked


def join_fragments(boxes: np.ndarray) -> np.ndarray:
    """Which patches are one body: one stands above the other, with a small gap.

    Args:
        boxes: (n, 4) int64 x, y, width, height.

    Returns:
        (n,) int64: the same number for patches of the same body.
    """
    groups = np.arange(len(boxes))
    join_boxes(boxes.copy(), groups, _GAP, _TALL)
    return groups


def split_group(body: np.ndarray) -> list[tuple[int, int]]:
    """Cuts a patch that is wide for its height where it is low between two high parts.

    Args:
        body: (h, w) bool.

    Returns:
        Columns (left, right) of the parts, side by side; together they are the whole patch.
    """
    height, width = body.shape
    if width < _WIDE * height or height < 16:
        return [(0, width)]
    least = max(3, round(_BODY * height))
    kernel = np.ones(max(1, least // 2) | 1)
    columns = np.convolve(body.sum(axis=0), kernel / len(kernel), mode="same")
    cuts: list[int] = []
    _cut(columns, 0, width, least, cuts)
    edges = [0, *sorted(cuts), width]
    return list(pairwise(edges))


def _cut(columns: np.ndarray, left: int, right: int, least: int, cuts: list[int]) -> None:
    """Adds the deepest valley between two columns, and those on both its sides."""
    if right - left < 2 * least:
        return
    part = columns[left:right]
    before = np.maximum.accumulate(part)
    after = np.maximum.accumulate(part[::-1])[::-1]
    depth = part / np.maximum(np.minimum(before, after), 1e-9)
    depth[:least] = depth[-least:] = 1.0
    at = int(np.argmin(depth))
    if depth[at] >= _VALLEY:
        return
    cuts.append(left + at)
    _cut(columns, left, left + at, least, cuts)
    _cut(columns, left + at, right, least, cuts)
