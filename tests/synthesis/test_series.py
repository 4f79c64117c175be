"""Counts in ordered bins, behind noisy ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from videodp.synthesis.series import each_bin, spread

FEW = settings(max_examples=25, deadline=None)
NOISY = st.lists(st.integers(-300, 2**40), min_size=1, max_size=14)


@FEW
@given(noisy=NOISY, total=st.floats(0, 1e6), scale=st.floats(1e-5, 300))
def test_whatever_the_noisy_counts_it_is_a_distribution(noisy, total, scale) -> None:
    counts = np.array(noisy)
    for found, cells in (
        (spread(counts, scale, total, 1.0, 2), 2 * len(noisy)),
        (each_bin(counts, scale, total, 1.0), len(noisy)),
    ):
        assert found.shape == (cells,)
        assert found.min() >= 0
        assert found.sum() == pytest.approx(total, rel=1e-6, abs=1e-9)


def test_the_same_noisy_counts_give_the_same_answer() -> None:
    noisy = np.array([3, 50, 80, 20, -4, 2])
    assert np.array_equal(spread(noisy, 4.0, 150, 99.0, 2), spread(noisy, 4.0, 150, 99.0, 2))


def test_stays_keep_their_body_and_lose_what_is_far_off() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        true = np.zeros(42)
        true[15:21] = (50, 200, 300, 250, 150, 50)
        found = spread(true + np.round(rng.laplace(0, 4, 42)), 4.0, 1000.0, 100.0, 2)
        assert found.sum() == pytest.approx(1000)
        assert np.abs(found.reshape(-1, 2).sum(axis=1) - true).sum() / 2000 < 0.06
        assert found[60:].sum() < 5


def test_within_a_bin_it_leans_to_the_fuller_side() -> None:
    true = np.array([0, 100, 1000, 3000, 1000, 100, 0])
    found = spread(true, 0.1, true.sum(), 1.0, 2).reshape(-1, 2)
    assert np.allclose(found.sum(axis=1), true, atol=2)
    assert found[2, 0] < 0.8 * found[2, 1]
    assert found[4, 1] < 0.8 * found[4, 0]


def test_what_varies_little_is_told_better_than_least_squares_tell_it() -> None:
    """Over these seeds, the mean error of windows is at most 0.9 of that of the noisy counts."""
    far = np.zeros(2)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        true = rng.poisson(60 + 40 * np.sin(np.arange(12) / 3))
        noisy = true + np.round(rng.laplace(0, 7, 12))
        told = each_bin(noisy, 7.0, float(true.sum()), 200.0)
        far += [np.abs(told - true).sum(), np.abs(noisy - true).sum()]
    assert far[0] < 0.9 * far[1]
