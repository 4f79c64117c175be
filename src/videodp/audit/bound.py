"""How much two samples prove: an event is chosen on one part of the runs and judged on another.

Epsilon-differential privacy says P(event with the canary) <= exp(epsilon) P(event without) + delta,
for every event, and the same the other way round. So one event whose probability is surely at least
`low` in one world and surely at most `high` in the other proves

    epsilon >= ln((low - delta) / high).

"Surely" is Clopper-Pearson: exact for any probability and any number of runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

__all__ = ["Bound", "Event", "at_least", "at_most", "choose_event", "judge_event"]

_THRESHOLDS = 400
"""Thresholds that are tried; they are chosen, not judged, so their number costs nothing."""


@dataclass(frozen=True)
class Event:
    """What the attacker watches for."""

    threshold: float
    above: bool
    """Whether a score of `threshold` or more counts; else a score of `threshold` or less."""
    means_present: bool
    """Whether it is taken as a sign that the canary is there; else that it is not."""

    def hits(self, scores: np.ndarray) -> int:
        """In how many of the runs it happened."""
        happened = scores >= self.threshold if self.above else scores <= self.threshold
        return int(np.count_nonzero(happened))


@dataclass(frozen=True)
class Bound:
    """What one event proves."""

    event: Event
    hits: tuple[int, int]
    """With the canary, and without."""
    runs: tuple[int, int]
    """That were judged, with the canary and without."""
    epsilon: float
    """A true epsilon below this is ruled out at the level asked for; never below 0."""


def at_least(hits: np.ndarray, runs: int, alpha: float) -> np.ndarray:
    """Clopper-Pearson: the probability is below this with a probability of at most `alpha`."""
    return np.where(hits > 0, beta.ppf(alpha, np.maximum(hits, 1), runs - hits + 1), 0.0)


def at_most(hits: np.ndarray, runs: int, alpha: float) -> np.ndarray:
    """Clopper-Pearson: the probability is above this with a probability of at most `alpha`."""
    return np.where(hits < runs, beta.ppf(1 - alpha, hits + 1, np.maximum(runs - hits, 1)), 1.0)


def choose_event(
    present: np.ndarray, absent: np.ndarray, alpha: float, delta: float, scale: int = 1
) -> Event:
    """The event that would prove most, on runs that are not judged.

    Args:
        present: (n,) scores with the canary.
        absent: (m,) scores without it.
        alpha: as for `judge_event`.
        delta: of the claim.
        scale: it will be judged on so many times as many runs.
    """
    worlds = (np.sort(present), np.sort(absent))
    scores = np.sort(np.concatenate(worlds))
    shares = np.geomspace(0.5 / len(scores), 0.5, _THRESHOLDS // 2)
    places = np.concatenate([shares, 1 - shares]) * (len(scores) - 1)
    thresholds = np.unique(scores[places.round().astype(int)])
    runs = (len(present) * scale, len(absent) * scale)
    best, chosen = -math.inf, Event(float(thresholds[0]), True, True)
    for above in (True, False):
        hits = [_tail(world, thresholds, above) * scale for world in worlds]
        for means_present in (True, False):
            gain = _proves((hits[0], hits[1]), runs, means_present, alpha, delta)
            at = int(np.argmax(gain))
            if gain[at] > best:
                best = float(gain[at])
                chosen = Event(float(thresholds[at]), above, means_present)
    return chosen


def judge_event(
    event: Event, present: np.ndarray, absent: np.ndarray, alpha: float, delta: float
) -> Bound:
    """What the event proves on runs that had no part in choosing it.

    The epsilon is above the true one with a probability of at most 2 alpha.
    """
    hits = (event.hits(present), event.hits(absent))
    runs = (len(present), len(absent))
    counts = (np.array([hits[0]]), np.array([hits[1]]))
    proved = float(_proves(counts, runs, event.means_present, alpha, delta)[0])
    return Bound(event, hits, runs, max(proved, 0.0))


def _tail(ordered: np.ndarray, thresholds: np.ndarray, above: bool) -> np.ndarray:
    """How many scores lie at each threshold or beyond."""
    if above:
        return np.asarray(len(ordered) - np.searchsorted(ordered, thresholds, side="left"))
    return np.asarray(np.searchsorted(ordered, thresholds, side="right"))


def _proves(
    hits: tuple[np.ndarray, np.ndarray],
    runs: tuple[int, int],
    means_present: bool,
    alpha: float,
    delta: float,
) -> np.ndarray:
    """ln((low - delta) / high); -inf where nothing is proved."""
    likely, unlikely = (0, 1) if means_present else (1, 0)
    low = at_least(hits[likely], runs[likely], alpha) - delta
    high = at_most(hits[unlikely], runs[unlikely], alpha)
    nothing = np.full(len(low), -np.inf)
    return np.asarray(np.log(np.maximum(low, 1e-300) / high, where=low > 0, out=nothing))
