"""KL and MSE over epsilon and over k, of everybody and of the largest element."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from videodp.experiments.lab import Lab
from videodp.experiments.phase_one import phase_one
from videodp.experiments.sheet import Nearness
from videodp.experiments.store import Row, Rows
from videodp.plan.optimal_k import to_grey

__all__ = ["largest", "over_epsilon", "over_k"]

_DRAWS = 4
"""Draws of the largest element for each seed: it is either drawn or not, so few say little."""


def over_epsilon(lab: Lab, seed: int) -> Rows:
    """One seed: each epsilon and rule, at the paper's fixed k."""
    trial = lab.trial
    return {
        "pixels": [
            _row(lab, rule, epsilon, lab.k, seed)
            for rule in trial.rules
            for epsilon in trial.epsilons
        ]
    }


def over_k(lab: Lab, seed: int) -> Rows:
    """One seed: each k, the same for all elements."""
    trial = lab.trial
    return {
        "k": [
            _row(lab, rule, epsilon, k, seed)
            for rule in trial.rules
            for epsilon in trial.k_epsilons
            for k in trial.ks
        ]
    }


def _row(lab: Lab, rule: str, epsilon: float, k: int, seed: int) -> Row:
    plan = lab.plan(epsilon, k, rule)
    picks, drawn = lab.drawn(plan, seed)
    before = phase_one(lab.census, plan, picks, drawn)
    sheet = lab.sheet
    after = sheet.nearness(sheet.private(lab.cast(drawn), lab.background(plan, picks, seed)))
    exposures = plan.exposures
    return {
        "rule": rule,
        "epsilon": epsilon,
        "k": k,
        "seed": seed,
        "drawn": before.drawn,
        "shown": len(np.unique(drawn.element)),
        "elements": len(lab.elements),
        "mean_exposure": float(exposures.mean()),
        "kl_phase1": before.kl,
        "kl_phase1_sampled": before.kl_sampled,
        "mse_phase1": before.mse,
        "mse_phase1_sampled": before.mse_sampled,
        "element_mse_phase1": before.element_mse,
        "kl": after.kl,
        "mse": after.mse,
        "element_mse": after.element_mse,
        "frames": len(sheet.frames),
    }


def largest(lab: Lab, seed: int) -> Rows:
    """One seed: the largest element, a few draws for each k, with what the solver expects."""
    return {"largest": [row for rule in lab.trial.rules for row in _curve(lab, rule, seed)]}


def _curve(lab: Lab, rule: str, seed: int) -> Iterator[Row]:
    epsilon, element = lab.trial.k_epsilons[0], lab.largest
    solved = lab.plan(epsilon, "auto", rule)
    curve = solved.curves[element]
    assert curve is not None
    expected = dict(zip(curve.k.tolist(), curve.mse.tolist(), strict=True))
    unseen: Nearness | None = None
    for k in lab.trial.ks:
        plan = lab.plan(epsilon, k, rule)
        for i in range(_DRAWS):
            picks, drawn = lab.drawn(plan, seed * _DRAWS + i, element)
            if unseen is None or len(drawn.element):
                pictures = lab.life.private(lab.cast(drawn), lab.background(plan, picks, seed))
                near = lab.life.nearness(pictures, element)
                if not len(drawn.element):
                    unseen = near
            else:
                near = unseen
            yield {
                "rule": rule,
                "epsilon": epsilon,
                "k": k,
                "seed": seed,
                "draw": i,
                "drawn": len(drawn.element),
                "element_mse_phase1": _black(lab, element, drawn.colour),
                "element_mse": near.element_mse,
                "expected": expected.get(k),
                "solved_k": int(solved.k[element]),
                "frames": len(lab.life.frames),
            }


def _black(lab: Lab, element: int, drawn: np.ndarray) -> float:
    """MSE of the element if all of it but its drawn pixels is black."""
    colours, counts = lab.census.worn.of(element)
    all_of_it = float((counts * to_grey(np.asarray(colours)) ** 2).sum())
    return (all_of_it - float((to_grey(drawn) ** 2).sum())) / max(int(counts.sum()), 1)
