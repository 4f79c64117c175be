"""A made-up population, drawn from the noisy summary and from nothing else.

    NoisySummary --estimate--> Estimate --populate--> Population

All of this is post-processing: it sees no record, so it costs no privacy. Counts are shared out
instead of drawn, so that the population repeats the summary as closely as whole actors can.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from videodp.privacy.randomness import Randomness
from videodp.synthesis.denoise import apportion
from videodp.synthesis.estimate import Estimate, estimate
from videodp.synthesis.model import Actor, Population
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import NoisySummary
from videodp.synthesis.ways import Ways, find_ways

__all__ = ["populate"]


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
    rng = np.random.Generator(np.random.PCG64(randomness.stream("population").words(4).tolist()))
    found = estimate(noisy, settings, frames, rate)
    per_window = apportion(found.windows, round(float(found.windows.sum())), rng)
    period = np.arange(len(per_window)) // settings.windows_per_period
    actors: list[Actor] = []
    for p in range(len(found.labels)):
        windows = np.where(period == p, per_window, 0)
        labels = apportion(found.labels[p], int(windows.sum()), rng)
        kinds = [
            _kind(found, settings, p, k, np.where(settings.kinds == k, labels, 0), size, rng)
            for k in range(found.kinds.shape[1])
        ]
        cast = [member for kind in kinds for member in kind]
        starts = _starts(
            windows, np.array([seconds for _, _, seconds in cast]), settings, frames, rate, rng
        )
        for (label, line, _), start in zip(cast, starts.tolist(), strict=True):
            knots = line.copy()
            knots[:, 0] = start + knots[:, 0] * float(rate)
            knots[-1, 0] = max(min(knots[-1, 0], frames - 1), knots[0, 0])
            knots[:, 0] = np.minimum(knots[:, 0], knots[-1, 0])
            actors.append(Actor(0, label, knots))
    actors.sort(key=lambda actor: float(actor.knots[0, 0]))
    return Population(
        size,
        frames,
        rate,
        tuple(Actor(i, actor.label, actor.knots) for i, actor in enumerate(actors, 1)),
    )


def _kind(
    found: Estimate,
    settings: SynthesisSettings,
    p: int,
    k: int,
    labels: np.ndarray,
    size: tuple[int, int],
    rng: np.random.Generator,
) -> list[tuple[str, np.ndarray, float]]:
    """Everybody of one kind: label, knots (frame in seconds from 0), and seconds of stay."""
    n = int(labels.sum())
    if not n:
        return []
    flows = np.argwhere(np.ones(found.flows.shape[2:]))
    flow = rng.permutation(np.repeat(flows, apportion(found.flows[p, k], n, rng).ravel(), axis=0))
    speed, pause = _paces(found.pace[k], n, settings, rng)
    ways = find_ways(found, settings, p, k, flow, pause, size, rng)
    lengths = _lengths(ways, found, k, size)
    moving = lengths[:, -1] / speed
    # Who has further to go, goes slower or pauses longer, stays longer: the order is kept, and the
    # stays themselves are those of the summary.
    stays = np.empty(n)
    stays[np.argsort(moving / (1 - ways.pause), kind="stable")] = quantiles(
        found.stays[p, k], settings.stay_edges, n
    )
    names = rng.permutation(np.repeat(np.arange(len(labels)), labels))
    return [
        (
            settings.all_labels[names[i]],
            _knots(ways, i, lengths[i], stays[i], found, k, names[i], size, rng),
            stays[i],
        )
        for i in range(n)
    ]


def quantiles(counts: np.ndarray, edges: tuple[float, ...], n: int) -> np.ndarray:
    """(n,) float64, ascending: evenly spaced quantiles of a histogram with logarithmic bins."""
    total = np.concatenate([[0], np.cumsum(counts)])
    if total[-1] <= 0:
        total = np.arange(len(edges), dtype=np.float64)
    places = np.maximum.accumulate(total + np.arange(len(total)) * 1e-9)
    wanted = (np.arange(n) + 0.5) / n * places[-1]
    return np.asarray(np.exp(np.interp(wanted, places, np.log(edges))))


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


def _lengths(ways: Ways, found: Estimate, k: int, size: tuple[int, int]) -> np.ndarray:
    """(n, m) float64: way from the first point to each, in own heights."""
    steps = np.hypot(*np.moveaxis(np.diff(ways.points, axis=1), 2, 0))
    feet = 0.5 * (ways.points[:, 1:, 1] + ways.points[:, :-1, 1])
    steps = steps / (found.sizes[k].at(feet / size[1]) * size[1])
    return np.concatenate([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)], axis=1)


def _knots(
    ways: Ways,
    i: int,
    lengths: np.ndarray,
    stay: float,
    found: Estimate,
    k: int,
    label: int,
    size: tuple[int, int],
    rng: np.random.Generator,
) -> np.ndarray:
    """(m, 5) float64: seconds, x, foot, width, height."""
    points, pause, place = ways.points[i], ways.pause[i], ways.place[i]
    share = lengths / lengths[-1] if lengths[-1] > 0 else np.linspace(0, 1, len(lengths))
    if pause > 0:
        at = [np.interp(place, share, line) for line in points.T]
        j = int(np.searchsorted(share, place))
        points = np.vstack([points[:j], at, at, points[j:]])
        time = (1 - pause) * np.concatenate([share[:j], [place, place], share[j:]])
        time[j + 1 :] += pause
    else:
        time = share
    height = found.sizes[k].at(points[:, 1] / size[1]) * size[1] * np.exp(rng.normal(0, 0.05))
    return np.column_stack([time * stay, points, height * found.ratios[label], height])


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
    starts = []
    for window, n in enumerate(windows.tolist()):
        room = min(length, frames - window * length)
        starts.append(window * length + room * (np.arange(n) + rng.random(n)) / max(n, 1))
    result = rng.permutation(np.concatenate(starts)) if starts else np.zeros(0)
    need = stays * float(rate) - 1
    for i in np.flatnonzero(result + need > frames - 1):
        for j in rng.integers(0, len(result), 200).tolist():
            if result[j] + need[i] <= frames - 1 and result[i] + need[j] <= frames - 1:
                result[i], result[j] = result[j], result[i]
                break
    return np.clip(np.minimum(result, frames - 1 - need), 0, frames - 1)
