"""All detections of a video as one compact table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from videodp.elements.track.model import SEEN, UNKNOWN, Found, Sightings
from videodp.errors import ElementsError

__all__ = ["collect"]

_MOST_LABELS = 256


def collect(frames: Iterable[Found]) -> Sightings:
    """Everything found, by frame, within a frame in the order it came; nobody has an id yet.

    Raises:
        ElementsError: The frames are not in order, or have more labels than can be told apart.
    """
    names: dict[str, int] = {UNKNOWN: 0}
    frame, box, score, label, look = [], [], [], [], []
    last = -1
    for found in frames:
        if found.frame <= last:
            raise ElementsError(
                f"frame {found.frame} was looked at after frame {last}: detect in order of frames"
            )
        last, detections = found.frame, found.detections
        if not len(detections):
            continue
        codes = [names.setdefault(name, len(names)) for name in detections.labels]
        if len(names) > _MOST_LABELS:
            raise ElementsError(f"more than {_MOST_LABELS} labels: ask for fewer")
        frame.append(np.full(len(detections), found.frame, np.int32))
        box.append(detections.boxes.astype(np.float32))
        score.append(detections.scores.astype(np.float32))
        label.append(np.array(codes, np.uint8))
        look.append(found.looks)
    count = sum(map(len, frame))
    return Sightings(
        np.concatenate([np.zeros(0, np.int32), *frame]),
        np.zeros(count, np.int32),
        np.concatenate([np.zeros((0, 4), np.float32), *box]),
        np.concatenate([np.zeros(0, np.float32), *score]),
        np.concatenate([np.zeros(0, np.uint8), *label]),
        np.concatenate(look) if look else np.zeros((0, 0), np.uint8),
        np.full(count, SEEN, np.uint8),
        tuple(names),
    )
