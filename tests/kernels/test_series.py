"""Draws of counts against sums over all that they may be."""

from itertools import product

import numpy as np
from scipy.stats import norm, poisson

from videodp.kernels.series import draw_series


def drawn(noisy, bin_of, scale, total, variance, draws, burn=500, every=4) -> np.ndarray:
    out = np.empty((draws, len(bin_of)))
    draw_series(
        np.array(noisy, np.float64),
        np.array(bin_of),
        scale,
        total,
        variance,
        burn,
        every,
        np.random.default_rng(0),
        out,
    )
    return out


def exact(noisy, scale, total, variance, most) -> np.ndarray:
    """Means of two counts: rates on a grid, counts one by one (two rates have no bends)."""
    curve = np.linspace(-20, 30, 801)
    steps = norm.pdf(curve[:, None] - curve[None], scale=2.0)
    with np.errstate(over="ignore"):
        chance = poisson.pmf(np.arange(most)[:, None], np.exp(curve))  # (count, rate)
    pair = chance @ steps @ chance.T
    mean, weight = np.zeros(2), 0.0
    for a, b in product(range(most), repeat=2):
        here = pair[a, b] * np.exp(
            -(abs(a - noisy[0]) + abs(b - noisy[1])) / scale - (a + b - total) ** 2 / (2 * variance)
        )
        mean += here * np.array([a, b])
        weight += here
    return mean / weight


def test_two_counts_have_their_exact_means() -> None:
    """Seeds are fixed; the chain's own error is about 0.1."""
    for noisy, total, variance in (((9.0, 4.0), 15.0, 9.0), ((-3.0, 6.0), 4.0, 25.0)):
        found = drawn(noisy, [0, 1], 3.0, total, variance, 3000)
        assert np.allclose(found, np.round(found), atol=1e-9), "counts are whole"
        wanted = exact(noisy, 3.0, total, variance, 40)
        assert np.allclose(found.mean(axis=0), wanted, atol=0.4), (found.mean(axis=0), wanted)


def test_with_hardly_any_noise_nothing_moves() -> None:
    noisy = [0.0, 5.0, 2.0, 0.0]
    found = drawn(noisy, [0, 0, 1, 1, 2, 2, 3, 3], 1e-3, 7.0, 1e-6, 20, 50)
    assert np.allclose(found.reshape(20, 4, 2).sum(axis=2), noisy)


def test_a_known_total_is_kept() -> None:
    found = drawn([50.0, 80.0, 20.0], [0, 1, 2], 10.0, 120.0, 0.5, 200)
    assert np.abs(found.sum(axis=1) - 120).mean() < 2
