"""Draws of counts in ordered bins, given noisy ones: a Markov chain (Metropolis).

The model: the rate of each part of a bin is the exponential of a curve that bends little; the count
of a bin is Poisson around the rates of its parts; Laplace noise lies on the count.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

__all__ = ["draw_series"]

_LOW, _HIGH = -20.0, 30.0
"""Logarithms of rates stay between these."""
_STEEP = 2.0
"""Standard deviation of a step of the curve: weak, so that nothing runs away."""
_JUMP = 2.5
"""Scales of noise that a count may jump by; every second jump is by 1."""
_SMOOTHEST, _ROUGHEST = 0.003, 3.0
"""Standard deviations of bends: how rough the curve is, is drawn too, with a flat logarithm."""


@njit(nogil=True, cache=True)
def _accepted(gain: float, rng: np.random.Generator) -> bool:
    return gain >= 0 or rng.random() < math.exp(gain)


@njit(nogil=True, cache=True)
def _move_counts(
    noisy: np.ndarray,
    scale: float,
    total: float,
    variance: float,
    rates: np.ndarray,
    counts: np.ndarray,
    rng: np.random.Generator,
) -> None:
    together = counts.sum()
    for turn in range(2 * len(counts)):
        i = turn // 2
        size = 1.0 if turn % 2 else 1.0 + math.floor(rng.random() * _JUMP * scale)
        new = counts[i] + (size if rng.random() < 0.5 else -size)
        if new < 0:
            continue
        off, moved = together - total, together - total + new - counts[i]
        gain = (
            (abs(noisy[i] - counts[i]) - abs(noisy[i] - new)) / scale
            + (off * off - moved * moved) / (2 * variance)
            + (new - counts[i]) * math.log(rates[i])
            + math.lgamma(counts[i] + 1)
            - math.lgamma(new + 1)
        )
        if _accepted(gain, rng):
            together += new - counts[i]
            counts[i] = new


@njit(nogil=True, cache=True)
def _gain(
    counts: np.ndarray, bin_of: np.ndarray, old: np.ndarray, new: np.ndarray, rough: float
) -> float:
    """How much likelier a curve is than another."""
    gain, n, i = 0.0, len(old), 0
    while i < n:
        k, before, after = bin_of[i], 0.0, 0.0
        while i < n and bin_of[i] == k:
            before += math.exp(old[i])
            after += math.exp(new[i])
            i += 1
        gain += counts[k] * math.log(after / before) - after + before
    for i in range(1, n):
        a, b = old[i] - old[i - 1], new[i] - new[i - 1]
        gain += (a * a - b * b) / (2 * _STEEP * _STEEP)
        if i < n - 1:
            a, b = old[i + 1] - old[i] - a, new[i + 1] - new[i] - b
            gain += (a * a - b * b) / (2 * rough * rough)
    return gain


@njit(nogil=True, cache=True)
def _move_curve(
    counts: np.ndarray,
    bin_of: np.ndarray,
    rough: float,
    curve: np.ndarray,
    steps: np.ndarray,
    learn: bool,
    rng: np.random.Generator,
) -> None:
    """One place after the other, one side of it, or the slope of one side."""
    n = len(curve)
    new = np.empty(n)
    for kind in range(3):
        for i in range(n):
            delta, right = rng.normal() * steps[kind, i], rng.random() < 0.5
            inside = True
            for j in range(n):
                mine = j == i or (kind > 0 and (j > i) == right)
                new[j] = curve[j]
                if mine:
                    new[j] += delta * (abs(j - i) if kind == 2 else 1)
                inside = inside and _LOW < new[j] < _HIGH
            taken = inside and _accepted(_gain(counts, bin_of, curve, new, rough), rng)
            if taken:
                curve[:] = new
            if learn:  # so that about two in five are taken
                steps[kind, i] = min(5.0, steps[kind, i] * (1.1 if taken else 0.93))


@njit(nogil=True, cache=True)
def _move_rough(curve: np.ndarray, rough: float, rng: np.random.Generator) -> float:
    bends, n = 0.0, len(curve) - 2
    for i in range(1, len(curve) - 1):
        bends += (curve[i - 1] - 2 * curve[i] + curve[i + 1]) ** 2
    for _ in range(3):
        new = rough * math.exp(0.3 * rng.normal())
        gain = n * math.log(rough / new) + 0.5 * bends * (1 / rough**2 - 1 / new**2)
        if _SMOOTHEST < new < _ROUGHEST and _accepted(gain, rng):
            rough = new
    return rough


@njit(nogil=True, cache=True)
def draw_series(
    noisy: np.ndarray,
    bin_of: np.ndarray,
    scale: float,
    total: float,
    variance: float,
    burn: int,
    every: int,
    rng: np.random.Generator,
    drawn: np.ndarray,
) -> None:
    """Draws from what the counts may be, given noisy ones.

    Args:
        noisy: (bins,) float64: counts plus Laplace noise.
        bin_of: (parts,) int64: the bin of each part, in order; each bin has at least one.
        scale: of the noise.
        total: of the counts, as known otherwise.
        variance: of that total.
        burn: sweeps before the first draw.
        every: sweeps from one draw to the next.
        rng: of the chain.
        drawn: (draws, parts) float64, written: the count of each bin, shared out over its parts
            in proportion to their rates.
    """
    bins, parts = len(noisy), len(bin_of)
    counts, rates, curve = np.empty(bins), np.zeros(bins), np.empty(parts)
    for k in range(bins):
        counts[k] = max(0.0, round(noisy[k]))
    for i in range(parts):
        near = noisy[max(0, bin_of[i] - 1) : bin_of[i] + 2]
        curve[i] = math.log(max(near.mean(), 0.5 * scale, 1e-6) * bins / parts)
        curve[i] = min(max(curve[i], _LOW + 1), _HIGH - 1)
    steps, rough = np.full((3, parts), 0.2), 0.5
    for sweep in range(burn + every * len(drawn)):
        rates[:] = 0.0
        for i in range(parts):
            rates[bin_of[i]] += math.exp(curve[i])
        _move_counts(noisy, scale, total, variance, rates, counts, rng)
        _move_curve(counts, bin_of, rough, curve, steps, sweep < burn, rng)
        rough = _move_rough(curve, rough, rng)
        if sweep >= burn and (sweep - burn) % every == 0:
            rates[:] = 0.0
            for i in range(parts):
                rates[bin_of[i]] += math.exp(curve[i])
            for i in range(parts):
                k = bin_of[i]
                drawn[(sweep - burn) // every, i] = counts[k] * math.exp(curve[i]) / rates[k]
