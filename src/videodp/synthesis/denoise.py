"""From noisy counts to likely ones: post-processing, which costs no privacy."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["apportion", "least_risk", "likely", "on_simplex", "smooth", "variance_of"]

_SURE = 14.0
"""Scales above 0 from which a count is taken as it is."""
_ROUNDS = 150
_LEAST = 1e-9
"""Variance where there is practically no noise: it can still be divided by."""
_SURELY = 12.0
"""Scales that three bins together hold; noise alone does with a probability below 0.0001."""
_CLEARLY, _LONGEST = 2.5, 0.6
"""Standard deviations that a fading tail must be above 0; and how slowly it may fade."""


def likely(noisy: np.ndarray, scale: float) -> np.ndarray:
    """What counts are to be expected behind noisy ones, given all of them together.

    Nonparametric empirical Bayes: how many cells have which true count is estimated from all
    noisy cells (expectation maximisation on a grid of counts), and each cell gets its expectation
    given its own noisy count. Where most cells are empty, small noisy counts become about 0.

    Args:
        noisy: any shape; exact counts plus Laplace noise.
        scale: of the noise.

    Returns:
        float64 of that shape, 0 or more.
    """
    flat = np.asarray(noisy, np.float64).ravel()
    grid = np.concatenate([[0.0], np.linspace(0.25, _SURE, 56)]) * scale
    open_ = flat < 0.8 * grid[-1]
    if not open_.any():
        return np.asarray(noisy, np.float64)
    chance = np.exp(-np.abs(flat[open_, None] - grid) / scale)
    chance /= chance.max(axis=1, keepdims=True)
    prior = np.full(len(grid), 0.5 / (len(grid) - 1))
    prior[0] = 0.5
    for _ in range(_ROUNDS):
        shares = chance * prior
        prior = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
    shares = chance * prior
    result = flat.copy()
    result[open_] = shares @ grid / shares.sum(axis=1)
    return result.reshape(np.shape(noisy))


def on_simplex(values: np.ndarray, total: float) -> np.ndarray:
    """The nearest values (least squares) that are 0 or more and make a total."""
    values = np.asarray(values, np.float64)
    if total <= 0:
        return np.zeros(values.shape)
    flat = values.ravel()
    down = np.sort(flat)[::-1]
    excess = (np.cumsum(down) - total) / np.arange(1, len(flat) + 1)
    last = int(np.flatnonzero(down > excess)[-1])
    return np.asarray(np.maximum(flat - excess[last], 0.0).reshape(values.shape))


def apportion(weights: np.ndarray, total: int, rng: np.random.Generator) -> np.ndarray:
    """Whole numbers in proportion to weights that make a total: largest remainders first.

    Equal weights if all are 0. Equal remainders are served in random order.
    """
    weights = np.asarray(weights, np.float64)
    flat = weights.ravel()
    if not flat.sum() > 0:
        flat = np.ones(len(flat))
    exact = flat / flat.sum() * total
    whole = np.floor(exact).astype(np.int64)
    order = np.lexsort((rng.random(len(flat)), whole - exact))
    whole[order[: total - int(whole.sum())]] += 1
    return np.asarray(whole.reshape(weights.shape))


def smooth(noisy: np.ndarray, scale: float, total: float) -> np.ndarray:
    """A histogram of ordered bins whose likely counts are 0 or more and make a total.

    Bins between those that surely stand out are smoothed; after them counts fade away by a
    constant factor; before them there is nobody.

    Args:
        noisy: (bins,) exact counts plus Laplace noise.
        scale: of the noise.
        total: of the exact counts.

    Returns:
        (bins,) float64.
    """
    noisy = np.asarray(noisy, np.float64)
    if total <= 0:
        return np.zeros(len(noisy))
    sums = np.convolve(noisy, np.ones(3), "same")
    sure = np.flatnonzero(sums > _SURELY * scale)
    first, last = (sure[0], sure[-1]) if len(sure) else 2 * (int(np.argmax(sums)),)
    body = slice(max(first - 1, 0), last + 2)
    found = np.zeros(len(noisy))
    found[body] = least_risk(noisy[body], scale)
    found[last + 2 :] = _fading(noisy[last + 2 :], scale)
    # Scaled, not shifted: a small count in a late bin would weigh much.
    found = np.where(found < 0.5, 0.0, found)
    if not found.any():
        found[first] = 1.0
    return np.asarray(found * (total / found.sum()))


def _fading(noisy: np.ndarray, scale: float) -> np.ndarray:
    """The series that fades by a constant factor and is nearest to a noisy one; 0 or more."""
    best, most = np.zeros(len(noisy)), _CLEARLY**2 * variance_of(scale)
    for factor in np.linspace(0.2, _LONGEST, 9):
        shape = factor ** np.arange(len(noisy))
        height = float(noisy @ shape)
        if height > 0 and height**2 / (shape @ shape) > most:
            best, most = height / (shape @ shape) * shape, height**2 / (shape @ shape)
    return best


def least_risk(noisy: np.ndarray, scale: float) -> np.ndarray:
    """A noisy series, smoothed as much as Stein's estimate of the squared error says is best.

    Smoothing keeps second differences small. Its risk can be estimated without bias because the
    variance of the noise is known.

    Args:
        noisy: (n,) exact counts plus Laplace noise.
        scale: of the noise.

    Returns:
        (n,) float64 of the same total; some may be below 0.
    """
    noisy = np.asarray(noisy, np.float64)
    n = len(noisy)
    bend = np.diff(np.eye(n), 2, axis=0)
    best, lowest = noisy, np.inf
    for strength in (0.0, *np.geomspace(0.01, 1000, 26)):
        hat = np.linalg.inv(np.eye(n) + strength * bend.T @ bend)
        smoothed = hat @ noisy
        risk = float(np.sum((noisy - smoothed) ** 2) + 2 * variance_of(scale) * np.trace(hat))
        if risk < lowest:
            best, lowest = smoothed, risk
    return best


def variance_of(scale: float) -> float:
    """Variance of discrete Laplace noise."""
    q = math.exp(-1 / scale)
    return max(2 * q / (1 - q) ** 2, _LEAST)
