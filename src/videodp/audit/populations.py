"""Trials of the made-up population: all that a synthetic video shows of anybody."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from videodp.audit.broken import Release
from videodp.audit.model import Statistic, Trial
from videodp.audit.statistics import column, learnt_ratio
from videodp.audit.synthesis import Recording
from videodp.privacy.noise import Noise
from videodp.privacy.randomness import Randomness
from videodp.synthesis.model import Population
from videodp.synthesis.population import populate
from videodp.synthesis.records import Records, cells_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import release

__all__ = ["population_trial"]

_ALL, _LABEL, _LONGEST, _ENTRY, _EXIT, _NEAR = range(6)


def population_trial(
    name: str,
    recording: Recording,
    canary: Records,
    settings: SynthesisSettings,
    noise: Callable[[int], Noise],
    mechanism: Release = release,
    *,
    runs: int,
) -> Trial:
    """What can be counted in a finished population, for an attacker who knows the canary.

    Args:
        name: of the canary.
        recording: everybody else.
        canary: its records.
        settings: public.
        noise: made from the seed of a world.
        mechanism: from a summary to a noisy summary.
        runs: to be played.
    """
    worlds = recording.summary(settings, canary), recording.summary(settings, None)
    public = (recording.size, recording.frames, recording.rate)

    def play(present: bool, runs: int, seed: int) -> np.ndarray:
        summary, source = worlds[0 if present else 1], noise(seed)
        rows = []
        for run in range(runs):
            noisy = mechanism(summary, settings, source)
            population = populate(noisy, settings, *public, Randomness(seed + run))
            rows.append(_seen(population, canary, settings))
        return np.array(rows)

    looks = {
        "actors": _ALL,
        "actors with its label": _LABEL,
        "the longest stay": _LONGEST,
        "actors who come from its zone": _ENTRY,
        "actors who go to its zone": _EXIT,
        "time that actors spend in its cell": _NEAR,
    }
    statistics = [Statistic(look, column(place), settings.epsilon) for look, place in looks.items()]
    statistics.append(Statistic("all of it, learnt", learnt_ratio, settings.epsilon))
    return Trial(f"{name}, population", play, tuple(statistics), runs=runs)


def _seen(population: Population, canary: Records, settings: SynthesisSettings) -> list[float]:
    """What the attacker counts: one number for each column."""
    actors, size = population.actors, population.size
    if not actors:
        return [0.0] * 6
    label = settings.all_labels[settings.label_index(canary.labels[0])]
    ends = np.array([(actor.knots[0, 1:3], actor.knots[-1, 1:3]) for actor in actors])
    zones = [cells_of(ends[:, side], size, settings.zones) for side in (0, 1)]
    own = [int(cells_of(p, size, settings.zones)[0]) for p in (canary.entry, canary.exit)]
    home = int(cells_of(canary.exit, size, settings.grid)[0])
    spent = 0.0
    for actor in actors:
        cells = cells_of(actor.knots[:, 1:3], size, settings.grid)
        stays = np.diff(actor.knots[:, 0])
        spent += float(stays[(cells[1:] == home) & (cells[:-1] == home)].sum())
    return [
        float(len(actors)),
        float(sum(actor.label == label for actor in actors)),
        float(max(actor.last - actor.first for actor in actors)),
        float(np.count_nonzero(zones[0] == own[0])),
        float(np.count_nonzero(zones[1] == own[1])),
        spent,
    ]
