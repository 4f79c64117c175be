"""Ownership of pixels: who is in front."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["bound_runs", "clear_bounds", "paint_elements"]


@njit(nogil=True, cache=True)
def paint_elements(
    owner: np.ndarray,
    bounds: np.ndarray,
    run_offsets: np.ndarray,
    runs: np.ndarray,
    values: np.ndarray,
) -> None:
    """Writes each element's value over its mask, in the order given: later ones are in front.

    Args:
        owner: (height, width) int32, changed in place.
        bounds: (n, 4) int64: x0, y0, x1, y1 inside the picture, used where there is no mask.
        run_offsets: (n + 1,) int64.
        runs: (r, 2) int32: start and length in raster order, inside the picture.
        values: (n,) int32.
    """
    flat = owner.reshape(-1)
    for i in range(len(values)):
        value = values[i]
        if run_offsets[i] == run_offsets[i + 1]:
            for y in range(bounds[i, 1], bounds[i, 3]):
                owner[y, bounds[i, 0] : bounds[i, 2]] = value
        else:
            for r in range(run_offsets[i], run_offsets[i + 1]):
                start = runs[r, 0]
                flat[start : start + runs[r, 1]] = value


@njit(nogil=True, cache=True)
def clear_bounds(owner: np.ndarray, bounds: np.ndarray) -> None:
    """Writes 0 inside the bounds, (n, 4) int64 x0, y0, x1, y1, of `owner`, (h, w) int32."""
    for i in range(len(bounds)):
        for y in range(bounds[i, 1], bounds[i, 3]):
            owner[y, bounds[i, 0] : bounds[i, 2]] = 0


@njit(nogil=True, cache=True)
def bound_runs(run_offsets: np.ndarray, runs: np.ndarray, width: int, bounds: np.ndarray) -> None:
    """Replaces the bounds of elements that have a mask by the bounds of the mask.

    Args:
        run_offsets: (n + 1,) int64.
        runs: (r, 2) int32: start and length in raster order.
        width: of the picture.
        bounds: (n, 4) int64 x0, y0, x1, y1, changed in place.
    """
    for i in range(len(bounds)):
        if run_offsets[i] == run_offsets[i + 1]:
            continue
        left, top, right, bottom = width, 1 << 30, 0, 0
        for r in range(run_offsets[i], run_offsets[i + 1]):
            y, x = runs[r, 0] // width, runs[r, 0] % width
            end = x + runs[r, 1]
            if end > width:  # goes on in the next line
                x = 0
            left, right = min(left, x), max(right, min(end, width))
            top, bottom = min(top, y), max(bottom, y + (end - 1) // width + 1)
        bounds[i, 0], bounds[i, 1], bounds[i, 2], bounds[i, 3] = left, top, right, bottom
