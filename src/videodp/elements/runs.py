"""Masks as runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from videodp.elements.model import Runs

__all__ = ["mask_runs", "pack_runs"]


def mask_runs(mask: np.ndarray, x: int, y: int, width: int) -> np.ndarray:
    """The runs of a mask that stands at (x, y) in a picture of the given width.

    Args:
        mask: (h, w) bool, inside the picture.
        x: column of its left edge.
        y: line of its upper edge.
        width: of the picture.

    Returns:
        (r, 2) int32: start and length, in raster order over the whole picture.
    """
    padded = np.zeros((mask.shape[0], mask.shape[1] + 1), bool)
    padded[:, :-1] = mask
    flat = padded.reshape(-1)
    # Every line ends with nothing, so where the picture changes runs begin and end in turn.
    changes = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    if flat.size and flat[0]:
        changes = np.concatenate([[0], changes])
    starts, ends = changes[::2], changes[1::2]
    lines, columns = np.divmod(starts, padded.shape[1])
    at = (lines + y) * width + columns + x
    return np.column_stack([at, ends - starts]).astype(np.int32)


def pack_runs(masks: Sequence[np.ndarray]) -> Runs:
    """The runs of several masks, (r, 2) int32 each, as one."""
    ends = np.cumsum([len(runs) for runs in masks])
    return Runs(
        np.concatenate([[0], ends]).astype(np.int64),
        np.concatenate([np.zeros((0, 2), np.int32), *masks]),
    )
