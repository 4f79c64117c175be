"""The two mechanisms and PINQ beside each other: at the same epsilon, and at the same guarantee.

The same four questions go to each: how many are in every frame, how long everybody stays, how many
there are, and the colours of one frame. What an epsilon promises differs from way to way, so each
row also says what is really lost about one element by all four answers together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import wasserstein_distance

from videodp import pinq
from videodp.experiments.answers import Benchmark, known
from videodp.experiments.chance import terms
from videodp.experiments.histograms import (
    channels,
    colours_of,
    moved,
    noisy_colours,
    private_colours,
)
from videodp.experiments.lab import Lab
from videodp.experiments.made_up import footage_of_actors, made_up, painter
from videodp.experiments.store import Row, Rows
from videodp.queries import Footage, footage_of

__all__ = ["LEVELS", "advantage", "at_levels", "sampling_as_sure_as"]

LEVELS = (0.8, 2.4, 8.0)
"""Epsilons of the paper's plots, and one at which the few elements of a short video can be told."""
_QUESTIONS = 4
_BINS = 10


@dataclass(frozen=True)
class _Told:
    """Answers to the four questions."""

    counts: np.ndarray
    """(frames,) elements in each."""
    stays: np.ndarray
    """(n,) frames; `weights` elements stay so long each."""
    weights: np.ndarray
    total: float
    colours: np.ndarray
    """(3, 256) pixels of each value of red, green and blue."""


@dataclass(frozen=True)
class _Way:
    """One way to answer, and what it costs one element."""

    source: str
    epsilon: float
    """That is named."""
    told: _Told
    loss: float | None
    """Epsilon of all four answers together, delta 0; None if there is none."""
    count_loss: float | None
    """Of the counts alone."""
    advantage: float
    """Of whoever wants to know whether the element was there, at most."""


def advantage(epsilon: float) -> float:
    """How far apart epsilon-differential privacy lets the probabilities of any event be.

    That is tanh(epsilon / 2): the most that a guess whether an element was there is better than
    by chance (Kairouz, Oh and Viswanath 2015).
    """
    return math.tanh(epsilon / 2)


def sampling_as_sure_as(epsilon: float) -> float:
    """The epsilon at which sampling exposes nobody more likely than that, 1 - exp(-e)."""
    return -math.log1p(-advantage(epsilon))


def at_levels(lab: Lab, against: Benchmark, seed: int) -> Rows:
    """One seed: every way at each epsilon, and at what synthesis guarantees with it."""
    truth = _seen(footage_of(lab.elements, lab.video), colours_of(lab.fullest.frames[0].rgb))
    rows: list[Row] = []
    if seed == 0:
        found = _seen(against.footage, truth.colours)
        rows.append({"same": "", "level": None, "source": "original", **_errors(found, truth)})
    for level in LEVELS:
        for same, ways in (
            ("epsilon", _same_epsilon(lab, level, seed)),
            ("guarantee", _same_guarantee(lab, level, seed)),
        ):
            rows += [
                {
                    "same": same,
                    "level": level,
                    "source": way.source,
                    "epsilon": way.epsilon,
                    "seed": seed,
                    "loss": way.loss,
                    "count_loss": way.count_loss,
                    "advantage": way.advantage,
                    **_errors(way.told, truth),
                }
                for way in ways
            ]
    return {"guarantees": rows}


def _same_epsilon(lab: Lab, level: float, seed: int) -> Iterator[_Way]:
    """As the paper compares: each answer of PINQ costs all of epsilon."""
    yield from _sampled(lab, level, seed)
    yield _synthetic(lab, level, seed)
    yield _pinq(lab, level, "paper", seed)
    yield _pinq(lab, level, "element", seed)


def _same_guarantee(lab: Lab, level: float, seed: int) -> Iterator[_Way]:
    """What synthesis guarantees at this epsilon, for all answers together.

    The paper's PINQ has no place here: a row for each stay time tells who is there, whatever the
    noise. Asked in a way that guarantees something, it is PINQ for a whole element.
    """
    yield from _sampled(lab, sampling_as_sure_as(level), seed)
    yield _synthetic(lab, level, seed)
    yield _pinq(lab, level / _QUESTIONS, "element", seed)


def _sampled(lab: Lab, epsilon: float, seed: int) -> Iterator[_Way]:
    """Asked as an analyst does: somebody must find the elements first, which takes its time."""
    if seed < lab.trial.searched(epsilon):
        found = footage_of(lab.find_in_private(epsilon, seed), lab.video)
        told = _seen(found, private_colours(lab, epsilon, seed))
        yield _Way("sampling", epsilon, told, None, None, -math.expm1(-epsilon))


def _synthetic(lab: Lab, epsilon: float, seed: int) -> _Way:
    """Asked by the elements that come with the video."""
    population = made_up(lab, epsilon, seed)
    picture = painter(lab, population, seed).frame(lab.fullest.frames[0].index).rgb
    told = _seen(footage_of_actors(lab, population), colours_of(picture))
    return _Way("synthesis", epsilon, told, epsilon, epsilon, advantage(epsilon))


def _pinq(lab: Lab, epsilon: float, setting: str, seed: int) -> _Way:
    """From the original, with the true elements, which the owner has."""

    def agreed(question: str) -> pinq.Terms:
        return terms(epsilon, setting, seed, "guarantees", question)

    footage = footage_of(lab.elements, lab.video)
    counts = pinq.count(footage, agreed("count"), frames=lab.longest)
    stays, weights = _stays(lab, footage, agreed("stay"))
    told = _Told(
        np.maximum(counts.table["elements"].to_numpy(), 0),
        stays,
        weights,
        max(pinq.total(footage, agreed("total")).table["elements"][0].as_py(), 0),
        channels(noisy_colours(lab, agreed("histogram")).table),
    )
    loss = None if agreed("").paper else _QUESTIONS * epsilon
    most = max(track.frames for track in lab.elements.tracks if track.id >= 0)
    count_loss = counts.loss(most if agreed("").paper else counts.sensitivity)
    bound = 1.0 if loss is None else advantage(loss)
    return _Way(f"pinq-{setting}", epsilon, told, loss, count_loss, bound)


def _stays(lab: Lab, footage: Footage, agreed: pinq.Terms) -> tuple[np.ndarray, np.ndarray]:
    """(n,) frames, and (n,) how many elements stay so long."""
    if agreed.paper:
        stays = np.maximum(pinq.stay(footage, agreed).table["frames"].to_numpy(), 0)
        return stays, np.ones(len(stays))
    table = pinq.stay_times(footage, agreed, longest=lab.longest, bins=_BINS).table
    middle = (table["low"].to_numpy() + 1 + table["high"].to_numpy()) / 2
    return middle, np.maximum(table["elements"].to_numpy(), 0)


def _seen(footage: Footage, colours: np.ndarray) -> _Told:
    """Answers of footage whose elements are known."""
    answers = known(footage)
    stays = answers.stays["all"]
    return _Told(np.array(answers.counts), stays, np.ones(len(stays)), len(stays), colours)


def _errors(told: _Told, truth: _Told) -> Row:
    """Distances from the truth; somebody who is told of nobody is off by all of a mean stay."""
    stays = 1.0
    if told.weights.sum() > 0:
        apart = wasserstein_distance(told.stays, truth.stays, told.weights)
        stays = float(apart / truth.stays.mean())
    return {
        "count_error": float(np.abs(told.counts - truth.counts).mean()),
        "stay_error": stays,
        "total_error": abs(told.total - truth.total) / truth.total,
        "moved": moved(told.colours, truth.colours),
    }
