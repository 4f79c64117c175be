"""Trials of pixel sampling: what its draws give away of a canary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from videodp.audit.judge import MIN_RUNS
from videodp.audit.model import Promise, Score, Statistic, Trial
from videodp.audit.statistics import column, learnt_ratio
from videodp.plan import Plan, Wear
from videodp.privacy.randomness import Randomness
from videodp.render import draw

__all__ = ["draw_trial", "person_promise", "plan_trial", "readings", "without"]


@dataclass(frozen=True)
class _Draws:
    """Draws with the canary and without, in columns that mean the same in both.

    Columns: pixels drawn of each element, then pixels drawn of others in each colour.
    """

    plans: tuple[Plan, Plan]
    """With the canary, without."""
    canary: int
    """Place among the elements of the first plan."""
    elements: int
    colours: np.ndarray
    """Of both plans, ascending."""
    seeded: bool
    """Whether draws follow from the seed of a run, or come from the operating system."""

    def play(self, present: bool, runs: int, seed: int) -> np.ndarray:
        """See `Trial`."""
        plan = self.plans[0 if present else 1]
        outputs = np.zeros((runs, self.elements + len(self.colours)), np.int32)
        for run, row in enumerate(outputs):
            picks = draw(plan, Randomness(seed + run if self.seeded else None))
            row[: self.elements] = np.bincount(picks.element, minlength=self.elements)
            of_others = picks.colour[picks.element != self.canary]
            at = np.searchsorted(self.colours, of_others)
            row[self.elements :] = np.bincount(at, minlength=len(self.colours))
        return outputs


def without(plan: Plan, element: int) -> Plan:
    """The same draws from a video in which the pixels of one element are not there."""
    keep = plan.wear.elements != element
    rows = np.repeat(np.arange(len(plan.colours)), np.diff(plan.wear.offsets))
    worn = np.zeros(len(plan.colours), np.int64)
    worn[rows[~keep]] = plan.wear.pixels[~keep]
    offsets = np.searchsorted(rows[keep], np.arange(len(plan.colours) + 1))
    wear = Wear(offsets, plan.wear.elements[keep], plan.wear.pixels[keep])
    return replace(plan, counts=plan.counts - worn, wear=wear)


def draw_trial(
    name: str, plan: Plan, canary: int, runs: int, *, read_as_dp: bool, seeded: bool
) -> Trial:
    """What the statement says of one element, claim by claim, under a plan that is given.

    Args:
        name: of the canary.
        plan: the plan.
        canary: place of the canary among the elements.
        runs: that will be played.
        read_as_dp: take epsilon for that of differential privacy, and claim it.
        seeded: draw from the seed of the run; for tests.
    """
    elements = len(plan.losses)
    plans = (plan, without(plan, canary))
    draws = _Draws(plans, canary, elements, plan.colours, seeded)
    others = np.delete(np.arange(elements + len(plan.colours)), canary)
    statistics = readings("its pixels", canary, plan.epsilon, read_as_dp)
    if runs * np.exp(-plan.losses[canary]) >= MIN_RUNS:
        statistics += (
            Statistic(
                "all other draws, if not one is its",
                lambda present, absent: _seen_by(others, present, absent),
                0.0,
                given=lambda outputs: ~_drawn(canary)(outputs),
            ),
        )
    promises = tuple(
        Promise(
            "is exposed" if element == canary else f"element {element + 1} is exposed",
            float(exposure),
            float(-np.expm1(-plan.epsilon)),
            _drawn(element),
        )
        for element, exposure in enumerate(plan.exposures)
    )
    return Trial(name, draws.play, statistics, promises)


def person_promise(plan: Plan, element: int, tracks: int) -> Promise:
    """What is promised of a person who was found under several identities.

    Nobody knows which ones are the same person, so the worst ones are taken: one after the other
    the element is joined by the one with which most is lost.
    """
    person = [element]
    others = set(range(len(plan.losses))) - {element}
    while others and len(person) < tracks:
        person.append(max(sorted(others), key=lambda other: plan.loss_together([*person, other])))
        others.remove(person[-1])
    return Promise(
        f"elements {' and '.join(str(one + 1) for one in person)}, if one person",
        float(-np.expm1(-plan.loss_together(person))),
        float(-np.expm1(-plan.epsilon * tracks)),
        lambda outputs: np.asarray((outputs[:, person] > 0).any(axis=1)),
    )


def plan_trial(name: str, plans: tuple[Plan, Plan], canary: int, *, seeded: bool) -> Trial:
    """What the choice of colours and numbers, which is not charged, gives away by itself.

    Args:
        name: of the canary.
        plans: of the video with the canary and of the one without; elements are the same but
            for the canary, which is the last.
        canary: its place.
        seeded: as for `draw_trial`.
    """
    colours = np.union1d(plans[0].colours, plans[1].colours)
    draws = _Draws(plans, canary, len(plans[0].losses), colours, seeded)
    others = np.delete(np.arange(len(plans[0].losses) + len(colours)), canary)
    reading = Statistic(
        "the others, planned anew",
        lambda present, absent: _seen_by(others, present, absent),
        plans[0].epsilon,
        claimed=False,
    )
    return Trial(name, draws.play, (reading,))


def readings(name: str, place: int, epsilon: float, read_as_dp: bool) -> tuple[Statistic, ...]:
    """One column under Definition 2 of the paper, which is claimed, and under epsilon-DP."""
    delta = float(-np.expm1(-epsilon))
    return (
        Statistic(name, column(place), epsilon, delta),
        Statistic(f"{name}, read as epsilon-DP", column(place), epsilon, claimed=read_as_dp),
    )


def _drawn(element: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda outputs: np.asarray(outputs[:, element] > 0)


def _seen_by(places: np.ndarray, present: np.ndarray, absent: np.ndarray) -> Score:
    """What the other columns tell, learnt."""
    score = learnt_ratio(present[:, places], absent[:, places])
    return lambda outputs: score(outputs[:, places])
