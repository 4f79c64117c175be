"""Gives detections that belong to no track to the track that is expected there.

Within its gaps a track is expected on a straight way; before its beginning and after its end,
for a while, where it came from and where it went.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from videodp.elements.track.boxes import apart, overlap, per_frame
from videodp.elements.track.model import SEEN, Sightings

__all__ = ["attach", "mean_looks"]

_MEETS = 0.6  # overlap with the expected box
_OTHER = 0.12  # looks further apart than this are of somebody else, even half hidden


def attach(table: Sightings, expected: Sightings, looks: np.ndarray) -> np.ndarray:
    """New ids for the rows of `table`, (n,) int32: some of those with id 0 get one.

    Args:
        table: All detections.
        expected: Where tracks are expected that have no row in that frame.
        looks: (largest id + 1, d) how each track looks.
    """
    ids = table.id.copy()
    for rows in per_frame(expected.frame):
        here = table.at(int(expected.frame[rows.start]))
        free = np.flatnonzero(table.id[here] == 0) + here.start
        if not len(free):
            continue
        meets = overlap(expected.box[rows], table.box[free])
        names = expected.id[rows]
        for i, name in enumerate(names.tolist()):
            seen = table.look[free].astype(np.float64)
            meets[i, apart(np.broadcast_to(looks[name], seen.shape), seen) > _OTHER] = 0
        # The surer of two boxes on the same place is the better one.
        a, b = linear_sum_assignment(-meets * (1 + table.score[free]))
        good = meets[a, b] >= _MEETS
        ids[free[b[good]]] = names[a[good]]
    return ids


def mean_looks(table: Sightings, weight: np.ndarray) -> np.ndarray:
    """(largest id + 1, d): how each track looks on the mean; zeros where there is none."""
    count = int(table.id.max(initial=0)) + 1
    rows = (table.id > 0) & (table.how == SEEN)
    total = np.bincount(table.id[rows], weight[rows], count)
    looks = np.zeros((count, table.look.shape[1]))
    np.add.at(looks, table.id[rows], weight[rows, None] * table.look[rows])
    return np.asarray(looks / np.maximum(total, 1e-9)[:, None])
