"""Trials of synthesis: what its noisy summary gives away of a canary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from videodp.audit.broken import Release
from videodp.audit.model import Statistic, Trial
from videodp.audit.statistics import laplace_ratio, learnt_ratio
from videodp.privacy.noise import Noise, scale_for
from videodp.synthesis.records import Records
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import Histogram, Summary, release, summarise

__all__ = ["Recording", "summary_trial"]

_BLOCK = 256
"""Releases that are made at once."""


@dataclass(frozen=True)
class Recording:
    """Everybody but the canary, and what is public: the attacker knows all of it."""

    records: Records
    size: tuple[int, int]
    frames: int
    rate: Fraction

    def summary(self, settings: SynthesisSettings, canary: Records | None) -> Summary:
        """The exact summary, with the canary or without."""
        records = self.records if canary is None else self.records.joined(canary)
        return summarise(records, settings, self.size, self.frames, self.rate)


@dataclass(frozen=True)
class _Cells:
    """The cells of one histogram that the canary moves."""

    name: str
    places: np.ndarray
    """In the flat histogram."""
    present: np.ndarray
    absent: np.ndarray
    scale: float
    """Of the noise that was promised."""


def summary_trial(
    name: str,
    recording: Recording,
    canary: Records,
    settings: SynthesisSettings,
    noise: Callable[[int], Noise],
    mechanism: Release = release,
) -> Trial:
    """The noisy summary: each histogram against its share of epsilon, and all against epsilon.

    Args:
        name: of the canary.
        recording: everybody else.
        canary: its records, at most as many as `settings.tracks_per_person`.
        settings: public.
        noise: made from the seed of a world.
        mechanism: from a summary to a noisy summary; the product's own by default.
    """
    worlds = recording.summary(settings, canary), recording.summary(settings, None)
    touched = [
        _touched(present, absent, settings)
        for present, absent in zip(worlds[0].histograms, worlds[1].histograms, strict=True)
    ]

    def play(present: bool, runs: int, seed: int) -> np.ndarray:
        world, source = worlds[0 if present else 1], noise(seed)
        outputs = np.empty((runs, width), np.int64)
        for start in range(0, runs, _BLOCK):
            rows = outputs[start : start + _BLOCK]
            noisy = mechanism(_copies(world, len(rows)), settings, source).histograms
            seen = [h.counts.reshape(len(rows), -1) for h in noisy]
            cells = [counts[:, c.places] for counts, c in zip(seen, touched, strict=True)]
            rows[:] = np.hstack([*cells, *(counts.sum(axis=1)[:, None] for counts in seen)])
        return outputs

    ends = np.cumsum([len(cells.places) for cells in touched])
    width = int(ends[-1]) + len(touched)
    single = tuple(
        Statistic(
            cells.name,
            laplace_ratio(
                cells.present,
                cells.absent,
                np.full(len(cells.places), cells.scale),
                np.arange(end - len(cells.places), end),
            ),
            settings.epsilon_of(cells.name),
        )
        for cells, end in zip(touched, ends.tolist(), strict=True)
        if len(cells.places)
    )
    together = laplace_ratio(
        np.concatenate([cells.present for cells in touched]),
        np.concatenate([cells.absent for cells in touched]),
        np.concatenate([np.full(len(cells.places), cells.scale) for cells in touched]),
        np.arange(ends[-1]),
    )
    return Trial(
        name,
        play,
        (
            *single,
            Statistic("all of it, likelihood ratio", together, settings.epsilon),
            Statistic("all of it, learnt", learnt_ratio, settings.epsilon),
        ),
    )


def _copies(summary: Summary, runs: int) -> Summary:
    """The same summary many times, along a new first axis: released at once, for speed."""
    return Summary(
        tuple(
            replace(h, counts=np.broadcast_to(h.counts, (runs, *h.counts.shape)))
            for h in summary.histograms
        )
    )


def _touched(present: Histogram, absent: Histogram, settings: SynthesisSettings) -> _Cells:
    both = present.counts.ravel(), absent.counts.ravel()
    places = np.flatnonzero(both[0] != both[1])
    scale = scale_for(
        present.sensitivity * settings.tracks_per_person, settings.epsilon_of(present.name)
    )
    return _Cells(present.name, places, both[0][places], both[1][places], scale)
