"""Tells things that a detector takes for people: posts, signs, bins.

Nobody keeps as still as a post: the box of somebody who stands or sits still moves by more than
a twentieth of its size in the course of ten seconds, that of a post by a hundredth.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from videodp.elements.track.boxes import centres, overlap, sizes
from videodp.elements.track.model import SEEN, Sightings

__all__ = ["Covered", "without_things"]

Covered = Callable[[int, np.ndarray], np.ndarray]
"""Frame and boxes (n, 4) -> (n,) 0..1: the share of each box in which something moves."""

_LIVING = "person"
_STILL = 0.05  # sizes of the box within which most of the middles stay
_MOST = 90, 75  # percent; the second if anyone can tell that nothing moves
_WEAK = 0.6  # mean score; the detector has doubts too
_LONG = 10.0  # seconds from the first to the last time that a thing is seen, at least
_SAME = 0.5  # overlap of two tracks on the same thing
_QUIET = 0.1  # share of the box that may seem to move
_ASKED = 20  # frames of a track in which that is looked up


def without_things(table: Sightings, rate: float, covered: Covered | None = None) -> Sightings:
    """The table without the people that are things.

    Left out is who never moves, is weakly detected, and for long; and, if anyone can tell, where
    nothing moves in front of the background. Then it may move a little more: the box of a post
    jumps when somebody walks by.
    """
    rows = np.flatnonzero(table.how == SEEN)
    rows = rows[np.lexsort((table.frame[rows], table.id[rows]))]
    names, starts = np.unique(table.id[rows], return_index=True)
    still, places, begins, ends = [], [], [], []
    for name, piece in zip(names, np.split(rows, starts[1:]) if len(rows) else [], strict=True):
        boxes = table.box[piece].astype(np.float64)
        middles = centres(boxes)
        away = np.linalg.norm(middles - np.median(middles, axis=0), axis=1)
        if (
            table.labels[int(table.label[piece[0]])] == _LIVING
            and np.percentile(away, _MOST[covered is not None]) < _STILL * np.median(sizes(boxes))
            and table.score[piece].mean() < _WEAK
            and (covered is None or _quiet(table, piece, covered))
        ):
            still.append(name)
            places.append(np.median(boxes, axis=0))
            begins.append(table.frame[piece[0]] / rate)
            ends.append((table.frame[piece[-1]] + 1) / rate)
    if not still:
        return table
    together = overlap(np.array(places), np.array(places)) >= _SAME
    began = np.where(together, np.array(begins)[None], np.inf).min(axis=1)
    ended = np.where(together, np.array(ends)[None], 0).max(axis=1)
    things = np.array(still)[ended - began >= _LONG]
    return table.take(~np.isin(table.id, things))


def _quiet(table: Sightings, piece: np.ndarray, covered: Covered) -> bool:
    some = piece[np.linspace(0, len(piece) - 1, min(_ASKED, len(piece))).astype(int)]
    shares = [covered(int(table.frame[row]), table.box[[row]])[0] for row in some]
    return float(np.mean(shares)) < _QUIET
