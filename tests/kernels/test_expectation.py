"""The linear system of appendix A."""

import numpy as np
import pytest

import naive
from videodp.kernels.expectation import expected_grey


@pytest.mark.parametrize("seed", range(12))
def test_against_the_dense_solution(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 9, 2)
    inside = rng.random((height, width)) < rng.uniform(0.4, 1.0)
    grey = rng.random((height, width))
    drawn = rng.random((height, width)) * rng.choice([0.01, 0.3, 1.0])
    drawn[rng.random((height, width)) < 0.4] = 0
    places = [tuple(place) for place in np.argwhere(inside).tolist()]
    found, sweeps = expected_grey(grey, drawn, inside, 1e-12)
    assert (found[~inside] == 0).all()
    if places:
        expected = naive.expected_grey({p: grey[p] for p in places}, {p: drawn[p] for p in places})
        np.testing.assert_allclose([found[p] for p in places], list(expected.values()), atol=1e-9)
    assert sweeps < 200


def test_everything_drawn_is_the_truth() -> None:
    grey = np.random.default_rng(0).random((4, 5))
    found, sweeps = expected_grey(grey, np.ones((4, 5)), np.ones((4, 5), bool), 1e-12)
    np.testing.assert_array_equal(found, grey)
    assert sweeps == 2


def test_one_pixel_has_no_neighbour() -> None:
    found, _ = expected_grey(
        np.full((1, 1), 0.8), np.full((1, 1), 0.25), np.ones((1, 1), bool), 1e-12
    )
    assert found[0, 0] == pytest.approx(0.2)


@pytest.mark.parametrize("n", range(5))
def test_shares_of_the_oracle_are_the_printed_ones(n: int) -> None:
    """The equations for 4, 3 and 2 neighbours add up to (sigma_1 + ... + sigma_n) / n each."""
    sigma = naive.sigmas([0.1, 0.2, 0.7, 0.4][:n])
    assert sum(sigma) == pytest.approx(1)
    none = np.prod(1 - np.array([0.1, 0.2, 0.7, 0.4][:n]))
    assert sum(sigma[1:]) == pytest.approx(1 - none)
