"""From the noisy summary to what it says, made consistent: post-processing, which is free."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from videodp.synthesis.denoise import likely, likely_ways, on_simplex, variance_of
from videodp.synthesis.series import each_bin, spread
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import NoisyHistogram, NoisySummary

__all__ = ["Estimate", "Sizes", "border_of", "estimate"]

_PARTS = 2
"""Parts of a bin of stays that are told."""


@dataclass(frozen=True)
class Sizes:
    """Heights by perspective: ``slope * (line - horizon)``, in shares of the picture's height."""

    slope: float
    horizon: float

    def at(self, lines: np.ndarray) -> np.ndarray:
        """Heights of boxes whose foot is on a line of the picture; both in shares of its height."""
        return np.maximum(self.slope * (lines - self.horizon), 0.01)


@dataclass(frozen=True, eq=False)
class Estimate:
    """Likely counts, 0 or more, whose totals agree (P periods, K kinds, L labels, C cells)."""

    windows: np.ndarray
    """(windows,) float64: tracks that begin in each."""
    labels: np.ndarray
    """(P, L)."""
    kinds: np.ndarray
    """(P, K): sums of the labels."""
    stays: np.ndarray
    """(P, parts): of equal width in logarithms, over all bins of stays."""
    flows: np.ndarray
    """(P, K, Z, Z): from, to."""
    ends: np.ndarray
    """(P, K, 2, C): in proportion."""
    occupancy: np.ndarray
    """(P, K, C): each track counts 1, spread over the cells that it visits."""
    counted: np.ndarray
    """(P, K, C): occupancy without any guess: some may be below 0."""
    ends_counted: np.ndarray
    """(P, K, 2, C): the same for ends."""
    doubt: np.ndarray
    """(2,): variance of the noise in a cell of these two."""
    pace: np.ndarray
    """(K, speeds, pauses): in proportion."""
    sizes: tuple[Sizes, ...]
    """By kind."""
    ratios: np.ndarray
    """(L,): width over height."""


def estimate(noisy: NoisySummary, settings: SynthesisSettings) -> Estimate:
    """Everything that the population is drawn from."""
    windows, labels, stays = _totals(noisy, settings)
    kinds = np.stack(
        [labels[:, settings.kinds == k].sum(axis=1) for k in range(_kinds(settings))], axis=1
    )
    flows = np.zeros(noisy["flows"].counts.shape)
    occupancy = likely(
        noisy["occupancy"].counts / settings.visit, noisy["occupancy"].scale / settings.visit
    )
    ends = np.zeros(noisy["ends"].counts.shape)
    for place in (border := border_of(settings.grid), ~border):
        ends[..., place] = likely(noisy["ends"].counts[..., place], noisy["ends"].scale)
    for p, k in np.ndindex(*kinds.shape):
        total = kinds[p, k]
        flows[p, k] = likely_ways(noisy["flows"].counts[p, k], noisy["flows"].scale, float(total))
        for part in (ends[p, k, 0], ends[p, k, 1], occupancy[p, k]):
            part *= total / part.sum() if part.sum() > 0 else 0.0
    return Estimate(
        windows,
        labels,
        kinds,
        stays,
        flows,
        ends,
        occupancy,
        noisy["occupancy"].counts / settings.visit,
        noisy["ends"].counts,
        np.array(
            [
                variance_of(noisy["occupancy"].scale) / settings.visit**2,
                variance_of(noisy["ends"].scale),
            ]
        ),
        likely(noisy["pace"].counts, noisy["pace"].scale),
        tuple(
            _sizes(noisy["sizes"], k, float(kinds[:, k].sum()), settings)
            for k in range(_kinds(settings))
        ),
        _ratios(noisy["shapes"], settings),
    )


def border_of(grid: tuple[int, int]) -> np.ndarray:
    """(cells,) bool: at the left, the right or the lower border, where feet enter the picture."""
    row, column = np.divmod(np.arange(grid[0] * grid[1]), grid[0])
    return np.asarray((row == grid[1] - 1) | (column == 0) | (column == grid[0] - 1))


def _kinds(settings: SynthesisSettings) -> int:
    return int(settings.kinds.max()) + 1


