"""A made-up population, drawn from the noisy summary and from nothing else.

    NoisySummary --estimate--> Estimate --populate--> Population

All of this is post-processing: it sees no record, so it costs no privacy. Counts are shared out
instead of drawn, so that the population repeats the summary as closely as whole actors can.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.interpolate import PchipInterpolator

from videodp.privacy.randomness import Randomness
from videodp.synthesis.apart import Ground, spread_out
from videodp.synthesis.denoise import apportion
from videodp.synthesis.estimate import Estimate, Sizes, estimate
from videodp.synthesis.model import Actor, Population
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import NoisySummary
from videodp.synthesis.ways import Ways, find_ways, lengths_of

__all__ = ["populate"]

_TALLER = 0.05
"""Standard deviation of the logarithm of heights at the same place."""
_TRIES = 200
_EXPECTED = 1.0
"""Actors in a cell of the map from which on others may move there."""
_FINE = 64
"""Places in each bin of stays where it is worked out how many stay that long."""


@dataclass(frozen=True, eq=False)
class _Cast:
    """Those of one kind: where they go, without when."""

    labels: np.ndarray
    """(n,) int64."""
    ways: Ways
    lengths: np.ndarray
    """(n, m) float64: way from the first point to each, in own heights."""
    seconds: np.ndarray
    """(n,) float64: how long that takes at its own pace, with pauses."""
    sizes: Sizes


def populate(
    noisy: NoisySummary,
    settings: SynthesisSettings,
    size: tuple[int, int],
    frames: int,
    rate: Fraction,
    randomness: Randomness,
) -> Population:
    """Draws a population.

    Args:
        noisy: all that is known about the recording's tracks.
        settings: public.
        size: width and height of the picture, public.
        frames: of the video, public.
        rate: frames per second, public.
        randomness: of the release, or with a seed for experiments.
    """
    key = randomness.stream("population").words(4)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(key.tolist())))
    found = estimate(noisy, settings)
    windows = apportion(found.windows, round(float(found.windows.sum())), rng)
    period = np.arange(len(windows)) // settings.windows_per_period
    drawn: list[tuple[int, int, np.ndarray]] = []  # label, ground, knots
    grounds: list[Ground] = []
    for p in range(len(found.labels)):
        here = np.where(period == p, windows, 0)
        labels = apportion(found.labels[p], int(here.sum()), rng)
        casts = [
            _cast(found, settings, p, k, np.where(settings.kinds == k, labels, 0), size, rng)
            for k in range(found.kinds.shape[1])
        ]
        stays = _stays(casts, found.stays[p], settings)
        starts = _starts(here, np.concatenate(stays), settings, frames, rate, rng)
        begins = np.split(starts, np.cumsum([len(some) for some in stays])[:-1])
        for k, (cast, some, mine) in enumerate(zip(casts, stays, begins, strict=True)):
            grounds.append(_ground(found, settings, p, k, size))
            for i, start in enumerate(mine.tolist()):
                knots = _knots(cast, i, found, size, rng)
                # Whole frames: who is fast would leave its zone before the first one.
                steps = max(0, round(float(some[i]) * float(rate) - 1))
                knots[:, 0] = np.minimum(np.floor(start) + knots[:, 0] * steps, frames - 1)
                drawn.append((int(cast.labels[i]), len(grounds) - 1, knots))
    ways, where = [knots for *_, knots in drawn], [ground for _, ground, _ in drawn]
    apart = spread_out(ways, grounds, where, size, frames, rate, settings.window * rate)
    players = [(label, knots) for (label, *_), knots in zip(drawn, apart, strict=True)]
    players.sort(key=lambda one: float(one[1][0, 0]))
    return Population(
        size,
        frames,
        rate,
        tuple(
            Actor(i, settings.all_labels[label], knots)
            for i, (label, knots) in enumerate(players, 1)
        ),
    )


def _ground(
    found: Estimate, settings: SynthesisSettings, p: int, k: int, size: tuple[int, int]
) -> Ground:
    """Where those of one kind go in one period."""
    room = found.occupancy[p, k].reshape(settings.grid[::-1]) >= _EXPECTED
    return Ground(room, found.sizes[k].horizon * size[1])


def _cast(
    found: Estimate,
    settings: SynthesisSettings,
    p: int,
    k: int,
    labels: np.ndarray,
    size: tuple[int, int],
    rng: np.random.Generator,
) -> _Cast:
    """Everybody of one kind in one period; ``labels`` (L,): how many of each."""
    n = int(labels.sum())
    pairs = np.argwhere(np.ones(found.flows.shape[2:]))
    flow = rng.permutation(np.repeat(pairs, apportion(found.flows[p, k], n, rng).ravel(), axis=0))
    speed, pause = _paces(found.pace[k], n, settings, rng)
    ways = find_ways(found, settings, p, k, flow, pause, size, rng)
    steps = lengths_of(ways.points, found.sizes[k], size)
    lengths = np.concatenate([np.zeros((n, 1)), np.cumsum(steps, axis=1)], axis=1)
    return _Cast(
        rng.permutation(np.repeat(np.arange(len(labels)), labels)),
        ways,
        lengths,
        lengths[:, -1] / speed / (1 - pause),
        found.sizes[k],
    )


def _paces(
    pace: np.ndarray, n: int, settings: SynthesisSettings, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """(n,) own heights per second while moving, and (n,) share of the stay spent standing."""
    cells = rng.permutation(np.repeat(np.arange(pace.size), apportion(pace, n, rng).ravel()))
    speed, pause = np.divmod(cells, pace.shape[1])
    log = np.log(settings.speed_edges)
    speeds = np.exp(log[speed] + rng.random(n) * (log[speed + 1] - log[speed]))
    edges = np.array(settings.pause_edges)
    pauses = edges[pause] + rng.random(n) * (edges[pause + 1] - edges[pause])
    return speeds, np.where(pause == 0, 0.0, np.minimum(pauses, 0.95))


def _stays(casts: list[_Cast], counts: np.ndarray, settings: SynthesisSettings) -> list[np.ndarray]:
    """Seconds that each stays, by cast.

    Who has further to go, goes slower or pauses longer, stays longer: their order is kept, but
    the stays themselves are evenly spaced quantiles of the summary's.
    """
    wanted = np.concatenate([cast.seconds for cast in casts])
    n = len(wanted)
    total = np.concatenate([[0], np.cumsum(counts)])
    if total[-1] <= 0:
        total = np.arange(len(total), dtype=np.float64)
    even = (np.arange(n) + 0.5) / max(n, 1) * total[-1]
    given = np.log(settings.stay_edges)
    edges = np.interp(np.linspace(0, 1, len(total)), np.linspace(0, 1, len(given)), given)
    fine = np.linspace(edges[0], edges[-1], _FINE * len(edges))
    below = np.maximum.accumulate(PchipInterpolator(edges, total)(fine))  # no steps at the edges
    stays = np.empty(n)
    stays[np.argsort(wanted, kind="stable")] = np.exp(
        np.interp(even, below + np.arange(len(fine)) * 1e-9, fine)
    )
    return np.split(stays, np.cumsum([len(cast.seconds) for cast in casts])[:-1])


def _starts(
    windows: np.ndarray,
    stays: np.ndarray,
    settings: SynthesisSettings,
    frames: int,
    rate: Fraction,
    rng: np.random.Generator,
) -> np.ndarray:
    """(n,) float64: first frames, evenly over each window; stays end before the video does."""
    length = float(settings.window * rate)
    starts = [np.zeros(0)]
    for window, n in enumerate(windows.tolist()):
        room = min(length, frames - window * length)
        starts.append(window * length + room * (np.arange(n) + rng.random(n)) / max(n, 1))
    result = rng.permutation(np.concatenate(starts))
    need, end = stays * float(rate) - 1, frames - 1
    for i in np.flatnonzero(result + need > end):  # somebody else may have time for this start
        for j in rng.integers(0, len(result), _TRIES).tolist():
            if result[j] + need[i] <= end and result[i] + need[j] <= end:
                result[i], result[j] = result[j], result[i]
                break
    return np.asarray(np.clip(np.minimum(result, end - need), 0, end))


def _knots(
    cast: _Cast, i: int, found: Estimate, size: tuple[int, int], rng: np.random.Generator
) -> np.ndarray:
    """(m, 5) float64: share of the stay, x, foot, width, height."""
    points, lengths = cast.ways.points[i], cast.lengths[i]
    pause, place = cast.ways.pause[i], cast.ways.place[i]
    share = lengths / lengths[-1] if lengths[-1] > 0 else np.linspace(0, 1, len(lengths))
    when = share
    if pause > 0:
        even = np.linspace(0, 1, len(share))
        stand = [np.interp(place, even, line) for line in points.T]
        j = int(np.searchsorted(even, place))
        place = np.interp(place, even, share)
        points = np.vstack([points[:j], stand, stand, points[j:]])
        when = (1 - pause) * np.concatenate([share[:j], [place, place], share[j:]])
        when[j + 1 :] += pause
    height = cast.sizes.at(points[:, 1] / size[1]) * size[1] * np.exp(rng.normal(0, _TALLER))
    return np.column_stack([when, points, height * found.ratios[cast.labels[i]], height])
