"""Puts together what a detector found in a frame and what moved in it."""

from __future__ import annotations

import numpy as np

from videodp.elements.detect import Detections
from videodp.elements.track.boxes import overlap, share_inside

__all__ = ["unite"]

_SAME = 0.3  # overlap of a moving box with a detected one that makes them the same
_INSIDE = 0.5  # share of a detected box inside a moving one that makes it part of that
_REST = 0.4  # share of a moving box that must be left beside the detected ones to be somebody


def unite(detected: Detections, moving: Detections) -> Detections:
    """All detected boxes, and those moving ones that are somebody else.

    A moving box on the place of a detected one says nothing new. One that is larger, since it
    holds several people of whom some were detected, is cut down to what lies beside these.

    Args:
        detected: What the detector found in the frame.
        moving: What moved in it, usually labelled "element".
    """
    if not len(detected) or not len(moving):
        return moving if not len(detected) else detected
    same = overlap(moving.boxes, detected.boxes).max(axis=1) >= _SAME
    same |= share_inside(moving.boxes, detected.boxes).max(axis=1) >= 1 - _REST
    kept, boxes = [], []
    for i in np.flatnonzero(~same):
        box = moving.boxes[i]
        within = share_inside(detected.boxes, box[None])[:, 0] >= _INSIDE
        rest = _beside(box, detected.boxes[within]) if within.any() else box
        if rest[2] * rest[3] >= _REST * box[2] * box[3]:
            kept.append(i)
            boxes.append(rest)
    more = moving.take(np.array(kept, np.intp))
    return Detections(
        np.concatenate([detected.boxes, np.array(boxes).reshape(-1, 4)]),
        np.concatenate([detected.scores, more.scores]),
        detected.labels + more.labels,
    )


def _beside(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(4,): the largest part of a box on one side of all the others."""
    x, y, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
    low = others[:, :2].min(axis=0)
    high = (others[:, :2] + others[:, 2:]).max(axis=0)
    sides = np.array(
        [
            [x, y, low[0] - x, box[3]],
            [high[0], y, right - high[0], box[3]],
            [x, y, box[2], low[1] - y],
            [x, high[1], box[2], bottom - high[1]],
        ]
    )
    return np.asarray(sides[(np.clip(sides[:, 2:], 0, None)).prod(axis=1).argmax()])