def _totals(
    noisy: NoisySummary, settings: SynthesisSettings
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tracks by window, by period and label, and by period and stay; their totals agree."""
    arrivals, labels, stays = noisy["arrivals"].counts, noisy["labels"], noisy["stays"]
    period = np.arange(len(arrivals)) // settings.windows_per_period
    by_window, by_label = np.zeros(len(period)), np.zeros(labels.counts.shape)
    by_stay = np.zeros((len(by_label), stays.counts.shape[1] * _PARTS))
    for p in range(len(by_label)):
        here = period == p
        kinds = [_kind_total(noisy, settings, p, k) for k in range(_kinds(settings))]
        means, variances = (np.array(column) for column in zip(*kinds, strict=True))
        all_told = [
            (float(means.sum()), float(variances.sum())),
            _sum_of(arrivals[here], noisy["arrivals"].scale),
            _sum_of(stays.counts[p], stays.scale),
        ]
        mean, variance = _weighted(all_told)
        total = max(0.0, mean)
        by_window[here] = each_bin(arrivals[here], noisy["arrivals"].scale, total, variance)
        by_stay[p] = spread(stays.counts[p], stays.scale, total, variance, _PARTS)
        by_kind = _by_kind(means + (total - means.sum()) * variances / variances.sum(), variances)
        for k, share in enumerate(on_simplex(by_kind, total)):
            mine = np.flatnonzero(settings.kinds == k)
            by_label[p, mine] = _label_shares(labels, p, mine, float(share))
    return by_window, by_label, by_stay


def _by_kind(means: np.ndarray, variances: np.ndarray) -> np.ndarray:
    """A kind that does not stand out from the noise is not there; the fullest one is."""
    out = means > 2 * np.sqrt(variances)
    out[np.argmax(means)] = True
    return np.where(out, means, -np.inf)


def _kind_total(
    noisy: NoisySummary, settings: SynthesisSettings, p: int, k: int
) -> tuple[float, float]:
    """Tracks of one kind in one period, and the variance of that, over four histograms."""
    labels = noisy["labels"]
    return _weighted(
        [
            _sum_of(labels.counts[p, settings.kinds == k], labels.scale),
            *(
                _sum_of(noisy[name].counts[p, k], noisy[name].scale, parts)
                for name, parts in (("flows", 1), ("ends", 2), ("occupancy", settings.visit))
            ),
        ]
    )


def _sum_of(counts: np.ndarray, scale: float, parts: int = 1) -> tuple[float, float]:
    """How many tracks these counts make, and the variance of that."""
    return float(counts.sum()) / parts, counts.size * variance_of(scale) / parts**2


def _weighted(found: list[tuple[float, float]]) -> tuple[float, float]:
    """The mean of several findings and its variance, each weighted by its own variance."""
    means, variances = np.array(found).T
    weights = 1 / variances
    return float(weights @ means / weights.sum()), float(1 / weights.sum())


def _label_shares(labels: NoisyHistogram, p: int, mine: np.ndarray, total: float) -> np.ndarray:
    """Labels that do not stand out from the noise get nothing; the first stands for all."""
    counts = labels.counts[p, mine].astype(np.float64)
    out = counts > 2 * labels.scale
    if not out.any():
        out = np.arange(len(mine)) == 0
    return on_simplex(np.where(out, counts, -np.inf), total)


_DEFAULT_HEIGHTS = ((0.35, 0.0), (0.25, 0.0))
_DEFAULT_RATIOS = {
    "person": 0.42,
    "bicycle": 0.9,
    "motorcycle": 0.9,
    "car": 1.6,
    "bus": 1.6,
    "truck": 1.6,
}
_WIDE = 0.16
_USUAL = 0.4, 0.25
"""How far slope (in logarithms) and horizon of most cameras are from the guess."""


def _sizes(sizes: NoisyHistogram, kind: int, tracks: float, settings: SynthesisSettings) -> Sizes:
    """The likeliest line, given how cameras mostly hang: where noise drowns all, just that."""
    counts = sizes.counts[kind]
    edges = np.log(settings.size_edges)
    middles = 0.5 * (edges[1:] + edges[:-1])
    bands = (np.arange(settings.bands) + 0.5) / settings.bands
    slope, horizon = _DEFAULT_HEIGHTS[kind]
    best, most = Sizes(slope, horizon), -np.inf
    for low in horizon + np.linspace(-1.5, 0.6, 43):
        for steep in slope * np.geomspace(0.1, 10, 101):
            heights = np.log(Sizes(steep, low).at(bands))
            near = np.exp(-0.5 * ((middles[None] - heights[:, None]) / _WIDE) ** 2)
            near *= tracks / settings.bands / np.maximum(near.sum(axis=1, keepdims=True), 1e-9)
            fits = float((counts * near - 0.5 * near**2).sum()) / variance_of(sizes.scale)
            usual = (math.log(steep / slope) / _USUAL[0]) ** 2 + ((low - horizon) / _USUAL[1]) ** 2
            if (score := fits - 0.5 * usual) > most:
                best, most = Sizes(float(steep), float(low)), score
    return best


def _ratios(shapes: NoisyHistogram, settings: SynthesisSettings) -> np.ndarray:
    """Around the fullest bin of each label; a public guess where none stands out."""
    edges = np.log(settings.shape_edges)
    middles = 0.5 * (edges[1:] + edges[:-1])
    ratios = [_DEFAULT_RATIOS.get(label, 0.42) for label in settings.all_labels]
    for i, row in enumerate(shapes.counts):
        top = int(np.argmax(row))
        if row[top] > 5 * shapes.scale:
            near = slice(max(top - 1, 0), top + 2)
            weights = np.maximum(row[near], 0)
            ratios[i] = float(np.exp(weights @ middles[near] / weights.sum()))
    return np.array(ratios)
