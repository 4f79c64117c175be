"""Colour counts, in a table that grows as needed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from videodp.kernels.colours import EMPTY, rehash, tally_colours

__all__ = ["ColourTable", "add_counts"]


def add_counts(
    pieces: Iterable[tuple[np.ndarray, np.ndarray]],
) -> tuple[np.ndarray, np.ndarray]:
    """Adds counts of the same colour.

    Args:
        pieces: (n,) int32 colours, ascending, and (n,) int64 counts of each.

    Returns:
        The same of all together.
    """
    pieces = [piece for piece in pieces if len(piece[0])]
    if len(pieces) == 1:
        return pieces[0]
    every = np.concatenate([np.zeros(0, np.int32), *(colours for colours, _ in pieces)])
    counts = np.concatenate([np.zeros(0, np.int64), *(counts for _, counts in pieces)])
    order = np.argsort(every, kind="stable")
    every, counts = every[order], counts[order]
    first = np.flatnonzero(np.diff(every, prepend=-1))
    return every[first], np.add.reduceat(counts, first) if len(first) else counts


@dataclass
class ColourTable:
    """Colours and how often they were added."""

    slots: np.ndarray = field(default_factory=lambda: _free(1024))
    used: int = 0

    def add(self, colours: np.ndarray) -> None:
        """Counts colours, (n,) int32."""
        self._reserve(len(colours))
        self.used += tally_colours(colours, self.slots)

    def sorted(self) -> tuple[np.ndarray, np.ndarray]:
        """Colours, (n,) int32 ascending, and their counts, (n,) int64."""
        taken = self.slots[self.slots[:, 0] != EMPTY].astype(np.int64)
        rows = np.sort((taken[:, 0] << 32) | taken[:, 1])  # one integer sorts faster than a pair
        return (rows >> 32).astype(np.int32), rows & 0xFFFFFFFF

    def _reserve(self, more: int) -> None:
        """Makes room so that at most two slots of three are ever taken."""
        need = 3 * (self.used + min(more, 2**24)) // 2
        if need > len(self.slots):
            larger = _free(1 << (need - 1).bit_length())
            rehash(self.slots, larger)
            self.slots = larger


def _free(size: int) -> np.ndarray:
    slots = np.zeros((size, 2), np.int32)
    slots[:, 0] = EMPTY
    return slots
