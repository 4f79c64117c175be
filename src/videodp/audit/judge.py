"""Plays trials and judges them, all of them together at one stated confidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from videodp.audit.bound import at_least, at_most, choose, judge_guesses
from videodp.audit.model import Audit, Check, Finding, Promise, Statistic, Trial
from videodp.errors import UsageError

__all__ = ["MIN_RUNS", "judge"]

MIN_RUNS = 100
"""Fewer runs prove nothing worth a table."""

_CHOOSING = 4
"""One run in so many chooses the guesses; the others judge them."""

_COINS = 2
"""Beside the two worlds, whose seeds end in 0 and 1."""

Worlds = tuple[np.ndarray, np.ndarray]


def judge(
    mechanism: str,
    claim: str,
    trials: Sequence[Trial],
    *,
    runs: int = 20_000,
    confidence: float = 0.99,
    seed: int = 0,
    notes: tuple[str, ...] = (),
    progress: Callable[[int], None] = lambda worlds: None,
) -> Audit:
    """Plays every trial with the canary and without, and judges every statistic of it.

    Args:
        mechanism: its name.
        claim: what it claims, in one sentence.
        trials: what to play.
        runs: with each canary, and as many without.
        confidence: a true claim stands with at least this probability, whatever is tried: what
            may go wrong is shared equally among all limits of all statistics and promises.
        seed: where the runs start; every world of every trial has its own.
        notes: for the reader of the audit.
        progress: told after each world; there are two for each trial.
    """
    if not (math.isfinite(confidence) and 0.5 <= confidence < 1):
        raise UsageError(f"confidence is 0.5 or more and below 1, not {confidence:g}: try 0.99")
    if runs < MIN_RUNS:
        raise UsageError(f"{runs} runs prove nothing: give at least {MIN_RUNS}, better 20000")
    limits = 2 * sum(len(trial.statistics) + len(trial.promises) for trial in trials)
    alpha = (1 - confidence) / max(limits, 1)
    findings: list[Finding] = []
    checks: list[Check] = []
    for number, trial in enumerate(trials):
        worlds = _play(trial, trial.runs or runs, (seed, number), progress)
        coins = np.random.default_rng([seed, number, _COINS])
        findings += [
            _finding(trial, statistic, worlds, alpha, coins) for statistic in trial.statistics
        ]
        checks += [_check(trial, promise, worlds[0], alpha) for promise in trial.promises]
    return Audit(mechanism, claim, confidence, runs, tuple(findings), tuple(checks), notes)


def _play(
    trial: Trial, runs: int, seed: tuple[int, int], progress: Callable[[int], None]
) -> Worlds:
    worlds = []
    for present in (True, False):  # far apart: no two worlds share their randomness
        own = int(np.random.SeedSequence([*seed, present]).generate_state(1, np.uint64)[0])
        worlds.append(trial.play(present, runs, own))
        progress(1)
    return worlds[0], worlds[1]


def _finding(
    trial: Trial,
    statistic: Statistic,
    worlds: Worlds,
    alpha: float,
    coins: np.random.Generator,
) -> Finding:
    parts = []
    for world in worlds:
        cut = len(world) // _CHOOSING
        parts.append([_looked_at(statistic, part) for part in (world[:cut], world[cut:])])
    (seen_with, judged_with), (seen_without, judged_without) = parts
    if min(map(len, (seen_with, seen_without, judged_with, judged_without))) == 0:
        raise UsageError(
            f"'{statistic.name}' cannot be judged: none of the runs is of the kind it looks at; "
            "give more runs"
        )
    score = statistic.learn(seen_with, seen_without)
    delta = statistic.delta
    guesses = choose(score(seen_with), score(seen_without), alpha, delta)
    judged = score(judged_with), score(judged_without)
    bound = judge_guesses(guesses, *judged, alpha, delta, coins)
    return Finding(
        trial.canary, statistic.name, statistic.epsilon, statistic.delta, statistic.claimed, bound
    )


def _looked_at(statistic: Statistic, outputs: np.ndarray) -> np.ndarray:
    return outputs if statistic.given is None else outputs[statistic.given(outputs)]


def _check(trial: Trial, promise: Promise, outputs: np.ndarray, alpha: float) -> Check:
    runs, hits = len(outputs), np.array([np.count_nonzero(promise.happened(outputs))])
    low, high = (float(limit(hits, runs, alpha)[0]) for limit in (at_least, at_most))
    return Check(trial.canary, promise, int(hits[0]), runs, low, high)
