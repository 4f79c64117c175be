"""Any code: a function of the analyst's own over the frames of a video."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from videodp.errors import UsageError
from videodp.queries.footage import footage_of
from videodp.video import Frame, Video, probe

__all__ = ["analyse", "as_table"]

T = TypeVar("T")


def analyse(
    video: str | Path | Video,
    function: Callable[[Frame], T],
    *,
    frames: tuple[int, int] | None = None,
) -> list[T]:
    """Calls a function with every frame of a video, one after the other.

        rows = videodp.analyse("private.mp4", lambda f: {"frame": f.index, "mean": f.rgb.mean()})
        table = videodp.as_table(rows)

    Args:
        video: a private video, or any other.
        function: takes a `Frame`: `index` from 0, `time` in seconds, `rgb` (height, width, 3)
            uint8. One frame is decoded at a time, and none is kept here.
        frames: first frame and end.

    Returns:
        What the function returned, in order.

    Raises:
        UsageError: the frames are not there.
    """
    video = video if isinstance(video, Video) else probe(video)
    with closing(footage_of(None, video, frames=frames).pictures()) as pictures:
        return [function(frame) for frame in pictures]


def as_table(rows: Iterable[Mapping[str, object]]) -> pa.Table:
    """A table from rows with the same keys, such as a function given to `analyse` returns."""
    found = list(rows)
    if not all(isinstance(row, Mapping) for row in found):
        raise UsageError("a table needs rows as {column: value}: return a dict for each frame")
    try:
        return pa.Table.from_pylist([dict(row) for row in found])
    except (pa.ArrowException, TypeError) as error:
        raise UsageError(f"the rows do not fit into one table: {error}") from None
