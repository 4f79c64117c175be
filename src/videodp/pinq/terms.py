"""What an answer costs, and what it protects in return."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from videodp.errors import BudgetError, UsageError
from videodp.privacy.noise import Noise, SecureNoise, loss_of, scale_for

__all__ = ["MOST", "SETTINGS", "Answer", "Terms", "answer", "needed"]

SETTINGS = ("element", "paper")
MOST = 10**12
"""No bound is larger: noise in proportion to it must fit into 64 bits."""


@dataclass(frozen=True)
class Terms:
    """What a question may cost, and whom it is to protect."""

    epsilon: float
    """Of the whole answer (element), or of each number in it (paper)."""
    setting: str = "element"
    """``element``: one element is protected over the whole answer. ``paper``: the paper's
    sensitivities, which protect less; each answer says what."""
    tracks_per_person: int = 1
    """Identities that one person may have been split into; only for ``element``."""
    noise: Noise = field(default_factory=SecureNoise)

    def __post_init__(self) -> None:
        if self.setting not in SETTINGS:
            raise UsageError(f"no setting '{self.setting}': use {' or '.join(SETTINGS)}")
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise BudgetError(
                f"epsilon must be above 0 and finite, not {self.epsilon}: give for example 1"
            )
        if self.tracks_per_person < 1:
            raise UsageError(f"tracks per person must be at least 1, not {self.tracks_per_person}")

    @property
    def paper(self) -> bool:
        """Whether the paper's sensitivities are used."""
        return self.setting == "paper"


@dataclass(frozen=True)
class Answer:
    """A noisy table. With secure noise, everything here may be published."""

    table: pa.Table
    setting: str
    epsilon: float
    sensitivity: int
    """How far all noisy numbers together may move (L1) for them to cost `epsilon`."""
    scale: float
    """Of the discrete Laplace noise on each number."""
    protects: str
    """What is protected with that epsilon, and what is not."""
    repeatable: bool
    """The noise came from a seed: not to be released."""

    def loss(self, change: int) -> float:
        """Privacy loss of whoever moves the numbers by `change` in total: OpenDP's privacy map.

        ``answer.loss(answer.sensitivity)`` is `epsilon`. An element that is counted in 100 frames
        of a paper answer loses ``answer.loss(100)``.
        """
        return loss_of(self.scale, change)


def answer(
    terms: Terms,
    counts: np.ndarray,
    sensitivity: int,
    protects: str,
    table: Callable[[np.ndarray], pa.Table],
) -> Answer:
    """Adds the noise.

    Args:
        terms: what was agreed.
        counts: integers, any shape.
        sensitivity: of all counts together, for one track.
        protects: in words.
        table: makes the table from the noisy counts, and from nothing else that is private.
    """
    if not terms.paper:
        sensitivity *= terms.tracks_per_person
    if sensitivity > MOST:
        raise UsageError(f"a sensitivity of {sensitivity} drowns everything: give tighter bounds")
    noisy = terms.noise.laplace(np.asarray(counts, np.int64), sensitivity, terms.epsilon)
    return Answer(
        table(noisy),
        terms.setting,
        terms.epsilon,
        sensitivity,
        scale_for(sensitivity, terms.epsilon),
        protects,
        terms.noise.repeatable,
    )


def needed(name: str, bound: int | None, example: int, about: str) -> int:
    """A bound that must be given, because nothing in the video may decide it."""
    if bound is None:
        raise UsageError(
            f"this needs a bound: {name}={example} says {about}; whoever has more is cut off there"
        )
    if not 1 <= bound <= MOST:
        raise UsageError(f"{name} must be a whole number from 1, not {bound}")
    return int(bound)
