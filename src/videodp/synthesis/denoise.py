"""From noisy counts to likely ones: post-processing, which costs no privacy."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["apportion", "likely", "likely_ways", "on_simplex", "variance_of"]

_MOST = 14.0
"""Scales above 0 up to which true counts are guessed at."""
_SURE = 0.8 * _MOST
"""Scales above 0 from which a noisy count is taken as it is."""
_ROUNDS = 150
_LEAST = 1e-9
"""Variance where there is practically no noise: it can still be divided by."""
_HALVINGS = 40


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
    grid = np.concatenate([[0.0], np.linspace(0.25, _MOST, 56)])
    open_ = flat < _SURE * scale
    if not open_.any():
        return np.asarray(noisy, np.float64)
    chance = _chance(flat[open_] / scale, grid)
    alone = np.ones((len(chance), 1))
    shares = chance * _prior(chance, alone, _half_empty(len(grid))[:, None])[:, 0]
    result = flat.copy()
    result[open_] = scale * (shares @ grid) / shares.sum(axis=1)
    return result.reshape(np.shape(noisy))


def likely_ways(noisy: np.ndarray, scale: float, total: float) -> np.ndarray:
    """The likely numbers of ways from zone to zone.

    As in `likely`, but the prior is one of pairs, there and back: where many go one way, many
    often come back. And not expectations are told but the same quantile of all cells, the one
    with which they make the total: of all counts with that total, these have the least expected
    sum of absolute errors (total variation).

    Args:
        noisy: (zones, zones), from and to: exact counts plus Laplace noise.
        scale: of the noise.
        total: of the exact counts.

    Returns:
        (zones, zones) float64, 0 or more.
    """
    if total <= 0:
        return np.zeros(noisy.shape)
    scaled = np.asarray(noisy, np.float64) / scale
    grid = np.concatenate([[0.0], np.geomspace(0.4, _MOST, 30)])
    there = _chance(np.minimum(scaled, _MOST).ravel(), grid)
    back = _chance(np.minimum(scaled, _MOST).T.ravel(), grid)
    other = ~np.eye(len(noisy), dtype=bool).ravel()
    prior = _half_empty(len(grid))
    if other.any():
        pairs = _prior(
            there[other], back[other], 0.5 * np.outer(prior, prior) + 0.5 * np.diag(prior)
        )
        prior = pairs.sum(axis=1)
        back[other] = back[other] @ pairs.T
    back[~other] = prior
    shares = there * back
    reach = np.cumsum(shares / shares.sum(axis=1, keepdims=True), axis=1)
    found = _with_total(scaled.ravel(), grid, reach, total / scale)
    return np.asarray(scale * found.reshape(noisy.shape))


def _with_total(noisy: np.ndarray, grid: np.ndarray, reach: np.ndarray, total: float) -> np.ndarray:
    """The same quantile of all cells, chosen so that they make a total; in scales of noise.

    Args:
        noisy: (n,) counts: what is sure is Laplace distributed around these.
        grid: (g,) counts from 0.
        reach: (n, g): how probable it is that a count is at most that of the grid.
        total: of the counts.
    """
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        level = 0.5 * (low + high)
        around = math.log(2 * level) if level < 0.5 else -math.log(2 - 2 * level)
        guessed = [np.interp(level, [0.0, *row], [0.0, *grid]) for row in reach]
        found = np.maximum(np.where(noisy > _SURE, noisy + around, guessed), 0.0)
        low, high = (level, high) if found.sum() < total else (low, level)
    if not found.sum() > 0:  # even the highest quantiles say that nobody is there
        found[np.argmax(noisy)] = 1.0
    return np.asarray(found * (total / found.sum()))


def _chance(noisy: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """(n, g): likelihood of each count of the grid, up to a factor; in scales of noise."""
    log = -np.abs(noisy[:, None] - grid)
    return np.asarray(np.exp(log - log.max(axis=1, keepdims=True)))


def _half_empty(n: int) -> np.ndarray:
    """(n,): half of all cells are empty, nothing is known of the others."""
    return np.concatenate([[0.5], np.full(n - 1, 0.5 / (n - 1))])


def _prior(first: np.ndarray, second: np.ndarray, start: np.ndarray) -> np.ndarray:
    """How many pairs of cells have which two counts; expectation maximisation.

    Args:
        first: (n, a): likelihoods of the counts of the first cell of each pair.
        second: (n, b): of the second.
        start: (a, b): where to begin.

    Returns:
        (a, b) float64: makes 1.
    """
    prior = start
    for _ in range(_ROUNDS):
        evidence = np.einsum("na,ab,nb->n", first, prior, second, optimize=True)
        prior = prior * (first.T @ (second / evidence[:, None])) / len(first)
    return prior


def on_simplex(values: np.ndarray, total: float) -> np.ndarray:
    """The nearest values (least squares) that are 0 or more and make a total."""
    values = np.asarray(values, np.float64)
    if total <= 0:
        return np.zeros(values.shape)
    flat = values.ravel() - values.max(initial=-np.inf)  # a shift moves no answer, but saves digits
    down = np.sort(flat)[::-1]
    excess = (np.cumsum(down) - total) / np.arange(1, len(flat) + 1)
    last = np.flatnonzero(down > excess)[-1:].sum()  # none if the total is too small to count
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


def variance_of(scale: float) -> float:
    """Variance of discrete Laplace noise."""
    q = math.exp(-1 / scale)
    return max(2 * q / (1 - q) ** 2, _LEAST)
