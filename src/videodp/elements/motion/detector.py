"""Finds whatever moves before a still camera."""

from __future__ import annotations

import cv2
import numpy as np

from videodp.elements.detect import Detections, no_detections
from videodp.elements.motion.blobs import connected_parts, join_fragments, split_group
from videodp.elements.motion.foreground import small_foreground
from videodp.elements.motion.model import SceneModel

__all__ = ["LABEL", "MotionDetector"]

LABEL = "element"
"""What moves may be anything."""

_LEAST_SIDE = 0.012
"""Shortest height and width that count together, as a share of the picture's longer side."""
_RIM = 1
"""Small pixels by which a box is larger than what differs: the rim is mixed with the scene."""


class MotionDetector:
    """Everything that is not the scene, in boxes; knows nothing about what it is.

    Holds no state between frames: one detector may be used by several threads.
    """

    def __init__(self, model: SceneModel) -> None:
        self._model = model

    def foreground(self, rgb: np.ndarray) -> np.ndarray:
        """Where a frame is not the scene, (h, w) uint8 in the small size, 1 or 0."""
        return small_foreground(rgb, self._model)

    def detect(self, rgb: np.ndarray) -> Detections:
        """Everything found in a frame, (height, width, 3) uint8 RGB; rows may be padded."""
        return self.boxes_of(self.foreground(rgb))

    def boxes_of(self, foreground: np.ndarray) -> Detections:
        """The boxes of a foreground, (h, w) uint8: parts of a body joined, groups cut in two."""
        height, width = foreground.shape
        least = max(3.0, _LEAST_SIDE * max(height, width))
        closed = cv2.morphologyEx(foreground, cv2.MORPH_CLOSE, np.ones((7, 3), np.uint8))
        labels, bounds, sizes, _ = connected_parts(np.asarray(closed), foreground)
        if len(sizes) == 1:
            return no_detections()
        patches = np.hstack([bounds[1:, :2], bounds[1:, 2:] - bounds[1:, :2]])
        groups = join_fragments(patches)
        boxes, areas = [], []
        for group in np.unique(groups):
            parts = np.flatnonzero(groups == group) + 1
            x0, y0 = bounds[parts, :2].min(axis=0)
            x1, y1 = bounds[parts, 2:].max(axis=0)
            ours = np.zeros(len(sizes), bool)
            ours[parts] = True
            body = ours[labels[y0:y1, x0:x1]]
            if body.sum() < 0.5 * least * least or max(body.shape) < least:
                continue
            for left, right in split_group(body):
                lines = np.flatnonzero(body[:, left:right].any(axis=1))
                top, bottom = lines[0], lines[-1] + 1
                boxes.append((x0 + left, y0 + top, right - left, bottom - top))
                areas.append(int(body[:, left:right].sum()))
        if not boxes:
            return no_detections()
        full_height, full_width = self._model.plate.shape[:2]
        scale = np.array([full_width / width, full_height / height] * 2)
        grown = np.array(boxes, np.float64) + np.array([-_RIM, -_RIM, 2 * _RIM, 2 * _RIM])
        # The larger, the surer: a speck is noise more often than a body is.
        scores = np.clip(0.4 + 0.1 * np.array(areas) / (least * least), 0.0, 0.95)
        return Detections(grown * scale, scores.astype(np.float32), (LABEL,) * len(boxes))
