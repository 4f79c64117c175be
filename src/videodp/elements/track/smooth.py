"""Takes the tremble out of boxes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from videodp.elements.track.model import Sightings

__all__ = ["smooth"]

_PLACE = 0.06  # seconds, the width of the bell that middles are averaged over
_SIZE = 0.06  # the same for widths and heights


def smooth(table: Sightings, rate: float) -> Sightings:
    """The table with smooth boxes; each track has a row in each of its frames."""
    box = table.box.astype(np.float64)
    middles = box[:, :2] + box[:, 2:] / 2
    sides = box[:, 2:].copy()
    order = np.lexsort((table.frame, table.id))
    starts = np.flatnonzero(np.diff(table.id[order], prepend=-1))
    for piece in np.split(order, starts[1:]) if len(order) else []:
        for values, width in ((middles, _PLACE), (sides, _SIZE)):
            values[piece] = gaussian_filter1d(
                values[piece], width * rate, axis=0, mode="nearest", truncate=3
            )
    boxes = np.hstack([middles - sides / 2, sides])
    return replace(table, box=boxes.astype(np.float32))
