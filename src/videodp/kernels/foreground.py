"""What of a frame is not the scene."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["SCENE", "SHADOW", "STRONG", "WEAK", "classify"]

SCENE, SHADOW, WEAK, STRONG = 0, 1, 2, 3
"""How a pixel differs from the plate."""


@njit(nogil=True, cache=True, fastmath=True)
def classify(
    frame: np.ndarray,
    plate: np.ndarray,
    noise: np.ndarray,
    light: np.ndarray,
    grid: np.ndarray,
    place: np.ndarray,
    least: float,
    sigmas: float,
    classes: np.ndarray,
) -> None:
    """Tells scene, shadow and foreground apart, pixel by pixel.

    A pixel differs *weakly* where its colour is further from the plate's than `least` grey levels
    and `sigmas` times the noise of the place, strongly from twice as far. It is a shadow where it
    is a darker plate: all channels smaller by nearly the same factor, and no more than to six
    tenths, below which dark clothes are as likely.

    Args:
        frame: (h, w, 3) uint8; rows may be padded.
        plate: (h, w, 3) uint8.
        noise: (h, w) uint8, in 1/8 grey levels; 255 where the plate is not known.
        light: (3, 2) float32: gain and offset of each channel.
        grid: (rows, columns, 3) float32: grey levels to add, at cell centres of the whole picture.
        place: (4,) float32: where (0, 0) of `frame` is in grid cells, (x, y), and cells per pixel.
        least: grey levels, over the three channels together.
        sigmas: how many standard deviations.
        classes: (h, w) uint8, written; WEAK where the plate is not known.
    """
    height, width = classes.shape
    rows, columns, _ = grid.shape
    g0, g1, g2 = light[0, 0], light[1, 0], light[2, 0]
    line = np.empty((columns + 1, 3), np.float32)
    for y in range(height):
        at = min(max(place[1] + y * place[3] - np.float32(0.5), 0.0), rows - 1.0)
        r = min(int(at), max(rows - 2, 0))
        below = min(r + 1, rows - 1)
        t = np.float32(at - r)
        for c in range(columns):
            for k in range(3):
                line[c, k] = grid[r, c, k] * (1 - t) + grid[below, c, k] * t + light[k, 1]
        for k in range(3):
            line[columns, k] = line[columns - 1, k]
        for x in range(width):
            if noise[y, x] == 255:
                classes[y, x] = WEAK
                continue
            over = min(max(place[0] + x * place[2] - np.float32(0.5), 0.0), columns - 1.0)
            c = int(over)
            u = np.float32(over - c)
            p0 = plate[y, x, 0] * g0 + line[c, 0] * (1 - u) + line[c + 1, 0] * u
            p1 = plate[y, x, 1] * g1 + line[c, 1] * (1 - u) + line[c + 1, 1] * u
            p2 = plate[y, x, 2] * g2 + line[c, 2] * (1 - u) + line[c + 1, 2] * u
            f0 = np.float32(frame[y, x, 0])
            f1 = np.float32(frame[y, x, 1])
            f2 = np.float32(frame[y, x, 2])
            d0, d1, d2 = f0 - min(p0, 255.0), f1 - min(p1, 255.0), f2 - min(p2, 255.0)
            far = d0 * d0 + d1 * d1 + d2 * d2
            limit = max(least, sigmas * noise[y, x] * np.float32(0.125 * 1.7320508))
            limit *= limit
            if far <= limit:
                classes[y, x] = SCENE
                continue
            dot = f0 * p0 + f1 * p1 + f2 * p2
            square = p0 * p0 + p1 * p1 + p2 * p2 + 1
            ratio = dot / square
            if 0.6 <= ratio < 1.0:
                e0, e1, e2 = f0 - ratio * p0, f1 - ratio * p1, f2 - ratio * p2
                if e0 * e0 + e1 * e1 + e2 * e2 <= 0.36 * limit:
                    classes[y, x] = SHADOW
                    continue
            classes[y, x] = STRONG if far > 4 * limit else WEAK
