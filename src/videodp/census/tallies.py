"""What the elements of one fragment wear, counted by several threads at once.

The pixels of an element are gathered over some frames before they are counted: its table is then
in the cache for all of them, and the stash gets them in one piece.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np

from videodp.census.stash import StashWriter
from videodp.census.table import ColourTable

__all__ = ["Tallies", "Worn"]

_GATHERED = 2**16
"""Pixels of an element that are gathered, at most, before they are counted."""


@dataclass
class Worn:
    """One element: what was counted, and what is gathered."""

    table: ColourTable = field(default_factory=ColourTable)
    pixels: int = 0
    visible: int = 0
    """Frames in which it owned a pixel."""
    gathered: np.ndarray = field(default_factory=lambda: np.empty(_GATHERED, np.int32))
    filled: int = 0
    """How many these are."""
    frames: list[tuple[int, int]] = field(default_factory=list)
    """Frames that are gathered, and how many pixels of each."""
    lock: threading.Lock = field(default_factory=threading.Lock)


class Tallies:
    """The tallies of all elements."""

    def __init__(self, stash: StashWriter) -> None:
        self._stash = stash
        self._worn: dict[int, Worn] = {}
        self._lock = threading.Lock()

    def add(self, element: int, frame: int, colours: np.ndarray) -> None:
        """Takes the pixels of one element in one frame, (n,) int32; from any thread."""
        worn = self._worn.get(element)
        if worn is None:
            with self._lock:
                worn = self._worn.setdefault(element, Worn())
        with worn.lock:
            if worn.filled + len(colours) > _GATHERED:
                self._count(element, worn, worn.gathered[: worn.filled])
            worn.frames.append((frame, len(colours)))
            worn.pixels += len(colours)
            worn.visible += 1
            if len(colours) > _GATHERED:
                self._count(element, worn, colours)
            else:
                worn.gathered[worn.filled : worn.filled + len(colours)] = colours
                worn.filled += len(colours)

    def close(self) -> dict[int, Worn]:
        """Everything that was added, by element in order."""
        for element, worn in self._worn.items():
            self._count(element, worn, worn.gathered[: worn.filled])
        return dict(sorted(self._worn.items()))

    def _count(self, element: int, worn: Worn, colours: np.ndarray) -> None:
        worn.table.add(colours)
        self._stash.add(element, worn.frames, colours)
        worn.frames, worn.filled = [], 0
