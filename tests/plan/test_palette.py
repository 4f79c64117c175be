"""The palette of an element, against the oracle."""

import numpy as np
import pytest

import naive
from helpers import census_of, counted, make_scene, taken
from videodp.plan import make_plan
from videodp.plan.palette import choose, open_wardrobe

KS = (1, 2, 3, 4, 6, 9, 13, 30)


@pytest.mark.parametrize("rule", ["affordable", "paper"])
@pytest.mark.parametrize("seed", range(24))
def test_every_k(seed: int, rule: str) -> None:
    counts, census = taken(seed).counts, taken(seed).census
    for i, element in enumerate(counts.elements):
        wardrobe = open_wardrobe(census, i)
        for k in KS:
            found = wardrobe.colours[choose(wardrobe, k, 0.8, rule)].tolist()
            assert found == naive.palette(counts, element, 0.8, k, rule), (element.id, k)


def test_plan_takes_these_palettes() -> None:
    one = taken(7)
    plan = make_plan(one.census, 1.2, k=6)
    for element, palette, k in zip(one.counts.elements, plan.palettes, plan.k, strict=True):
        assert palette.tolist() == naive.palette(one.counts, element, 1.2, 6, "affordable")
        assert k == 6
        assert len(palette) == len(set(palette.tolist())) <= 6


def test_cells_that_look_twice() -> None:
    """More colours are taken than the eight that are remembered for each cell."""
    element = naive.Element(1, {0: (0.0, 0.0, 12.0, 2.0)})
    line = [(0, 0, 10 + i) for i in range(12)]
    video = [[line, line, [(0, 0, 10 + i) for i in range(12)]]]
    counts = naive.Counts(video, [element])
    wardrobe = open_wardrobe(census_of(counts), 0)
    for k in range(1, 25):
        found = wardrobe.colours[choose(wardrobe, k, 5.0, "paper")].tolist()
        assert found == naive.palette(counts, element, 5.0, k, "paper")
    # One column for all pixels: every cell sees the same twelve colours.
    frames = {t: (0.0, 0.0, 1.0, 1.0) for t in range(12)}
    video = [[[(0, 0, 10 + t), (0, 0, 10 + t)]] for t in range(12)]
    counts = naive.Counts(video, [naive.Element(1, frames)])
    wardrobe = open_wardrobe(census_of(counts), 0)
    assert naive.palette(counts, counts.elements[0], 5.0, 1, "paper") == [10]
    assert wardrobe.colours[choose(wardrobe, 1, 5.0, "paper")].tolist() == [10]


def test_a_cell_with_twenty_colours_that_are_taken() -> None:
    """Cell after cell wants the same colours; the last ones must look beyond the remembered."""
    wide = [(0, 0, 10 + i // 12) for i in range(24 * 12)]
    counts = naive.Counts([[wide, wide]], [naive.Element(1, {0: (0.0, 0.0, 288.0, 1.0)})])
    wardrobe = open_wardrobe(census_of(counts), 0)
    for k in (2, 5, 11, 24, 29):
        found = wardrobe.colours[choose(wardrobe, k, 5.0, "paper")].tolist()
        assert found == naive.palette(counts, counts.elements[0], 5.0, k, "paper")


@pytest.mark.parametrize("size", [5, 10, 15, 20])
def test_pixels_on_the_border_of_two_cells(size: int) -> None:
    """Pixel centres that fall exactly on a border belong to the later cell, as the page has it."""
    element = naive.Element(1, {0: (0.0, 0.0, 1.0, float(size))})
    video = [[[(0, 0, 10 + a), (0, 0, 10 + a)] for a in range(size)]]
    counts = naive.Counts(video, [element])
    wardrobe = open_wardrobe(census_of(counts), 0)
    for k in range(1, 31):
        found = wardrobe.colours[choose(wardrobe, k, 5.0, "paper")].tolist()
        assert found == naive.palette(counts, element, 5.0, k, "paper"), k


def test_hidden_element_has_no_palette() -> None:
    hidden = [
        (seed, i)
        for seed in range(24)
        for i, pixels in enumerate(taken(seed).census.pixels)
        if not pixels
    ]
    assert hidden
    for seed, i in hidden:
        plan = make_plan(taken(seed).census, 0.8)
        assert len(plan.palettes[i]) == plan.losses[i] == 0


def test_census_made_in_memory_gives_the_same_plan() -> None:
    """The other tests of the plan rest on it."""
    for seed in (1, 7, 15):
        one = taken(seed)
        for k in ("auto", 5):
            plans = [make_plan(c, 1.0, k=k) for c in (one.census, census_of(one.counts))]
            np.testing.assert_array_equal(plans[0].colours, plans[1].colours)
            np.testing.assert_array_equal(plans[0].draws, plans[1].draws)
            np.testing.assert_array_equal(plans[0].k, plans[1].k)


def test_case_1_is_never_chosen() -> None:
    for seed in range(100, 130):
        counts = counted(make_scene(seed))
        census = census_of(counts)
        for i in range(len(census.tracks)):
            wardrobe = open_wardrobe(census, i)
            for rule in ("affordable", "paper"):
                chosen = wardrobe.colours[choose(wardrobe, 30, 0.8, rule)].tolist()
                assert all(counts.case(theta) == 3 for theta in chosen)
