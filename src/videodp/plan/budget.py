"""Budget allocation (paper, Algorithm 2)."""

from __future__ import annotations

import numpy as np

from videodp.plan.model import Wear

__all__ = ["allocate"]


def allocate(colours: np.ndarray, wear: Wear, elements: int, epsilon: float) -> np.ndarray:
    """Splits epsilon over the colours so that no wearer is charged more than epsilon in all.

    Colours worn by most elements come first; within such a partition the smaller colour does, so
    that the result depends on the census alone. A colour gets the smallest of the shares that its
    wearers can give: what is left of each one's budget, times the colour's part of the pixels
    that are still to be served. Every wearer is charged, not only those that chose the colour.

    Args:
        colours: (p,) ascending.
        wear: who wears them.
        elements: number of elements.
        epsilon: budget of each element.

    Returns:
        (p,) float64 budgets.
    """
    left = np.full(elements, epsilon)
    to_serve = np.zeros(elements, np.int64)  # d_j
    np.add.at(to_serve, wear.elements, wear.pixels)
    budgets = np.zeros(len(colours))
    wearers = np.diff(wear.offsets)
    for i in np.lexsort((colours, -wearers)):
        who, pixels = wear.of(i)
        budgets[i] = np.maximum((left[who] * pixels / to_serve[who]).min(), 0.0)
        left[who] -= budgets[i]
        to_serve[who] -= pixels
    return budgets
