"""Post-processing: nearest consistent values, against slow searches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from videodp.synthesis.denoise import apportion, likely, likely_ways, on_simplex, variance_of

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


@pytest.mark.parametrize(
    ("values", "total"), [([0, 5, 45812986333, 0], 1.4962105623), ([0, 33556349], 1e-5)]
)
def test_large_values_cost_no_digits(values: list[float], total: float) -> None:
    found = on_simplex(np.array(values, float), total)
    assert found.sum() == pytest.approx(total, rel=1e-12)
    assert found.argmax() == np.argmax(values)


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


@given(
    values=st.lists(st.integers(-50, 300), min_size=9, max_size=9),
    total=st.floats(0, 2000),
    scale=st.floats(0.5, 30),
)
def test_likely_ways_make_the_total_in_the_order_of_evidence(values, total, scale) -> None:
    found = likely_ways(np.array(values).reshape(3, 3), scale, total)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(total, abs=1e-6)
    sure = np.flatnonzero(np.array(values) > 12 * scale)
    order = sure[np.argsort(np.array(values)[sure], kind="stable")]
    assert np.all(np.diff(found.ravel()[order]) >= -1e-9)


def test_ways_there_and_back_count_alike() -> None:
    noisy = np.random.default_rng(0).integers(-20, 90, (5, 5))
    assert np.allclose(likely_ways(noisy, 7.0, 500).T, likely_ways(noisy.T, 7.0, 500))


def test_ways_are_told_better_than_by_the_nearest_that_make_the_total() -> None:
    """Over these seeds, the total variation is at most 0.7 of that of least squares."""
    far = np.zeros(2)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        true = np.zeros((9, 9))
        for a, b in rng.choice(9, (6, 2)):
            true[a, b] = true[b, a] = rng.integers(20, 120)
        noisy = true + np.round(rng.laplace(0, 7, (9, 9)))
        told = likely_ways(noisy, 7.0, true.sum()), on_simplex(noisy, true.sum())
        far += [np.abs(one - true).sum() for one in told]
    assert far[0] < 0.7 * far[1]


def test_with_hardly_any_noise_ways_are_repeated() -> None:
    true = np.array([[0, 7, 0], [120, 3, 0], [0, 0, 4]])
    assert np.allclose(likely_ways(true, 1e-3, true.sum()), true, atol=0.01)


def test_the_variance_is_that_of_discrete_laplace() -> None:
    q = np.exp(-1 / 3.0)
    values = np.arange(-400, 401)
    chance = (1 - q) / (1 + q) * q ** np.abs(values)
    assert variance_of(3.0) == pytest.approx(float(chance @ values**2))
