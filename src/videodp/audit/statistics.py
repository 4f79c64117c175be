"""Ways to look at outputs: one column, the exact likelihood ratio, or a learnt one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from videodp.audit.model import Score

__all__ = ["column", "fixed", "laplace_ratio", "learnt_ratio"]

Learn = Callable[[np.ndarray, np.ndarray], Score]

_BINS = 32
_SURE = 4.0
"""Standard deviations by which a column must differ before the attacker heeds it."""


def fixed(score: Score) -> Learn:
    """A score that needs no learning."""
    return lambda present, absent: score


def column(*places: int) -> Learn:
    """The sum of some columns."""
    return fixed(lambda outputs: outputs[:, places].sum(axis=1, dtype=np.float64))


def laplace_ratio(
    present: np.ndarray, absent: np.ndarray, scales: np.ndarray, places: np.ndarray | None = None
) -> Learn:
    """The log-likelihood ratio under discrete Laplace noise: no attack on it does better.

    ln P(y | present) - ln P(y | absent), summed over the columns.

    Args:
        present: (d,) what the columns hold with the canary, before noise.
        absent: (d,) the same without it.
        scales: (d,) of the noise.
        places: which columns of the outputs these are; all by default.
    """
    where = np.arange(len(present)) if places is None else places

    def score(outputs: np.ndarray) -> np.ndarray:
        seen = outputs[:, where]
        gains = (np.abs(seen - absent) - np.abs(seen - present)) / scales
        return np.asarray(gains.sum(axis=1)).round(9)  # equal outputs are equal scores

    return fixed(score)


def learnt_ratio(present: np.ndarray, absent: np.ndarray) -> Score:
    """A log-likelihood ratio learnt from runs, for a mechanism about which nothing is known.

    Columns are taken as independent, each as a histogram of up to 32 bins; columns that do not
    differ beyond doubt are left out.
    """
    tables = [_table(a, b) for a, b in zip(present.T, absent.T, strict=True)]
    heeded = [(place, table) for place, table in enumerate(tables) if table is not None]

    def score(outputs: np.ndarray) -> np.ndarray:
        total = np.zeros(len(outputs))
        for place, (edges, gains) in heeded:
            total += gains[np.searchsorted(edges, outputs[:, place], side="right")]
        return total.round(9)

    return score


def _table(present: np.ndarray, absent: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Edges of bins, and the log ratio in each; None where there is nothing to see."""
    pooled = np.concatenate([present, absent])
    edges = np.unique(np.quantile(pooled, np.arange(1, _BINS) / _BINS, method="nearest"))
    counts = np.array(
        [
            np.bincount(np.searchsorted(edges, world, side="right"), minlength=len(edges) + 1)
            for world in (present, absent)
        ],
        np.float64,
    )
    shares = (counts + 0.5) / (counts + 0.5).sum(axis=1, keepdims=True)
    gains = np.log(shares[0] / shares[1])
    distance = 2 * float((counts * np.log(shares / shares.mean(axis=0))).sum())
    free = max(len(edges), 1)
    if distance <= free + _SURE * np.sqrt(2 * free):  # a chi-square variable if they are equal
        return None
    return edges, gains
