"""Fills the gaps of tracks: whoever was there before and after was there between."""

from __future__ import annotations

import numpy as np

from videodp.elements.track.model import FILLED, Sightings

__all__ = ["fill"]


def fill(table: Sightings) -> Sightings:
    """The table, with a row for each frame in which an element is missing, on a straight way."""
    order = np.lexsort((table.frame, table.id))
    same = np.diff(table.id[order]) == 0
    steps = np.diff(table.frame[order])
    before = np.flatnonzero(same & (steps > 1))
    missing = steps[before] - 1
    if not len(before):
        return table
    nth = np.arange(missing.sum()) - np.repeat(np.cumsum(missing) - missing, missing) + 1
    a, b = np.repeat(order[before], missing), np.repeat(order[before + 1], missing)
    share = (nth / np.repeat(missing + 1, missing))[:, None]
    between = (1 - share) * table.box[a] + share * table.box[b]
    filled = Sightings(
        (table.frame[a] + nth).astype(np.int32),
        table.id[a],
        between.astype(np.float32),
        np.minimum(table.score[a], table.score[b]),
        table.label[a],
        np.zeros((len(a), table.look.shape[1]), np.uint8),
        np.full(len(a), FILLED, np.uint8),
        table.labels,
    )
    return table.plus(filled)
