"""Phase II: every pixel of every frame, against the oracle, in every look."""

from collections.abc import Iterator

import numpy as np
import pytest

import naive
from helpers import Taken, as_array, as_picture, drawn_places, taken
from videodp.elements import Placed, mask_runs, pack_runs, place
from videodp.errors import UsageError
from videodp.plan import Plan, make_plan
from videodp.privacy.randomness import Randomness
from videodp.render import (
    Cast,
    Drawn,
    Look,
    Picks,
    background_of,
    draw,
    locate,
    make_plate,
    render_frames,
)
from videodp.render.figures import paint_figures
from videodp.video import read_frames

LOOKS = [
    Look("retain", "temporal", "lifetime"),
    Look("retain", "spatial", "neighbours"),
    Look("retain", "temporal", "none"),
    Look("plate", None, "lifetime"),
    Look("plate", None, "neighbours"),
    Look("sample", None, "lifetime"),
    Look("sample", "spatial", "none"),
]
SEEDS = [1, 3, 7, 8, 9, 12, 14, 15, 16, 19, 22]


def ready(seed: int, epsilon: float) -> tuple[Taken, Plan, Picks, dict]:
    one = taken(seed)
    plan = make_plan(one.census, epsilon, k=4)
    picks = draw(plan, Randomness(seed))
    drawn = locate(one.video, one.elements, one.census, picks)
    return one, plan, picks, drawn_places(drawn, one.elements)


def oracle_plate(one: Taken) -> dict:
    frames = naive.spread(list(range(len(one.scene.frames))), naive.PLATE_FRAMES)
    everywhere = [(a, b) for a in range(one.scene.height) for b in range(one.scene.width)]
    return naive.plate(one.counts, frames) or dict.fromkeys(everywhere, (128, 128, 128))


def expected_frames(
    one: Taken, plan: Plan, picks: Picks, drawn: dict, look: Look, seed: int
) -> Iterator[dict]:
    the_plate = oracle_plate(one)
    states = sampled_states(one, plan, picks, seed) if look.background == "sample" else []
    for t in range(len(one.scene.frames)):
        if look.background == "plate":
            picture = the_plate
        elif look.background == "retain":
            picture = naive.without_elements(one.counts, t, the_plate, look.fill)
        else:
            truth = as_picture(one.scene.frames[t])
            known = {p: rgb for p, rgb in truth.items() if states[t][p] == 1}
            picture = naive.ring_fill(known, truth.keys() - known.keys())
            picture = picture or dict.fromkeys(truth, (128, 128, 128))
        figures = [
            naive.figure(e, drawn.get(e.id, {}), t, one.scene.height, one.scene.width, look.insert)
            for e in naive.back_to_front(one.counts.elements, t)
        ]
        yield naive.paint(picture, figures)


def sampled_states(one: Taken, plan: Plan, picks: Picks, seed: int) -> list[np.ndarray]:
    """Which background pixels are drawn: its own tests say that these are the right ones."""
    plate = make_plate(one.census.background)
    twin = background_of(Look("sample"), plate, one.census, plan, picks, Randomness(seed))
    states = []
    frames = zip(read_frames(one.video), one.elements.frames(0, one.video.frames), strict=True)
    for frame, seen in frames:
        placed = place(one.elements, seen, one.video.width, one.video.height)
        states.append(twin.prepare(frame, placed).copy())
    return states


@pytest.mark.parametrize("seed", SEEDS)
def test_plate(seed: int) -> None:
    one = taken(seed)
    for workers in (1, 2):
        plate = make_plate(one.census.background, workers)
        np.testing.assert_array_equal(plate.rgb, as_array(oracle_plate(one), plate.rgb))
    samples = naive.spread(list(range(len(one.scene.frames))), naive.PLATE_FRAMES)
    seldom = [
        (a, b)
        for a in range(one.scene.height)
        for b in range(one.scene.width)
        if 5 * sum(naive.is_clear(one.counts, t, a, b) for t in samples) < len(samples)
    ]
    assert plate.unseen == len(seldom)


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_pixel(seed: int, look: Look) -> None:
    one, plan, picks, drawn = ready(seed, 2.5)
    cast = Cast(locate(one.video, one.elements, one.census, picks), look.insert)
    plate = make_plate(one.census.background)
    background = background_of(look, plate, one.census, plan, picks, Randomness(seed))
    rendered = render_frames(one.video, one.elements, cast, background, np.copy, 1 + seed % 2)
    oracle = expected_frames(one, plan, picks, drawn, look, seed)
    for t, ((pts, picture), expected) in enumerate(zip(rendered, oracle, strict=True)):
        assert pts == one.video.pts[t]
        np.testing.assert_array_equal(picture, as_array(expected, picture), err_msg=f"frame {t}")


