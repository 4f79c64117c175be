"""Elements' pixels, set aside on disk while there is room, so that draws are found quickly.

Without it a drawn pixel is found by decoding its fragment once more. The stash is a file in the
private folder of the run and goes away with it.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

__all__ = ["Room", "Stash", "StashWriter", "room_in"]

_MOST_BYTES = 2**31
"""Disk space for the whole run; fragments that find no room left are decoded again."""
_SHARE = 4
"""No more than one part in so many of what is free."""

_ENTRY_BYTES = 24
_NONE = np.zeros((0, 3), np.int64)


class Room:
    """Space that the fragments share."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._lock = threading.Lock()

    def take(self, size: int) -> bool:
        """Whether there was room; it is used up then."""
        with self._lock:
            fits = size <= self._left
            self._left -= size if fits else 0
            return fits


def room_in(folder: Path) -> int:
    """How many bytes may be set aside in a folder."""
    return min(_MOST_BYTES, shutil.disk_usage(folder).free // _SHARE)


@dataclass(frozen=True)
class Stash:
    """The colours of every pixel of every element of one fragment."""

    file: Path
    entries: dict[int, np.ndarray]
    """Of each element: (n, 3) int64 frame, place in the file, number of pixels; by frame."""

    def colours(self, element: int) -> Iterator[tuple[int, np.ndarray]]:
        """Frame, in order, and (n,) int32 colours of the element's pixels in raster order."""
        with self.file.open("rb") as file:
            for frame, offset, count in self.entries.get(element, _NONE).tolist():
                file.seek(offset)
                yield frame, np.fromfile(file, np.int32, count)


class StashWriter:
    """Sets pixels aside until there is no room; then the whole fragment is given up.

    Attributes:
        stash: once closed, what was set aside; None if it was given up.
    """

    def __init__(self, file: Path, room: Room) -> None:
        self.stash: Stash | None = None
        self._file = file
        self._out = file.open("wb")
        self._entries: dict[int, list[tuple[int, int, int]]] | None = {}
        self._room = room
        self._lock = threading.Lock()

    def add(self, element: int, frames: list[tuple[int, int]], colours: np.ndarray) -> None:
        """Sets pixels of one element aside: frames in any order, and how many pixels of each.

        The colours, (n,) int32, follow each other as the frames do.
        """
        with self._lock:
            if self._entries is None:
                return
            if not self._room.take(colours.nbytes + _ENTRY_BYTES * len(frames)):
                self._entries = None
                self._out.truncate(0)
                return
            entries, offset = self._entries.setdefault(element, []), self._out.tell()
            for frame, size in frames:
                entries.append((frame, offset, size))
                offset += size * colours.itemsize
            self._out.write(colours.data)

    def close(self) -> None:
        """All of it is on disk afterwards."""
        self._out.close()
        if self._entries is not None:
            rows = {element: np.array(sorted(own)) for element, own in self._entries.items() if own}
            self.stash = Stash(self._file, rows)
