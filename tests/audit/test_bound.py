"""The arithmetic of a bound, against slow and obvious code.

Statistical tests have fixed seeds; with a new seed each would raise a false alarm with probability
1e-4.
"""

import math

import numpy as np
import pytest
from scipy import stats

from videodp.audit.bound import Guess, at_least, at_most, choose, judge_guesses

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


def coins(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_ratio_by_hand() -> None:
    present, absent = np.array([1.0] * 9 + [0.0]), np.array([1.0] + [0.0] * 9)
    bound = judge_guesses((Guess(1, True, True),), present, absent, 0.05, 0.1, coins())
    assert (bound.right, bound.wrong, bound.runs) == (9, 1, 20)
    interval = [stats.binomtest(n, 10).proportion_ci(0.9, "exact") for n in (9, 1)]
    expected = math.log((interval[0].low - 0.1) / interval[1].high)
    assert bound.epsilon == pytest.approx(expected)
    turned = judge_guesses((Guess(0, False, False),), present, absent, 0.05, 0.1, coins())
    assert (turned.right, turned.wrong) == (9, 1)
    assert turned.epsilon == pytest.approx(expected)


def test_guesses_by_hand() -> None:
    """Three quarters of the guesses at either end are right, and nothing is said in between."""
    present = np.tile([1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0], 1000)
    both = (Guess(1, True, True), Guess(-1, False, False))
    bound = judge_guesses(both, present, -present, 0.05, 0.0, coins())
    made = bound.right + bound.wrong
    assert 15_400 < bound.runs < 16_000
    assert made == pytest.approx(bound.runs / 2, abs=8)
    assert bound.right == pytest.approx(0.75 * made, abs=8)
    low = stats.binomtest(bound.right, made).proportion_ci(0.8, "exact").low
    assert bound.epsilon == pytest.approx(math.log(low / (1 - low)))


def test_coins_are_fair_and_leave_room() -> None:
    """Each world gives about half of the runs, never more than it has."""
    sizes = []
    for seed in range(200):
        present, absent = np.ones(100), np.zeros(100)
        bound = judge_guesses((Guess(1, True, True),), present, absent, 0.1, 0.0, coins(seed))
        assert bound.wrong == 0
        assert bound.right <= 100
        sizes.append(bound.right / bound.runs)
    assert np.mean(sizes) == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(200 * bound.runs))
    assert len(set(sizes)) > 10


@pytest.mark.parametrize("delta", [0.0, 0.99])
def test_what_proves_nothing_is_zero(delta: float) -> None:
    same = np.zeros(100)
    for threshold, scores in ((0, same), (1, same), (0, same + 1)):
        guess = Guess(threshold, True, True)
        assert judge_guesses((guess,), same, scores, 0.01, delta, coins()).epsilon == 0
    assert judge_guesses((), same, same, 0.01, 0.0, coins()).epsilon == 0


@pytest.mark.parametrize("seed", range(10))
def test_the_chosen_event_is_the_best(seed: int) -> None:
    """With delta: against trying every threshold, both tails, and both directions."""
    present, absent = a_pair(seed)
    best = max(
        judge_guesses((Guess(t, above, says),), present, absent, 0.01, 0.01, coins()).epsilon
        for t in np.unique([present, absent])
        for above in (True, False)
        for says in (True, False)
    )
    guesses = choose(present, absent, 0.01, 0.01)
    found = judge_guesses(guesses, present, absent, 0.01, 0.01, coins()).epsilon
    assert found == pytest.approx(best)


@pytest.mark.parametrize("seed", range(10))
def test_the_chosen_guesses_are_nearly_the_best(seed: int) -> None:
    """Without delta: against trying every pair of ends, as if each run of both worlds were tossed.

    They are chosen by Wilson's limit, which is near to that of Clopper and Pearson.
    """
    present, absent = a_pair(seed)

    def proved(*guesses: Guess) -> float:
        said = [(g.made(present), g.made(absent)) for g in guesses]
        pairs = zip(guesses, said, strict=True)
        right = sum(hits[0] if g.present else hits[1] for g, hits in pairs)
        low = float(at_least(np.array([right]), sum(map(sum, said)), 0.02)[0])
        return math.log(low / (1 - low)) if low > 0 else -math.inf

    ends = {
        above: [(), *((Guess(t, above, says),) for t in range(-12, 13) for says in (True, False))]
        for above in (True, False)
    }
    best = max(
        proved(*high, *low)
        for high in ends[True]
        for low in ends[False]
        if not high or not low or high[0].threshold > low[0].threshold
    )
    assert best - 0.05 <= proved(*choose(present, absent, 0.01, 0.0)) <= best + 1e-9


def a_pair(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    moved = rng.integers(-2, 3) * 1.0
    return rng.integers(0, 10, 60) + moved, rng.integers(0, 10, 60) * 1.0


@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_a_true_claim_is_rarely_refuted(delta: float) -> None:
    """Randomised response at the limit of its claim: a bound is too large in at most 2 alpha."""
    epsilon, alpha, audits = 1.0, 0.05, 400
    truth = (math.exp(epsilon) + delta) / (1 + math.exp(epsilon))
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(audits):
        present, absent = rng.random((2, 400)) < np.array([[truth], [1 - truth]])
        there, gone = present.astype(float), absent.astype(float)
        guesses = choose(there[:100], gone[:100], alpha, delta)
        bound = judge_guesses(guesses, there[100:], gone[100:], alpha, delta, rng)
        wrong += bound.epsilon > epsilon
    assert wrong <= stats.binom.ppf(1 - ALARM, audits, 2 * alpha)
