"""Budget, draws and losses, against the oracle; and what must hold for every plan."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from helpers import census_of, counted, make_scene
from videodp.census import Census
from videodp.errors import BudgetError, UsageError
from videodp.plan import Plan, check_epsilon, epsilon_for, make_plan
from videodp.plan.budget import allocate
from videodp.plan.draws import equation_six
from videodp.plan.loss import exceeds, exposure_of, most_draws_within
from videodp.plan.model import Wear

quick = settings(max_examples=60, deadline=None, derandomize=True)
EPSILONS = (0.2, 0.8, 2.4, 6.0)


def cases(seed: int) -> tuple[naive.Counts, float, int, str, int]:
    rng = np.random.default_rng(seed)
    return (
        counted(make_scene(seed)),
        float(rng.choice(EPSILONS)),
        int(rng.integers(1, 13)),
        str(rng.choice(["affordable", "paper"])),
        int(rng.choice([1, 1, 2, 3])),
    )


def union_of(counts: naive.Counts, epsilon: float, k: int, rule: str) -> list[int]:
    palettes = [naive.palette(counts, e, epsilon, k, rule) for e in counts.elements]
    return sorted({theta for palette in palettes for theta in palette})


@pytest.mark.parametrize("seed", range(100, 160))
def test_plan_is_the_oracles(seed: int) -> None:
    counts, epsilon, k, rule, tracks = cases(seed)
    plan = make_plan(census_of(counts), epsilon, k=k, rule=rule, tracks_per_person=tracks)
    union = union_of(counts, epsilon, k, rule)
    budgets = naive.budgets(counts, union, epsilon)
    draws = Counter(
        {
            theta: naive.equation6(
                [
                    (naive.hiding(counts, theta, j, tracks), counts.worn[j][theta])
                    for j in counts.wearers(theta)
                ],
                budgets[theta],
            )
            for theta in union
        }
    )
    if rule == "affordable":
        draws = naive.leftover(counts, epsilon, union, draws, tracks)
    published = dict(zip(plan.colours.tolist(), plan.draws.tolist(), strict=True))
    assert plan.colours.tolist() == sorted(published)
    assert set(published) == set(union) | {theta for theta, x in draws.items() if x}
    assert {theta: x for theta, x in published.items() if x} == {
        theta: x for theta, x in draws.items() if x
    }
    expected = [budgets.get(theta, 0.0) for theta in plan.colours.tolist()]
    np.testing.assert_allclose(plan.budgets, expected, rtol=0, atol=1e-12)
    losses = naive.losses(counts, draws)
    np.testing.assert_allclose(plan.losses, [losses[j] for j in sorted(losses)], atol=1e-9, rtol=0)
    np.testing.assert_allclose(plan.exposures, [naive.exposure(losses[j]) for j in sorted(losses)])
    for i, theta in enumerate(plan.colours.tolist()):
        assert plan.counts[i] == counts.count[theta]
        who, pixels = plan.wear.of(i)
        ids = sorted(counts.worn)
        worn = {ids[e]: int(n) for e, n in zip(who, pixels, strict=True)}
        assert worn == {j: counts.worn[j][theta] for j in counts.wearers(theta)}


def test_the_scenes_are_worth_it() -> None:
    """Rounding down leaves something over, and every step of the leftover rule buys."""
    more = further = shared = 0
    for seed in range(100, 160):
        counts, epsilon, k, *_ = cases(seed)
        census = census_of(counts)
        paper = make_plan(census, epsilon, k=k, rule="paper")
        plan = make_plan(census, epsilon, k=k)
        union = union_of(counts, epsilon, k, "affordable")
        more += plan.losses.sum() > paper.losses.sum()
        bought = set(plan.colours[plan.draws > 0].tolist()) - set(union)
        further += any(len(counts.wearers(theta)) == 1 for theta in bought)
        shared += any(len(counts.wearers(theta)) > 1 for theta in bought)
    assert min(more, further, shared) >= 2


# --- invented counts: a census without a video ---


@st.composite
def censuses(draw: st.DrawFn) -> tuple[naive.Counts, Census]:
    """Colours with any counts: rare and frequent, worn by one, some, all; of every case."""
    elements = draw(st.integers(1, 4))
    colours = draw(st.integers(1, 9))
    worn = draw(
        st.lists(
            st.lists(st.integers(0, 12), min_size=elements, max_size=elements),
            min_size=colours,
            max_size=colours,
        )
    )
    behind = draw(
        st.lists(st.sampled_from([0, 1, 3, 40, 700, 2000]), min_size=colours, max_size=colours)
    )
    # One line for the background, one for each element, which all stand still in one frame.
    lines: list[list[tuple[int, int, int]]] = [[] for _ in range(elements + 1)]
    for theta, (row, rest) in enumerate(zip(worn, behind, strict=True)):
        for j, w in enumerate(row):
            lines[j] += [(0, 0, theta + 1)] * w
        lines[elements] += [(0, 0, theta + 1)] * rest
    width = max(map(len, lines))
    filler = (9, 9, 9)
    boxes = [
        naive.Element(j + 1, {0: (0.0, float(j), float(len(lines[j])), 1.0)})
        for j in range(elements)
        if lines[j]
    ]
    video = [[[*line, *[filler] * (width - len(line))] for line in lines]]
    counts = naive.Counts(video, boxes) if width else naive.Counts([[[filler]]], [])
    return counts, census_of(counts) if boxes else None


def planned(one: tuple[naive.Counts, Census], epsilon: float, k: int, rule: str) -> Plan | None:
    return None if one[1] is None else make_plan(one[1], epsilon, k=k, rule=rule)


epsilons = st.floats(0.01, 8.0)
ks = st.integers(1, 8)
rules = st.sampled_from(["affordable", "paper"])


@quick
@given(censuses(), epsilons, ks, rules)
def test_no_loss_is_above_epsilon(
    one: tuple[naive.Counts, Census], epsilon: float, k: int, rule: str
) -> None:
    plan = planned(one, epsilon, k, rule)
    if plan is None:
        return
    assert (plan.losses <= epsilon).all()
    # Once more with exact integers and no logarithm per colour.
    for j, e in zip(sorted(one[0].worn), range(len(plan.losses)), strict=True):
        above = below = 1
        for theta, x in zip(plan.colours.tolist(), plan.draws.tolist(), strict=True):
            c, w = one[0].count[theta], one[0].worn[j][theta]
            above *= math.comb(c, x)
            below *= math.comb(c - w, x)
        assert plan.losses[e] == pytest.approx(math.log(above) - math.log(below), abs=1e-9)
        assert math.log(above) - math.log(below) <= epsilon + 1e-9
        hidden = below / above
        assert plan.exposures[e] == pytest.approx(1 - hidden, abs=1e-9)
        assert plan.exposures[e] <= 1 - math.exp(-epsilon) + 1e-12


@quick
@given(censuses(), epsilons, ks, rules)
def test_budgets_of_worn_colours_sum_to_at_most_epsilon(
    one: tuple[naive.Counts, Census], epsilon: float, k: int, rule: str
) -> None:
    plan = planned(one, epsilon, k, rule)
    if plan is None:
        return
    for worn in one[0].worn.values():
        mine = [worn[theta] > 0 for theta in plan.colours.tolist()]
        assert plan.budgets[mine].sum() <= epsilon + 1e-9
    assert (plan.budgets >= 0).all()


@quick
@given(censuses(), epsilons, ks)
def test_draws_of_equation_6_are_maximal(
    one: tuple[naive.Counts, Census], epsilon: float, k: int
) -> None:
    plan = planned(one, epsilon, k, "paper")
    if plan is None:
        return
    for i, theta in enumerate(plan.colours.tolist()):
        pairs = [(one[0].count[theta], one[0].worn[j][theta]) for j in one[0].wearers(theta)]
        assert plan.draws[i] == naive.equation6(pairs, plan.budgets[i])


@quick
@given(censuses(), epsilons, ks)
def test_nobody_can_afford_another_draw(
    one: tuple[naive.Counts, Census], epsilon: float, k: int
) -> None:
    plan = planned(one, epsilon, k, "affordable")
    if plan is None:
        return
    counts = one[0]
    draws = Counter(dict(zip(plan.colours.tolist(), plan.draws.tolist(), strict=True)))
    spent = naive.losses(counts, draws)
    for theta in counts.count:
        if counts.case(theta) != 3:
            continue
        c, x = counts.count[theta], draws[theta]
        affordable = all(
            spent[j]
            - naive.loss_by_sum(c, counts.worn[j][theta], x)
            + naive.loss_by_sum(c, counts.worn[j][theta], x + 1)
            <= epsilon - 2e-11
            for j in counts.wearers(theta)
        )
        assert not affordable, theta


@quick
@given(censuses(), epsilons, ks, rules)
def test_only_case_3_is_published(
    one: tuple[naive.Counts, Census], epsilon: float, k: int, rule: str
) -> None:
    plan = planned(one, epsilon, k, rule)
    if plan is not None:
        assert {one[0].case(theta) for theta in plan.colours.tolist()} <= {3}
        assert (plan.draws <= plan.counts).all()


@quick
@given(censuses(), epsilons, ks, rules, st.integers(1, 3))
def test_no_person_of_several_tracks_loses_more(
    one: tuple[naive.Counts, Census], epsilon: float, k: int, rule: str, tracks: int
) -> None:
    """Whichever elements are one person: what none of their pixels is drawn with, exactly."""
    if one[1] is None:
        return
    counts = one[0]
    plan = make_plan(one[1], epsilon / tracks, k=k, rule=rule, tracks_per_person=tracks)
    for person in itertools.combinations(sorted(counts.worn), min(tracks, len(counts.worn))):
        above = below = 1
        for theta, x in zip(plan.colours.tolist(), plan.draws.tolist(), strict=True):
            c, w = counts.count[theta], sum(counts.worn[j][theta] for j in person)
            above *= math.comb(c, x)
            below *= math.comb(c - w, x)
        assert below > 0
        assert math.log(above) - math.log(below) <= epsilon + 1e-9
        at = [sorted(counts.worn).index(j) for j in person]
        assert plan.loss_together(at) == pytest.approx(math.log(above / below), abs=1e-9)


def test_two_tracks_that_share_their_colours_with_nobody_else() -> None:
    """One person under two identities: clothes that nobody else has must not be drawn at all."""
    frames = [[[(200, 0, 0)] * 4 + [(9, 9, 9)] * 4], [[(9, 9, 9)] * 4 + [(200, 0, 0)] * 4]]
    boxes = [naive.Element(i + 1, {i: (4.0 * i, 0.0, 4.0, 1.0)}) for i in range(2)]
    census = census_of(naive.Counts(frames, boxes))
    assert make_plan(census, 1.5, k=2).draws.sum() > 0
    assert make_plan(census, 1.5, k=2, tracks_per_person=2).draws.sum() == 0


@quick
@given(censuses(), epsilons, ks)
def test_affordable_spends_at_least_what_the_paper_spends_on_the_same_palette(
    one: tuple[naive.Counts, Census], epsilon: float, k: int
) -> None:
    if one[1] is None:
        return
    plan = make_plan(one[1], epsilon, k=k)
    chosen = np.unique(np.concatenate([np.zeros(0, np.int32), *plan.palettes]))
    at = np.searchsorted(plan.colours, chosen)
    rows = [plan.wear.of(i) for i in at]
    wear = Wear(
        np.cumsum([0, *(len(who) for who, _ in rows)]),
        np.concatenate([np.zeros(0, np.int64), *(who for who, _ in rows)]),
        np.concatenate([np.zeros(0, np.int64), *(pixels for _, pixels in rows)]),
    )
    budgets = allocate(chosen, wear, len(plan.losses), epsilon)
    np.testing.assert_array_equal(budgets, plan.budgets[at])
    hiding = wear.hiding(plan.counts[at], 1)
    assert (plan.draws[at] >= equation_six(hiding, wear, budgets)).all()


# --- the boundary ---


@quick
@given(st.integers(2, 500), st.data())
def test_exact_at_the_boundary(c: int, data: st.DataObject) -> None:
    """Budgets that are the loss of some x to the last bit, or one bit beside it."""
    worn = data.draw(st.lists(st.integers(1, c - 1), min_size=1, max_size=3))
    counts = [data.draw(st.integers(w + 1, c)) for w in worn]
    x = data.draw(st.integers(0, min(min(c - w for c, w in zip(counts, worn, strict=True)), 60)))
    budget = naive.loss_by_sum(counts[0], worn[0], x)
    if budget > 20:
        return
    for epsilon in (budget, np.nextafter(budget, 0), np.nextafter(budget, 9e9)):
        found = most_draws_within(np.array(counts), np.array(worn), float(epsilon))
        assert found == naive.equation6(list(zip(counts, worn, strict=True)), float(epsilon))


@pytest.mark.parametrize(
    ("count", "worn", "draws"), [(8, 4, 1), (2, 1, 1), (10, 5, 1), (400, 1, 200)]
)
def test_half(count: int, worn: int, draws: int) -> None:
    """Each is a ratio of exactly 2, and the double nearest to ln 2 is a little below it."""
    assert exceeds(count, worn, draws, math.log(2))
    assert not exceeds(count, worn, draws, float(np.nextafter(math.log(2), 1)))


def test_exposure() -> None:
    assert exposure_of(0.0) == 0.0
    assert exposure_of(0.8) == pytest.approx(0.5506710358827784)
    assert epsilon_for(exposure_of(0.8)) == pytest.approx(0.8)


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, math.nan, 20.1])
def test_epsilons_that_promise_nothing(epsilon: float) -> None:
    with pytest.raises(BudgetError):
        check_epsilon(epsilon)
    with pytest.raises(BudgetError):
        make_plan(census_of(counted(make_scene(0))), epsilon)


@pytest.mark.parametrize("exposure", [0.0, 1.0, -0.1, 1.5, math.nan])
def test_exposures_that_cannot_be(exposure: float) -> None:
    with pytest.raises(BudgetError):
        epsilon_for(exposure)


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": 2.5}, {"rule": "x"}, {"criterion": "x"}])
def test_wrong_use(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        make_plan(census_of(counted(make_scene(0))), 1.0, **wrong)


def test_workers_do_not_change_the_plan() -> None:
    census = census_of(counted(make_scene(107)))
    one, two = (make_plan(census, 1.0, workers=workers) for workers in (1, 2))
    np.testing.assert_array_equal(one.colours, two.colours)
    np.testing.assert_array_equal(one.draws, two.draws)
