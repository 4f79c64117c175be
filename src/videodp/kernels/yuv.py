"""RGB to luma and chroma, exactly as ITU-R BT.601 and BT.709 say, limited range."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["chroma", "luma", "weights"]

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
def luma(rgb: np.ndarray, weight: np.ndarray, out: np.ndarray) -> None:
    """Luma of every pixel.

    Args:
        rgb: (h, 3 * w) uint8, the channels of a pixel side by side: loops over such rows become
            vector instructions.
        weight: (3,) int32.
        out: (h, w) uint8, written.
    """
    red, green, blue = weight[0], weight[1], weight[2]
    half = np.int32(16 * 65536 + 32768)
    for y in range(out.shape[0]):
        row, line = rgb[y], out[y]
        for x in range(out.shape[1]):
            at = np.uint64(3 * x)
            line[x] = np.uint8(
                (
                    red * np.int32(row[at])
                    + green * np.int32(row[at + np.uint64(1)])
                    + blue * np.int32(row[at + np.uint64(2)])
                    + half
                )
                >> np.int32(16)
            )


@njit(nogil=True, cache=True)
def chroma(rgb: np.ndarray, weight: np.ndarray, blueness: np.ndarray, redness: np.ndarray) -> None:
    """Both chromas of every pixel of a picture that was halved before.

    Args:
        rgb: (h, 3 * w) uint8.
        weight: (6,) int32.
        blueness: (h, w) uint8, written (Cb).
        redness: (h, w) uint8, written (Cr).
    """
    half = np.int32(128 * 65536 + 32768)
    for y in range(blueness.shape[0]):
        row, b_line, r_line = rgb[y], blueness[y], redness[y]
        for x in range(blueness.shape[1]):
            at = np.uint64(3 * x)
            red = np.int32(row[at])
            green = np.int32(row[at + np.uint64(1)])
            blue = np.int32(row[at + np.uint64(2)])
            b_line[x] = np.uint8(
                (weight[0] * red + weight[1] * green + weight[2] * blue + half) >> np.int32(16)
            )
            r_line[x] = np.uint8(
                (weight[3] * red + weight[4] * green + weight[5] * blue + half) >> np.int32(16)
            )
