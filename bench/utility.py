"""How well a synthetic population answers questions about the recording it stands for.

``python -m bench.utility --out bench/RESULTS-synthesis.md`` measures tables without pictures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from scipy.stats import wasserstein_distance

from bench.traffic import JUDGED, PATTERNS, TUNED, traffic
from videodp.privacy.noise import SecureNoise
from videodp.privacy.randomness import Randomness
from videodp.synthesis.boxes import elements_of
from videodp.synthesis.model import Population
from videodp.synthesis.population import populate
from videodp.synthesis.records import records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import release, summarise

GRID = (16, 9)
WINDOW = 300
EVERY = 5
"""Frames from one look at where everybody is to the next."""


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


def ask(population: Population) -> Told:
    """Asks a population, the true one or a made-up one, by the boxes that it shows."""
    frames, rate, size = population.frames, float(population.rate), np.array(population.size)
    there = [actor for actor in population.actors if actor.first <= actor.last]
    first = np.array([actor.first for actor in there], np.int64)
    last = np.array([actor.last for actor in there], np.int64)
    windows = np.arange(0, frames, WINDOW * rate)
    ends, cells = np.zeros((len(there), 2, 2)), np.zeros((len(there), GRID[0] * GRID[1]))
    for i, actor in enumerate(there):
        when = np.arange(actor.first, actor.last + 1, EVERY)
        feet = np.clip(actor.at(np.append(when, actor.last))[:, :2] / size, 0, 1 - 1e-9)
        ends[i] = feet[[0, -1]]
        column, row = (feet[:-1] * GRID).astype(int).T
        cells[i] = np.bincount(row * GRID[0] + column, minlength=cells.shape[1])
    return Told(
        np.array([np.sum((first < a + WINDOW * rate) & (last >= a)) for a in windows], np.float64),
        (last - first + 1) / rate,
        _flows(_ninth(ends)),
        _flows(_side(ends)),
        (cells / np.maximum(cells.sum(axis=1, keepdims=True), 1)).sum(axis=0),
        cells.sum(axis=0) * EVERY / rate,
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
    counts: np.ndarray = np.bincount(zones[:, 0] * 9 + zones[:, 1], minlength=81)
    return np.asarray(counts / max(1, len(zones)))


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


def judge(real: Population, settings: SynthesisSettings, runs: int) -> list[Errors]:
    """Releases a summary of the real population, and populates, again and again."""
    elements, public = elements_of(real), (real.size, real.frames, real.rate)
    summary = summarise(records_of(elements, *public, settings.grid), settings, *public)
    truth, found = ask(real), []
    for _ in range(runs):
        noisy = release(summary, settings, SecureNoise())
        found.append(errors(truth, ask(populate(noisy, settings, *public, Randomness()))))
    return found


def table(patterns: Sequence[str], tracks: Sequence[int], runs: int, epsilon: float) -> str:
    """One line for each number of tracks and pattern: means over the runs."""
    settings = SynthesisSettings(epsilon)
    names = [field.name for field in fields(Errors)]
    lines = [f"| tracks | pattern | {' | '.join(names)} |", "| --- " * (len(names) + 2) + "|"]
    for number in tracks:
        for pattern in patterns:
            found = judge(traffic(pattern, number, 1), settings, runs)
            means = [np.mean([getattr(one, name) for one in found]) for name in names]
            lines.append(f"| {number} | {pattern} | {' | '.join(f'{m:.3f}' for m in means)} |")
            print(lines[-1], flush=True)
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patterns", nargs="+", choices=PATTERNS, default=[*TUNED, *JUDGED])
    parser.add_argument("--tracks", nargs="+", type=int, default=[100, 1000, 10000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    given = parser.parse_args(arguments)
    text = table(given.patterns, given.tracks, given.runs, given.epsilon)
    if given.out:
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
