"""The first pass: a tracker of the field, which goes through the frames once, forwards."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from videodp.elements.track.model import Sightings
from videodp.errors import MissingExtraError

__all__ = ["follow"]

_LOST = 1.0  # seconds for which a track that is not seen is looked for
_MEETS = 0.2  # overlap of a box with the place where its track is expected


def follow(table: Sightings, rows: np.ndarray, rate: float, step: int) -> np.ndarray:
    """Runs OC-SORT over some of the detections.

    Each run has a tracker of its own, which counts its ids from the beginning: the same
    detections always give the same ids.

    Args:
        table: All detections.
        rows: (m,) which of them, ascending.
        rate: Frames of the video in a second.
        step: Every how many frames somebody looked.

    Returns:
        (n,) int32: the track of each detection, from 1; 0 for none.
    """
    ids = np.zeros(len(table), np.int32)
    if not len(rows):
        return ids
    detections, tracker = _library(rate / step)
    frame = table.frame[rows]
    corners = table.box[rows].copy()
    corners[:, 2:] += corners[:, :2]
    # Frames without any detection count too: tracks age in them.
    looked = np.arange(frame[0], frame[-1] + 1, step)
    edges = np.searchsorted(frame, np.append(looked, frame[-1] + 1))
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        here = rows[start:stop]
        followed = tracker.update(
            detections(
                xyxy=corners[start:stop],
                confidence=np.ones(len(here), np.float32),
                data={"row": here},
            )
        )
        if len(followed):
            ids[followed.data["row"]] = np.maximum(followed.tracker_id + 1, 0)
    return ids


def _library(rate: float) -> tuple[Any, Any]:
    """Where boxes are put, and a new tracker."""
    try:
        detections = import_module("supervision").Detections
        trackers = import_module("trackers")
    except ImportError as error:
        raise MissingExtraError(
            'tracking needs the package trackers: pip install "videodp[detect]"'
        ) from error
    return detections, trackers.OCSORTTracker(
        lost_track_buffer=round(30 * _LOST),  # the library counts in frames at 30 a second
        frame_rate=rate,
        minimum_consecutive_frames=1,
        minimum_iou_threshold=_MEETS,
    )
