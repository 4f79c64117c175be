"""What a detector sees but takes for something that nobody looks for.

Seen from above a car may be a mobile phone to it. Before a still camera what moves is found
whatever it is; before one that moves a little, what the detector sees and what goes another way
than the camera is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from videodp.elements.detect import DEFAULT_LABELS, Detections
from videodp.elements.track import UNKNOWN, Sightings, unite

__all__ = ["as_strangers", "without_bystanders"]

_SURE = 0.3
"""Scores below are not believed of things that nobody looks for."""
_LARGEST = 0.5
"""Share of the picture; what is larger is the place itself."""
_OWN_WAY = 0.5
"""Sizes of the box by which it must have moved, beyond what the camera did."""
_CAMERA = 3.0
"""How many times the camera's displacement a thing at rest may seem to move."""


def as_strangers(found: Detections, size: tuple[int, int]) -> Detections:
    """People and vehicles as they are; everything else, where none of them is, as elements."""
    known = np.array([label in DEFAULT_LABELS for label in found.labels], bool)
    sure = found.scores >= _SURE
    small = found.boxes[:, 2] * found.boxes[:, 3] <= _LARGEST * size[0] * size[1]
    others = found.take(~known & sure & small)
    others = replace(others, labels=(UNKNOWN,) * len(others))
    both, faint = unite(found.take(known & sure), others), found.take(known & ~sure)
    return Detections(
        np.concatenate([both.boxes, faint.boxes]),
        np.concatenate([both.scores, faint.scores]),
        both.labels + faint.labels,
    )


def without_bystanders(sightings: Sightings, camera: float) -> Sightings:
    """The table without elements of unknown kind that do not move by themselves.

    Args:
        sightings: all tracks.
        camera: how far the camera moved, in pixels.
    """
    if UNKNOWN not in sightings.labels:
        return sightings
    strange = sightings.label == sightings.labels.index(UNKNOWN)
    dropped = []
    for identity in np.unique(sightings.id[strange]).tolist():
        boxes = sightings.box[sightings.id == identity].astype(np.float64)
        way = np.ptp(boxes[:, :2] + boxes[:, 2:] / 2, axis=0).max()
        if way < _OWN_WAY * boxes[:, 2:].mean() + _CAMERA * camera:
            dropped.append(identity)
    return sightings.take(np.flatnonzero(~np.isin(sightings.id, dropped)))
