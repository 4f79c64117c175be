"""Tells glimpses of somebody from boxes that a detector puts around several people at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from videodp.elements.track.model import SEEN, UNKNOWN, Sightings

__all__ = ["set_glimpses_apart"]

_GRID = 8
"""Points across a box at which it is looked up who covers it."""
_TOLD = 0.6
"""Share of a box that lasting tracks cover together, if it is of them."""


def set_glimpses_apart(table: Sightings, least: int) -> Sightings:
    """The table with ids below 0 for tracks that are nobody else.

    Where people meet, a detector's box may hold parts of two of them for a moment, and is like
    neither: that makes a track of a few sightings. It counts as a glimpse where lasting tracks
    cover most of what was seen of it. It stays in the table, because it may be somebody after all
    and is to be protected; but nobody takes it for one person more.

    Args:
        table: All tracks, without gaps.
        least: Sightings of a track that lasts.
    """
    names, track = np.unique(table.id, return_inverse=True)
    moving = np.array([name == UNKNOWN for name in table.labels], bool)[table.label]
    seen = np.bincount(track[(table.how == SEEN) & ~moving], minlength=len(names))
    short = (seen < least)[track] & ~moving
    told = np.zeros(len(names))
    rows = np.flatnonzero(short & (table.how == SEEN))
    for row in rows.tolist():
        there = table.at(int(table.frame[row]))
        others = table.box[there][~short[there] & ~moving[there]]
        told[track[row]] += _covered(table.box[row], others)
    apart = (seen < least) & (seen > 0) & (told >= _TOLD * seen)
    ids = np.where(apart, np.cumsum(apart) * -1, np.cumsum(~apart)).astype(np.int32)[track]
    return replace(table, id=ids).take(np.lexsort((ids, table.frame)))


def _covered(box: np.ndarray, others: np.ndarray) -> float:
    """The share of a box that some others cover together."""
    steps = (np.arange(_GRID) + 0.5) / _GRID
    x, y = box[0] + box[2] * steps, box[1] + box[3] * steps
    across = (others[:, :1] <= x) & (x < others[:, :1] + others[:, 2:3])
    down = (others[:, 1:2] <= y) & (y < others[:, 1:2] + others[:, 3:])
    return float((across[:, None, :] & down[:, :, None]).any(axis=0).mean())
