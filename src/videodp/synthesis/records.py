"""One record for each track, made in one pass over the frames."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from videodp.elements import Elements
from videodp.queries.footage import feet_of

__all__ = ["Records", "cells_of", "records_of"]

_STRIDE = 0.5
"""Seconds over which movement is measured: boxes tremble from frame to frame."""
_STANDING = 0.15
"""Own heights per second: who is slower stands."""


@dataclass(frozen=True, eq=False)
class Records:
    """What the summary looks at, by track; depends on the boxes of that track alone."""

    labels: tuple[str, ...]
    first: np.ndarray
    """(n,) int64: first frame."""
    last: np.ndarray
    """(n,) int64: last frame, included."""
    entry: np.ndarray
    """(n, 2) float64: the foot, the middle of the lower edge of the box, in the first frame."""
    exit: np.ndarray
    """(n, 2) float64: in the last frame."""
    foot: np.ndarray
    """(n,) float64: mean line of the foot."""
    height: np.ndarray
    """(n,) float64: geometric mean of the heights of its boxes."""
    ratio: np.ndarray
    """(n,) float64: geometric mean of width over height."""
    speed: np.ndarray
    """(n,) float64: own heights per second, while moving; 0 for who never moves."""
    standing: np.ndarray
    """(n,) float64: share of its stay that it stands."""
    visits: np.ndarray
    """(n, cells) uint32: frames in each cell of the occupancy map."""

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, index: np.ndarray) -> Records:
        """The records at ``index``, in that order; the same one may be taken again."""
        return Records(
            tuple(self.labels[i] for i in index),
            *(getattr(self, name)[index] for name in _COLUMNS),
        )

    def joined(self, other: Records) -> Records:
        """These and others."""
        columns = ((getattr(self, name), getattr(other, name)) for name in _COLUMNS)
        return Records((*self.labels, *other.labels), *(np.concatenate(pair) for pair in columns))


_COLUMNS = (
    "first",
    "last",
    "entry",
    "exit",
    "foot",
    "height",
    "ratio",
    "speed",
    "standing",
    "visits",
)


def cells_of(points: np.ndarray, size: tuple[int, int], grid: tuple[int, int]) -> np.ndarray:
    """(n,) int64: the cell of each point, (n, 2), line by line; the nearest one if outside."""
    sides = np.array(grid)
    scaled = np.nan_to_num(points) / np.array(size, np.float64) * sides
    column, row = np.clip(np.floor(scaled), 0, sides - 1).astype(np.int64).T
    return np.asarray(row * grid[0] + column)


def records_of(
    elements: Elements,
    size: tuple[int, int],
    frames: int,
    rate: Fraction,
    grid: tuple[int, int],
) -> Records:
    """Follows every track through the frames: about 150 bytes a track and 4 for each cell.

    Args:
        elements: who is in the video; each track becomes one record.
        size: width and height of the picture.
        frames: of the video.
        rate: frames per second.
        grid: columns and rows of the occupancy map.
    """
    n = len(elements)
    follow = _Follow(n, max(1, round(rate * Fraction(_STRIDE))), size, grid)
    for seen in elements.frames(0, frames):
        if (seen.ids < 0).any():  # nobody by themselves
            seen = seen.take(np.flatnonzero(seen.ids >= 0))
        if len(seen):
            follow.add(seen.frame, elements.positions(seen.ids), seen.boxes)
    return follow.records(tuple(track.label for track in elements.tracks), float(rate))


class _Follow:
    """Running sums, one of each for every track."""

    def __init__(self, n: int, stride: int, size: tuple[int, int], grid: tuple[int, int]) -> None:
        self._stride, self._size, self._grid = stride, size, grid
        self._first, self._last, self._count = np.full(n, -1), np.full(n, -1), np.zeros(n, np.int64)
        self._entry, self._exit = np.zeros((n, 2)), np.zeros((n, 2))
        self._foot, self._height, self._ratio = np.zeros(n), np.zeros(n), np.zeros(n)
        self._since, self._from = np.zeros(n, np.int64), np.zeros((n, 2))
        self._way, self._moving, self._measured = np.zeros(n), np.zeros(n), np.zeros(n)
        self._visits = np.zeros((n, grid[0] * grid[1]), np.uint32)

    def add(self, frame: int, at: np.ndarray, boxes: np.ndarray) -> None:
        """Takes one frame: ``at`` (k,) places of the tracks, ``boxes`` (k, 4)."""
        feet = feet_of(boxes)
        new = self._first[at] < 0
        born = at[new]
        self._first[born], self._entry[born] = frame, feet[new]
        self._since[born], self._from[born] = frame, feet[new]
        self._last[at], self._exit[at] = frame, feet
        self._count[at] += 1
        self._foot[at] += feet[:, 1]
        self._height[at] += np.log(boxes[:, 3])
        self._ratio[at] += np.log(boxes[:, 2] / boxes[:, 3])
        self._visits[at, cells_of(feet, self._size, self._grid)] += 1
        self._step(frame, at, feet, boxes[:, 3])

    def _step(self, frame: int, at: np.ndarray, feet: np.ndarray, heights: np.ndarray) -> None:
        due = frame - self._since[at] >= self._stride
        at, feet, heights = at[due], feet[due], heights[due]
        passed = frame - self._since[at]
        way = np.hypot(*(feet - self._from[at]).T) / heights
        moves = way > _STANDING * _STRIDE * passed / self._stride
        self._way[at] += np.where(moves, way, 0)
        self._moving[at] += np.where(moves, passed, 0)
        self._measured[at] += passed
        self._since[at], self._from[at] = frame, feet

    def records(self, labels: tuple[str, ...], rate: float) -> Records:
        """One record for each track that was seen."""
        kept = np.flatnonzero(self._count)
        count = self._count[kept]
        moving, measured = self._moving[kept], self._measured[kept]
        return Records(
            tuple(labels[i] for i in kept),
            self._first[kept],
            self._last[kept],
            self._entry[kept],
            self._exit[kept],
            self._foot[kept] / count,
            np.exp(self._height[kept] / count),
            np.exp(self._ratio[kept] / count),
            self._way[kept] / np.maximum(moving, 1) * rate,
            1 - np.divide(moving, measured, out=np.ones(len(kept)), where=measured > 0),
            self._visits[kept],
        )
