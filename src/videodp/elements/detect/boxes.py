"""Boxes: which of them are sound, and which show the same thing twice."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from videodp.elements.detect.labels import label_kinds
from videodp.elements.detect.model import Detections, no_detections

__all__ = ["MOST_BOXES", "distinct", "merged", "sound"]

MOST_BOXES = 1000
"""At most as many boxes of one frame, the best, are compared with each other."""


def sound(boxes: np.ndarray, width: int, height: int) -> np.ndarray:
    """(n,) bool: which (n, 4) boxes x, y, w, h are finite, have an area, and touch the frame."""
    x, y, w, h = boxes.T
    ok = np.isfinite(boxes).all(axis=1) & (w > 0) & (h > 0)
    return np.asarray(ok & (x < width) & (y < height) & (x + w > 0) & (y + h > 0))


def distinct(
    boxes: np.ndarray, scores: np.ndarray, kinds: np.ndarray, overlap: float
) -> np.ndarray:
    """Places of the boxes that stay, best first (non-maximum suppression in each kind).

    Args:
        boxes: (n, 4) x, y, w, h.
        scores: (n,).
        kinds: (n,) whole numbers; boxes of different kinds never exclude each other.
        overlap: intersection over union above which the lower score goes.
    """
    if not len(boxes):
        return np.zeros(0, np.int64)
    best = np.argsort(-scores, kind="stable")[:MOST_BOXES]
    # OpenCV keeps kinds apart by moving them past the largest coordinate: from 0 on, that is far
    # enough, but not where some boxes begin to the left of the frame.
    moved = boxes[best]
    moved[:, :2] -= moved[:, :2].min(axis=0)
    kept = cv2.dnn.NMSBoxesBatched(
        moved.tolist(),
        scores[best].tolist(),
        kinds[best].tolist(),
        0.0,
        overlap,
    )
    places = np.sort(np.asarray(kept, np.int64).ravel())
    return np.asarray(best[places])


def merged(found: Sequence[Detections], overlap: float) -> Detections:
    """Several answers about one frame as one: what is seen twice stays once."""
    some = [answer for answer in found if len(answer)]
    if not some:
        return no_detections()
    boxes = np.concatenate([answer.boxes for answer in some])
    scores = np.concatenate([answer.scores for answer in some])
    labels = tuple(label for answer in some for label in answer.labels)
    kept = distinct(boxes, scores, label_kinds(labels), overlap)
    return Detections(boxes, scores, labels).take(kept)
