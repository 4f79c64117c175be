"""The exact loss of a colour."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from videodp.kernels.loss import colour_loss, colour_losses, most_draws

quick = settings(max_examples=80, deadline=None, derandomize=True)


@st.composite
def colours(draw: st.DrawFn, most: int = 400) -> tuple[int, int, int]:
    """count, worn, draws."""
    c = draw(st.integers(1, most))
    return c, draw(st.integers(0, c)), draw(st.integers(0, c))


@quick
@given(colours())
def test_against_integers(one: tuple[int, int, int]) -> None:
    c, w, x = one
    expected, found = naive.loss(c, w, x), colour_loss(c, w, x, math.inf)
    assert found == pytest.approx(expected, abs=1e-10)
    assert naive.loss_by_sum(c, w, x) == pytest.approx(expected, abs=1e-10)


@quick
@given(colours())
def test_drawing_and_wearing_are_symmetric(one: tuple[int, int, int]) -> None:
    c, w, x = one
    assert colour_loss(c, w, x, math.inf) == colour_loss(c, x, w, math.inf)


@quick
@given(colours(most=5000))
def test_grows_with_draws_and_with_pixels_worn(one: tuple[int, int, int]) -> None:
    c, w, x = one
    here = colour_loss(c, w, x, math.inf)
    if x < c:
        assert colour_loss(c, w, x + 1, math.inf) >= here
    if w < c:
        assert colour_loss(c, w + 1, x, math.inf) >= here
    assert colour_loss(c + 1, w, x, math.inf) <= here


@quick
@given(colours(), st.floats(0.0, 5.0))
def test_stops_only_above_the_limit(one: tuple[int, int, int], limit: float) -> None:
    c, w, x = one
    whole, cut = colour_loss(c, w, x, math.inf), colour_loss(c, w, x, limit)
    assert cut == whole if whole <= limit else limit < cut <= whole


def test_extremes() -> None:
    assert colour_loss(10, 0, 10, math.inf) == 0
    assert colour_loss(10, 3, 0, math.inf) == 0
    assert colour_loss(10, 3, 7, math.inf) == pytest.approx(math.log(120))
    assert colour_loss(10, 3, 8, math.inf) == math.inf
    assert colour_loss(1, 1, 1, math.inf) == math.inf
    tiny = colour_loss(400_000_000, 1, 1, math.inf)
    assert tiny == pytest.approx(2.5e-9, rel=1e-8)


def test_many_at_once() -> None:
    rng = np.random.default_rng(0)
    c = rng.integers(1, 300, 50)
    w, x = rng.integers(0, c + 1), rng.integers(0, c + 1)
    expected = [naive.loss(*row) for row in zip(c.tolist(), w.tolist(), x.tolist(), strict=True)]
    np.testing.assert_allclose(colour_losses(c, w, x), expected, atol=1e-10)


@quick
@given(st.integers(1, 300), st.data())
def test_most_draws(c: int, data: st.DataObject) -> None:
    worn = data.draw(st.lists(st.integers(1, c), min_size=1, max_size=4))
    limits = data.draw(st.lists(st.floats(-1e-12, 4.0), min_size=len(worn), max_size=len(worn)))
    counts = [data.draw(st.integers(w, c)) for w in worn]
    found = most_draws(np.array(counts), np.array(worn), np.array(limits))

    def fits(x: int) -> bool:
        rows = zip(counts, worn, limits, strict=True)
        return all(naive.loss_by_sum(c, w, x) <= limit + 1e-12 for c, w, limit in rows)

    assert found == 0 or fits(found)
    near = any(
        abs(naive.loss_by_sum(c, w, found + 1) - limit) < 1e-11
        for c, w, limit in zip(counts, worn, limits, strict=True)
    )
    assert near or not fits(found + 1)
