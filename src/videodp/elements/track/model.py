"""What goes into tracking, frame by frame, and the table that comes out."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from videodp.elements.detect import Detections

__all__ = ["EXTENDED", "FILLED", "SEEN", "UNKNOWN", "Found", "Sightings"]

SEEN = 0
"""Somebody was detected there."""
FILLED = 1
"""Nobody was detected there, but before and after."""
EXTENDED = 2
"""Nobody was detected there, only before or only after."""

UNKNOWN = "element"
"""The label of something that moves, whatever it is. Any other label knows better."""


@dataclass(frozen=True, eq=False)
class Found:
    """What was found in one frame.

    Attributes:
        frame: Which one, from 0.
        detections: Boxes, scores and labels; the weak ones too, which are used where a track
            makes them likely.
        looks: (n, d) uint8, how each box looks, as `describe` tells; d may be 0.
    """

    frame: int
    detections: Detections
    looks: np.ndarray


@dataclass(frozen=True, eq=False)
class Sightings:
    """Who is where: one row for each element in each frame, by frame and then by id.

    About 80 bytes a row. An id is listed at most once in a frame, and has one label.

    Attributes:
        frame: (n,) int32, from 0.
        id: (n,) int32, from 1 without gaps, by first appearance; 0 is nobody's. In the end, those
            below 0 are glimpses of several at once: to be protected, but nobody by themselves.
        box: (n, 4) float32: x, y, width, height in pixels; may reach beyond the picture.
        score: (n,) float32, 0..1: the detector's; what is filled or extended has its
            neighbour's.
        label: (n,) uint8, place in `labels`.
        look: (n, d) uint8, as `describe` tells; zeros where nothing was detected.
        how: (n,) uint8: `SEEN`, `FILLED` or `EXTENDED`.
        labels: The names that occur.
    """

    frame: np.ndarray
    id: np.ndarray
    box: np.ndarray
    score: np.ndarray
    label: np.ndarray
    look: np.ndarray
    how: np.ndarray
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.frame)

    def at(self, frame: int) -> slice:
        """The rows of one frame."""
        start, stop = np.searchsorted(self.frame, [frame, frame + 1])
        return slice(int(start), int(stop))

    def take(self, rows: np.ndarray | slice) -> Sightings:
        """These rows, in this order."""
        frame, ids, box, score, label, look, how = (getattr(self, n)[rows] for n in _COLUMNS)
        return Sightings(frame, ids, box, score, label, look, how, self.labels)

    def under(self, ids: np.ndarray) -> Sightings:
        """The same rows under other ids, those of nobody left out, in order again."""
        rows = np.flatnonzero(ids > 0)
        rows = rows[np.lexsort((ids[rows], self.frame[rows]))]
        return replace(self.take(rows), id=ids[rows].astype(np.int32))

    def plus(self, other: Sightings) -> Sightings:
        """The rows of both, in order."""
        columns = (np.concatenate([getattr(self, n), getattr(other, n)]) for n in _COLUMNS)
        frame, ids, box, score, label, look, how = columns
        table = Sightings(frame, ids, box, score, label, look, how, self.labels)
        return table.take(np.lexsort((table.id, table.frame)))


_COLUMNS = tuple(field.name for field in fields(Sightings) if field.name != "labels")
