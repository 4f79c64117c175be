"""Post-processing: nearest consistent values, against slow searches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from videodp.synthesis.denoise import apportion, likely, on_simplex, smooth, variance_of

VALUES = st.lists(st.integers(-50, 200), min_size=1, max_size=12)


@given(values=VALUES, total=st.integers(0, 300))
def test_the_nearest_values_on_a_simplex(values, total) -> None:
    found = on_simplex(np.array(values), total)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(total, abs=1e-6)
    low, high = min(values) - total - 1.0, max(values) + 1.0  # the oracle: bisection
    for _ in range(200):
        middle = (low + high) / 2
        if np.maximum(np.array(values) - middle, 0).sum() > total:
            low = middle
        else:
            high = middle
    if total:
        assert np.allclose(found, np.maximum(np.array(values) - high, 0), atol=1e-6)


@given(values=st.lists(st.integers(0, 99), min_size=1, max_size=12), total=st.integers(0, 500))
def test_shares_are_whole_and_within_one(values, total) -> None:
    found = apportion(np.array(values), total, np.random.default_rng(0))
    assert found.sum() == total
    exact = np.array(values, np.float64) if sum(values) else np.ones(len(values))
    exact *= total / exact.sum()
    assert np.all(np.abs(found - exact) < 1)


def test_noise_around_nothing_becomes_nearly_nothing() -> None:
    """Over these seeds: squared error at most a quarter of that of the noisy counts."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        true = np.zeros(200)
        true[:10] = 80
        noisy = true + np.round(rng.laplace(0, 5, 200))
        assert np.sum((likely(noisy, 5) - true) ** 2) < 0.25 * np.sum((noisy - true) ** 2)


def test_stays_keep_their_body_and_lose_what_is_far_off() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        true = np.zeros(42)
        true[15:21] = (50, 200, 300, 250, 150, 50)
        found = smooth(true + np.round(rng.laplace(0, 4, 42)), 4.0, 1000.0)
        assert found.sum() == pytest.approx(1000)
        assert np.abs(found - true).sum() / 2000 < 0.06
        assert found[30:].sum() < 5


def test_the_variance_is_that_of_discrete_laplace() -> None:
    q = np.exp(-1 / 3.0)
    values = np.arange(-400, 401)
    chance = (1 - q) / (1 + q) * q ** np.abs(values)
    assert variance_of(3.0) == pytest.approx(float(chance @ values**2))
