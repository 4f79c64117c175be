"""Makes the plan of the sampling mechanism. A pure function of the census and epsilon."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from videodp.census import Census
from videodp.errors import BudgetError, UsageError
from videodp.kernels.loss import colour_losses
from videodp.plan.budget import allocate
from videodp.plan.draws import Ledger, equation_six, spend_leftover, wear_of
from videodp.plan.model import Curve, Plan, Wear
from videodp.plan.optimal_k import best_k, k_curve
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
    workers: int = 1,
    progress: Callable[[int], None] = lambda elements: None,
) -> Plan:
    """Which colours are published, how often, and what that costs each element.

    Args:
        census: colour counts.
        epsilon: privacy budget of each element.
        k: colours for each element, or ``auto`` for the best of 4 to 30.
        rule: ``affordable`` prefers colours that can pay for a draw and spends what is left;
            ``paper`` stops after equation 6.
        criterion: what ``auto`` minimises: ``paper`` (equation 5) or ``fill`` (finished figure).
        workers: threads.
        progress: told after each element.
    """
    check_epsilon(epsilon)
    check_choices(k, rule, criterion)

    def pick(element: int) -> tuple[int, np.ndarray, Curve | None]:
        result = _palette(census, element, epsilon, k, rule, criterion)
        progress(1)
        return result

    with ThreadPoolExecutor(workers) as pool:
        picked = list(pool.map(pick, range(len(census.tracks))))
    palettes = tuple(palette for _, palette, _ in picked)

    chosen = np.unique(np.concatenate([np.zeros(0, np.int32), *palettes]))
    counts = census.total[census.find(chosen)]
    wear = wear_of(census, chosen)
    budgets = allocate(chosen, wear, len(census.tracks), epsilon)
    draws = equation_six(counts, wear, budgets)
    if rule == "affordable":
        chosen, budgets, draws = _with_leftover(census, epsilon, chosen, wear, budgets, draws)
        wear = wear_of(census, chosen)
        counts = census.total[census.find(chosen)]
    losses = _losses(len(census.tracks), counts, wear, draws)
    if np.any(losses > epsilon):  # cannot happen; a release must not depend on that
        raise AssertionError(f"a loss of {losses.max()} is above epsilon {epsilon}")
    return Plan(
        epsilon,
        rule,
        criterion,
        chosen,
        counts,
        budgets,
        draws,
        wear,
        palettes,
        np.array([number for number, _, _ in picked], np.int64),
        tuple(curve for _, _, curve in picked),
        losses,
    )


def _palette(
    census: Census, element: int, epsilon: float, k: int | str, rule: str, criterion: str
) -> tuple[int, np.ndarray, Curve | None]:
    wardrobe = open_wardrobe(census, element)
    if isinstance(k, int):
        return k, wardrobe.colours[choose(wardrobe, k, epsilon, rule)], None
    curve, palettes = k_curve(wardrobe, epsilon, rule)
    best = best_k(curve, criterion)
    return int(curve.k[best]), wardrobe.colours[palettes[best]], curve


def _with_leftover(
    census: Census,
    epsilon: float,
    chosen: np.ndarray,
    wear: Wear,
    budgets: np.ndarray,
    draws: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ledger = Ledger(len(census.tracks), epsilon)
    counts = census.total[census.find(chosen)]
    for i, colour in enumerate(chosen):
        ledger.book(int(colour), int(counts[i]), *wear.of(i), int(draws[i]))
    spend_leftover(ledger, census)
    given = dict(zip(chosen.tolist(), budgets.tolist(), strict=True))
    drawn = sorted(c for c, entry in ledger.entries.items() if entry.draws or c in given)
    return (
        np.array(drawn, np.int32),
        np.array([given.get(c, 0.0) for c in drawn]),
        np.array([ledger.entries[c].draws for c in drawn], np.int64),
    )


def _losses(elements: int, counts: np.ndarray, wear: Wear, draws: np.ndarray) -> np.ndarray:
    rows = np.repeat(np.arange(len(counts)), np.diff(wear.offsets))
    losses = colour_losses(counts[rows], wear.pixels, draws[rows])
    order = np.argsort(wear.elements, kind="stable")
    edges = np.searchsorted(wear.elements[order], np.arange(elements + 1))
    return np.array([math.fsum(losses[order[a:b]]) for a, b in pairwise(edges)])
