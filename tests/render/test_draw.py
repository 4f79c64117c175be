"""Phase I: which pixels are drawn, and where they are found.

Statistical tests have fixed seeds; with a new seed each would raise a false alarm with probability
1e-4.
"""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

import naive
from helpers import new_folder, taken
from videodp.census import take_census
from videodp.elements import place
from videodp.plan import Plan, make_plan
from videodp.privacy.randomness import Randomness
from videodp.render import Picks, draw, locate
from videodp.render.background import Sampled
from videodp.video import read_frames

ALARM = 1e-4


def numbered(counts: naive.Counts, theta: int) -> list[tuple[int, int, int, int]]:
    """(id, frame, line, column) of all worn pixels of a colour, in the page's order."""
    return [
        (j, t, a, b)
        for j in sorted(counts.pixels)
        for t, a, b in counts.pixels[j]
        if counts.theta(t, a, b) == theta
    ]


def joined(many: list[Picks]) -> Picks:
    """The picks of many runs, so that they are looked for in one pass."""
    return Picks(
        np.concatenate([p.element for p in many]),
        np.concatenate([p.colour for p in many]),
        np.concatenate([p.ordinal for p in many]),
        sum(p.background_draws for p in many),
    )


def chi_square_of_sets(hits: np.ndarray, runs: int, c: int, x: int) -> float:
    """P-value for pixels of one colour, drawn x of c without return in each of `runs` runs.

    `hits`: how often each of len(hits) < c of the pixels was drawn. The draws of two pixels are
    correlated by -1/(c-1); the quadratic form with the inverse of that covariance is chi-square.
    """
    p = x / c
    assert runs * p * (1 - p) > 8
    n = len(hits)
    covariance = runs * p * (1 - p) * ((c * np.eye(n) - np.ones((n, n))) / (c - 1))
    off = hits - runs * p
    return float(stats.chi2.sf(off @ np.linalg.solve(covariance, off), n))


@pytest.mark.parametrize("seed", [0, 3, 7, 8, 13, 15, 16, 22])
def test_the_right_number_of_existing_pixels(seed: int) -> None:
    one = taken(seed)
    plan = make_plan(one.census, 3.0, k=5)
    picks = draw(plan, Randomness(seed))
    on_elements = Counter(picks.colour.tolist())
    for i, theta in enumerate(plan.colours.tolist()):
        assert on_elements[theta] + picks.background_draws[i] == plan.draws[i]
        assert 0 <= picks.background_draws[i] <= one.counts.background[theta]
    chosen = list(zip(picks.element, picks.colour, picks.ordinal, strict=True))
    assert len(set(chosen)) == len(chosen)
    for e, theta, ordinal in chosen:
        assert 0 <= ordinal < one.counts.worn[one.elements.tracks[e].id][theta]


@pytest.mark.parametrize("seed", [0, 3, 7, 8, 13, 15, 16, 22])
def test_each_pick_is_found_where_the_page_numbers_it(seed: int) -> None:
    one = taken(seed)
    plan = make_plan(one.census, 6.0, k=5)
    picks = joined([draw(plan, Randomness(run)) for run in range(3)])
    expected = []
    for e, theta, ordinal in zip(picks.element, picks.colour, picks.ordinal, strict=True):
        j = one.elements.tracks[e].id
        mine = [pixel for pixel in numbered(one.counts, int(theta)) if pixel[0] == j]
        expected.append((*mine[ordinal], int(theta)))
    cuts = [one.census] + [
        take_census(one.video, one.elements, new_folder(), fragment=n, stash=stash)
        for n, stash in ((1, 2**20), (3, 2**20), (3, 0), (2, 2000))
    ]
    for census in cuts:
        drawn = locate(one.video, one.elements, census, picks, workers=2)
        ids = [one.elements.tracks[e].id for e in drawn.element]
        rows = zip(ids, drawn.frame, drawn.y, drawn.x, drawn.colour, strict=True)
        found = [tuple(map(int, row)) for row in rows]
        assert found == sorted(expected, key=lambda row: row[:4])
        totals = Counter(row[0] for row in expected)
        assert drawn.counts(len(one.elements)).tolist() == [
            totals[track.id] for track in one.elements.tracks
        ]


