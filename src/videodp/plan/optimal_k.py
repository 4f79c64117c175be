"""The optimal number of colours k_j for an element (paper, section 3.2 and appendix A)."""

from __future__ import annotations

import numpy as np

from videodp.census import Sample
from videodp.kernels.expectation import expected_grey
from videodp.plan.model import Curve
from videodp.plan.palette import Wardrobe, choose

__all__ = ["K_RANGE", "SOLVED_SAMPLES", "finished_error", "k_curve", "moments", "to_grey"]

K_RANGE = (4, 30)
"""First and last k that is tried."""

SOLVED_SAMPLES = 3
"""Frames of an element in which the system is solved (the paper samples one)."""

_GREY = np.array([0.299, 0.587, 0.114])
_TOLERANCE = 1e-6


def k_curve(wardrobe: Wardrobe, epsilon: float, rule: str) -> tuple[Curve, list[np.ndarray]]:
    """What each k promises, and the palette of each k.

    Before rounding down, Algorithm 2 and equation 6 draw every pixel of the palette with the same
    probability: a colour worn by w of the palette's D pixels gets the budget epsilon * w / D, and
    (1 - p)^w = exp(-epsilon * w / D) gives p = 1 - exp(-epsilon / D).
    """
    solved = _spread(wardrobe.samples, SOLVED_SAMPLES)
    codes = [_codes(sample, wardrobe.colours) for sample in solved]
    grey = to_grey(wardrobe.colours)
    ks = np.arange(K_RANGE[0], K_RANGE[1] + 1)
    palettes = [choose(wardrobe, int(k), epsilon, rule) for k in ks]
    mse = [_first_fill(codes, grey, wardrobe, palette, epsilon) for palette in palettes]
    return Curve(ks, np.array(mse)), palettes


def moments(wardrobe: Wardrobe) -> tuple[float, float]:
    """Mean and mean square of the element's grey values."""
    grey = to_grey(wardrobe.colours)[wardrobe.codes]
    return (float(grey.mean()), float(np.mean(grey**2))) if len(grey) else (0.0, 0.0)


def _spread(samples: tuple[Sample, ...], count: int) -> list[Sample]:
    count = min(count, len(samples))
    return [samples[(2 * i + 1) * len(samples) // (2 * count)] for i in range(count)]


def _codes(sample: Sample, colours: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    inside = sample.colours >= 0
    at = np.searchsorted(colours, sample.colours)
    return np.minimum(at, len(colours) - 1), inside


def to_grey(colours: np.ndarray) -> np.ndarray:
    """Grey values 0..1 of 24-bit colours."""
    channels = np.stack([colours >> 16, (colours >> 8) & 255, colours & 255], axis=-1)
    return np.asarray(channels @ _GREY / 255.0)


def _first_fill(
    crops: list[tuple[np.ndarray, np.ndarray]],
    grey: np.ndarray,
    wardrobe: Wardrobe,
    palette: np.ndarray,
    epsilon: float,
) -> float:
    """Equation 5: mean of (θ - E[θ̂])² over the solved frames."""
    chance = np.zeros(len(grey))
    if len(palette):
        chance[palette] = -np.expm1(-epsilon / wardrobe.worn[palette].sum())
    error = pixels = 0.0
    for codes, inside in crops:
        truth = grey[codes]
        expected, _ = expected_grey(truth, chance[codes], inside, _TOLERANCE)
        error += float(((truth - expected)[inside] ** 2).sum())
        pixels += int(inside.sum())
    return error / max(pixels, 1.0)


def finished_error(colours: np.ndarray, losses: np.ndarray, moments: tuple[float, float]) -> float:
    """Expected MSE of an element that is filled from the first pixel drawn of it.

    An element gives up about epsilon pixels in total, so a drawn figure is mostly of one colour,
    and that colour is drawn with a probability about in proportion to its loss. Filling with g
    costs mean(θ²) - 2 g mean(θ) + g². An element that cannot be drawn counts as 1.

    Args:
        colours: (n,) published colours that the element wears.
        losses: (n,) float64 its loss from each.
        moments: of the element.
    """
    if not losses.sum() > 0:
        return 1.0
    mean, square = moments
    grey = to_grey(colours)
    return float(np.average(square - 2 * grey * mean + grey**2, weights=losses))
