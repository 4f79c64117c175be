"""How often actors stand, walk or drive in each other's place, before and after they are moved.

``python -m bench.apart`` prints the table of bench/RESULTS-synthesis.md; nothing is painted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from bench.traffic import JUDGED, PATTERNS, TUNED, traffic
from videodp.privacy.noise import SecureNoise
from videodp.privacy.randomness import Randomness
from videodp.synthesis import population
from videodp.synthesis.apart import Ground, meetings, spread_out
from videodp.synthesis.boxes import elements_of
from videodp.synthesis.model import Population
from videodp.synthesis.records import records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import Summary, release, summarise


@dataclass(frozen=True, eq=False)
class Moved:
    """Knots of everybody, before and after they are moved; and who is a vehicle."""

    before: list[np.ndarray]
    after: list[np.ndarray]
    vehicle: np.ndarray


def move(summary: Summary, real: Population, settings: SynthesisSettings) -> Moved:
    """Releases and populates once, and looks on while actors are moved."""
    found: list[Moved] = []
    kinds = int(settings.kinds.max()) + 1

    def look_on(
        ways: list[np.ndarray], grounds: list[Ground], where: list[int], *public: Any
    ) -> list[np.ndarray]:
        after = spread_out(ways, grounds, where, *public)
        found.append(Moved(ways, after, np.array(where, np.int64) % kinds == 1))
        return after

    noisy = release(summary, settings, SecureNoise())
    with patch.object(population, "spread_out", look_on):
        population.populate(noisy, settings, real.size, real.frames, real.rate, Randomness())
    return found[0]


def shares(moved: Moved, real: Population) -> tuple[float, ...]:
    """Moments in somebody's place over all moments: before, after; the same among vehicles."""
    vehicles = np.flatnonzero(moved.vehicle)
    groups = [moved.before, moved.after]
    groups += [[ways[i] for i in vehicles] for ways in groups]
    return tuple(_share(ways, real) for ways in groups)


def _share(ways: Sequence[np.ndarray], real: Population) -> float:
    met, moments = meetings(ways, real.frames, real.rate)
    return met / moments if moments else 0.0


def line(pattern: str, tracks: int, runs: int, settings: SynthesisSettings) -> str:
    """Means over some releases, and the worst of them."""
    real = traffic(pattern, tracks, 1)
    public = (real.size, real.frames, real.rate)
    summary = summarise(records_of(elements_of(real), *public, settings.grid), settings, *public)
    found = np.array([shares(move(summary, real, settings), real) for _ in range(runs)])
    original = _share([actor.knots for actor in real.actors], real)
    figures = [original, *found.mean(axis=0)[:2], found[:, 1].max(), *found.mean(axis=0)[2:]]
    return f"| {tracks} | {pattern} | {runs} | {' | '.join(f'{x:.4f}' for x in figures)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patterns", nargs="+", choices=PATTERNS, default=[*TUNED, *JUDGED])
    parser.add_argument("--tracks", nargs="+", type=int, default=[1000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--epsilon", type=float, default=1.0)
    given = parser.parse_args(arguments)
    print(
        "| tracks | pattern | releases | original | before | after | worst after "
        "| vehicles before | vehicles after |\n" + "| --- " * 9 + "|"
    )
    for tracks in given.tracks:
        for pattern in given.patterns:
            print(line(pattern, tracks, given.runs, SynthesisSettings(given.epsilon)), flush=True)


if __name__ == "__main__":
    main()
