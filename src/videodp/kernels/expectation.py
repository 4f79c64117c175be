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
    the smaller p is; each sweep is linear in the number of pixels.

    Args:
        grey: (h, w) float64 true grey values (θ).
        drawn: (h, w) float64 probability that the pixel is drawn (Pr).
        inside: (h, w) bool: the element.
        tolerance: ends when no value changed by more than this.

    Returns:
        (h, w) float64 expected grey values, 0 outside, and the number of sweeps.
    """
    height, width = grey.shape
    expected = np.zeros((height, width))
    for sweep in range(10_000):
        change = 0.0
        for y in range(height):
            for x in range(width):
                if not inside[y, x]:
                    continue
                near = 0
                total = 0.0
                none = 1.0
                if y > 0 and inside[y - 1, x]:
                    near += 1
                    total += expected[y - 1, x]
                    none *= 1.0 - drawn[y - 1, x]
                if y + 1 < height and inside[y + 1, x]:
                    near += 1
                    total += expected[y + 1, x]
                    none *= 1.0 - drawn[y + 1, x]
                if x > 0 and inside[y, x - 1]:
                    near += 1
                    total += expected[y, x - 1]
                    none *= 1.0 - drawn[y, x - 1]
                if x + 1 < width and inside[y, x + 1]:
                    near += 1
                    total += expected[y, x + 1]
                    none *= 1.0 - drawn[y, x + 1]
                value = drawn[y, x] * grey[y, x]
                if near > 0:
                    value += (1.0 - drawn[y, x]) * (1.0 - none) * total / near
                change = max(change, abs(value - expected[y, x]))
                expected[y, x] = value
        if change <= tolerance:
            return expected, sweep + 1
    return expected, 10_000
