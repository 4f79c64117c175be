"""Which way they go: upstream or downstream, in or out over a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from videodp.errors import UsageError
from videodp.queries.footage import Footage, Sightings
from videodp.queries.geometry import Line
from videodp.queries.tables import table_of
from videodp.queries.tracks import stay_seconds, summarise

__all__ = [
    "CROSSINGS",
    "CROSSING_EVENTS",
    "DIRECTION",
    "crossing_events",
    "crossings",
    "direction",
]

DIRECTION = pa.schema(
    [
        ("id", pa.int64()),
        ("label", pa.string()),
        ("direction", pa.string()),
        ("shift", pa.float64()),
        ("frames", pa.int32()),
        ("seconds", pa.float64()),
    ]
)
CROSSING_EVENTS = pa.schema(
    [
        ("frame", pa.int32()),
        ("time", pa.float64()),
        ("id", pa.int64()),
        ("label", pa.string()),
        ("direction", pa.string()),
    ]
)
CROSSINGS = pa.schema([("label", pa.string()), ("in", pa.int32()), ("out", pa.int32())])

_MARGIN = 0.1
"""Of the shorter side of a box: a foot that is nearer to the line may be on either side."""
_SETTLED = 2
"""Sightings in a row that make somebody be on a side."""
_STILL = 0.5
"""Of its own box: who moves less has no direction."""


def direction(footage: Footage, *, axis: str = "y", line: Line | None = None) -> pa.Table:
    """Who goes downstream, who upstream (paper, section 5.3).

    Downstream is down the picture (axis y), to the right (axis x) or in over the line; upstream
    is the other way. Who ends less than half of the own box from where it began, or on the same
    side of the line, has the direction ``none``.

    Args:
        footage: what to look at.
        axis: ``x`` or ``y``; not used with a line.
        line: instead of an axis; who goes around its ends has no direction.

    Returns:
        `DIRECTION`: one row for each element, sorted by id. `shift`: pixels from first to last
        sighting, downstream; `frames`, `seconds`: as `stay`.
    """
    if axis not in ("x", "y"):
        raise UsageError(f"there is no axis '{axis}': use x or y")
    summary = summarise(footage)
    moved = summary.end - summary.start
    if line is None:
        column = "xy".index(axis)
        shift = moved[:, column]
        sign = np.sign(shift) * (np.abs(shift) >= _STILL * summary.side[:, column])
    else:
        shift = line.measure(summary.end)[0] - line.measure(summary.start)[0]
        net = dict.fromkeys(summary.ids.tolist(), 0)
        for event in _crossed(footage, line):
            net[event.id] += 1 if event.inwards else -1
        sign = np.sign([net[identity] for identity in summary.ids.tolist()])
    names = {1: "downstream", -1: "upstream", 0: "none"}
    return table_of(
        DIRECTION,
        {
            "id": summary.ids,
            "label": list(summary.labels),
            "direction": [names[int(s)] for s in sign],
            "shift": shift,
            "frames": summary.frames,
            "seconds": stay_seconds(footage, summary),
        },
    )


def crossings(footage: Footage, *, line: Line) -> pa.Table:
    """How often a line is crossed, in and out, by label.

    Returns:
        `CROSSINGS`: one row for each label that is seen, crossing or not, sorted.
    """
    labels = {t.label for t in footage.who.tracks if t.id >= 0}
    labels &= labels if footage.labels is None else footage.labels
    counts = {label: [0, 0] for label in sorted(labels)}
    for event in _crossed(footage, line):
        counts[event.label][not event.inwards] += 1
    return table_of(
        CROSSINGS,
        {
            "label": list(counts),
            "in": [inwards for inwards, _ in counts.values()],
            "out": [outwards for _, outwards in counts.values()],
        },
    )


def crossing_events(footage: Footage, *, line: Line) -> pa.Table:
    """Every crossing of a line: who, when, and whether in or out.

    A crossing counts once the foot has really changed sides: it has been seen there twice in a
    row, each time further from the line than a tenth of the shorter side of its box, so that a
    box that trembles about the line crosses nothing. The way from the last sighting on the one
    side to the first on the other must meet the line between its two ends. Who is not seen for
    a while is still on the side where it was seen last.

    Returns:
        `CROSSING_EVENTS`: in the order in which they are settled. `frame` is the first one in
        which the foot is clearly on the new side.
    """
    events = list(_crossed(footage, line))
    frames = np.array([event.frame for event in events], np.int64)
    return table_of(
        CROSSING_EVENTS,
        {
            "frame": frames,
            "time": footage.seconds(frames),
            "id": [event.id for event in events],
            "label": [event.label for event in events],
            "direction": ["in" if event.inwards else "out" for event in events],
        },
    )


@dataclass(frozen=True)
class _Event:
    frame: int
    id: int
    label: str
    inwards: bool


def _crossed(footage: Footage, line: Line) -> Iterator[_Event]:
    line = line.inside(footage.known_size)
    tracks = footage.who.tracks
    sides = _Sides(len(tracks), line)
    for seen in footage.sightings():
        for place, frame, inwards in sides.follow(seen):
            yield _Event(frame, tracks[place].id, tracks[place].label, inwards)


class _Sides:
    """On which side of a line each of n elements is: 50 bytes an element."""

    def __init__(self, n: int, line: Line) -> None:
        self._line = line
        self._side = np.zeros(n, np.int8)  # settled: 1 right, -1 left, 0 not known yet
        self._run = np.zeros(n, np.int8)  # sightings in a row on the other side
        self._since = np.zeros(n, np.int64)  # frame in which that run began
        self._across = np.zeros(n)  # distance of the last foot that was not exactly on the line
        self._along = np.zeros(n)  # and where along the line it was
        self._meets = np.full(n, np.nan)  # where along the line it was last crossed

    def follow(self, seen: Sightings) -> Iterator[tuple[int, int, bool]]:
        """Takes one frame; yields (place of the element, frame, inwards) for each crossing."""
        if not len(seen):
            return
        at = seen.index
        across, along = self._line.measure(seen.feet)
        self._note_meeting(at, across, along)
        clear = np.abs(across) > _MARGIN * seen.boxes[:, 2:].min(axis=1)
        at, side = at[clear], np.sign(across[clear]).astype(np.int8)
        other = (self._side[at] != side) & (self._side[at] != 0)
        self._side[at] = np.where(self._side[at] == 0, side, self._side[at])
        self._run[at] = np.where(other, self._run[at] + 1, 0)
        begins = at[self._run[at] == 1]
        self._since[begins] = seen.frame
        settled = self._run[at] >= _SETTLED
        for place, now in zip(at[settled].tolist(), side[settled].tolist(), strict=True):
            self._side[place], self._run[place] = now, 0
            if 0 <= self._meets[place] <= 1:
                yield place, int(self._since[place]), now < 0

    def _note_meeting(self, at: np.ndarray, across: np.ndarray, along: np.ndarray) -> None:
        before = self._across[at]
        changes = before * across < 0
        share = before[changes] / (before[changes] - across[changes])
        start = self._along[at[changes]]
        self._meets[at[changes]] = start + share * (along[changes] - start)
        off = across != 0
        self._across[at[off]], self._along[at[off]] = across[off], along[off]
