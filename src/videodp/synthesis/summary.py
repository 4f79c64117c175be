"""The summary: exact histograms of the records, and the same with noise.

    records --summarise--> Summary (exact: for the owner's eyes only) --release--> NoisySummary

Epsilon is spent in `release` and nowhere else. Everything after it sees the noisy summary and
public settings only. Each histogram says by how much one record can change it (L1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from videodp.privacy.noise import Noise, scale_for
from videodp.synthesis.denoise import variance_of
from videodp.synthesis.records import Records, cells_of
from videodp.synthesis.settings import SynthesisSettings

__all__ = ["Histogram", "NoisyHistogram", "NoisySummary", "Summary", "release", "summarise"]

_SPEAKS = 3.0
"""Standard deviations of noise that the number of tracks must be above 0."""
_MOST = 2**40
"""Noisy counts are kept within this, so that sums of them cannot overflow."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """Exact counts."""

    name: str
    counts: np.ndarray
    """int64, any shape."""
    sensitivity: int
    """How far one record moves all of it together (L1)."""


@dataclass(frozen=True, eq=False)
class Summary:
    """Exact, so as private as the recording."""

    histograms: tuple[Histogram, ...]

    def __getitem__(self, name: str) -> Histogram:
        return next(h for h in self.histograms if h.name == name)


@dataclass(frozen=True, eq=False)
class NoisyHistogram:
    """Counts with noise: public."""

    name: str
    counts: np.ndarray
    """int64, the shape of the exact ones; may be below 0."""
    sensitivity: int
    """Of one record."""
    epsilon: float
    """What it cost, for all tracks of a person."""
    scale: float
    """Of the discrete Laplace noise in each cell."""


@dataclass(frozen=True, eq=False)
class NoisySummary:
    """Public: all that is ever told about the recording's tracks."""

    histograms: tuple[NoisyHistogram, ...]
    repeatable: bool
    """Whether the noise came from a seed: then it protects nobody who knows the seed."""

    def __getitem__(self, name: str) -> NoisyHistogram:
        return next(h for h in self.histograms if h.name == name)

    def total(self) -> tuple[float, float]:
        """How many tracks there are, over all histograms, and the standard deviation of that.

        Every record puts as many units into a histogram as its sensitivity.
        """
        means = np.array([h.counts.sum() / h.sensitivity for h in self.histograms])
        noise = [h.counts.size * variance_of(h.scale) / h.sensitivity**2 for h in self.histograms]
        weights = 1 / np.array(noise)
        return float(weights @ means / weights.sum()), float(weights.sum() ** -0.5)

    @property
    def speaks(self) -> bool:
        """Whether it can tell a recording with elements from one without.

        If not, epsilon is too small for so few tracks, and what would be painted is noise. Asking
        costs nothing: the answer depends on noisy counts and on the scale of the noise only.
        """
        tracks, deviation = self.total()
        return tracks > _SPEAKS * deviation


