"""RGB to luma and chroma, exactly as ITU-R BT.601 and BT.709 say, limited range."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["to_yuv420", "weights"]

_ONE = 65536


def weights(red: float, blue: float) -> tuple[np.ndarray, np.ndarray]:
    """Fixed-point weights for the given luma weights of red and blue.

    Returns:
        (3,) int32 for luma, (6,) int32 for both chromas, in units of 1/65536.
    """
    y = np.array([red, 1 - red - blue, blue])
    cb = (np.array([0, 0, 1]) - y) / (2 * (1 - blue))
    cr = (np.array([1, 0, 0]) - y) / (2 * (1 - red))
    chromas = np.concatenate([cb, cr]) * 224 / 255 * _ONE
    return np.rint(y * 219 / 255 * _ONE).astype(np.int32), np.rint(chromas).astype(np.int32)


@njit(nogil=True, cache=True)
def _luma_line(rgb: np.ndarray, weight: np.ndarray, out: np.ndarray) -> None:
    """Luma of one line; loops over channels side by side become vector instructions."""
    red, green, blue = weight[0], weight[1], weight[2]
    half = np.int32(16 * 65536 + 32768)
    for x in range(len(out)):
        at = np.uint64(3 * x)
        out[x] = np.uint8(
            (
                red * np.int32(rgb[at])
                + green * np.int32(rgb[at + np.uint64(1)])
                + blue * np.int32(rgb[at + np.uint64(2)])
                + half
            )
            >> np.int32(16)
        )


@njit(nogil=True, cache=True)
def to_yuv420(
    rgb: np.ndarray,
    luma_weight: np.ndarray,
    chroma_weight: np.ndarray,
    luma: np.ndarray,
    blueness: np.ndarray,
    redness: np.ndarray,
) -> None:
    """Luma of every pixel, and both chromas of the mean of every two by two.

    Args:
        rgb: (h, 3 * w) uint8, h and w even, the channels of a pixel side by side.
        luma_weight: (3,) int32.
        chroma_weight: (6,) int32.
        luma: (h, w) uint8, written (Y).
        blueness: (h / 2, w / 2) uint8, written (Cb).
        redness: (h / 2, w / 2) uint8, written (Cr).
    """
    b_red, b_green, b_blue = chroma_weight[0], chroma_weight[1], chroma_weight[2]
    r_red, r_green, r_blue = chroma_weight[3], chroma_weight[4], chroma_weight[5]
    half = np.int32(128 * 65536 * 4 + 32768 * 4)
    pair = np.empty(rgb.shape[1], np.int32)
    for y in range(blueness.shape[0]):
        upper, lower = rgb[2 * y], rgb[2 * y + 1]
        _luma_line(upper, luma_weight, luma[2 * y])
        _luma_line(lower, luma_weight, luma[2 * y + 1])
        for i in range(len(pair)):
            pair[i] = np.int32(upper[i]) + np.int32(lower[i])
        b_line, r_line = blueness[y], redness[y]
        for x in range(len(b_line)):
            at = np.uint64(6 * x)
            red = pair[at] + pair[at + np.uint64(3)]
            green = pair[at + np.uint64(1)] + pair[at + np.uint64(4)]
            blue = pair[at + np.uint64(2)] + pair[at + np.uint64(5)]
            b_line[x] = np.uint8(
                (b_red * red + b_green * green + b_blue * blue + half) >> np.int32(18)
            )
            r_line[x] = np.uint8(
                (r_red * red + r_green * green + r_blue * blue + half) >> np.int32(18)
            )
