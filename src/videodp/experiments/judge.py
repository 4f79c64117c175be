"""Rules by which a claim holds: fixed before anything was measured, the same for all videos."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from videodp.experiments.store import Row
from videodp.experiments.tables import mean_and_spread

__all__ = [
    "CANNOT",
    "FAILS",
    "HOLDS",
    "Finding",
    "Trend",
    "column",
    "mean_of",
    "percent",
    "trend",
    "verdict",
]

HOLDS, FAILS, CANNOT = "holds", "does not hold", "cannot be told"


@dataclass(frozen=True)
class Finding:
    """What was measured about a claim, and the verdict."""

    verdict: str
    measured: str


@dataclass(frozen=True)
class Trend:
    """How something changes along a sweep; means over the seeds."""

    x: list[float]
    means: list[float]
    errors: list[float]
    """Standard errors of the means."""
    repeated: bool = True
    """Whether each point was measured more than once: else the errors are not known."""

    @property
    def change(self) -> float:
        """From first to last, as a share of the first."""
        return (self.means[-1] - self.means[0]) / abs(self.means[0]) if self.means[0] else math.nan

    @property
    def certain(self) -> bool:
        """First and last are further apart than two standard errors of their difference."""
        return abs(self.means[-1] - self.means[0]) > 2 * math.hypot(self.errors[0], self.errors[-1])

    @property
    def order(self) -> float:
        """Spearman's rank correlation of the means: 1 rising, -1 falling."""
        if len(self.x) < 2 or np.ptp(self.means) == 0:
            return 0.0
        return float(spearmanr(self.x, self.means).statistic)

    @property
    def falls(self) -> bool:
        """Without much to and fro, and for certain."""
        return self.order <= -0.8 and self.certain and self.means[-1] < self.means[0]

    @property
    def rises(self) -> bool:
        """The same, upwards."""
        return self.order >= 0.8 and self.certain and self.means[-1] > self.means[0]

    def verdict(self, *, rising: bool) -> str:
        """Whether it rises, or falls; not told where one seed points the right way."""
        right = self.order >= 0.8 if rising else self.order <= -0.8
        if right and not self.repeated:
            return CANNOT
        return verdict(self.rises if rising else self.falls)

    def __str__(self) -> str:
        if not self.x:
            return "nothing"
        return (
            f"{self.means[0]:.4g} at {self.x[0]:g} to {self.means[-1]:.4g} at {self.x[-1]:g} "
            f"({100 * self.change:+.2g} %)"
        )


def trend(rows: list[Row], x: str, y: str) -> Trend:
    """Along column x, of column y; rows without y are left out."""
    groups: dict[float, list[float]] = defaultdict(list)
    for row in rows:
        if row.get(y) is not None:
            groups[row[x]].append(row[y])
    at = sorted(groups)
    figures = [mean_and_spread(groups[value]) for value in at]
    errors = [s / math.sqrt(len(groups[v])) for (_, s), v in zip(figures, at, strict=True)]
    repeated = all(len(values) > 1 for values in groups.values())
    return Trend(at, [mean for mean, _ in figures], errors, repeated)


def column(rows: list[Row], name: str) -> list[float]:
    """Its values, where there are any."""
    return [row[name] for row in rows if row.get(name) is not None]


def mean_of(rows: list[Row], name: str, where: Callable[[Row], bool] = lambda row: True) -> float:
    """Mean of a column; not a number if there is nothing."""
    values = column([row for row in rows if where(row)], name)
    return float(np.mean(values)) if values else math.nan


def percent(share: float) -> str:
    """0.123 as 12 %."""
    return "unknown" if math.isnan(share) else f"{100 * share:.3g} %"


def verdict(true: bool) -> str:
    """In words."""
    return HOLDS if true else FAILS