def summarise(
    records: Records,
    settings: SynthesisSettings,
    size: tuple[int, int],
    frames: int,
    rate: Fraction,
) -> Summary:
    """Counts the records; whatever a record holds, it moves each histogram by its sensitivity.

    Args:
        records: one for each track.
        settings: public.
        size: width and height of the picture, public.
        frames: of the video, public.
        rate: frames per second, public.

    Returns:
        Nine histograms (P periods, K kinds, L labels, Z zones, C cells):

        ``arrivals`` (windows,), ``labels`` (P, L), ``stays`` (P, bins), ``flows``
        (P, K, Z, Z) from and to, ``ends`` (P, K, 2, C) from and to, ``occupancy`` (P, K, C),
        ``sizes`` (K, bands, bins), ``shapes`` (L, bins), ``pace`` (K, speeds, pauses).
    """
    label = np.array([settings.label_index(name) for name in records.labels], np.int64)
    kind = settings.kinds[label]
    kinds, labels = int(settings.kinds.max()) + 1, len(settings.all_labels)
    windows, periods = settings.windows(frames, rate), settings.periods(frames, rate)
    per_window = settings.window * rate
    window = np.clip(records.first * per_window.denominator // per_window.numerator, 0, windows - 1)
    period = window // settings.windows_per_period
    stay = (records.last - records.first + 1) / float(rate)
    zones, cells = settings.zones[0] * settings.zones[1], settings.grid[0] * settings.grid[1]
    ends = [cells_of(p, size, settings.grid) for p in (records.entry, records.exit)]
    ways = [cells_of(p, size, settings.zones) for p in (records.entry, records.exit)]
    band = cells_of(np.column_stack([0 * records.foot, records.foot]), size, (1, settings.bands))
    tall = _bins(records.height / size[1], settings.size_edges)
    speed = _bins(records.speed, settings.speed_edges)
    pause = _bins(records.standing, settings.pause_edges)
    shape = (periods, kinds)
    bins = {
        name: len(getattr(settings, name)) - 1
        for name in ("stay_edges", "size_edges", "shape_edges", "speed_edges", "pause_edges")
    }
    both = np.zeros((*shape, 2, cells), np.int64)
    for side, cell in enumerate(ends):
        both[:, :, side] = _count((*shape, cells), period, kind, cell)
    occupancy = np.zeros((*shape, cells), np.int64)
    np.add.at(occupancy, (period, kind), _visits(records.visits, ends[0], settings.visit))
    return Summary(
        (
            Histogram("arrivals", _count((windows,), window), 1),
            Histogram("labels", _count((periods, labels), period, label), 1),
            Histogram(
                "stays",
                _count((periods, bins["stay_edges"]), period, _bins(stay, settings.stay_edges)),
                1,
            ),
            Histogram("flows", _count((*shape, zones, zones), period, kind, *ways), 1),
            Histogram("ends", both, 2),
            Histogram("occupancy", occupancy, settings.visit),
            Histogram(
                "sizes", _count((kinds, settings.bands, bins["size_edges"]), kind, band, tall), 1
            ),
            Histogram(
                "shapes",
                _count(
                    (labels, bins["shape_edges"]), label, _bins(records.ratio, settings.shape_edges)
                ),
                1,
            ),
            Histogram(
                "pace",
                _count((kinds, bins["speed_edges"], bins["pause_edges"]), kind, speed, pause),
                1,
            ),
        )
    )


def release(summary: Summary, settings: SynthesisSettings, noise: Noise) -> NoisySummary:
    """Adds the noise: all histograms together are epsilon-differentially private.

    Every cell gets noise, empty or not, so that nothing but noisy counts depends on the records.
    """
    noisy = []
    for exact in summary.histograms:
        epsilon = settings.epsilon_of(exact.name)
        sensitivity = exact.sensitivity * settings.tracks_per_person
        counts = noise.laplace(exact.counts, sensitivity, epsilon)
        noisy.append(
            NoisyHistogram(
                exact.name,
                np.clip(counts, -_MOST, _MOST),
                exact.sensitivity,
                epsilon,
                scale_for(sensitivity, epsilon),
            )
        )
    return NoisySummary(tuple(noisy), noise.repeatable)


def _count(shape: tuple[int, ...], *places: np.ndarray) -> np.ndarray:
    """How many records are in each cell, int64 of a shape; one array of places for each axis."""
    flat = np.ravel_multi_index(places, shape) if len(places[0]) else np.zeros(0, np.int64)
    counts = np.bincount(flat, minlength=int(np.prod(shape)))
    return np.asarray(counts.reshape(shape), np.int64)


def _bins(values: np.ndarray, edges: tuple[float, ...]) -> np.ndarray:
    """(n,) int64: the bin of each value; the nearest one if it is outside of all."""
    place = np.searchsorted(edges, np.nan_to_num(values), side="right") - 1
    return np.asarray(np.clip(place, 0, len(edges) - 2))


def _visits(visits: np.ndarray, entry: np.ndarray, units: int) -> np.ndarray:
    """(n, cells) int64: every row makes ``units``, in proportion to time, largest rests first."""
    visits = visits.astype(np.int64)
    total = visits.sum(axis=1, keepdims=True)
    nowhere = np.flatnonzero(total[:, 0] == 0)
    visits[nowhere, entry[nowhere]] = 1
    whole, rest = np.divmod(visits * units, np.maximum(total, 1))
    rank = np.argsort(np.argsort(-rest, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(whole + (rank < units - whole.sum(axis=1, keepdims=True)))
