"""Looking closer: a detector on parts of the frame, which it then sees larger.

frame, cuts --look_closer--> Detections of the whole frame and of every cut, as one
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from videodp.elements.detect.boxes import merged
from videodp.elements.detect.model import Detections, Detector
from videodp.errors import UsageError

__all__ = ["Cut", "Tiled", "look_closer", "tile"]

Cut = tuple[int, int, int, int]
"""x, y, width and height of a part of the frame, in pixels, inside it."""

_SAME = 0.55
"""Overlap from which boxes of two looks show the same thing: they differ more than boxes of one
look, because the figure was shrunk differently."""
_EDGE = 0.02
"""A box that comes this close to an inner edge of a cut, in shares of the cut's shorter side, may
go on behind it."""


class Tiled:
    """A detector around a detector: the whole frame, and square tiles over a band of it.

    A box that ends at a tile's edge inside the frame may be half of somebody and is dropped:
    whoever is smaller than the overlap of two tiles is whole in one of them, and whoever is
    larger is large enough to be found in the whole frame.

    Measured with yolox-nano, boxes at a score of 0.5: of the people and cars of painted streets
    at 1920x1080 it finds 0.70 in whole frames, 0.85 with three tiles as high as the frame, and
    0.88 with eight of 640 pixels, for four and nine times the time. On PETS09-S2L1 (768x576) it is
    0.93 and, with six tiles of 384 pixels, 0.94: there whole frames do.
    """

    def __init__(
        self,
        detector: Detector,
        side: int,
        *,
        overlap: float = 0.5,
        band: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        """Wraps a detector.

        Args:
            detector: looks at the frame and at each tile.
            side: of a tile in pixels of the frame; smaller tiles show people larger.
            overlap: of neighbouring tiles, in shares of their side.
            band: where tiles are laid, from and to, in shares of the frame's height from the
                top: no tile need be spent on the sky.
        """
        if side < 1 or not 0 <= overlap < 1 or not 0 <= band[0] < band[1] <= 1:
            raise UsageError(
                f"tiles of side {side} with overlap {overlap} over {band[0]} to {band[1]} cannot "
                "be laid: try side 640, overlap 0.5 and 0 to 1"
            )
        self._detector = detector
        self._side = side
        self._overlap = overlap
        self._band = band

    def detect(self, rgb: np.ndarray) -> Detections:
        """Everybody in a frame, (height, width, 3) uint8 RGB."""
        height, width = rgb.shape[:2]
        cuts = tile(width, height, self._side, overlap=self._overlap, band=self._band)
        return look_closer(self._detector, rgb, cuts)


def look_closer(detector: Detector, rgb: np.ndarray, cuts: Sequence[Cut]) -> Detections:
    """Detects in the whole frame and in the cuts, and merges.

    Args:
        detector: looks at the frame and at each cut.
        rgb: (height, width, 3) uint8 RGB.
        cuts: where to look closer, for example around what moves.
    """
    found = [detector.detect(rgb)]
    found += [_look(detector, rgb, cut) for cut in cuts]
    return merged(found, _SAME)


def tile(
    width: int,
    height: int,
    side: int,
    *,
    overlap: float = 0.5,
    band: tuple[float, float] = (0.0, 1.0),
) -> list[Cut]:
    """Square tiles that cover a band of a frame, evenly spread, from left to right and down.

    None where one tile would be the whole frame.
    """
    top, bottom = math.floor(height * band[0]), math.ceil(height * band[1])
    w, h = min(side, width), min(side, height)
    if (w, h) == (width, height):
        return []
    top = max(0, min(top, height - h))
    down = _starts(max(bottom - top, h), h, overlap)
    across = _starts(width, w, overlap)
    return [(x, top + y, w, h) for y, x in itertools.product(down, across)]


def _starts(length: int, side: int, overlap: float) -> list[int]:
    """Where tiles begin: as few as overlap by at least that share, spread evenly."""
    room = length - side
    steps = math.ceil(room / max(1.0, side * (1 - overlap)))
    return [round(room * step / steps) for step in range(steps + 1)] if steps else [0]


def _look(detector: Detector, rgb: np.ndarray, cut: Cut) -> Detections:
    """What is whole in a cut, in coordinates of the frame."""
    x, y, w, h = cut
    found = detector.detect(rgb[y : y + h, x : x + w])
    boxes = found.boxes + np.array([x, y, 0, 0])
    edge = _EDGE * min(w, h)
    left, top = boxes[:, 0], boxes[:, 1]
    right, bottom = left + boxes[:, 2], top + boxes[:, 3]
    height, width = rgb.shape[:2]
    whole = (
        ((x == 0) | (left > x + edge))
        & ((y == 0) | (top > y + edge))
        & ((x + w == width) | (right < x + w - edge))
        & ((y + h == height) | (bottom < y + h - edge))
    )
    return Detections(boxes, found.scores, found.labels).take(whole)
