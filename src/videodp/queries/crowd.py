"""How many there are: in each frame, and on each spot of the picture."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from videodp.elements import Seen
from videodp.queries.footage import PEOPLE, VEHICLES, Footage, feet_of
from videodp.queries.geometry import Ground, Zone
from videodp.queries.tables import table_of

__all__ = ["COUNT", "DENSITY", "GROUND_DENSITY", "count", "density", "occupancy"]

COUNT = pa.schema(
    [
        ("frame", pa.int32()),
        ("time", pa.float64()),
        ("people", pa.int32()),
        ("vehicles", pa.int32()),
        ("elements", pa.int32()),
    ]
)
DENSITY = pa.schema(
    [
        ("frame", pa.int32()),
        ("time", pa.float64()),
        ("people", pa.int32()),
        ("per_megapixel", pa.float64()),
    ]
)
GROUND_DENSITY = pa.schema(
    [
        ("frame", pa.int32()),
        ("time", pa.float64()),
        ("people", pa.int32()),
        ("per_square_metre", pa.float64()),
    ]
)


def count(footage: Footage) -> pa.Table:
    """Head count and vehicle count of every frame.

    Returns:
        `COUNT`: one row for each frame; `elements` counts all labels, known or not.
    """
    return _count(footage, None)


def occupancy(footage: Footage, *, zone: Zone) -> pa.Table:
    """The same, but only who stands in a zone: whose foot, the middle of the lower edge, is in it.

    Returns:
        `COUNT`: one row for each frame.
    """
    return _count(footage, zone.inside(footage.known_size))


def density(footage: Footage, *, ground: Ground | None = None) -> pa.Table:
    """Crowd density of every frame.

    Args:
        footage: what to look at.
        ground: with it, people between its four points, per square metre.

    Returns:
        `DENSITY`, per megapixel of the picture; or `GROUND_DENSITY`.
    """
    if ground is None:
        width, height = footage.size
        counts = _count(footage, None)
        unit, schema = width * height / 1e6, DENSITY
    else:
        counts = _count(footage, ground.inside(footage.known_size).zone)
        unit, schema = ground.area, GROUND_DENSITY
    columns = {name: counts[name] for name in ("frame", "time", "people")}
    density = counts["people"].to_numpy() / unit
    return pa.table([*columns.values(), pa.array(density)], schema=schema)


def _count(footage: Footage, zone: Zone | None) -> pa.Table:
    counts = np.zeros((len(footage), 3), np.int32)
    for row, seen in zip(counts, footage.frames(), strict=True):
        row[:] = _kinds(seen, zone)
    frames = np.arange(footage.start, footage.stop)
    return table_of(
        COUNT,
        {
            "frame": frames,
            "time": footage.seconds(frames),
            "people": counts[:, 0],
            "vehicles": counts[:, 1],
            "elements": counts[:, 2],
        },
    )


def _kinds(seen: Seen, zone: Zone | None) -> tuple[int, int, int]:
    labels = seen.labels
    if zone is not None and labels:
        labels = tuple(labels[i] for i in np.flatnonzero(zone.holds(feet_of(seen.boxes))))
    people = sum(label in PEOPLE for label in labels)
    return people, sum(label in VEHICLES for label in labels), len(labels)
