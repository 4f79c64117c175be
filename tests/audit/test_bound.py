"""The arithmetic of a bound, against slow and obvious code.

Statistical tests have fixed seeds; with a new seed each would raise a false alarm with probability
1e-4.
"""

import math

import numpy as np
import pytest
from scipy import stats

from videodp.audit.bound import Event, at_least, at_most, choose_event, judge_event

ALARM = 1e-4


@pytest.mark.parametrize("runs", [1, 2, 7, 50])
@pytest.mark.parametrize("alpha", [0.1, 1e-3])
def test_limits_are_clopper_and_pearson(runs: int, alpha: float) -> None:
    hits = np.arange(runs + 1)
    low, high = at_least(hits, runs, alpha), at_most(hits, runs, alpha)
    for n in hits:
        # At the limit itself, so many hits or more (or fewer) have the probability alpha.
        if n:
            assert stats.binom.sf(n - 1, runs, low[n]) == pytest.approx(alpha)
        if n < runs:
            assert stats.binom.cdf(n, runs, high[n]) == pytest.approx(alpha)
    assert low[0] == 0
    assert high[-1] == 1


def test_a_bound_by_hand() -> None:
    present, absent = np.array([1.0] * 9 + [0.0]), np.array([1.0] + [0.0] * 9)
    bound = judge_event(Event(1, True, True), present, absent, 0.05, 0.1)
    assert bound.hits == (9, 1)
    interval = [stats.binomtest(n, 10).proportion_ci(0.9, "exact") for n in (9, 1)]
    expected = math.log((interval[0].low - 0.1) / interval[1].high)
    assert bound.epsilon == pytest.approx(expected)
    turned = judge_event(Event(0, False, False), present, absent, 0.05, 0.0)
    assert turned.hits == (1, 9)
    assert turned.epsilon == pytest.approx(math.log(interval[0].low / interval[1].high))


def test_what_proves_nothing_is_zero() -> None:
    same = np.zeros(100)
    assert judge_event(Event(0, True, True), same, same, 0.01, 0.0).epsilon == 0
    assert judge_event(Event(1, True, True), same, same, 0.01, 0.0).epsilon == 0
    assert judge_event(Event(0, True, True), same, same + 1, 0.01, 0.99).epsilon == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_chosen_event_is_the_best(seed: int) -> None:
    """Against trying every threshold, both tails, and both directions."""
    rng = np.random.default_rng(seed)
    present = rng.integers(0, 12, 60) + rng.integers(-2, 3) * 1.0
    absent = rng.integers(0, 12, 60) * 1.0
    best = max(
        judge_event(Event(t, above, means), present, absent, 0.01, 0.0).epsilon
        for t in np.unique([present, absent])
        for above in (True, False)
        for means in (True, False)
    )
    event = choose_event(present, absent, 0.01, 0.0)
    assert judge_event(event, present, absent, 0.01, 0.0).epsilon == pytest.approx(best)


def test_a_true_claim_is_rarely_refuted() -> None:
    """Randomised response of exactly epsilon 1: its bound is too large in at most 2 alpha."""
    epsilon, alpha, audits = 1.0, 0.05, 400
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(audits):
        present, absent = rng.random((2, 400)) < np.array([[truth], [1 - truth]])
        scores = present.astype(float), absent.astype(float)
        event = choose_event(scores[0][:100], scores[1][:100], alpha, 0.0, scale=3)
        bound = judge_event(event, scores[0][100:], scores[1][100:], alpha, 0.0)
        wrong += bound.epsilon > epsilon
    assert wrong <= stats.binom.ppf(1 - ALARM, audits, 2 * alpha)
