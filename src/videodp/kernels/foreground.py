"""What of a frame is not the scene."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["SCENE", "SHADOW", "STRONG", "WEAK", "classify"]

SCENE, SHADOW, WEAK, STRONG = 0, 1, 2, 3
"""How a pixel differs from the plate."""

_LINES = 4


@njit(nogil=True, cache=True, fastmath=True, error_model="numpy")
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
    zero, one, half, top = np.float32(0), np.float32(1), np.float32(0.5), np.float32(255)
    lowest, chroma = np.float32(0.6), np.float32(0.36)
    g0, g1, g2 = light[0, 0], light[1, 0], light[2, 0]
    limits = np.empty(256, np.float32)
    for k in range(256):
        limits[k] = max(least, sigmas * k * 0.125 * 1.7320508) ** 2
    # Light changes slowly from place to place: one line of it serves a few lines of pixels.
    line = np.empty((columns + 1, 3), np.float32)
    offset = np.empty((3, width), np.float32)
    within = np.empty(width, np.float32)
    last = np.float32(columns - 1)
    for y in range(height):
        if y % _LINES == 0:
            at = min(max(place[1] + np.float32(y) * place[3] - half, zero), np.float32(rows - 1))
            r = min(int(at), max(rows - 2, 0))
            below = min(r + 1, rows - 1)
            t = at - np.float32(r)
            for c in range(columns):
                for k in range(3):
                    line[c, k] = grid[r, c, k] * (one - t) + grid[below, c, k] * t + light[k, 1]
            line[columns] = line[columns - 1]
            for x in range(width):
                over = min(max(place[0] + np.float32(x) * place[2] - half, zero), last)
                c = int(over)
                u = over - np.float32(c)
                for k in range(3):
                    offset[k, x] = line[c, k] * (one - u) + line[c + 1, k] * u
        seen, under = frame[y].reshape(3 * width), plate[y].reshape(3 * width)
        rough, out = noise[y], classes[y]
        red, green, blue = offset[0], offset[1], offset[2]
        for x in range(width):
            within[x] = limits[rough[x]]
        # Without branches and signed places, so that it is done for many pixels at a time.
        for x in range(width):
            n = np.uint64(x)
            i0 = np.uint64(3) * n
            i1, i2 = i0 + np.uint64(1), i0 + np.uint64(2)
            f0, f1, f2 = np.float32(seen[i0]), np.float32(seen[i1]), np.float32(seen[i2])
            p0 = np.float32(under[i0]) * g0 + red[n]
            p1 = np.float32(under[i1]) * g1 + green[n]
            p2 = np.float32(under[i2]) * g2 + blue[n]
            d0, d1, d2 = f0 - min(p0, top), f1 - min(p1, top), f2 - min(p2, top)
            far = d0 * d0 + d1 * d1 + d2 * d2
            limit = within[n]
            ratio = (f0 * p0 + f1 * p1 + f2 * p2) / (p0 * p0 + p1 * p1 + p2 * p2 + one)
            e0, e1, e2 = f0 - ratio * p0, f1 - ratio * p1, f2 - ratio * p2
            off = e0 * e0 + e1 * e1 + e2 * e2
            dark = (ratio >= lowest) & (ratio < one) & (off <= chroma * limit)
            found = np.uint8(STRONG) if far > np.float32(4) * limit else np.uint8(WEAK)
            found = np.uint8(SHADOW) if dark else found
            out[n] = np.uint8(SCENE) if far <= limit else found
        for x in range(width):
            if rough[x] == 255:
                out[x] = WEAK
