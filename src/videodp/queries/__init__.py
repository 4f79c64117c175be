"""Answers from a private video, or from an original: the same functions for both (Phase III).

video or elements --open_footage--> Footage --a query--> table --> plot
                                            --SQL------> table

Everything here is computed from what it is given and nothing else: on a published video it
tells no more about anybody than the video does.
"""

from videodp.queries.analyse import analyse, as_table
from videodp.queries.crowd import count, density, occupancy
from videodp.queries.footage import PEOPLE, VEHICLES, Footage, footage_of
from videodp.queries.geometry import Ground, Line, Region, Zone
from videodp.queries.maps import density_map, heatmap
from videodp.queries.match import match
from videodp.queries.pixels import histogram, pixel_totals, pixels
from videodp.queries.registry import QUERIES, Query, ask
from videodp.queries.source import elements_of, found_file, open_footage
from videodp.queries.speed import speed
from videodp.queries.sql import sql
from videodp.queries.tracks import stay, stay_times
from videodp.queries.ways import crossing_events, crossings, direction
from videodp.queries.zones import dwell

__all__ = [
    "PEOPLE",
    "QUERIES",
    "VEHICLES",
    "Footage",
    "Ground",
    "Line",
    "Query",
    "Region",
    "Zone",
    "analyse",
    "as_table",
    "ask",
    "count",
    "crossing_events",
    "crossings",
    "density",
    "density_map",
    "direction",
    "dwell",
    "elements_of",
    "footage_of",
    "found_file",
    "heatmap",
    "histogram",
    "match",
    "occupancy",
    "open_footage",
    "pixel_totals",
    "pixels",
    "speed",
    "sql",
    "stay",
    "stay_times",
]
