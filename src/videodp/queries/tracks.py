"""One line for each element: when it is there, where it comes from and where it goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from videodp.errors import UsageError
from videodp.queries.footage import Footage
from videodp.queries.tables import table_of

__all__ = [
    "STAY",
    "STAY_TIMES",
    "Summary",
    "stay",
    "stay_seconds",
    "stay_times",
    "summarise",
]

STAY = pa.schema(
    [
        ("id", pa.int64()),
        ("label", pa.string()),
        ("first", pa.int32()),
        ("last", pa.int32()),
        ("frames", pa.int32()),
        ("seconds", pa.float64()),
    ]
)
STAY_TIMES = pa.schema(
    [
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("elements", pa.int32()),
    ]
)


@dataclass(frozen=True)
class Summary:
    """The elements that are seen, one row each, sorted by id: about 100 bytes an element."""

    ids: np.ndarray
    """(n,) int64."""
    labels: tuple[str, ...]
    first: np.ndarray
    """(n,) int64: frame."""
    last: np.ndarray
    """(n,) int64: frame, included."""
    frames: np.ndarray
    """(n,) int64: in how many it is listed."""
    start: np.ndarray
    """(n, 2) float64: where its foot is in its first frame."""
    end: np.ndarray
    """(n, 2) float64: in its last frame."""
    side: np.ndarray
    """(n, 2) float64: mean width and height of its box."""
    path: np.ndarray
    """(n,) float64: pixels that its foot went, from sighting to sighting."""

    def __len__(self) -> int:
        return len(self.ids)


def summarise(footage: Footage) -> Summary:
    """Follows every element through the frames, in one pass."""
    tracks = footage.who.tracks
    n = len(tracks)
    first, last, frames = np.full(n, -1), np.full(n, -1), np.zeros(n, np.int64)
    start, end, side, path = np.zeros((n, 2)), np.zeros((n, 2)), np.zeros((n, 2)), np.zeros(n)
    for seen in footage.sightings():
        at, feet = seen.index, seen.feet
        new = first[at] < 0
        first[at[new]], start[at[new]] = seen.frame, feet[new]
        path[at] += np.where(new, 0.0, np.hypot(*(feet - end[at]).T))
        last[at], end[at] = seen.frame, feet
        frames[at] += 1
        side[at] += seen.boxes[:, 2:]
    kept = np.flatnonzero(frames)
    return Summary(
        np.array([tracks[i].id for i in kept], np.int64),
        tuple(tracks[i].label for i in kept),
        first[kept],
        last[kept],
        frames[kept],
        start[kept],
        end[kept],
        side[kept] / frames[kept, None],
        path[kept],
    )


def stay_seconds(footage: Footage, summary: Summary) -> np.ndarray:
    """(n,) float64: from the beginning of the first frame to the end of the last one."""
    span = footage.seconds(summary.last) - footage.seconds(summary.first)
    return np.asarray(span + footage.frame_seconds)


def stay(footage: Footage) -> pa.Table:
    """How long each element stays, ranked from short to long (paper, section 5.3).

    Returns:
        `STAY`: `frames` in which it is listed; `seconds` from its first to its last frame, both
        included, so that one who is hidden for a moment has not left.
    """
    summary = summarise(footage)
    order = np.lexsort((summary.ids, summary.last - summary.first))
    return table_of(
        STAY,
        {
            "id": summary.ids[order],
            "label": [summary.labels[i] for i in order],
            "first": summary.first[order],
            "last": summary.last[order],
            "frames": summary.frames[order],
            "seconds": stay_seconds(footage, summary)[order],
        },
    )


def stay_times(footage: Footage, *, bins: int = 10) -> pa.Table:
    """How many elements stay how long.

    Args:
        footage: what to look at.
        bins: equal steps from 0 to the longest stay.

    Returns:
        `STAY_TIMES`: elements that stay more than `low` and at most `high` seconds; frames
        where the frame rate is not known.
    """
    if not 1 <= bins <= 10_000:
        raise UsageError(f"stay times need 1 to 10000 bins, not {bins}")
    summary = summarise(footage)
    stays = stay_seconds(footage, summary)
    if footage.rate is None:
        stays = (summary.last - summary.first + 1).astype(np.float64)
    longest = float(stays.max()) if len(stays) else 0.0
    edges = np.linspace(0, longest, bins + 1)
    place = np.searchsorted(edges, stays, side="left").clip(1, bins)
    counts = np.bincount(place - 1, minlength=bins)
    if not len(stays):
        edges, counts = edges[:1], counts[:0]
    return table_of(STAY_TIMES, {"low": edges[:-1], "high": edges[1:], "elements": counts})
