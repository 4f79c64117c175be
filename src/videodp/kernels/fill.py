"""Phase II: filling holes ring by ring, and from the plate."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["FORBIDDEN", "HOLE", "KNOWN", "fill_from_plate", "ring_fill"]

HOLE, KNOWN, FORBIDDEN = 0, 1, 2
"""States of a pixel: to be filled, filled, neither filled nor read."""


@njit(nogil=True, cache=True)
def ring_fill(picture: np.ndarray, state: np.ndarray) -> int:
    """Gives every hole the mean of its known 4-neighbours, ring by ring.

    All pixels of a ring are computed from the rings before it (the paper's Algorithm 3 goes in
    raster order, which draws streaks and depends on the direction).

    Args:
        picture: (h, w, 3) uint8, changed in place.
        state: (h, w) uint8 of HOLE, KNOWN, FORBIDDEN; filled holes become KNOWN.

    Returns:
        Number of holes that no known pixel reaches.
    """
    height, width = state.shape
    holes = 0
    for y in range(height):
        for x in range(width):
            holes += state[y, x] == 0
    if holes == 0:
        return 0
    ring = np.empty(holes, np.int64)
    size = 0
    for y in range(height):
        for x in range(width):
            if state[y, x] == 0 and (
                (y > 0 and state[y - 1, x] == 1)
                or (y + 1 < height and state[y + 1, x] == 1)
                or (x > 0 and state[y, x - 1] == 1)
                or (x + 1 < width and state[y, x + 1] == 1)
            ):
                state[y, x] = 3  # in the ring that is being filled
                ring[size] = y * width + x
                size += 1
    start = 0
    while start < size:
        end = size
        for i in range(start, end):
            y, x = ring[i] // width, ring[i] % width
            near = 0
            red = green = blue = np.int64(0)
            for side in range(4):
                b = y + (side == 1) - (side == 0)
                a = x + (side == 3) - (side == 2)
                if b < 0 or a < 0 or b >= height or a >= width or state[b, a] != 1:
                    continue
                near += 1
                red += np.int64(picture[b, a, 0])
                green += np.int64(picture[b, a, 1])
                blue += np.int64(picture[b, a, 2])
            picture[y, x, 0] = (2 * red + near) // (2 * near)
            picture[y, x, 1] = (2 * green + near) // (2 * near)
            picture[y, x, 2] = (2 * blue + near) // (2 * near)
        for i in range(start, end):
            state[ring[i] // width, ring[i] % width] = 1
        for i in range(start, end):
            y, x = ring[i] // width, ring[i] % width
            for side in range(4):
                b = y + (side == 1) - (side == 0)
                a = x + (side == 3) - (side == 2)
                if b >= 0 and a >= 0 and b < height and a < width and state[b, a] == 0:
                    state[b, a] = 3
                    ring[size] = b * width + a
                    size += 1
        start = end
    return holes - size


@njit(nogil=True, cache=True)
def fill_from_plate(
    picture: np.ndarray,
    plate: np.ndarray,
    owner: np.ndarray,
    bounds: np.ndarray,
    values: np.ndarray,
    margin: int,
) -> None:
    """Fills the pixels of elements from the plate, in the light of the background around them.

    Args:
        picture: (h, w, 3) uint8, changed in place where `owner` is one of `values`.
        plate: (h, w, 3) uint8.
        owner: (h, w) int32, 0 is background.
        bounds: (n, 4) int64 x0, y0, x1, y1 around each element.
        values: (n,) int32 owners.
        margin: width of the surroundings, in pixels; every other line and column is looked at.
    """
    height, width = owner.shape
    lines, under = picture.reshape(height, 3 * width), plate.reshape(height, 3 * width)
    one, two = np.uint64(1), np.uint64(2)
    for i in range(len(values)):
        x0, y0, x1, y1 = bounds[i, 0], bounds[i, 1], bounds[i, 2], bounds[i, 3]
        near = 0
        red = green = blue = np.int64(0)
        for y in range(max(y0 - margin, 0), min(y1 + margin, height), 2):
            line, below, owners = lines[y], under[y], owner[y]
            for x in range(max(x0 - margin, 0), min(x1 + margin, width), 2):
                if owners[np.uint64(x)] == 0:
                    at = np.uint64(3 * x)
                    near += 1
                    red += np.int64(line[at]) - np.int64(below[at])
                    green += np.int64(line[at + one]) - np.int64(below[at + one])
                    blue += np.int64(line[at + two]) - np.int64(below[at + two])
        if near > 0:
            red = (2 * red + near) // (2 * near)
            green = (2 * green + near) // (2 * near)
            blue = (2 * blue + near) // (2 * near)
        for y in range(y0, y1):
            line, below, owners = lines[y], under[y], owner[y]
            for x in range(x0, x1):
                if owners[np.uint64(x)] == values[i]:
                    at = np.uint64(3 * x)
                    line[at] = min(max(np.int64(below[at]) + red, 0), 255)
                    line[at + one] = min(max(np.int64(below[at + one]) + green, 0), 255)
                    line[at + two] = min(max(np.int64(below[at + two]) + blue, 0), 255)
