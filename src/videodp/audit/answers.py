"""Trials of answers with noise: a question is asked once in each world, its noise drawn often."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from videodp.audit.model import Statistic, Trial
from videodp.audit.statistics import laplace_ratio, learnt_ratio
from videodp.privacy.noise import Noise, RepeatableNoise, scale_for

__all__ = ["answer_trial"]

Ask = Callable[[bool, Noise], object]
"""Asks the recording with the canary or without, with this noise, as any client would."""


class _Often:
    """Noise that notes what it is added to, so that it can be drawn again."""

    repeatable = True

    def __init__(self) -> None:
        self.asked: list[tuple[np.ndarray, int, float]] = []

    def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
        """See `Noise`."""
        self.asked.append((np.asarray(values, np.int64).ravel(), sensitivity, epsilon))
        return np.asarray(values, np.int64)

    def again(self, runs: int, source: Noise) -> np.ndarray:
        """(runs, d) the same numbers, each time with other noise."""
        return np.hstack(
            [
                source.laplace(np.broadcast_to(values, (runs, len(values))), sensitivity, epsilon)
                for values, sensitivity, epsilon in self.asked
            ]
        )


def answer_trial(
    canary: str, ask: Ask, epsilon: float, noise: Callable[[int], Noise] = RepeatableNoise
) -> Trial:
    """Whether an answer protects the canary as far as it is said to.

    What an answer is before noise depends on the recording only. So it is worked out once with the
    canary and once without, and each run draws the noise that the question asked for.

    Args:
        canary: who is in one recording and not in the other, in words.
        ask: a question, for example one of `videodp.pinq` with ``Terms(epsilon, noise=noise)``;
            both recordings must give the same numbers of answers.
        epsilon: the claim.
        noise: made from the seed of a world.
    """
    worlds = (_asked(ask, False), _asked(ask, True))
    gone, there = (np.concatenate([values for values, _, _ in world.asked]) for world in worlds)
    scales = np.concatenate(
        [
            np.full(len(values), scale_for(sensitivity, share))
            for values, sensitivity, share in worlds[0].asked
        ]
    )

    def play(present: bool, runs: int, seed: int) -> np.ndarray:
        return worlds[present].again(runs, noise(seed))

    ratio = laplace_ratio(there, gone, scales)
    return Trial(
        canary,
        play,
        (
            Statistic("the answer, likelihood ratio", ratio, epsilon),
            Statistic("the answer, learnt", learnt_ratio, epsilon),
        ),
    )


def _asked(ask: Ask, present: bool) -> _Often:
    often = _Often()
    ask(present, often)
    return often