def test_one_draw_depends_on_its_colour_alone() -> None:
    """A colour's stream is its own: what else is published does not move its draws."""
    one = taken(7)
    few, many = make_plan(one.census, 3.0, k=2, rule="paper"), make_plan(one.census, 3.0, k=9)
    for i, theta in enumerate(few.colours.tolist()):
        at = int(np.searchsorted(many.colours, theta))
        if at < len(many.colours) and many.colours[at] == theta and many.draws[at] == few.draws[i]:
            picks = [draw(plan, Randomness(5)) for plan in (few, many)]
            a, b = (p.ordinal[p.colour == theta].tolist() for p in picks)
            assert a == b


RUNS = 3000


def drawn_often() -> tuple[Plan, Counter[tuple[int, int, int]]]:
    one = taken(13)
    plan = make_plan(one.census, 3.0, k=6)
    picks = joined([draw(plan, Randomness(run)) for run in range(RUNS)])
    drawn = locate(one.video, one.elements, one.census, picks)
    places = zip(drawn.frame.tolist(), drawn.y.tolist(), drawn.x.tolist(), strict=True)
    return plan, Counter(places)


def test_every_pixel_of_an_element_is_equally_likely() -> None:
    one = taken(13)
    plan, hits = drawn_often()
    tested = 0
    for i, theta in enumerate(plan.colours.tolist()):
        c, x = int(plan.counts[i]), int(plan.draws[i])
        places = [pixel[1:] for pixel in numbered(one.counts, theta)]
        if RUNS * x / c * (1 - x / c) <= 8 or len(places) == c:
            continue
        tested += 1
        found = np.array([hits[place] for place in places], float)
        assert chi_square_of_sets(found, RUNS, c, x) > ALARM / len(plan.colours)
    assert tested >= 4


def test_exposures_are_true() -> None:
    """The share of runs in which an element is exposed, against its exposure."""
    one = taken(13)
    plan = make_plan(one.census, 1.0, k=6)
    exposed = np.zeros(len(plan.losses), int)
    for run in range(RUNS):
        exposed[np.unique(draw(plan, Randomness(run)).element)] += 1
    for n, exposure in zip(exposed, plan.exposures, strict=True):
        assert stats.binomtest(int(n), RUNS, exposure).pvalue > ALARM / len(exposed)


@pytest.mark.slow
def test_sampled_background_is_uniform_together_with_the_elements() -> None:
    """Algorithm 1 to the letter: all c pixels of a colour, wherever they are."""
    one = taken(13)
    plan = make_plan(one.census, 6.0, k=6)
    runs = 150
    frames = list(read_frames(one.video))
    seen = list(one.elements.frames(0, one.video.frames))
    placed = [place(one.elements, s, one.video.width, one.video.height) for s in seen]
    hits = np.zeros((one.video.frames, one.video.height, one.video.width))
    everything = []
    for run in range(runs):
        picks = draw(plan, Randomness(run))
        everything.append(picks)
        sampled = Sampled(one.census, plan, picks.background_draws, Randomness(run))
        kept: Counter[int] = Counter()
        for frame, where in zip(frames, placed, strict=True):
            state = sampled.prepare(frame, where)
            for a, b in np.argwhere(state == 1).tolist():
                assert (a, b) not in one.counts.owner[frame.index]
                hits[frame.index, a, b] += 1
                kept[one.counts.theta(frame.index, a, b)] += 1
        published = dict(zip(plan.colours.tolist(), picks.background_draws.tolist(), strict=True))
        for theta, n in one.counts.background.items():
            case_2 = one.counts.case(theta) == 2
            assert kept[theta] == (n if case_2 else published.get(theta, 0))
    drawn = locate(one.video, one.elements, one.census, joined(everything))
    np.add.at(hits, (drawn.frame, drawn.y, drawn.x), 1)
    tested = 0
    for i, theta in enumerate(plan.colours.tolist()):
        c, x = int(plan.counts[i]), int(plan.draws[i])
        if runs * x / c * (1 - x / c) <= 8:
            continue
        tested += 1
        rgb = np.array([theta >> 16, theta >> 8 & 255, theta & 255])
        found = hits[(one.scene.frames == rgb).all(axis=-1)]
        assert len(found) == c
        assert found.sum() == runs * x
        # The last one follows from the others.
        assert chi_square_of_sets(found[:-1], runs, c, x) > ALARM / len(plan.colours)
    assert tested >= 2
