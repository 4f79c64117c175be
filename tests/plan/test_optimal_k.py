"""The curve over k, against the appendix as it stands."""

import numpy as np
import pytest

import naive
from helpers import taken
from videodp.plan import make_plan
from videodp.plan.optimal_k import best_k, k_curve
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
        solved: dict[frozenset[int], tuple[float, float]] = {}
        for k, palette, mse, fill in zip(curve.k, palettes, curve.mse, curve.fill, strict=True):
            np.testing.assert_array_equal(palette, choose(wardrobe, int(k), epsilon, "affordable"))
            chosen = frozenset(wardrobe.colours[palette].tolist())
            if chosen not in solved:
                solved[chosen] = (
                    naive.curve_value(
                        counts, element, epsilon, chosen, naive.spread(frames, naive.CURVE_FRAMES)
                    ),
                    naive.fill_value(counts, element, chosen, frames),
                )
            assert mse == pytest.approx(solved[chosen][0], abs=1e-5)
            assert fill == pytest.approx(solved[chosen][1], abs=1e-9)


@pytest.mark.parametrize("criterion", ["paper", "fill"])
def test_auto_takes_the_smallest_value_and_the_smaller_k(criterion: str) -> None:
    census = taken(7).census
    plan = make_plan(census, 3.0, criterion=criterion)
    for i, (curve, palette) in enumerate(zip(plan.curves, plan.palettes, strict=True)):
        values = curve.mse if criterion == "paper" else curve.fill
        k = int(curve.k[best_k(curve, criterion)])
        assert k == min(range(4, 31), key=lambda k: (values[k - 4], k))
        wardrobe = open_wardrobe(census, i)
        expected = wardrobe.colours[choose(wardrobe, k, 3.0, "affordable")]
        np.testing.assert_array_equal(palette, expected)


def test_fixed_k_draws_no_curve() -> None:
    assert set(make_plan(taken(7).census, 1.0, k=4).curves) == {None}
