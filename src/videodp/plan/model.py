"""What may be shown: the plan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from videodp.kernels.loss import colour_losses

__all__ = ["Curve", "Plan", "Wear"]


@dataclass(frozen=True)
class Wear:
    """Which elements wear which colours: rows sorted by colour, then by element."""

    offsets: np.ndarray
    """(colours + 1,) int64: colour i owns the rows offsets[i] to offsets[i + 1]."""
    elements: np.ndarray
    """(rows,) int64 place in the census' tracks."""
    pixels: np.ndarray
    """(rows,) int64 (c_i^j)."""

    def of(self, colour: int) -> tuple[np.ndarray, np.ndarray]:
        """Wearers of one colour and their pixels."""
        rows = slice(self.offsets[colour], self.offsets[colour + 1])
        return self.elements[rows], self.pixels[rows]

    def hiding(self, counts: np.ndarray, tracks: int) -> np.ndarray:
        """Among how many pixels of a colour those of a wearer hide.

        All of them, if every person has one track. Else the others that wear it may be the same
        person, so what so many less one of them wear at most does not count: then the losses of
        any so many tracks add up to at least their loss together (docs/mathematics.md).

        Args:
            counts: (colours,) int64 pixels in the video (c_i).
            tracks: that one person may have.

        Returns:
            (rows,) int64.
        """
        hiding = np.repeat(counts, np.diff(self.offsets))
        for start, stop in pairwise(self.offsets.tolist()) if tracks > 1 else ():
            own = self.pixels[start:stop]
            order = np.argsort(-own, kind="stable")
            most = own[order[: tracks - 1]].sum()
            hiding[start:stop] -= most
            among = order[: tracks - 1]  # these have one more beside them instead of themselves
            after = own[order[tracks - 1]] if len(own) >= tracks else 0
            hiding[start + among] += own[among] - after
        return hiding


@dataclass(frozen=True)
class Curve:
    """What each number of colours k promises for one element."""

    k: np.ndarray
    """(n,) int64."""
    mse: np.ndarray
    """(n,) float64: expected MSE after the first fill, 0..1 (equation 5)."""
    fill: np.ndarray | None = None
    """(n,) float64: expected MSE of the finished figure if the element is drawn, 0..1, under the
    whole plan with this k for everybody. Only worked out for the criterion ``fill``."""

    @property
    def flat(self) -> bool:
        """Whether the paper's criterion hardly tells one k from another (within 1 %)."""
        return bool(np.ptp(self.mse) <= 0.01 * self.mse.max())


@dataclass(frozen=True)
class Plan:
    """Which colours are published, how often, and exactly what that costs each element.

    The arrays `colours`, `counts`, `budgets` and `draws` run over the published colours.
    """

    epsilon: float
    rule: str
    criterion: str
    colours: np.ndarray
    """(p,) int32 ascending."""
    counts: np.ndarray
    """(p,) int64 pixels in the video (c_i)."""
    budgets: np.ndarray
    """(p,) float64 from Algorithm 2; 0 for colours added with what was left."""
    draws: np.ndarray
    """(p,) int64 (x_i)."""
    wear: Wear
    palettes: tuple[np.ndarray, ...]
    """Of each element: the colours chosen for it (Ψ_j), int32."""
    k: np.ndarray
    """(elements,) int64: cells each element was cut into; a palette may be smaller."""
    curves: tuple[Curve | None, ...]
    """Of each element, where k was chosen automatically."""
    losses: np.ndarray
    """(elements,) float64: -ln of the probability that no pixel of it is published."""
    figure_errors: np.ndarray
    """(elements,) float64: expected MSE of the finished figure if it is drawn, 0..1."""

    def loss_together(self, elements: Sequence[int]) -> float:
        """-ln of the probability that no pixel of any of these elements is published."""
        rows = np.flatnonzero(np.isin(self.wear.elements, elements))
        colour = np.searchsorted(self.wear.offsets, rows, side="right") - 1
        worn = np.zeros(len(self.colours), np.int64)
        np.add.at(worn, colour, self.wear.pixels[rows])
        return math.fsum(colour_losses(self.counts, worn, self.draws))

    @property
    def exposures(self) -> np.ndarray:
        """(elements,) float64: probability that at least one true pixel is published."""
        return np.asarray(-np.expm1(-self.losses))
