"""Phase I: which pixels are drawn, and where they lie.

Each colour gets a uniformly random set of `draws` of its `count` pixels. The pixels are thought
of in this order: those of the first wearer in order of time, those of the second, ..., and then
the background's. Only draws that fall on elements need a place (under ``retain`` and ``plate`` a
drawn background pixel changes nothing); how many do is hypergeometric, and which ones is uniform.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from videodp.plan import Plan
from videodp.privacy.randomness import Randomness

__all__ = ["Drawn", "Picks", "draw"]


@dataclass(frozen=True)
class Picks:
    """Drawn pixels of elements, before anybody looked where they are."""

    element: np.ndarray
    """(n,) int64."""
    colour: np.ndarray
    """(n,) int32."""
    ordinal: np.ndarray
    """(n,) int64: number of the pixel among those of its colour and element, in order of time."""
    background_draws: np.ndarray
    """(p,) int64: draws of each published colour that fall on the background."""


@dataclass(frozen=True)
class Drawn:
    """The drawn pixels of elements, sorted by element and frame."""

    element: np.ndarray
    frame: np.ndarray
    y: np.ndarray
    x: np.ndarray
    colour: np.ndarray
    boxes: np.ndarray
    """(n, 4) float64: box of the element in that frame."""

    def counts(self, elements: int) -> np.ndarray:
        """Drawn pixels of each element, (elements,) int64."""
        return np.bincount(self.element, minlength=elements).astype(np.int64)


def draw(plan: Plan, randomness: Randomness) -> Picks:
    """Draws for every published colour, from the plan alone."""
    elements, colours, ordinals = [], [], []
    background = plan.draws.copy()
    for i, colour in enumerate(plan.colours.tolist()):
        stream = randomness.stream("draw", colour)
        who, pixels = plan.wear.of(i)
        worn = int(pixels.sum())
        hits = stream.hypergeometric(int(plan.counts[i]), worn, int(plan.draws[i]))
        background[i] -= hits
        ends = np.cumsum(pixels)
        for pick in stream.distinct(hits, worn).tolist():
            wearer = int(np.searchsorted(ends, pick, side="right"))
            elements.append(int(who[wearer]))
            colours.append(colour)
            ordinals.append(pick - int(ends[wearer] - pixels[wearer]))
    return Picks(
        np.array(elements, np.int64),
        np.array(colours, np.int32),
        np.array(ordinals, np.int64),
        background,
    )
