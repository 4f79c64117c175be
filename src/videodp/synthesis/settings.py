"""What synthesis is told: public choices, none of them read off the recording."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from videodp.errors import BudgetError, UsageError
from videodp.queries.footage import PEOPLE, VEHICLES

__all__ = ["OTHER", "SHARES", "SynthesisSettings"]

OTHER = "other"
"""The label of whoever has none of the public ones."""

SHARES = {
    "arrivals": 15,
    "labels": 3,
    "stays": 38,
    "flows": 12,
    "ends": 7,
    "occupancy": 19,
    "sizes": 2,
    "shapes": 1,
    "pace": 3,
}
"""Percent of epsilon for each histogram."""

_LABELS = ("person", "bicycle", "car", "motorcycle", "bus", "truck")


def _log_edges(low: float, high: float, steps: int) -> tuple[float, ...]:
    return tuple(np.geomspace(low, high, steps + 1).tolist())


@dataclass(frozen=True)
class SynthesisSettings:
    """Checked when it is made; recorded in the release, so public."""

    epsilon: float
    tracks_per_person: int = 1
    """Tracks that one person or vehicle may have been split into: noise grows with it."""
    shares: dict[str, int] = field(default_factory=lambda: dict(SHARES))
    """Percent of epsilon for each histogram; together 100."""
    labels: tuple[str, ...] = _LABELS
    """Labels that are told apart; all others become `OTHER`."""
    window: int = 300
    """Seconds: how finely arrivals are told. A track belongs to the window of its first frame."""
    windows_per_period: int = 12
    """Everything else is told for periods of so many windows."""
    zones: tuple[int, int] = (3, 3)
    """Columns and rows of the zones that ways are told between."""
    grid: tuple[int, int] = (16, 9)
    """Columns and rows of the occupancy map."""
    visit: int = 240
    """Units that every track puts on the occupancy map."""
    stay_edges: tuple[float, ...] = _log_edges(0.25, 4096, 28)
    """Seconds; shorter and longer stays are in the first and the last bin."""
    bands: int = 8
    """Bands of equal height, from the upper edge of the picture to the lower, for sizes."""
    size_edges: tuple[float, ...] = _log_edges(2**-7, 1, 28)
    """Heights of boxes, as shares of the height of the picture."""
    shape_edges: tuple[float, ...] = _log_edges(2**-3, 8, 12)
    """Widths of boxes, as shares of their heights."""
    speed_edges: tuple[float, ...] = _log_edges(2**-3, 16, 7)
    """Own heights per second, while moving."""
    pause_edges: tuple[float, ...] = (0.0, 0.05, 0.25, 0.6, 1.0)
    """Shares of the stay that are spent standing."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise BudgetError(f"epsilon must be a number above 0, not {self.epsilon:g}: try 1")
        if self.tracks_per_person < 1:
            raise UsageError(f"tracks per person must be at least 1, not {self.tracks_per_person}")
        if set(self.shares) != set(SHARES) or any(share <= 0 for share in self.shares.values()):
            raise BudgetError(f"shares of epsilon go to {', '.join(SHARES)}, each above 0 percent")
        if sum(self.shares.values()) != 100:
            raise BudgetError(
                f"shares of epsilon are percent and make 100, not {sum(self.shares.values())}"
            )
        if not self.labels or len(set(self.labels)) != len(self.labels) or OTHER in self.labels:
            raise UsageError(f"labels are different names, and not '{OTHER}': give person,car")
        if min(self.window, self.windows_per_period, *self.zones, *self.grid, self.visit) < 1:
            raise UsageError("windows, zones, grid and visit are whole numbers from 1")

    def epsilon_of(self, histogram: str) -> float:
        """What one histogram may cost; rounded down, so that all together cost at most epsilon."""
        share = Fraction(self.epsilon) * self.shares[histogram] / 100
        rounded = float(share)
        return rounded if Fraction(rounded) <= share else math.nextafter(rounded, 0.0)

    @property
    def all_labels(self) -> tuple[str, ...]:
        """With `OTHER` at the end."""
        return (*self.labels, OTHER)

    @property
    def kinds(self) -> np.ndarray:
        """(labels,) int64: 1 for vehicles, 0 for everybody else; all 0 where one kind suffices."""
        vehicles = np.array([label in VEHICLES for label in self.all_labels], np.int64)
        return vehicles if vehicles.any() and not vehicles[:-1].all() else vehicles * 0

    def label_index(self, label: str) -> int:
        """Which of the public labels stands for a label."""
        if label in self.labels:
            return self.labels.index(label)
        for family, name in ((PEOPLE, "person"), (VEHICLES, "car")):
            if label in family and name in self.labels:
                return self.labels.index(name)
        return len(self.labels)

    def windows(self, frames: int, rate: Fraction) -> int:
        """How many windows a video of so many frames has."""
        return max(1, math.ceil(frames / rate / self.window))

    def periods(self, frames: int, rate: Fraction) -> int:
        """How many periods."""
        return math.ceil(self.windows(frames, rate) / self.windows_per_period)
