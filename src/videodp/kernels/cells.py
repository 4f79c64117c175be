"""The most frequent colours of each cell of an element."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["bands", "cell_of", "top_of_cells"]


@njit(nogil=True, cache=True)
def bands(cells: int, rows: int) -> np.ndarray:
    """(rows + 1,) int64: the first cell of each band, and the number of cells."""
    return np.arange(rows + 1) * cells // rows


@njit(nogil=True, cache=True, inline="always")
def cell_of(u: float, v: float, first: np.ndarray) -> int:
    """The cell at (u, v) in [0, 1): the cells are spread evenly over the `bands`."""
    rows = len(first) - 1
    row = min(max(int(v * rows), 0), rows - 1)
    columns = first[row + 1] - first[row]
    return int(first[row] + min(max(int(u * columns), 0), columns - 1))


@njit(nogil=True, cache=True)
def top_of_cells(
    codes: np.ndarray,
    u: np.ndarray,
    v: np.ndarray,
    preferred: np.ndarray,
    cells: int,
    rows: int,
    top: int,
) -> tuple[np.ndarray, np.ndarray]:
    """For each cell the `top` best colours: preferred ones first, then frequent, then small codes.

    Args:
        codes: (n,) int32 colour code of each pixel, ascending.
        u: (n,) float64 place across the box.
        v: (n,) float64 place down the box.
        preferred: (codes,) uint8: 2 preferred, 1 allowed, 0 never.
        cells: number of cells (k).
        rows: number of bands.
        top: how many to keep.

    Returns:
        (cells, top) int32 codes, -1 where there are no more, and their pixel counts.
    """
    best = np.full((cells, top), -1, np.int32)
    best_counts = np.zeros((cells, top), np.int64)
    counts = np.zeros(cells, np.int64)
    touched = np.empty(cells, np.int64)
    first = bands(cells, rows)
    start = 0
    while start < len(codes):
        code = codes[start]
        end = start
        touches = 0
        while end < len(codes) and codes[end] == code:
            if preferred[code] > 0:
                cell = cell_of(u[end], v[end], first)
                if counts[cell] == 0:
                    touched[touches] = cell
                    touches += 1
                counts[cell] += 1
            end += 1
        start = end
        for i in range(touches):
            cell = touched[i]
            at = top
            while at > 0:
                other = best[cell, at - 1]
                if other >= 0 and (
                    preferred[other] > preferred[code]
                    or (
                        preferred[other] == preferred[code]
                        and best_counts[cell, at - 1] >= counts[cell]
                    )
                ):
                    break
                at -= 1
            for j in range(top - 1, at, -1):
                best[cell, j] = best[cell, j - 1]
                best_counts[cell, j] = best_counts[cell, j - 1]
            if at < top:
                best[cell, at] = code
                best_counts[cell, at] = counts[cell]
            counts[cell] = 0
    return best, best_counts
