"""Phase I, exactly and over the whole video: it follows from the counts, no picture is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from videodp.census import Census
from videodp.compare import colour_divergence
from videodp.plan import Plan
from videodp.plan.optimal_k import to_grey
from videodp.render import Drawn, Picks

__all__ = ["PhaseOne", "phase_one"]


@dataclass(frozen=True)
class PhaseOne:
    """Distances of what is published before anything is filled in; the rest counts as black."""

    drawn: int
    """Pixels of elements."""
    kl: float
    """Background retained, as DESIGN and the product have it."""
    kl_sampled: float
    """Background sampled, as Algorithm 1 has it."""
    mse: float
    mse_sampled: float
    element_mse: float


def phase_one(census: Census, plan: Plan, picks: Picks, drawn: Drawn) -> PhaseOne:
    """Measures one draw.

    Args:
        census: all colour counts.
        plan: what may be drawn.
        picks: what was drawn, background draws included.
        drawn: the drawn pixels of elements.
    """
    grey = to_grey(census.colours) ** 2
    on_elements = np.zeros(len(census.colours), np.int64)
    np.add.at(on_elements, census.find(drawn.colour), 1)
    on_background = np.zeros(len(census.colours), np.int64)
    on_background[census.find(plan.colours)] = picks.background_draws
    background = census.total - census.worn_sum
    sampled = np.where(census.wearers == 0, background, on_background)
    pixels, worn = int(census.total.sum()), int(census.worn_sum.sum())
    black = float(((census.worn_sum - on_elements) * grey).sum())
    behind = float(((background - sampled) * grey).sum())
    return PhaseOne(
        int(on_elements.sum()),
        _divergence(census.total, background + on_elements),
        _divergence(census.total, sampled + on_elements),
        black / pixels,
        (black + behind) / pixels,
        black / max(worn, 1),
    )


def _divergence(original: np.ndarray, published: np.ndarray) -> float:
    return colour_divergence(original, published, max(int(published.sum()), 1))
