"""Laying soft sprites and their shadows onto a picture."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["SOLID", "blend", "shade"]

SOLID = 128
"""Alpha from which on a pixel belongs to the sprite."""


@njit(nogil=True, cache=True)
def blend(
    frame: np.ndarray,
    owner: np.ndarray,
    sprite: np.ndarray,
    left: int,
    top: int,
    who: int,
) -> tuple[int, int, int, int, int]:
    """Lays a sprite onto a frame, as far as it is inside, and notes who owns its solid pixels.

    Args:
        frame: (height, width, 3) uint8, changed in place.
        owner: (height, width) int32, changed in place.
        sprite: (h, w, 4) uint8, alpha is the share of a pixel that is covered and weighs its
            colours.
        left: column of the sprite's left edge; may be outside.
        top: row of its upper edge.
        who: written into `owner`.

    Returns:
        x0, y0, x1, y1 around the solid pixels, and their number; 0 if there is none.
    """
    height, width = owner.shape
    x0, y0, x1, y1, solid = width, height, 0, 0, 0
    for y in range(max(0, top), min(height, top + sprite.shape[0])):
        for x in range(max(0, left), min(width, left + sprite.shape[1])):
            alpha = np.int32(sprite[y - top, x - left, 3])
            if alpha == 0:
                continue
            for channel in range(3):
                ink = min(alpha, np.int32(sprite[y - top, x - left, channel]))
                under = np.int32(frame[y, x, channel])
                frame[y, x, channel] = ink + ((255 - alpha) * under + 127) // 255
            if alpha >= SOLID:
                owner[y, x] = who
                solid += 1
                x0, x1 = min(x0, x), max(x1, x + 1)
                y0, y1 = min(y0, y), max(y1, y + 1)
    return x0, y0, x1, y1, solid


@njit(nogil=True, cache=True)
def shade(frame: np.ndarray, x: float, y: float, wide: float, deep: float, strength: float) -> None:
    """Darkens an ellipse on the ground, most in its middle, nothing at its rim.

    Args:
        frame: (height, width, 3) uint8, changed in place.
        x: column of its middle.
        y: row of its middle.
        wide: half-axis along the row, above 0.
        deep: half-axis along the column, above 0.
        strength: share of the light that is missing in the middle.
    """
    height, width, _ = frame.shape
    for v in range(max(0, int(y - deep)), min(height, int(y + deep) + 1)):
        for u in range(max(0, int(x - wide)), min(width, int(x + wide) + 1)):
            across, down = (u + 0.5 - x) / wide, (v + 0.5 - y) / deep
            far = across * across + down * down
            if far < 1.0:
                left = 1.0 - strength * (1.0 - far)
                for channel in range(3):
                    frame[v, u, channel] = np.uint8(frame[v, u, channel] * left + 0.5)
