"""Counts in ordered bins, behind noisy ones: Bayesian, and post-processing, which is free.

The counts are Poisson around rates whose logarithm bends little: how little is learnt from the
noisy counts too. From many draws of what the counts may be, those are told that have the least
expected error, as the question measures it.
"""

from __future__ import annotations

import numpy as np

from videodp.kernels.series import draw_series
from videodp.synthesis.denoise import on_simplex

__all__ = ["each_bin", "spread"]

_SURELY = 12.0
"""Scales that three bins together hold; noise alone does with a probability below 0.0001."""
_BURN, _EVERY, _DRAWS = 600, 5, 300
_SEED = 0
"""The chain needs luck, but not secret luck: the same noisy counts give the same answer."""


def spread(
    noisy: np.ndarray, scale: float, total: float, variance: float, parts: int
) -> np.ndarray:
    """A likely distribution over ordered bins, told more finely than they are.

    The sum up to every place is the median of the draws: then the earth mover's distance to the
    truth is the least to be expected. Only bins between those that surely stand out, and their
    neighbours, hold anybody: one who is not there but stays for an hour would weigh much.

    Args:
        noisy: (bins,) exact counts plus Laplace noise.
        scale: of the noise.
        total: of the exact counts, as all histograms together tell. What this one tells of it is
            in there too, so its noise is believed a little more than it should be.
        variance: of that.
        parts: that each bin is divided into.

    Returns:
        (bins * parts,) float64, 0 or more, with that total.
    """
    if total <= 0:
        return np.zeros(len(noisy) * parts)
    around = np.convolve(noisy, np.ones(3), "same")
    sure = np.flatnonzero(around > _SURELY * scale)
    first, last = (sure[0], sure[-1]) if len(sure) else 2 * (int(np.argmax(around)),)
    body = slice(max(first - 1, 0), last + 2)
    sums = np.cumsum(_draws(noisy[body], scale, total, variance, parts), axis=1)
    shares = np.median(sums / np.maximum(sums[:, -1:], 1e-9), axis=0)
    if not shares[-1] > 0:
        shares[:] = np.arange(1, len(shares) + 1) / len(shares)
    found = np.zeros(len(noisy) * parts)
    found[body.start * parts : body.start * parts + len(shares)] = np.diff(shares, prepend=0.0)
    return np.asarray(found * (total / shares[-1]))


def each_bin(noisy: np.ndarray, scale: float, total: float, variance: float) -> np.ndarray:
    """Likely counts of ordered bins: medians, brought to the total.

    Args:
        noisy: (bins,) exact counts plus Laplace noise.
        scale: of the noise.
        total: of the exact counts, as all histograms together tell. What this one tells of it is
            in there too, so its noise is believed a little more than it should be.
        variance: of that.

    Returns:
        (bins,) float64, 0 or more.
    """
    if total <= 0:
        return np.zeros(len(noisy))
    middle = np.median(_draws(noisy, scale, total, variance, 1), axis=0)
    return on_simplex(middle + (total - middle.sum()) / len(middle), total)


def _draws(
    noisy: np.ndarray, scale: float, total: float, variance: float, parts: int
) -> np.ndarray:
    """(draws, bins * parts) float64: what the counts may be."""
    drawn = np.empty((_DRAWS, len(noisy) * parts))
    draw_series(
        np.asarray(noisy, np.float64),
        np.repeat(np.arange(len(noisy)), parts),
        scale,
        total,
        variance,
        _BURN,
        _EVERY,
        np.random.default_rng(_SEED),
        drawn,
    )
    return drawn
