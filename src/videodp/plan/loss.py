"""Exact privacy loss (DESIGN section 4) and the exact boundary of equation 6."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np

from videodp.kernels.loss import colour_loss, colour_losses, most_draws

__all__ = ["exceeds", "exposure_of", "most_draws_within"]

_NEAR = 1e-9
"""Sums of logarithms are trusted beyond this distance; closer, integers decide."""


def exceeds(count: int, worn: int, draws: int, epsilon: float) -> bool:
    """Whether C(count, draws) / C(count - worn, draws) > exp(epsilon), decided exactly."""
    loss = colour_loss(count, worn, draws, math.inf)
    if abs(loss - epsilon) > _NEAR:
        return bool(loss > epsilon)
    short, long = sorted((worn, draws))
    above = math.prod(range(count - short + 1, count + 1))
    below = math.prod(range(count - long - short + 1, count - long + 1))
    with localcontext() as context:
        context.prec = 60
        return Decimal(above) / Decimal(below) > Decimal(epsilon).exp()


def most_draws_within(counts: np.ndarray, worn: np.ndarray, epsilon: float) -> int:
    """The largest x with C(c_j, x) / C(c_j - worn_j, x) <= exp(epsilon) for all j (equation 6).

    Args:
        counts: (n,) int64: among how many pixels those of each wearer hide; all of the colour, or
            fewer if a person may have several tracks.
        worn: (n,) int64 pixels in each wearer.
        epsilon: budget of the colour.
    """
    draws = int(most_draws(counts, worn, np.full(len(worn), epsilon)))
    while draws > 0 and _one_exceeds(counts, worn, draws, epsilon):
        draws -= 1
    while not _one_exceeds(counts, worn, draws + 1, epsilon):
        draws += 1
    return draws


def _one_exceeds(counts: np.ndarray, worn: np.ndarray, draws: int, epsilon: float) -> bool:
    over = colour_losses(counts, worn, np.full(len(worn), draws)) - epsilon
    return bool((over > _NEAR).any()) or any(
        exceeds(int(counts[j]), int(worn[j]), draws, epsilon)
        for j in np.flatnonzero(np.abs(over) <= _NEAR)
    )


def exposure_of(loss: float) -> float:
    """Probability that at least one true pixel is published: 1 - exp(-loss)."""
    return -math.expm1(-loss)
