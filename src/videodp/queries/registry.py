"""The queries by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pyarrow as pa

from videodp.errors import UsageError
from videodp.queries.crowd import count, density, occupancy
from videodp.queries.footage import Footage
from videodp.queries.maps import density_map, heatmap
from videodp.queries.match import match
from videodp.queries.pixels import histogram, pixel_totals, pixels
from videodp.queries.speed import speed
from videodp.queries.tracks import stay, stay_times
from videodp.queries.ways import crossing_events, crossings, direction
from videodp.queries.zones import dwell

__all__ = ["QUERIES", "Query", "ask", "find_query", "nearest"]

_HOW = {
    "line": "--line x0,y0,x1,y1",
    "zone": '--zone "x,y x,y x,y"',
    "axis": "--axis x or y",
    "ground": '--reference "x,y=X,Y x,y=X,Y x,y=X,Y x,y=X,Y"',
    "regions": "--region x,y,w,h",
    "grid": "--grid 16x9",
    "bins": "--bins 10",
    "truth": "--truth FILE",
    "overlap": "--overlap 0.5",
}
"""How each parameter is given on the command line."""


@dataclass(frozen=True)
class Query:
    """A question, and what can be said with it."""

    name: str
    answer: Callable[..., pa.Table]
    about: str
    needs: tuple[str, ...] = ()
    """Parameters that must be given."""
    takes: tuple[str, ...] = ()
    """Parameters that may be given."""
    pictures: bool = False
    """Whether it looks at pictures, not at elements."""


QUERIES = {
    query.name: query
    for query in (
        Query("count", count, "people and vehicles in each frame"),
        Query("density", density, "crowd density of each frame", takes=("ground",)),
        Query("density-map", density_map, "crowd density of each cell", takes=("grid",)),
        Query("stay", stay, "how long each element stays"),
        Query("stay-times", stay_times, "how many stay how long", takes=("bins",)),
        Query("direction", direction, "who goes up- or downstream", takes=("axis", "line")),
        Query("crossings", crossings, "in and out over a line, by label", needs=("line",)),
        Query("crossing-events", crossing_events, "each crossing of a line", needs=("line",)),
        Query("occupancy", occupancy, "how many are in a zone, in each frame", needs=("zone",)),
        Query("dwell", dwell, "how long each element is in a zone", needs=("zone",)),
        Query("speed", speed, "how fast each element moves", takes=("ground",)),
        Query("heatmap", heatmap, "where paths lead", takes=("grid",)),
        Query("histogram", histogram, "RGB histogram", takes=("regions",), pictures=True),
        Query("pixels", pixels, "mean and variance by frame", takes=("regions",), pictures=True),
        Query(
            "pixel-totals",
            pixel_totals,
            "mean and variance over all frames",
            takes=("regions",),
            pictures=True,
        ),
        Query("match", match, "precision and recall", needs=("truth",), takes=("overlap",)),
    )
}


def ask(footage: Footage, name: str, **parameters: object) -> pa.Table:
    """Answers a query by its name; parameters that are None are not given.

    Raises:
        UsageError: there is no such query, or it needs or takes other parameters.
    """
    query = find_query(name)
    given = {key: value for key, value in parameters.items() if value is not None}
    for key in given:
        if key not in (*query.needs, *query.takes):
            raise UsageError(f"{name} takes no {_HOW.get(key, key).split()[0]}: leave it out")
    for key in query.needs:
        if key not in given:
            raise UsageError(f"{name} needs {_HOW[key].split()[0]}: give {_HOW[key]}")
    return query.answer(footage, **given)


def find_query(name: str) -> Query:
    """The query of that name."""
    if name not in QUERIES:
        raise UsageError(f"there is no query '{name}'{nearest(name, QUERIES)}")
    return QUERIES[name]


def nearest(word: str, known: Iterable[str]) -> str:
    """What may have been meant, to end a message with."""
    known = list(known)
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    return f": did you mean {close[0]}?" if close else f": use {', '.join(known)}"
