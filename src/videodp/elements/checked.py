"""Rows that are the same at every reading as they were when they were checked.

A run reads its elements several times: to check them, to count, to draw. What was checked must be
what is protected, so a file that changes in between, or a reader that leaves frames out, is an
error and not a person in full view.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from videodp.elements.model import Seen, Source
from videodp.elements.parquet import ParquetSource
from videodp.errors import ElementsError

__all__ = ["CheckedSource", "parquet_file"]


class CheckedSource:
    """A source, and what it held when it was checked: 12 bytes for each frame with elements."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._frames, self._digests = array("i"), array("Q")

    @property
    def name(self) -> str:
        """For messages."""
        return self.source.name

    def remember(self, seen: Seen) -> None:
        """Takes a frame as it was checked; they come in order."""
        if self._frames and seen.frame <= self._frames[-1]:
            raise ElementsError(f"{self.name}: the rows must be sorted by frame: sort the file")
        self._frames.append(seen.frame)
        self._digests.append(_digest(seen))

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        """Frames in [start, stop) that hold elements, exactly those that were checked."""
        at, end = bisect_left(self._frames, start), bisect_left(self._frames, stop)
        for seen in self.source.frames(start, stop):
            same = at < end and self._frames[at] == seen.frame
            if not (same and self._digests[at] == _digest(seen)):
                raise self._changed()
            yield seen
            at += 1
        if at < end:
            raise self._changed()

    def _changed(self) -> ElementsError:
        return ElementsError(
            f"{self.name} is no longer what it was when it was checked: leave it alone during a "
            "run, and start again"
        )


def _digest(seen: Seen) -> int:
    digest = hashlib.blake2b(repr(seen.labels).encode(), digest_size=8)
    for column in (seen.ids, seen.boxes, *_columns(seen)):
        digest.update(np.ascontiguousarray(column).data)
    return int.from_bytes(digest.digest())


def _columns(seen: Seen) -> Iterator[np.ndarray]:
    for runs in (seen.masks, seen.shapes):
        yield runs.offsets
        if len(runs.runs):  # what is empty has no bytes to hand out
            yield runs.runs


def parquet_file(source: Source) -> Path | None:
    """The Parquet file that holds the rows, if one does."""
    source = source.source if isinstance(source, CheckedSource) else source
    return source.path if isinstance(source, ParquetSource) else None
