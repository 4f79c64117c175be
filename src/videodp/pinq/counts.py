"""How many there are: in each frame, in a zone, in the whole video."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from videodp.pinq.terms import Answer, Terms, answer, needed
from videodp.queries.footage import Footage
from videodp.queries.geometry import Zone
from videodp.queries.tables import table_of

__all__ = ["COUNT", "TOTAL", "count", "occupancy", "total"]

COUNT = pa.schema([("frame", pa.int32()), ("time", pa.float64()), ("elements", pa.int64())])
TOTAL = pa.schema([("elements", pa.int64())])


def count(footage: Footage, terms: Terms, *, frames: int | None = None) -> Answer:
    """Head count or vehicle count of each frame: whatever labels the footage is of.

    Args:
        footage: an original and its elements; an id below 0 is nobody and is not counted.
        terms: setting ``paper`` adds noise for a change of 1 in each frame; ``element`` for one
            element that is counted in as many frames as it may be.
        frames: for ``element``: most frames in which one element is counted. Its later frames
            are left out, so that this is true of everybody.

    Returns:
        `COUNT`: one row for each frame; noise may make a count negative.
    """
    return _count(footage, terms, frames, None)


def occupancy(footage: Footage, terms: Terms, *, zone: Zone, frames: int | None = None) -> Answer:
    """The same, but only who stands in a zone."""
    return _count(footage, terms, frames, zone.inside(footage.known_size))


def total(footage: Footage, terms: Terms) -> Answer:
    """How many elements there are in the whole video: the paper's own example.

    Returns:
        `TOTAL`: one row. Sensitivity 1 in both settings.
    """
    there = np.zeros(len(footage.who.tracks), bool)
    for seen in footage.sightings():
        there[seen.index] = True
    return answer(
        terms,
        np.array([there.sum()]),
        1,
        "one element over the whole video",
        lambda noisy: table_of(TOTAL, {"elements": noisy}),
    )


def _count(footage: Footage, terms: Terms, frames: int | None, zone: Zone | None) -> Answer:
    if terms.paper:
        sensitivity, most = 1, len(footage)
        protects = (
            "whether one element is in one given frame; who is in n frames changes n of these "
            "numbers and loses n times epsilon"
        )
    else:
        sensitivity = most = needed("frames", frames, 500, "in how many frames one is counted")
        protects = (
            f"one element over the whole answer: it is counted in its first {most} frames only"
        )
    counts = np.zeros(len(footage), np.int64)
    counted = np.zeros(len(footage.who.tracks), np.int64)
    for i, seen in enumerate(footage.sightings()):
        at = seen.index if zone is None else seen.index[zone.holds(seen.feet)]
        at = at[counted[at] < most]
        counted[at] += 1
        counts[i] = len(at)
    numbers = np.arange(footage.start, footage.stop)
    return answer(
        terms,
        counts,
        sensitivity,
        protects,
        lambda noisy: table_of(
            COUNT, {"frame": numbers, "time": footage.seconds(numbers), "elements": noisy}
        ),
    )
