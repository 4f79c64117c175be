"""Noise: what OpenDP promises is what was asked, and both samplers have its distribution."""

import math

import numpy as np
import pytest
from scipy import stats

from videodp.errors import BudgetError
from videodp.privacy.noise import RepeatableNoise, SecureNoise, _mechanism, noise_from, scale_for

ALARM = 1e-6
"""False-alarm rate of each chi-square test."""


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.5, 1 / 3, 1.0, 2.4, 10.0])
@pytest.mark.parametrize("sensitivity", [1, 2, 60, 12345])
def test_the_privacy_map_gives_the_epsilon_that_was_asked(sensitivity: int, epsilon: float) -> None:
    spent = _mechanism(scale_for(sensitivity, epsilon)).map(sensitivity)
    assert spent <= epsilon
    assert spent == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.parametrize("noise", [SecureNoise(), RepeatableNoise(5)])
@pytest.mark.parametrize("scale", [0.5, 2.0, 7.0])
def test_noise_is_discrete_laplace(noise: SecureNoise | RepeatableNoise, scale: float) -> None:
    drawn = noise.laplace(np.zeros(20_000, np.int64), 1, 1 / scale)
    edge = math.ceil(4 * scale)
    observed = np.bincount(np.clip(drawn, -edge, edge) + edge, minlength=2 * edge + 1)
    q = math.exp(-1 / scale)
    expected = (1 - q) / (1 + q) * q ** np.abs(np.arange(-edge, edge + 1.0))
    expected[[0, -1]] /= 1 - q  # the tails
    assert stats.chisquare(observed, expected * len(drawn)).pvalue > ALARM


def test_noise_is_added_to_any_shape() -> None:
    for noise in (SecureNoise(), RepeatableNoise(1)):
        values = np.arange(6).reshape(2, 3) * 1000
        noisy = noise.laplace(values, 1, 50.0)  # at this epsilon noise is 0 but once in 1e21
        assert noisy.dtype == np.int64
        assert np.array_equal(noisy, values)
        assert noise.laplace(np.zeros((0, 4), np.int64), 1, 1.0).shape == (0, 4)


def test_a_seed_repeats_and_says_so() -> None:
    values = np.zeros(50, np.int64)
    assert np.array_equal(
        RepeatableNoise(3).laplace(values, 1, 0.1), RepeatableNoise(3).laplace(values, 1, 0.1)
    )
    assert noise_from(3).repeatable
    assert not noise_from(None).repeatable


@pytest.mark.parametrize(
    ("sensitivity", "epsilon"),
    [(0, 1.0), (-1, 1.0), (1, 0.0), (1, -1.0), (1, math.nan), (1, math.inf), (1, 1e-320)],
)
def test_what_no_noise_can_do_is_refused(sensitivity: int, epsilon: float) -> None:
    with pytest.raises(BudgetError):
        SecureNoise().laplace(np.zeros(3, np.int64), sensitivity, epsilon)
