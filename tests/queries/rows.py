"""Elements made of a few rows, to be counted by hand."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

import numpy as np

from videodp.elements import Elements, Seen, Track, no_runs
from videodp.queries import Footage, footage_of

Row = tuple[int, int, str, float, float, float, float]
"""Frame, id, label, x, y, width, height."""


@dataclass(frozen=True)
class RowSource:
    rows: tuple[Row, ...]
    name: str = "rows"

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        for frame, group in groupby(self.rows, key=lambda row: row[0]):
            if start <= frame < stop:
                yield seen_of(frame, list(group))


def seen_of(frame: int, rows: list[Row]) -> Seen:
    return Seen(
        frame,
        np.array([row[1] for row in rows], np.int64),
        np.array([row[3:] for row in rows], np.float64).reshape(-1, 4),
        tuple(row[2] for row in rows),
        no_runs(len(rows)),
        no_runs(len(rows)),
    )


def elements_of_rows(
    rows: Iterable[Row], length: int, size: tuple[int, int] | None = (100, 100)
) -> Elements:
    rows = sorted(rows)
    tracks = []
    for identity in sorted({row[1] for row in rows}):
        mine = [row for row in rows if row[1] == identity]
        tracks.append(Track(identity, mine[0][2], mine[0][0], mine[-1][0], len(mine)))
    return Elements(RowSource(tuple(rows)), tuple(tracks), size, length)


def footage_of_rows(
    rows: Iterable[Row],
    length: int,
    size: tuple[int, int] | None = (100, 100),
    rate: int | None = 10,
    **more: object,
) -> Footage:
    fps = None if rate is None else Fraction(rate)
    return footage_of(elements_of_rows(rows, length, size), rate=fps, **more)  # type: ignore[arg-type]


def walk(
    identity: int, feet: dict[int, tuple[float, float]], label: str = "person", side: float = 10
) -> list[Row]:
    """Somebody whose foot is at these places; the box has sides of that length."""
    return [
        (frame, identity, label, x - side / 2, y - side, side, side)
        for frame, (x, y) in feet.items()
    ]
