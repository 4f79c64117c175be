"""Which way they go, and how often a line is crossed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa

from videodp import queries
from videodp.pinq.terms import Answer, Terms, answer, needed
from videodp.queries.footage import Footage
from videodp.queries.geometry import Line
from videodp.queries.tables import table_of

__all__ = ["CROSSINGS", "DIRECTION", "crossings", "direction"]

DIRECTION = pa.schema([("direction", pa.string()), ("elements", pa.int64())])
CROSSINGS = pa.schema([("in", pa.int64()), ("out", pa.int64())])

_WAYS = ("upstream", "downstream", "none")


def direction(
    footage: Footage, terms: Terms, *, axis: str = "y", line: Line | None = None
) -> Answer:
    """How many go upstream, how many downstream.

    Returns:
        `DIRECTION`: three rows. An element has one direction: sensitivity 1 in both settings.
    """
    found = Counter(queries.direction(footage, axis=axis, line=line)["direction"].to_pylist())
    return answer(
        terms,
        np.array([found[way] for way in _WAYS]),
        1,
        "one element over the whole answer: it goes one way",
        lambda noisy: table_of(DIRECTION, {"direction": list(_WAYS), "elements": noisy}),
    )


def crossings(
    footage: Footage, terms: Terms, *, line: Line, crossings: int | None = None
) -> Answer:
    """How often a line is crossed, in and out.

    Args:
        footage: an original and its elements.
        terms: ``paper``: a count has sensitivity 1, however often one element crosses.
        line: what is crossed.
        crossings: for ``element``: so many crossings of one element count, its first ones.

    Returns:
        `CROSSINGS`: one row, for all labels that the footage is of.
    """
    if terms.paper:
        sensitivity, most = 1, None
        protects = "one crossing; who crosses n times loses n times epsilon"
    else:
        sensitivity = most = needed("crossings", crossings, 2, "how often one is counted")
        protects = f"one element over the whole answer: its first {most} crossings count"
    events = queries.crossing_events(footage, line=line)
    counts, counted = Counter[str](), Counter[int]()
    for who, way in zip(events["id"].to_pylist(), events["direction"].to_pylist(), strict=True):
        if most is None or counted[who] < most:
            counted[who] += 1
            counts[way] += 1
    return answer(
        terms,
        np.array([counts["in"], counts["out"]]),
        sensitivity,
        protects,
        lambda noisy: table_of(CROSSINGS, {"in": noisy[:1], "out": noisy[1:]}),
    )
