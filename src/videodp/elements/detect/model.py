"""What a detector is, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

__all__ = ["Detections", "Detector", "no_detections"]


@dataclass(frozen=True)
class Detections:
    """What was found in one frame."""

    boxes: np.ndarray
    """(n, 4) float64: x, y, width, height in pixels of the frame; may reach beyond it."""
    scores: np.ndarray
    """(n,) float32: 0..1."""
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.boxes)

    def take(self, rows: np.ndarray) -> Detections:
        """The rows at these places, or where a mask is true."""
        places = np.arange(len(self))[rows]
        return Detections(
            self.boxes[places], self.scores[places], tuple(self.labels[i] for i in places)
        )


def no_detections() -> Detections:
    """Nobody."""
    return Detections(np.zeros((0, 4)), np.zeros(0, np.float32), ())


class Detector(Protocol):
    """Looks at single frames: the same frame gives the same answer, in any order."""

    def detect(self, rgb: np.ndarray) -> Detections:
        """Everything found in a frame, (height, width, 3) uint8 RGB; rows may be padded."""
