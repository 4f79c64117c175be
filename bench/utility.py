"""How well a synthetic population answers questions about the recording it stands for.

``python -m bench.utility`` measures tables without pictures, and writes RESULTS-synthesis.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from scipy.stats import wasserstein_distance

from bench.traffic import JUDGED, TUNED, traffic
from videodp.elements import Elements
from videodp.privacy.noise import noise_from
from videodp.privacy.randomness import Randomness
from videodp.synthesis.boxes import elements_of
from videodp.synthesis.model import Population
from videodp.synthesis.population import populate
from videodp.synthesis.records import records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import Summary, release, summarise

GRID = (16, 9)
WINDOW = 300


@dataclass(frozen=True)
class Told:
    """What an analyst finds out."""

    seen: np.ndarray
    """Elements seen in each window of five minutes."""
    stays: np.ndarray
    """Seconds, one for each element."""
    thirds: np.ndarray
    """(9, 9): ways between ninths of the picture."""
    sides: np.ndarray
    """(9, 9): ways between eight stretches of the border, and the middle."""
    visits: np.ndarray
    """Occupancy: every element counts 1, spread over the cells by time."""
    sightings: np.ndarray
    """Occupancy: element-seconds in each cell."""


@dataclass(frozen=True)
class Errors:
    """Of a population against the truth."""

    seen: float
    """Mean relative error."""
    stays: float
    """Wasserstein distance over the mean."""
    flows: float
    """Total variation, between ninths of the picture."""
    sides: float
    """Total variation, between stretches of the border."""
    visits: float
    """Correlation."""
    sightings: float
    """Correlation."""


def ask(elements: Elements, frames: int, rate: float, size: tuple[int, int]) -> Told:
    """Asks any elements: those of a recording, or of a population."""
    tracks = elements.tracks
    first = np.array([t.first for t in tracks], np.int64)
    last = np.array([t.last for t in tracks], np.int64)
    starts = np.arange(0, frames, WINDOW * rate)
    seen = [np.sum((first < a + WINDOW * rate) & (last >= a)) for a in starts]
    ends, cells = np.zeros((len(tracks), 2, 2)), np.zeros((len(tracks), GRID[0] * GRID[1]))
    for frame in elements.frames(0, frames):
        if not len(frame):
            continue
        at = elements.positions(frame.ids)
        x, y, w, h = frame.boxes.T
        foot = np.clip(np.column_stack([x + w / 2, y + h]) / size, 0, 1 - 1e-9)
        cells[
            at, (foot[:, 1] * GRID[1]).astype(int) * GRID[0] + (foot[:, 0] * GRID[0]).astype(int)
        ] += 1
        new, old = first[at] == frame.frame, last[at] == frame.frame
        ends[at[new], 0], ends[at[old], 1] = foot[new], foot[old]
    return Told(
        np.array(seen, np.float64),
        (last - first + 1) / rate,
        _flows(_ninth(ends)),
        _flows(_side(ends)),
        (cells / np.maximum(cells.sum(axis=1, keepdims=True), 1)).sum(axis=0),
        cells.sum(axis=0) / rate,
    )


def _ninth(ends: np.ndarray) -> np.ndarray:
    return (ends[..., 1] * 3).astype(int) * 3 + (ends[..., 0] * 3).astype(int)


def _side(ends: np.ndarray) -> np.ndarray:
    """Eight halves of the border, an eighth of the picture wide; 8 for the middle."""
    x, y = ends[..., 0], ends[..., 1]
    left, right, top, low = x, 1 - x, y, 1 - y
    nearest = np.argmin([left, right, top, low], axis=0)
    half = np.where(nearest < 2, y > 0.5, x > 0.5)
    distance = np.min([left, right, top, low], axis=0)
    return np.where(distance < 0.125, 2 * nearest + half, 8)


def _flows(zones: np.ndarray) -> np.ndarray:
    return np.bincount(zones[:, 0] * 9 + zones[:, 1], minlength=81) / max(1, len(zones))


def errors(truth: Told, told: Told) -> Errors:
    """How far apart two answers are."""
    return Errors(
        float(np.mean(np.abs(told.seen - truth.seen) / np.maximum(truth.seen, 1))),
        float(wasserstein_distance(truth.stays, told.stays) / truth.stays.mean())
        if len(told.stays)
        else 1.0,
        0.5 * float(np.abs(truth.thirds - told.thirds).sum()),
        0.5 * float(np.abs(truth.sides - told.sides).sum()),
        _correlation(truth.visits, told.visits),
        _correlation(truth.sightings, told.sightings),
    )


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(a, b)[0, 1]) if a.std() > 0 and b.std() > 0 else 0.0


def told_by(population: Population) -> Told:
    """The same of a population, looked at five times a second: enough, and faster."""
    return ask(elements_of(population), population.frames, float(population.rate), population.size)


def judge(
    truth: Told,
    summary: Summary,
    settings: SynthesisSettings,
    like: Population,
    runs: int,
    seed: int | None,
) -> list[Errors]:
    """Releases and populates again and again."""
    out = []
    for run in range(runs):
        noisy = release(summary, settings, noise_from(None if seed is None else seed + run))
        made = populate(
            noisy,
            settings,
            like.size,
            like.frames,
            like.rate,
            Randomness(None if seed is None else seed + run),
        )
        out.append(errors(truth, told_by(made)))
    return out


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patterns", nargs="+", default=[*TUNED, *JUDGED])
    parser.add_argument("--tracks", nargs="+", type=int, default=[100, 1000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--epsilon", type=float, default=1.0)
    given = parser.parse_args(arguments)
    settings = SynthesisSettings(given.epsilon)
    names = [field.name for field in fields(Errors)]
    print("pattern", "tracks", *names)
    for tracks in given.tracks:
        for pattern in given.patterns:
            real = traffic(pattern, tracks, 1)
            elements = elements_of(real)
            truth = ask(elements, real.frames, float(real.rate), real.size)
            records = records_of(elements, real.size, real.frames, real.rate, settings.grid)
            summary = summarise(records, settings, real.size, real.frames, real.rate)
            started = time.perf_counter()
            found = judge(truth, summary, settings, real, given.runs, None)
            means = [np.mean([getattr(e, name) for e in found]) for name in names]
            print(
                pattern,
                tracks,
                *(f"{m:.3f}" for m in means),
                f"{(time.perf_counter() - started) / given.runs:.1f}s",
                flush=True,
            )


if __name__ == "__main__":
    main()
