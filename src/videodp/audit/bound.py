"""How much two samples prove: guesses are chosen on one part of the runs and judged on another.

Epsilon-differential privacy says P(event with the canary) <= exp(epsilon) P(event without) + delta,
for every event, and the same the other way round. The attacker sees a run and says that the canary
is there, that it is not, or nothing. Two ways to draw a lower bound from how often that is right:

- delta 0: a fair coin decides for each run which of the two worlds it is from. Then every guess is
  right with probability at most exp(epsilon) / (1 + exp(epsilon)), whatever went before. With q a
  sure lower limit of that probability, epsilon >= ln(q / (1 - q)).
- delta above 0: one kind of guess is made in one world with probability of surely at least `low`,
  and in the other of surely at most `high`: epsilon >= ln((low - delta) / high).

"Surely" is Clopper-Pearson: exact for any probability and any number of runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta, norm

__all__ = ["Bound", "Guess", "at_least", "at_most", "choose", "judge_guesses"]

_THRESHOLDS = 400
"""Thresholds that are tried; they are chosen, not judged, so their number costs nothing."""

_SPARE = 4.0
"""Standard deviations by which coins may leave the middle before a world has too few runs."""


@dataclass(frozen=True)
class Guess:
    """When the attacker says what."""

    threshold: float
    above: bool
    """Whether a score of `threshold` or more counts; else a score of `threshold` or less."""
    present: bool
    """Whether it is said that the canary is there; else that it is not."""

    def made(self, scores: np.ndarray) -> int:
        """In how many of the runs it is made."""
        happened = scores >= self.threshold if self.above else scores <= self.threshold
        return int(np.count_nonzero(happened))


@dataclass(frozen=True)
class Bound:
    """What guesses prove."""

    guesses: tuple[Guess, ...]
    """One, or one at each end of the scores."""
    right: int
    wrong: int
    runs: int
    """That were judged, with the canary and without together."""
    epsilon: float
    """A true epsilon below this is ruled out at the level asked for; never below 0."""


def at_least(hits: np.ndarray, runs: np.ndarray | int, alpha: float) -> np.ndarray:
    """Clopper-Pearson: the probability is below this with a probability of at most `alpha`."""
    return np.where(hits > 0, beta.ppf(alpha, np.maximum(hits, 1), runs - hits + 1), 0.0)


def at_most(hits: np.ndarray, runs: int, alpha: float) -> np.ndarray:
    """Clopper-Pearson: the probability is above this with a probability of at most `alpha`."""
    return np.where(hits < runs, beta.ppf(1 - alpha, hits + 1, np.maximum(runs - hits, 1)), 1.0)


def choose(
    present: np.ndarray, absent: np.ndarray, alpha: float, delta: float
) -> tuple[Guess, ...]:
    """The guesses that prove most on runs that are not judged.

    They are weighed by the limits that these runs give, though they are judged on more: an extreme
    end that looks better by chance would be chosen too often.

    Args:
        present: (n,) scores with the canary.
        absent: (m,) scores without it.
        alpha: as for `judge_guesses`.
        delta: of the claim.
    """
    worlds = (np.sort(present), np.sort(absent))
    scores = np.sort(np.concatenate(worlds))
    shares = np.geomspace(0.5 / len(scores), 0.5, _THRESHOLDS // 2)
    places = np.concatenate([shares, 1 - shares]) * (len(scores) - 1)
    thresholds = np.unique(scores[places.round().astype(int)])
    tails = {above: [_tail(w, thresholds, above) for w in worlds] for above in (True, False)}
    if not delta:
        return _both_ends(thresholds, tails, alpha)
    runs = (len(present), len(absent))
    best, chosen = -math.inf, Guess(float(thresholds[0]), True, True)
    for above, (there, gone) in tails.items():
        for says in (True, False):
            hits = (there, gone) if says else (gone, there)
            gain = _ratio(hits, runs if says else runs[::-1], alpha, delta)
            at = int(np.argmax(gain))
            if gain[at] > best:
                best, chosen = float(gain[at]), Guess(float(thresholds[at]), above, says)
    return (chosen,)


def judge_guesses(
    guesses: tuple[Guess, ...],
    present: np.ndarray,
    absent: np.ndarray,
    alpha: float,
    delta: float,
    coins: np.random.Generator,
) -> Bound:
    """What the guesses prove on runs that had no part in choosing them.

    The epsilon is above the true one with a probability of at most 2 alpha.
    """
    if not delta:
        there, gone = _tossed(min(len(present), len(absent)), coins)
        present, absent = present[:there], absent[:gone]
    right = wrong = 0
    for guess in guesses:
        hits = guess.made(present), guess.made(absent)
        right += hits[0 if guess.present else 1]
        wrong += hits[1 if guess.present else 0]
    if delta:
        runs = (len(present), len(absent))
        counts = (np.array([right]), np.array([wrong]))
        proved = _ratio(counts, runs if guesses[0].present else runs[::-1], alpha, delta)
    else:
        proved = _odds(at_least(np.array([right]), right + wrong, 2 * alpha))
    return Bound(guesses, right, wrong, len(present) + len(absent), max(float(proved[0]), 0.0))


def _tossed(most: int, coins: np.random.Generator) -> tuple[int, int]:
    """How many runs a fair coin takes from each world; none in the rare case of too few."""
    runs = max(int(2 * most - _SPARE * math.sqrt(2 * most)), 0)
    there = int(coins.binomial(runs, 0.5))
    return (there, runs - there) if max(there, runs - there) <= most else (0, 0)


def _both_ends(
    thresholds: np.ndarray, tails: dict[bool, list[np.ndarray]], alpha: float
) -> tuple[Guess, ...]:
    """The best pair of an upper and a lower end; one of them may be empty."""
    upper, lower = (np.append(tails[above], [[0], [0]], axis=1) for above in (True, False))
    right = upper.max(axis=0)[:, None] + lower.max(axis=0)
    wrong = upper.min(axis=0)[:, None] + lower.min(axis=0)
    low = _wilson(right, right + wrong, 2 * alpha)  # near enough to choose by, and fast
    apart = np.arange(len(thresholds) + 1)[:, None] > np.arange(len(thresholds) + 1)
    apart[:, -1] = True
    top, bottom = np.unravel_index(np.argmax(np.where(apart, low, -1.0)), low.shape)
    return tuple(
        Guess(float(thresholds[at]), above, bool(hits[0, at] >= hits[1, at]))
        for at, above, hits in ((int(top), True, upper), (int(bottom), False, lower))
        if at < len(thresholds)
    )


def _wilson(hits: np.ndarray, runs: np.ndarray, alpha: float) -> np.ndarray:
    """About `at_least`; 0 where there are no runs."""
    z, runs = float(norm.isf(alpha)), np.maximum(runs, 1)
    share = hits / runs
    spread = z * np.sqrt(share * (1 - share) / runs + z**2 / (4 * runs**2))
    return np.asarray((share + z**2 / (2 * runs) - spread) / (1 + z**2 / runs))


def _odds(q: np.ndarray) -> np.ndarray:
    """ln(q / (1 - q)); -inf where nothing is proved."""
    return np.asarray(np.log(q / (1 - q), where=q > 0, out=np.full(len(q), -np.inf)))


def _tail(ordered: np.ndarray, thresholds: np.ndarray, above: bool) -> np.ndarray:
    """How many scores lie at each threshold or beyond."""
    if above:
        return np.asarray(len(ordered) - np.searchsorted(ordered, thresholds, side="left"))
    return np.asarray(np.searchsorted(ordered, thresholds, side="right"))


def _ratio(
    hits: tuple[np.ndarray, np.ndarray], runs: tuple[int, int], alpha: float, delta: float
) -> np.ndarray:
    """ln((low - delta) / high), the likelier world first; -inf where nothing is proved."""
    low = at_least(hits[0], runs[0], alpha) - delta
    high = at_most(hits[1], runs[1], alpha)
    nothing = np.full(len(low), -np.inf)
    return np.asarray(np.log(np.maximum(low, 1e-300) / high, where=low > 0, out=nothing))
