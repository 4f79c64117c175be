"""The privacy loss of one colour: ln of C(c, x) / C(c - w, x)."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

__all__ = ["colour_loss", "colour_losses", "most_draws"]


@njit(nogil=True, cache=True)
def colour_loss(count: int, worn: int, draws: int, limit: float) -> float:
    """The logarithm of C(c, draws) / C(c - worn, draws); above `limit`, anything above it.

    This is minus the log-probability that none of `worn` marked pixels is among `draws` pixels
    taken from `count`. Drawing and marking can be swapped, so the shorter product is summed; each
    of its terms is at least max/count, so at most sqrt(limit * count) terms are needed.
    """
    short, long = min(worn, draws), max(worn, draws)
    if count - (short - 1) <= long and short > 0:
        return math.inf
    loss = 0.0
    for i in range(short):
        loss -= math.log1p(-long / (count - i))
        if loss > limit:
            break
    return loss


@njit(nogil=True, cache=True)
def colour_losses(counts: np.ndarray, worn: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """`colour_loss` of each row, (n,) float64."""
    losses = np.empty(len(counts))
    for i in range(len(counts)):
        losses[i] = colour_loss(counts[i], worn[i], draws[i], math.inf)
    return losses


@njit(nogil=True, cache=True)
def most_draws(counts: np.ndarray, worn: np.ndarray, limits: np.ndarray) -> int:
    """The most draws that keep the loss of every wearer within its limit (paper, equation 6).

    Args:
        counts: (n,) int64 pixels of the colour among which those of each wearer hide (c_i).
        worn: (n,) int64 pixels in each wearer (c_i^j).
        limits: (n,) float64.
    """
    low, high = 0, (counts - worn).min()
    while low < high:
        middle = (low + high + 1) // 2
        fits = True
        for j in range(len(worn)):
            if colour_loss(counts[j], worn[j], middle, limits[j]) > limits[j]:
                fits = False
                break
        if fits:
            low = middle
        else:
            high = middle - 1
    return low