def test_the_scenes_are_worth_it() -> None:
    """Drawn elements, undrawn ones, carried ones, and masks in several parts occur."""
    own = carried = hidden = 0
    for seed in SEEDS:
        one, _, _, drawn = ready(seed, 2.5)
        for element in one.counts.elements:
            mine = drawn.get(element.id, {})
            own += len(mine)
            hidden += not mine
            carried += sum(bool(mine) and t not in mine for t in element.boxes)
    assert min(own, carried, hidden) >= 5


def test_a_camera_that_moves_is_noticed() -> None:
    rng = np.random.default_rng(0)
    still = np.repeat(rng.integers(0, 256, (1, 8, 9, 4)), 9, axis=0).astype(np.uint8)
    moving = rng.integers(0, 256, (9, 8, 9, 4)).astype(np.uint8)

    class Rows:
        height, width = 8, 9
        frames = range(9)

        def __init__(self, samples: np.ndarray) -> None:
            self.samples = samples
            self.samples[..., 3] = 1

        def rows(self, top: int, bottom: int) -> np.ndarray:
            return self.samples[:, top:bottom]

    assert make_plate(Rows(still)).still
    assert not make_plate(Rows(moving)).still


def test_temporal_and_spatial_are_what_auto_chooses_from() -> None:
    one, plan, picks, _ = ready(7, 1.0)
    plate = make_plate(one.census.background)
    first = next(read_frames(one.video))
    seen = next(one.elements.frames(0, 1))
    placed = place(one.elements, seen, one.video.width, one.video.height)
    owner = np.zeros(first.rgb.shape[:2], np.int32)
    for where, i in one.counts.owner[0].items():
        owner[where] = 1 + [t.id for t in one.elements.tracks].index(i)
    chosen = {
        fill: background_of(Look(fill=fill), plate, one.census, plan, picks, Randomness(0)).paint(
            first.rgb, owner, placed, None
        )
        for fill in (None, "temporal", "spatial")
    }
    assert not np.array_equal(chosen["temporal"], chosen["spatial"])
    np.testing.assert_array_equal(chosen[None], chosen["temporal" if plate.still else "spatial"])


@pytest.mark.parametrize("wrong", [{"background": "x"}, {"fill": "x"}, {"insert": "x"}])
def test_looks_that_do_not_exist(wrong: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Look(**wrong)


def test_a_sampled_background_has_no_plate() -> None:
    with pytest.raises(UsageError, match="plate"):
        Look("sample", "temporal")


def test_a_figure_is_drawn_in_its_shape_and_its_mask_is_filled() -> None:
    """The mask is protected: what of it lies outside the shape is left to the background."""
    place_in = np.zeros((12, 16), bool)
    place_in[2:8, 3:9] = True
    tight = np.zeros((12, 16), bool)
    tight[3:7, 4:8] = True
    placed = Placed(
        0,
        np.array([0], np.int32),
        np.array([[3.0, 2, 6, 6]]),
        np.array([[3, 2, 9, 8]]),
        pack_runs([mask_runs(place_in, 0, 0, 16)]),
        pack_runs([mask_runs(tight, 0, 0, 16)]),
    )
    drawn = Drawn(
        *(np.array([v]) for v in (0, 0, 2, 3)), np.array([0xFF0000], np.int32), placed.boxes
    )
    picture = np.full((12, 16, 3), 9, np.uint8)
    paint_figures(picture, placed, Cast(drawn, "lifetime"))
    red = (picture == [255, 0, 0]).all(axis=2)
    np.testing.assert_array_equal(red, tight)
