"""Finding drawn pixels, and painting an element from them."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["crop_mask", "find_ordinals", "select_background", "stamp", "stamp_flat"]


@njit(nogil=True, cache=True)
def find_ordinals(
    rgb: np.ndarray,
    owner: np.ndarray,
    bounds: np.ndarray,
    value: int,
    colours: np.ndarray,
    passed: np.ndarray,
    wanted_colour: np.ndarray,
    wanted_ordinal: np.ndarray,
    found: np.ndarray,
) -> int:
    """Finds the n-th pixel of a colour among the pixels of one owner, in raster order.

    Args:
        rgb: (h, w, 3) uint8.
        owner: (h, w) int32.
        bounds: (4,) int64 around the owner's pixels.
        value: the owner.
        colours: (c,) int64 colours that are looked for.
        passed: (c,) int64 pixels of each that were passed in frames before; moved on.
        wanted_colour: (n,) int64 place in `colours` of each wanted pixel.
        wanted_ordinal: (n,) int64 its number, from 0.
        found: (n, 2) int64, written where found: y, x.

    Returns:
        How many were found here.
    """
    hits = 0
    for y in range(bounds[1], bounds[3]):
        for x in range(bounds[0], bounds[2]):
            if owner[y, x] != value:
                continue
            colour = (np.int64(rgb[y, x, 0]) << 16) | (np.int64(rgb[y, x, 1]) << 8) | rgb[y, x, 2]
            for c in range(len(colours)):
                if colours[c] != colour:
                    continue
                for i in range(len(wanted_colour)):
                    if wanted_colour[i] == c and wanted_ordinal[i] == passed[c]:
                        found[i, 0] = y
                        found[i, 1] = x
                        hits += 1
                passed[c] += 1
    return hits


@njit(nogil=True, cache=True)
def select_background(
    rgb: np.ndarray,
    owner: np.ndarray,
    fate: np.ndarray,
    pixels_left: np.ndarray,
    draws_left: np.ndarray,
    words: np.ndarray,
    state: np.ndarray,
) -> int:
    """Algorithm 1 on the background: keeps case 2, draws from the palette, suppresses the rest.

    Selection sampling: each pixel of a colour is drawn with probability (draws left) / (pixels
    left), which gives every set of the right size the same probability. A word at or above the
    last multiple of the divisor is thrown away, so that no rounding enters.

    Args:
        rgb: (h, w, 3) uint8.
        owner: (h, w) int32: 0 is background; others are left alone.
        fate: (2**24,) int32: -1 keep, -2 suppress, else place in the palette.
        pixels_left: (p,) int64 background pixels of each colour still to come; moved on.
        draws_left: (p,) int64 draws still to be made; moved on.
        words: (n,) uint64 random words.
        state: (h, w) uint8, written for background pixels: 1 published, 0 hole.

    Returns:
        Number of words used, or -1 if there were too few.
    """
    used = 0
    for y in range(owner.shape[0]):
        for x in range(owner.shape[1]):
            if owner[y, x] != 0:
                continue
            colour = (np.int64(rgb[y, x, 0]) << 16) | (np.int64(rgb[y, x, 1]) << 8) | rgb[y, x, 2]
            place = fate[colour]
            if place < 0:
                state[y, x] = place == -1
                continue
            state[y, x] = 0
            left = np.uint64(pixels_left[place])
            if draws_left[place] > 0:
                bound = (np.uint64(2**64 - 1) // left) * left
                while used < len(words) and words[used] >= bound:
                    used += 1
                if used == len(words):
                    return -1
                if words[used] % left < np.uint64(draws_left[place]):
                    state[y, x] = 1
                    draws_left[place] -= 1
                used += 1
            pixels_left[place] -= 1
    return used


@njit(nogil=True, cache=True)
def crop_mask(runs: np.ndarray, bounds: np.ndarray, width: int, mask: np.ndarray) -> None:
    """Writes 1 into `mask`, (y1 - y0, x1 - x0) uint8, where the runs are; all of it without runs.

    Args:
        runs: (r, 2) int32 start and length in raster order.
        bounds: (4,) int64 x0, y0, x1, y1.
        width: of the picture.
        mask: zeros, changed in place.
    """
    if len(runs) == 0:
        mask[:] = 1
    for r in range(len(runs)):
        for at in range(runs[r, 0], runs[r, 0] + runs[r, 1]):
            y, x = at // width - bounds[1], at % width - bounds[0]
            if 0 <= y < mask.shape[0] and 0 <= x < mask.shape[1]:
                mask[y, x] = 1


@njit(nogil=True, cache=True)
def stamp(picture: np.ndarray, crop: np.ndarray, mask: np.ndarray, x0: int, y0: int) -> None:
    """Copies `crop`, (h, w, 3) uint8, into the picture where `mask` is 1."""
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            if mask[y, x] == 1:
                picture[y0 + y, x0 + x, 0] = crop[y, x, 0]
                picture[y0 + y, x0 + x, 1] = crop[y, x, 1]
                picture[y0 + y, x0 + x, 2] = crop[y, x, 2]


@njit(nogil=True, cache=True)
def stamp_flat(
    picture: np.ndarray, runs: np.ndarray, bounds: np.ndarray, colour: np.ndarray
) -> None:
    """Gives all pixels of a mask, or of the bounds where there are no runs, one colour.

    Args:
        picture: (h, w, 3) uint8, changed in place.
        runs: (r, 2) int32 start and length in raster order.
        bounds: (4,) int64 x0, y0, x1, y1.
        colour: (3,) uint8.
    """
    red, green, blue = colour[0], colour[1], colour[2]
    flat = picture.reshape(-1)
    width = picture.shape[1]
    if len(runs) == 0:
        for y in range(bounds[1], bounds[3]):
            _tint(flat, y * width + bounds[0], y * width + bounds[2], red, green, blue)
    for r in range(len(runs)):
        start = int(runs[r, 0])
        _tint(flat, start, start + int(runs[r, 1]), red, green, blue)


@njit(nogil=True, cache=True, inline="always")
def _tint(
    flat: np.ndarray, start: int, stop: int, red: np.uint8, green: np.uint8, blue: np.uint8
) -> None:
    """Gives pixels [start, stop) of (3 * pixels,) uint8 one colour."""
    for pixel in range(start, stop):
        at = np.uint64(3 * pixel)
        flat[at] = red
        flat[at + np.uint64(1)] = green
        flat[at + np.uint64(2)] = blue
