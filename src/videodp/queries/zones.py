"""How long each element dwells in a zone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from videodp.queries.footage import Footage
from videodp.queries.geometry import Zone
from videodp.queries.tables import table_of

__all__ = ["DWELL", "dwell"]

DWELL = pa.schema(
    [
        ("id", pa.int64()),
        ("label", pa.string()),
        ("first", pa.int32()),
        ("last", pa.int32()),
        ("visits", pa.int32()),
        ("frames", pa.int32()),
        ("seconds", pa.float64()),
    ]
)


def dwell(footage: Footage, *, zone: Zone) -> pa.Table:
    """How long each element is in a zone: its foot, the middle of the lower edge of its box.

    Returns:
        `DWELL`: one row for each element that was in it, sorted by id. `frames` in which it is
        seen there, and `seconds` that these are shown; a visit begins when it was not in the
        zone when it was last seen.
    """
    zone = zone.inside(footage.known_size)
    tracks = footage.who.tracks
    n = len(tracks)
    first, last = np.full(n, -1), np.full(n, -1)
    frames, visits = np.zeros(n, np.int64), np.zeros(n, np.int64)
    was_in = np.zeros(n, bool)
    for seen in footage.sightings():
        at, inside = seen.index, zone.holds(seen.feet)
        visits[at] += inside & ~was_in[at]
        was_in[at] = inside
        here = at[inside]
        first[here[first[here] < 0]] = seen.frame
        last[here] = seen.frame
        frames[here] += 1
    kept = np.flatnonzero(frames)
    return table_of(
        DWELL,
        {
            "id": [tracks[i].id for i in kept],
            "label": [tracks[i].label for i in kept],
            "first": first[kept],
            "last": last[kept],
            "visits": visits[kept],
            "frames": frames[kept],
            "seconds": frames[kept] * footage.frame_seconds,
        },
    )
