"""What flows through synthesis: made-up actors, and the population they form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

__all__ = ["Actor", "Population"]


@dataclass(frozen=True, eq=False)
class Actor:
    """One made-up element: it stands for nobody."""

    id: int
    label: str
    knots: np.ndarray
    """(n, 5) float64, by frame: frame (may lie between two), x of the middle, y of the foot,
    width, height in pixels. Straight lines in between; equal places are a pause."""

    @property
    def first(self) -> int:
        """First frame in which it is there."""
        return math.ceil(float(self.knots[0, 0]))

    @property
    def last(self) -> int:
        """Last frame in which it is there, included."""
        return math.floor(float(self.knots[-1, 0]))

    def at(self, frames: np.ndarray) -> np.ndarray:
        """(m, 4) float64: x of the middle, y of the foot, width, height at some frames."""
        when = self.knots[:, 0]
        return np.column_stack([np.interp(frames, when, line) for line in self.knots[:, 1:].T])


@dataclass(frozen=True, eq=False)
class Population:
    """Everybody in a synthetic video; a few knots for each, nothing for each frame."""

    size: tuple[int, int]
    """Width and height of the picture."""
    frames: int
    rate: Fraction
    actors: tuple[Actor, ...]
    """By first frame, then by id."""
