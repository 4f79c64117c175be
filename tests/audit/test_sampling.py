"""Pixel sampling keeps its statement, and is not what it is not.

All seeds are fixed. With a new seed, a sound audit ends in "claim broken" with a probability of at
most 0.01.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import naive
from helpers import census_of, taken
from videodp.audit import READ_AS_DP, audit_sampling, judge
from videodp.audit.pictures import Street, picture_trial, streets
from videodp.audit.sampling import draw_trial, person_promise, plan_trial, without
from videodp.audit.street import CANARIES, CANARY
from videodp.errors import BudgetError, UsageError
from videodp.plan import Plan, make_plan
from videodp.render import Look

RUNS = 1500


@pytest.fixture(scope="module")
def worlds() -> Iterator[tuple[Street, Street]]:
    with streets(CANARIES[0], 0.8) as both:
        yield both


def test_the_worlds_are_neighbours(worlds: tuple[Street, Street]) -> None:
    ids = [[track.id for track in world.filmed.elements.tracks] for world in worlds]
    assert ids[0] == [*ids[1], CANARY]
    differs = (worlds[0].filmed.pictures != worlds[1].filmed.pictures).any(axis=3)
    assert differs.sum() > 0.95 * worlds[0].census.pixels[-1]
    assert differs.sum() <= worlds[0].census.pixels[-1]


@pytest.mark.parametrize("seed", [3, 7, 13])
def test_a_plan_without_an_element(seed: int) -> None:
    """Against the oracle's counts: the video has fewer pixels of every colour that it wears."""
    one = taken(seed)
    plan = make_plan(one.census, 3.0, k=5)
    for element, track in enumerate(one.elements.tracks):
        left = without(plan, element)
        for i, theta in enumerate(plan.colours.tolist()):
            assert left.counts[i] == one.counts.count[theta] - one.counts.worn[track.id][theta]
            who, pixels = left.wear.of(i)
            expected = {
                e: one.counts.worn[other.id][theta]
                for e, other in enumerate(one.elements.tracks)
                if e != element and one.counts.worn[other.id][theta]
            }
            assert dict(zip(who.tolist(), pixels.tolist(), strict=True)) == expected


def judged(plan: Plan, canary: int, promised: Plan | None = None, read_as_dp: bool = False):
    trial = draw_trial("x", plan, canary, RUNS, read_as_dp=read_as_dp, seeded=True)
    if promised is not None:  # what is promised of one plan, and done by another
        told = draw_trial("x", promised, canary, RUNS, read_as_dp=False, seeded=True)
        trial = replace(trial, promises=told.promises)
    return judge("sampling", "", [trial], runs=RUNS, seed=5)


def test_the_statement_stands(worlds: tuple[Street, Street]) -> None:
    audit = judged(worlds[0].plan, len(worlds[0].plan.losses) - 1)
    assert audit.stands
    assert all(check.agrees for check in audit.checks)
    assert [check.promise.name for check in audit.checks][-1] == "is exposed"
    assert len(audit.checks) == len(worlds[0].plan.losses)


def test_it_is_not_differentially_private(worlds: tuple[Street, Street]) -> None:
    canary = len(worlds[0].plan.losses) - 1
    audit = judged(worlds[0].plan, canary)
    reading = next(f for f in audit.findings if f.statistic.endswith("read as epsilon-DP"))
    assert not reading.claimed
    assert reading.bound.epsilon > 4, "of 0.8: with more runs it grows without end"
    assert reading.bound.wrong == 0
    assert not judged(worlds[0].plan, canary, read_as_dp=True).stands


def test_more_draws_than_promised_are_found(worlds: tuple[Street, Street]) -> None:
    plan = worlds[0].plan
    most = [int(plan.wear.of(i)[1].max()) for i in range(len(plan.colours))]
    twice = replace(plan, draws=np.minimum(plan.draws * 2, plan.counts - most))
    audit = judged(twice, len(plan.losses) - 1, promised=plan)
    assert not audit.stands
    assert audit.checks[-1].broken, "the canary is exposed more often than promised"


def test_what_is_not_charged_shows(worlds: tuple[Street, Street]) -> None:
    """Planned anew without the canary, others are drawn differently: the statement says so."""
    plans = worlds[0].plan, worlds[1].plan
    trial = plan_trial("x", plans, len(plans[0].losses) - 1, seeded=True)
    audit = judge("sampling", "", [trial], runs=1000, seed=5)
    assert audit.findings[0].broken
    assert audit.stands, "nobody claims it"


@pytest.mark.slow
def test_finished_pictures(worlds: tuple[Street, Street]) -> None:
    trial = picture_trial("x", worlds, Look(), 80, read_as_dp=False, seeded=True)
    audit = judge("sampling", "", [trial], seed=5)
    true, read_as_dp, hole = audit.findings
    assert audit.stands
    assert not true.broken
    assert read_as_dp.bound.epsilon > 0.8, "a true colour where it stood, never seen without it"
    assert hole.broken, "its hole is seen by who knows the street, drawn or not"
    assert (hole.bound.right, hole.bound.wrong) == (hole.bound.runs, 0)


def test_a_person_of_two_tracks_that_only_share_a_budget_is_found() -> None:
    """Half of epsilon each is not enough: what both wear, one hides less well behind the other."""
    frames = [[[(200, 0, 0)] * 4 + [(9, 9, 9)] * 4], [[(9, 9, 9)] * 4 + [(200, 0, 0)] * 4]]
    boxes = [naive.Element(i + 1, {i: (4.0 * i, 0.0, 4.0, 1.0)}) for i in range(2)]
    census = census_of(naive.Counts(frames, boxes))
    for tracks, stands in ((1, False), (2, True)):
        plan = make_plan(census, 0.75, k=2, tracks_per_person=tracks)
        trial = draw_trial("x", plan, 0, RUNS, read_as_dp=False, seeded=True)
        trial = replace(trial, promises=(*trial.promises, person_promise(plan, 0, 2)))
        assert judge("sampling", "", [trial], runs=RUNS, seed=5).stands == stands


def test_no_such_audit() -> None:
    with pytest.raises(UsageError, match=f"no broken sampling 'halved': use {READ_AS_DP}"):
        audit_sampling(broken="halved")
    with pytest.raises(BudgetError):
        audit_sampling(0.0)
