"""The curve over k, against the appendix as it stands."""

import numpy as np
import pytest

import naive
from helpers import taken
from videodp.plan import make_plan
from videodp.plan.optimal_k import k_curve
from videodp.plan.palette import choose, open_wardrobe


@pytest.mark.parametrize("seed", [0, 2, 5, 9, 14, 19, 23])
def test_curve(seed: int) -> None:
    counts, census = taken(seed).counts, taken(seed).census
    for i, element in enumerate(counts.elements):
        frames = naive.palette_frames(counts, element)
        if not frames:
            continue
        wardrobe = open_wardrobe(census, i)
        epsilon = float(np.random.default_rng(seed).choice([0.8, 4.0, 15.0]))
        curve, palettes = k_curve(wardrobe, epsilon, "affordable")
        assert curve.k.tolist() == list(range(4, 31))
        solved: dict[frozenset[int], float] = {}
        for k, palette, mse in zip(curve.k, palettes, curve.mse, strict=True):
            np.testing.assert_array_equal(palette, choose(wardrobe, int(k), epsilon, "affordable"))
            chosen = frozenset(wardrobe.colours[palette].tolist())
            if chosen not in solved:
                solved[chosen] = naive.curve_value(
                    counts, element, epsilon, chosen, naive.spread(frames, naive.CURVE_FRAMES)
                )
            assert mse == pytest.approx(solved[chosen], abs=1e-5)


def test_auto_takes_the_smallest_value_and_the_smaller_k() -> None:
    census = taken(7).census
    plan = make_plan(census, 3.0)
    for i, (curve, palette) in enumerate(zip(plan.curves, plan.palettes, strict=True)):
        k = min(range(4, 31), key=lambda k: (curve.mse[k - 4], k))
        assert plan.k[i] == k
        wardrobe = open_wardrobe(census, i)
        expected = wardrobe.colours[choose(wardrobe, k, 3.0, "affordable")]
        np.testing.assert_array_equal(palette, expected)
        assert curve.fill is None


@pytest.mark.parametrize("rule", ["affordable", "paper"])
def test_fill_takes_the_plan_whose_figures_are_best(rule: str) -> None:
    one = taken(7)
    plan = make_plan(one.census, 3.0, criterion="fill", rule=rule)
    errors = {}
    for k in range(4, 31):
        other = make_plan(one.census, 3.0, k=k, rule=rule)
        by_hand = [naive.figure_error(one.counts, e, other) for e in one.counts.elements]
        np.testing.assert_allclose(other.figure_errors, by_hand, atol=1e-9)
        assert [curve.fill[k - 4] for curve in plan.curves] == other.figure_errors.tolist()
        errors[k] = float(other.figure_errors @ np.maximum(one.census.pixels, 1))
    assert set(plan.k.tolist()) == {min(errors, key=lambda k: (errors[k], k))}


def test_fixed_k_draws_no_curve() -> None:
    assert set(make_plan(taken(7).census, 1.0, k=4).curves) == {None}
