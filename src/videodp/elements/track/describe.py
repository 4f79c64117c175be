"""How an element looks, in 48 bytes: the colours of its upper and its lower half."""

from __future__ import annotations

import cv2
import numpy as np

__all__ = ["describe"]

# Heights in the box: shirt, thighs; roof, doors. Further down the ground is seen between the legs,
# and who walks from grass to stone would seem to change trousers.
_PARTS = ((0.12, 0.5), (0.5, 0.75))
_BREADTH = (0.32, 0.68)  # the middle of the box, where little background is
_ROWS, _COLUMNS = 10, 8  # pixels looked at in each part
_BINS = 8
_CHROMA = 96  # of the 256 levels of a and b, those that clothes have


def describe(rgb: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """Describes boxes so that those of one element are alike in different frames.

    Args:
        rgb: (height, width, 3) uint8; rows may be padded.
        boxes: (n, 4): x, y, width, height in pixels; may reach beyond the picture.

    Returns:
        (n, 48) uint8: the roots of six histograms, of L, a and b in each half, times 255. The
        scalar product of two such rows measures how alike they are (Bhattacharyya).
    """
    count = len(boxes)
    if not count:
        return np.zeros((0, len(_PARTS) * 3 * _BINS), np.uint8)
    height, width = rgb.shape[:2]
    x, y, w, h = np.asarray(boxes, np.float64).T[:, :, None]
    down = np.concatenate([np.linspace(*part, _ROWS) for part in _PARTS])
    lines = np.clip(y + h * down, 0, height - 1).astype(np.intp)
    columns = np.clip(x + w * np.linspace(*_BREADTH, _COLUMNS), 0, width - 1).astype(np.intp)
    pixels = rgb[lines[:, :, None], columns[:, None, :]].reshape(-1, _COLUMNS, 3)
    lab = cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB).reshape(count, len(_PARTS), -1, 3)
    level = lab.astype(np.float32) / 255
    level[..., 1:] = (level[..., 1:] - 128 / 255) * (255 / _CHROMA) + 0.5
    # Each pixel is shared by the two bins it is between: no jumps when the light changes.
    place = np.clip(level * _BINS - 0.5, 0, _BINS - 1.001)
    lower = place.astype(np.intp)
    share = place - lower
    bins = np.arange(count * len(_PARTS))[:, None, None] * 3 + np.arange(3)
    bins = bins.reshape(count, len(_PARTS), 1, 3) * _BINS + lower
    size = count * len(_PARTS) * 3 * _BINS
    histogram = np.bincount(bins.ravel(), (1 - share).ravel(), size)
    histogram += np.bincount(bins.ravel() + 1, share.ravel(), size)
    roots = np.sqrt(histogram.reshape(count, -1) / (_ROWS * _COLUMNS))
    return np.asarray(np.rint(roots * 255).astype(np.uint8))
