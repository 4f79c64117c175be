"""Mechanisms that fit into a line, with a privacy loss that is known by hand."""

from collections.abc import Callable

import numpy as np

from videodp.audit import Audit, Statistic, Trial, column, judge, learnt_ratio
from videodp.privacy.noise import RepeatableNoise

Toy = Callable[[int, int, int], np.ndarray]
"""Is the canary there (0 or 1), runs, seed: (runs, d)."""


def count(epsilon: float, moved: int = 1) -> Toy:
    """A count that the canary moves; the noise is made for one that moves it by 1."""

    def play(present: int, runs: int, seed: int) -> np.ndarray:
        exact = np.full((runs, 1), 7 + moved * present)
        return RepeatableNoise(seed).laplace(exact, 1, epsilon)

    return play


def audited(toy: Toy, epsilon: float, delta: float = 0.0, **how: object) -> Audit:
    trial = Trial(
        "somebody",
        lambda present, runs, seed: toy(int(present), runs, seed),
        (
            Statistic("first number", column(0), epsilon, delta),
            Statistic("learnt", learnt_ratio, epsilon, delta),
        ),
    )
    return judge("toy", f"it is {epsilon}-DP", [trial], **{"runs": 20_000, "seed": 3, **how})
