"""The expected picture after the first fill (paper, appendix A)."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["expected_grey"]


@njit(nogil=True, cache=True)
def expected_grey(
    grey: np.ndarray, drawn: np.ndarray, inside: np.ndarray, tolerance: float
) -> tuple[np.ndarray, int]:
    """Solves the sparse system of appendix A.2 by Gauss-Seidel sweeps.

    For a pixel with n neighbours inside the element, of which m are drawn with probability σ_m,
    equations 4, 13 and 14 all read E = p θ + (1 - p) (σ_1 + ... + σ_n) mean(E of neighbours), and
    σ_1 + ... + σ_n = 1 - σ_0. Every row sums to less than one, so the sweeps converge, the faster
    the smaller p is; each sweep is linear in the number of pixels that can differ from 0.

    Args:
        grey: (h, w) float64 true grey values (θ).
        drawn: (h, w) float64 probability that the pixel is drawn (Pr).
        inside: (h, w) bool: the element.
        tolerance: ends when no value changed by more than this.

    Returns:
        (h, w) float64 expected grey values, 0 outside, and the number of sweeps.
    """
    expected = np.zeros(grey.shape)
    ys, xs = _within_reach(drawn, inside)
    for sweep in range(10_000):
        change = 0.0
        for i in range(len(ys)):
            y, x = ys[i], xs[i]
            near, total, none = _around(expected, drawn, inside, y, x)
            value = drawn[y, x] * grey[y, x]
            if near > 0:
                value += (1.0 - drawn[y, x]) * (1.0 - none) * total / near
            change = max(change, abs(value - expected[y, x]))
            expected[y, x] = value
        if change <= tolerance:
            return expected, sweep + 1
    return expected, 10_000


@njit(nogil=True, cache=True, inline="always")
def _around(
    expected: np.ndarray, drawn: np.ndarray, inside: np.ndarray, y: int, x: int
) -> tuple[int, float, float]:
    """Neighbours inside the element, the sum of their values, and σ_0."""
    near = 0
    total = 0.0
    none = 1.0
    for side in range(4):
        b = y + (side == 1) - (side == 0)
        a = x + (side == 3) - (side == 2)
        if 0 <= b < inside.shape[0] and 0 <= a < inside.shape[1] and inside[b, a]:
            near += 1
            total += expected[b, a]
            none *= 1.0 - drawn[b, a]
    return near, total, none


@njit(nogil=True, cache=True)
def _within_reach(drawn: np.ndarray, inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lines and columns, in raster order, of the pixels that may be drawn, and of those beside.

    Everywhere else p = 0 and σ_0 = 1, so E = 0.
    """
    height, width = inside.shape
    reached = np.zeros((height, width), np.bool_)
    for y in range(height):
        for x in range(width):
            if drawn[y, x] > 0.0 and inside[y, x]:
                reached[y, x] = True
                reached[max(y - 1, 0), x] = reached[min(y + 1, height - 1), x] = True
                reached[y, max(x - 1, 0)] = reached[y, min(x + 1, width - 1)] = True
    ys, xs = np.nonzero(reached & inside)
    return ys, xs
