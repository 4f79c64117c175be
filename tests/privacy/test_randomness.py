"""Exact draws from a keyed generator.

Statistical tests have fixed seeds, so they never flicker; with a new seed each would raise a false
alarm with probability 1e-4.
"""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from videodp.privacy.randomness import Randomness

ALARM = 1e-4


def uniform(counts: list[int]) -> bool:
    assert sum(counts) / len(counts) >= 20
    return stats.chisquare(counts).pvalue > ALARM


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 10, 64, 100])
def test_below_is_uniform(bound: int) -> None:
    stream = Randomness(1).stream("below", bound)
    counts = Counter(stream.below(bound) for _ in range(40 * bound + 2000))
    assert set(counts) == set(range(bound))
    assert bound == 1 or uniform([counts[i] for i in range(bound)])


def test_below_large_bounds() -> None:
    """Without rejection, bounds just above 2**63 would give small numbers twice as often."""
    bound = 2**63 + 2**62
    stream = Randomness(2).stream("large")
    counts = Counter(stream.below(bound) * 3 // bound for _ in range(3000))
    assert uniform([counts[i] for i in range(3)])
    assert 0 <= stream.below(2**64) < 2**64
    for wrong in (0, -1, 2**64 + 1):
        with pytest.raises(ValueError, match="bound"):
            stream.below(wrong)


@pytest.mark.parametrize(("count", "bound"), [(0, 5), (1, 6), (2, 6), (3, 6), (5, 6), (6, 6)])
def test_every_set_is_equally_likely(count: int, bound: int) -> None:
    stream = Randomness(3).stream("distinct", count, bound)
    sets = list(itertools.combinations(range(bound), count))
    seen = Counter(tuple(stream.distinct(count, bound).tolist()) for _ in range(100 * len(sets)))
    assert set(seen) <= set(sets)
    assert len(sets) == 1 or uniform([seen[one] for one in sets])


@pytest.mark.parametrize(
    ("total", "marked", "draws"),
    [(10, 4, 3), (10, 3, 4), (10, 9, 7), (12, 12, 5), (12, 0, 5), (50, 6, 20), (400, 9, 100)],
)
def test_hypergeometric(total: int, marked: int, draws: int) -> None:
    stream = Randomness(4).stream("hypergeometric", total, marked, draws)
    runs = 3000
    seen = Counter(stream.hypergeometric(total, marked, draws) for _ in range(runs))
    law = stats.hypergeom(total, marked, draws)
    low, high = max(0, draws + marked - total), min(draws, marked)
    assert set(seen) <= set(range(low, high + 1))
    expected = law.pmf(np.arange(low, high + 1)) * runs
    found = np.array([seen[hits] for hits in range(low, high + 1)])
    rare = expected < 10  # put together, so that chi-square holds
    if rare.any() and (~rare).any():
        expected = np.append(expected[~rare], max(expected[rare].sum(), 1e-9))
        found = np.append(found[~rare], found[rare].sum())
    if len(expected) > 1:
        statistic = ((found - expected) ** 2 / expected).sum()
        assert stats.chi2.sf(statistic, len(expected) - 1) > ALARM


def test_streams_belong_to_their_purpose() -> None:
    words = {
        tuple(Randomness(seed).stream(*purpose).words(4).tolist())
        for seed in (1, 2)
        for purpose in (("draw", 1), ("draw", 2), ("background", 1), ("draw", 1, 2), ("draw", 12))
    }
    assert len(words) == 10
    again = Randomness(1).stream("draw", 1).words(4)
    np.testing.assert_array_equal(again, Randomness(1).stream("draw", 1).words(4))


def test_words_do_not_depend_on_how_they_are_asked_for() -> None:
    whole, parts = Randomness(1).stream("a"), Randomness(1).stream("a")
    np.testing.assert_array_equal(whole.words(10), np.concatenate([parts.words(3), parts.words(7)]))


def test_bits_are_fair() -> None:
    words = Randomness(6).stream("bits").words(4000)
    ones = np.unpackbits(words.view(np.uint8)).reshape(-1, 64).sum(axis=0)
    p = [stats.binomtest(int(n), 4000).pvalue for n in ones]
    assert min(p) > ALARM / 64


def test_without_a_seed_every_run_differs() -> None:
    one, two = Randomness(), Randomness()
    assert one.seed is None
    assert one.stream("x").words(4).tolist() != two.stream("x").words(4).tolist()
