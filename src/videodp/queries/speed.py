"""How fast each element moves, in pixels or in metres."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from videodp.errors import UsageError
from videodp.queries.footage import Footage
from videodp.queries.geometry import Ground
from videodp.queries.tables import table_of

__all__ = ["SPEED", "speed"]

SPEED = pa.schema(
    [
        ("id", pa.int64()),
        ("label", pa.string()),
        ("seconds", pa.float64()),
        ("distance", pa.float64()),
        ("speed", pa.float64()),
        ("fastest", pa.float64()),
        ("unit", pa.string()),
    ]
)

_STEP = 0.5
"""Seconds: boxes tremble from frame to frame, and every tremble would be a way."""


def speed(footage: Footage, *, ground: Ground | None = None) -> pa.Table:
    """How fast each element moves.

    The way of its foot is measured in straight steps of half a second or a little more; the last
    step is what is left.

    Args:
        footage: what to look at.
        ground: with it, in metres; places beyond the horizon are left out.

    Returns:
        `SPEED`: one row for each element that is seen twice, sorted by id. `distance` in `unit`
        (``px`` or ``m``), `speed` = `distance` / `seconds` between first and last sighting,
        `fastest`: of the full steps, empty where there is none.
    """
    if footage.rate is None and footage.video is None:
        raise UsageError("a speed needs the frame rate: give the video, or --fps 25")
    tracks = footage.who.tracks
    n = len(tracks)
    began, marked, seen_at = np.full(n, np.nan), np.zeros(n), np.zeros(n)
    mark, place = np.zeros((n, 2)), np.zeros((n, 2))
    distance, fastest = np.zeros(n), np.full(n, np.nan)
    if ground is not None:
        ground = ground.inside(footage.known_size)
    times = footage.seconds(np.arange(footage.start, footage.stop))
    for seen in footage.sightings():
        where = seen.feet if ground is None else ground.metres(seen.feet)
        known = np.isfinite(where).all(axis=1)
        at, where, now = seen.index[known], where[known], times[seen.frame - footage.start]
        new = np.isnan(began[at])
        began[at[new]], marked[at[new]], mark[at[new]] = now, now, where[new]
        seen_at[at], place[at] = now, where
        full = now - marked[at] >= _STEP - 1e-9  # times are rounded
        done, here = at[full], where[full]
        step = np.hypot(*(here - mark[done]).T)
        distance[done] += step
        fastest[done] = np.fmax(fastest[done], step / (now - marked[done]))
        marked[done], mark[done] = now, here
    distance += np.hypot(*(place - mark).T)
    seconds = seen_at - began
    kept = np.flatnonzero(seconds > 0)
    return table_of(
        SPEED,
        {
            "id": [tracks[i].id for i in kept],
            "label": [tracks[i].label for i in kept],
            "seconds": seconds[kept],
            "distance": distance[kept],
            "speed": distance[kept] / seconds[kept],
            "fastest": fastest[kept],
            "unit": ["px" if ground is None else "m"] * len(kept),
        },
    )
