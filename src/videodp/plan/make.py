"""Makes the plan of the sampling mechanism. A pure function of the census and epsilon."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from videodp.census import Census
from videodp.errors import BudgetError, UsageError
from videodp.kernels.loss import colour_losses
from videodp.plan.budget import allocate
from videodp.plan.draws import Ledger, equation_six, spend_leftover, wear_of
from videodp.plan.model import Curve, Plan, Wear
from videodp.plan.optimal_k import K_RANGE, finished_error, k_curve, moments
from videodp.plan.palette import choose, open_wardrobe

__all__ = ["MAX_EPSILON", "check_choices", "check_epsilon", "epsilon_for", "make_plan"]

MAX_EPSILON = 20.0
"""At 20 an element is shown with probability 0.999999998: more promises nothing."""

MAX_K = 1000

RULES = ("affordable", "paper")
CRITERIA = ("paper", "fill")


def check_epsilon(epsilon: float) -> float:
    """Returns epsilon if a plan can be made for it."""
    if not math.isfinite(epsilon) or epsilon <= 0:
        raise BudgetError(f"epsilon must be a number above 0, not {epsilon:g}: try 0.8")
    if epsilon > MAX_EPSILON:
        raise BudgetError(
            f"epsilon {epsilon:g} promises nothing (each element would be shown with probability "
            f"above 0.999999998): stay at or below {MAX_EPSILON:g}"
        )
    return epsilon


def epsilon_for(max_exposure: float) -> float:
    """The epsilon at which no element is exposed with a probability above `max_exposure`."""
    if not 0 < max_exposure < 1:
        raise BudgetError(
            f"the largest exposure is a probability between 0 and 1, not {max_exposure:g}: try 0.5"
        )
    return check_epsilon(-math.log1p(-max_exposure))


def check_choices(k: int | str, rule: str, criterion: str) -> None:
    """Refuses what no plan can be made with."""
    if rule not in RULES:
        raise UsageError(f"no rule '{rule}': use {' or '.join(RULES)}")
    if criterion not in CRITERIA:
        raise UsageError(f"no criterion '{criterion}': use {' or '.join(CRITERIA)}")
    if k != "auto" and not (isinstance(k, int) and 1 <= k <= MAX_K):
        raise UsageError(f"k is a whole number from 1 to {MAX_K}, or auto, not {k}")


def make_plan(
    census: Census,
    epsilon: float,
    *,
    k: int | str = "auto",
    rule: str = "affordable",
    criterion: str = "paper",
    tracks_per_person: int = 1,
    workers: int = 1,
    progress: Callable[[int], None] = lambda elements: None,
) -> Plan:
    """Which colours are published, how often, and what that costs each element.

    Args:
        census: colour counts.
        epsilon: privacy budget of each element, which is one track.
        k: colours for each element, or ``auto`` for the best of 4 to 30.
        rule: ``affordable`` prefers colours that can pay for a draw and spends what is left;
            ``paper`` stops after equation 6.
        criterion: what ``auto`` minimises: ``paper``, equation 5 for each element by itself;
            ``fill``, the error of the finished figures under the whole plan, with one k for all
            (27 plans instead of one).
        tracks_per_person: any so many elements may be one person: then all of them together lose
            at most so many times epsilon.
        workers: threads.
        progress: told after each element.
    """
    check_epsilon(epsilon)
    check_choices(k, rule, criterion)

    def consider(element: int) -> _Choices:
        result = _consider(census, element, epsilon, k, rule)
        progress(1)
        return result

    with ThreadPoolExecutor(workers) as pool:
        choices = list(pool.map(consider, range(len(census.tracks))))
    terms = _Terms(epsilon, rule, criterion, tracks_per_person)
    if k == "auto" and criterion == "fill":
        return _best_for_all(census, terms, choices)
    picked = [int(np.argmin(c.curve.mse)) if c.curve else 0 for c in choices]
    return _with_palettes(census, terms, choices, picked)


@dataclass(frozen=True)
class _Terms:
    """What every palette is planned with."""

    epsilon: float
    rule: str
    criterion: str
    tracks: int


@dataclass(frozen=True)
class _Choices:
    """The palettes that one element could have."""

    k: list[int]
    palettes: list[np.ndarray]
    curve: Curve | None
    moments: tuple[float, float]


def _consider(census: Census, element: int, epsilon: float, k: int | str, rule: str) -> _Choices:
    wardrobe = open_wardrobe(census, element)
    if isinstance(k, int):
        palette = wardrobe.colours[choose(wardrobe, k, epsilon, rule)]
        return _Choices([k], [palette], None, moments(wardrobe))
    curve, palettes = k_curve(wardrobe, epsilon, rule)
    palettes = [wardrobe.colours[palette] for palette in palettes]
    return _Choices(curve.k.tolist(), palettes, curve, moments(wardrobe))


def _with_palettes(
    census: Census, terms: _Terms, choices: list[_Choices], picked: list[int]
) -> Plan:
    """The plan in which each element has the palette that was picked among its choices."""
    epsilon = terms.epsilon
    palettes = tuple(c.palettes[i] for c, i in zip(choices, picked, strict=True))
    chosen = np.unique(np.concatenate([np.zeros(0, np.int32), *palettes]))
    counts = census.total[census.find(chosen)]
    wear = wear_of(census, chosen)
    budgets = allocate(chosen, wear, len(census.tracks), epsilon)
    draws = equation_six(wear.hiding(counts, terms.tracks), wear, budgets)
    if terms.rule == "affordable":
        chosen, budgets, draws = _with_leftover(census, terms, chosen, wear, budgets, draws)
        wear = wear_of(census, chosen)
        counts = census.total[census.find(chosen)]
    hiding = wear.hiding(counts, terms.tracks)
    charged = _sums(_losses(len(census.tracks), chosen, hiding, wear, draws))
    if np.any(charged > epsilon):  # cannot happen; a release must not depend on that
        raise AssertionError(f"a loss of {charged.max()} is above epsilon {epsilon}")
    by_colour = _losses(len(census.tracks), chosen, wear.hiding(counts, 1), wear, draws)
    return Plan(
        epsilon,
        terms.rule,
        terms.criterion,
        chosen,
        counts,
        budgets,
        draws,
        wear,
        palettes,
        np.array([c.k[i] for c, i in zip(choices, picked, strict=True)], np.int64),
        tuple(c.curve for c in choices),
        _sums(by_colour),
        np.array(
            [
                finished_error(colours, own, c.moments)
                for (colours, own), c in zip(by_colour, choices, strict=True)
            ]
        ),
    )


def _best_for_all(census: Census, terms: _Terms, choices: list[_Choices]) -> Plan:
    """Makes the whole plan for each k, the same for everybody, and takes the best."""
    plans = [
        _with_palettes(census, terms, choices, [i] * len(choices))
        for i in range(K_RANGE[1] - K_RANGE[0] + 1)
    ]
    weights = np.maximum(census.pixels, 1)
    best = min(plans, key=lambda plan: float(plan.figure_errors @ weights))
    errors = np.array([plan.figure_errors for plan in plans])
    curves = tuple(
        replace(c.curve, fill=errors[:, j]) if c.curve else None for j, c in enumerate(choices)
    )
    return replace(best, curves=curves)


def _with_leftover(
    census: Census,
    terms: _Terms,
    chosen: np.ndarray,
    wear: Wear,
    budgets: np.ndarray,
    draws: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ledger = Ledger(len(census.tracks), terms.epsilon)
    hiding = wear.hiding(census.total[census.find(chosen)], terms.tracks)
    for i, (start, stop) in enumerate(pairwise(wear.offsets.tolist())):
        ledger.book(int(chosen[i]), *wear.of(i), hiding[start:stop], int(draws[i]))
    spend_leftover(ledger, census, terms.tracks)
    given = dict(zip(chosen.tolist(), budgets.tolist(), strict=True))
    drawn = sorted(c for c, entry in ledger.entries.items() if entry.draws or c in given)
    return (
        np.array(drawn, np.int32),
        np.array([given.get(c, 0.0) for c in drawn]),
        np.array([ledger.entries[c].draws for c in drawn], np.int64),
    )


def _sums(by_colour: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """(elements,) float64: what each loses by all colours."""
    return np.array([math.fsum(own) for _, own in by_colour])


def _losses(
    elements: int, colours: np.ndarray, hiding: np.ndarray, wear: Wear, draws: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of each element: the published colours it wears, and its loss from each."""
    rows = np.repeat(np.arange(len(colours)), np.diff(wear.offsets))
    losses = colour_losses(hiding, wear.pixels, draws[rows])
    order = np.argsort(wear.elements, kind="stable")
    edges = np.searchsorted(wear.elements[order], np.arange(elements + 1))
    return [(colours[rows[order[a:b]]], losses[order[a:b]]) for a, b in pairwise(edges)]
