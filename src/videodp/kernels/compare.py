"""Comparing two pictures: everything that is summed over pixels, in one pass."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["GREY_SCALE", "compare_pictures", "similarity"]

GREY_SCALE = 255_000
"""White in the whole-numbered grey that is used here: 299 red + 587 green + 114 blue."""


@njit(nogil=True, cache=True)
def compare_pictures(
    original: np.ndarray,
    private: np.ndarray,
    owner: np.ndarray,
    counts_original: np.ndarray,
    counts_private: np.ndarray,
    counts_worn: np.ndarray,
    grey_original: np.ndarray,
    grey_private: np.ndarray,
) -> tuple[int, int, int, int, int]:
    """Counts the colours of both pictures and sums their differences.

    Sums are whole numbers, so they are exact; one picture may have 100 million pixels.

    Args:
        original: (h, w, 3) uint8 RGB.
        private: the same.
        owner: (h, w) int32, 0 where background.
        counts_original: (2**24,) int64, added to.
        counts_private: (2**24,) int64, added to.
        counts_worn: (2**24,) int64, added to for pixels of elements in the original; or (0,).
        grey_original: (h, w) float32, written: grey, 0..1.
        grey_private: the same.

    Returns:
        Pixels of elements; squared grey error on elements; on the background; squared grey of
        elements in the original, all in units of GREY_SCALE; squared error of red, green and blue
        on the background, 0..255.
    """
    pixels = error_elements = error_background = square_elements = error_rgb = np.int64(0)
    for y in range(original.shape[0]):
        for x in range(original.shape[1]):
            red, green = np.int64(original[y, x, 0]), np.int64(original[y, x, 1])
            blue = np.int64(original[y, x, 2])
            red2, green2 = np.int64(private[y, x, 0]), np.int64(private[y, x, 1])
            blue2 = np.int64(private[y, x, 2])
            colour = (red << 16) | (green << 8) | blue
            counts_original[colour] += 1
            counts_private[(red2 << 16) | (green2 << 8) | blue2] += 1
            grey = 299 * red + 587 * green + 114 * blue
            grey2 = 299 * red2 + 587 * green2 + 114 * blue2
            grey_original[y, x] = np.float32(grey) / np.float32(GREY_SCALE)
            grey_private[y, x] = np.float32(grey2) / np.float32(GREY_SCALE)
            error = (grey - grey2) * (grey - grey2)
            if owner[y, x] > 0:
                pixels += 1
                error_elements += error
                square_elements += grey * grey
                if len(counts_worn):
                    counts_worn[colour] += 1
            else:
                error_background += error
                error_rgb += (red - red2) ** 2 + (green - green2) ** 2 + (blue - blue2) ** 2
    return (
        int(pixels),
        int(error_elements),
        int(error_background),
        int(square_elements),
        int(error_rgb),
    )


@njit(nogil=True, cache=True)
def similarity(
    mean: np.ndarray,
    mean2: np.ndarray,
    squares: np.ndarray,
    product: np.ndarray,
    owner: np.ndarray,
    margin: int,
) -> tuple[float, int]:
    """Sums the structural similarity (SSIM) of background pixels.

    Args:
        mean: (h, w) float32, weighted mean of one grey picture, 0..1, around each pixel.
        mean2: of the other.
        squares: (h, w) float32, the same of the sum of the squares of both: the formula needs
            their variances only as a sum.
        product: (h, w) float32, the same of their product.
        owner: (h, w) int32, 0 where background.
        margin: leave out so many pixels at each edge: their windows reach outside.

    Returns:
        The sum and the number of pixels in it.
    """
    height, width = owner.shape
    c1, c2 = 0.01**2, 0.03**2
    total = 0.0
    count = 0
    for y in range(margin, height - margin):
        for x in range(margin, width - margin):
            if owner[y, x] > 0:
                continue
            a, b = np.float64(mean[y, x]), np.float64(mean2[y, x])
            variances = squares[y, x] - a * a - b * b
            covariance = product[y, x] - a * b
            above = (2 * a * b + c1) * (2 * covariance + c2)
            total += above / ((a * a + b * b + c1) * (variances + c2))
            count += 1
    return total, count
