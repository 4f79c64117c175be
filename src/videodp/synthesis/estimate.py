"""From the noisy summary to what it says, made consistent: post-processing, which is free."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from videodp.synthesis.denoise import likely, on_simplex, smooth, variance_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import NoisyHistogram, NoisySummary

__all__ = ["Estimate", "Sizes", "estimate"]


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
    """(P, K, bins)."""
    flows: np.ndarray
    """(P, K, Z, Z): from, to."""
    ends: np.ndarray
    """(P, K, 2, C): in proportion."""
    occupancy: np.ndarray
    """(P, K, C): each track counts 1, spread over the cells that it visits."""
    pace: np.ndarray
    """(K, speeds, pauses): in proportion."""
    sizes: tuple[Sizes, ...]
    """By kind."""
    ratios: np.ndarray
    """(L,): width over height."""


def estimate(
    noisy: NoisySummary, settings: SynthesisSettings, frames: int, rate: Fraction
) -> Estimate:
    """Everything that the population is drawn from."""
    windows, labels = _totals(noisy, settings)
    kinds = np.stack(
        [labels[:, settings.kinds == k].sum(axis=1) for k in range(_kinds(settings))], axis=1
    )
    stays = np.zeros(noisy["stays"].counts.shape)
    flows, ends, occupancy = (
        likely(noisy[name].counts / part, noisy[name].scale / part)
        for name, part in (("flows", 1), ("ends", 1), ("occupancy", settings.visit))
    )
    for p, k in np.ndindex(*kinds.shape):
        total = kinds[p, k]
        stays[p, k] = smooth(noisy["stays"].counts[p, k], noisy["stays"].scale, total)
        for part in (flows[p, k], ends[p, k, 0], ends[p, k, 1], occupancy[p, k]):
            part *= total / part.sum() if part.sum() > 0 else 0.0
    return Estimate(
        windows,
        labels,
        kinds,
        stays,
        flows,
        ends,
        occupancy,
        likely(noisy["pace"].counts, noisy["pace"].scale),
        tuple(_sizes(noisy["sizes"], k, settings) for k in range(_kinds(settings))),
        _ratios(noisy["shapes"], settings),
    )


def _kinds(settings: SynthesisSettings) -> int:
    return int(settings.kinds.max()) + 1


def _totals(noisy: NoisySummary, settings: SynthesisSettings) -> tuple[np.ndarray, np.ndarray]:
    """Tracks by window, and by period and label: least squares over all that count them."""
    arrivals, labels = noisy["arrivals"], noisy["labels"]
    kind_of, kinds = settings.kinds, _kinds(settings)
    periods = len(labels.counts)
    period = np.arange(len(arrivals.counts)) // settings.windows_per_period
    by_window, by_label = np.zeros(len(period)), np.zeros(labels.counts.shape)
    for p in range(periods):
        found = [_kind_total(noisy, settings, p, k) for k in range(kinds)]
        means, variances = (np.array(column) for column in zip(*found, strict=True))
        here = np.flatnonzero(period == p)
        counted, spread = arrivals.counts[here], len(here) * variance_of(arrivals.scale)
        # The arrivals count the same tracks once more: both sides move towards each other.
        gap = counted.sum() - means.sum()
        total = max(0.0, float(means.sum() + gap * variances.sum() / (variances.sum() + spread)))
        means = means + gap * variances / (variances.sum() + spread)
        means = np.where(means > 2 * np.sqrt(variances), means, 0.0) if kinds > 1 else means
        if not means.any():
            means[np.argmax([found[k][0] for k in range(kinds)])] = total
        by_kind = on_simplex(means, total)
        by_window[here] = on_simplex(counted + (total - counted.sum()) / len(here), total)
        for k in range(kinds):
            mine = np.flatnonzero(kind_of == k)
            by_label[p, mine] = _label_shares(labels, p, mine, by_kind[k])
    return by_window, by_label


def _kind_total(
    noisy: NoisySummary, settings: SynthesisSettings, p: int, k: int
) -> tuple[float, float]:
    """Tracks of one kind in one period, and the variance of that, over four histograms."""
    mine = settings.kinds == k
    found = [
        (
            float(noisy["labels"].counts[p, mine].sum()),
            mine.sum() * variance_of(noisy["labels"].scale),
        )
    ]
    for name, parts in (("stays", 1), ("flows", 1), ("ends", 2), ("occupancy", settings.visit)):
        cells = noisy[name].counts[p, k]
        found.append((cells.sum() / parts, cells.size * variance_of(noisy[name].scale) / parts**2))
    weights = np.array([1 / variance for _, variance in found])
    return float(weights @ [mean for mean, _ in found] / weights.sum()), float(1 / weights.sum())


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


def _sizes(sizes: NoisyHistogram, kind: int, settings: SynthesisSettings) -> Sizes:
    """The line through the cells that hold most; a public guess where nothing stands out."""
    counts = np.maximum(sizes.counts[kind] - 1.5 * sizes.scale, 0.0)
    if not counts.any():
        return Sizes(*_DEFAULT_HEIGHTS[kind])
    edges = np.log(settings.size_edges)
    middles = 0.5 * (edges[1:] + edges[:-1])
    bands = (np.arange(settings.bands) + 0.5) / settings.bands
    best, most = Sizes(*_DEFAULT_HEIGHTS[kind]), -1.0
    for horizon in np.linspace(-1.5, 0.6, 43):
        for slope in np.geomspace(0.02, 3, 100):
            heights = np.log(Sizes(slope, horizon).at(bands))
            near = np.exp(-0.5 * ((middles[None] - heights[:, None]) / _WIDE) ** 2)
            if (score := float((counts * near).sum())) > most:
                best, most = Sizes(float(slope), float(horizon)), score
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
