"""What the census knows: colour counts of the video, of the background and of each element."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from videodp.census.background import BackgroundSamples
from videodp.census.stash import Stash
from videodp.elements import Track

__all__ = [
    "Census",
    "Fragment",
    "Part",
    "Sample",
    "StoredSample",
    "WornTable",
]


@dataclass(frozen=True)
class Sample:
    """One element in one frame: what the palette and the optimal k look at."""

    frame: int
    box: tuple[float, float, float, float]
    """x, y, width, height as given."""
    origin: tuple[int, int]
    """x0, y0 of the crop."""
    colours: np.ndarray
    """(h, w) int32 colours; -1 where the pixel is not the element's."""


@dataclass(frozen=True)
class StoredSample:
    """Where a `Sample` lies on disk."""

    file: Path
    offset: int
    shape: tuple[int, int]
    frame: int
    box: tuple[float, float, float, float]
    origin: tuple[int, int]

    def load(self) -> Sample:
        """Reads it back."""
        count = self.shape[0] * self.shape[1]
        flat = np.fromfile(self.file, np.int32, count, offset=self.offset)
        return Sample(self.frame, self.box, self.origin, flat.reshape(self.shape))


class FileColumn:
    """A column of numbers in a file; only the rows that are asked for are read."""

    def __init__(self, file: Path, dtype: type[np.generic], rows: int) -> None:
        self._file = file
        self._dtype = np.dtype(dtype)
        self._rows = rows

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, rows: slice) -> np.ndarray:
        start, stop, _ = rows.indices(self._rows)
        offset = start * self._dtype.itemsize
        return np.fromfile(self._file, self._dtype, max(stop - start, 0), offset=offset)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self[:].astype(dtype or self._dtype)


@dataclass(frozen=True)
class WornTable:
    """Colours worn by elements (c_i^j), sorted by element and colour; may live in files."""

    offsets: np.ndarray
    """(elements + 1,) int64: element i owns the rows offsets[i] to offsets[i + 1]."""
    colours: np.ndarray | FileColumn
    """(rows,) int32, ascending for each element."""
    counts: np.ndarray | FileColumn
    """(rows,) int64 pixels."""

    def of(self, element: int) -> tuple[np.ndarray, np.ndarray]:
        """Colours and pixel counts of one element."""
        rows = slice(self.offsets[element], self.offsets[element + 1])
        return self.colours[rows], self.counts[rows]

    def pixels(self, element: int, colours: np.ndarray) -> np.ndarray:
        """Pixels of each of `colours` in one element, 0 where it does not wear it."""
        worn, counts = self.of(element)
        if not len(worn):
            return np.zeros(len(colours), np.int64)
        at = np.minimum(np.searchsorted(worn, colours), len(worn) - 1)
        return np.where(worn[at] == colours, counts[at], 0)


@dataclass(frozen=True)
class Part:
    """Where the worn pixels of frames [start, stop) are."""

    start: int
    stop: int
    worn: WornTable
    stash: Stash | None
    """Their colours in order; None where there was no room for them."""


@dataclass(frozen=True)
class Fragment:
    """What was counted on one part of the video."""

    part: Part
    colours: np.ndarray
    """(m,) int32 ascending."""
    total: np.ndarray
    """(m,) int64."""
    pixels: np.ndarray
    """(elements,) int64."""
    visible: np.ndarray
    """(elements,) int64: frames in which it owns a pixel."""
    samples: dict[tuple[int, int], StoredSample]
    """By element and part of its life."""


@dataclass(frozen=True)
class Census:
    """Everything the plan needs to know of a video (V) and its elements (Υ_j).

    The arrays `colours`, `total`, `worn_sum`, `worn_max` and `wearers` run over all colours of
    the video, ascending. The background has ``total - worn_sum`` pixels of a colour.
    """

    width: int
    height: int
    frames: int
    tracks: tuple[Track, ...]
    pixels: np.ndarray
    """(elements,) int64: pixels owned by each element over all frames (|Υ_j|)."""
    visible: np.ndarray
    """(elements,) int64: frames in which it owns a pixel."""
    colours: np.ndarray
    """(m,) int32."""
    total: np.ndarray
    """(m,) int64 pixels in the whole video (c_i)."""
    worn_sum: np.ndarray
    """(m,) int64 pixels in all elements together."""
    worn_max: np.ndarray
    """(m,) int64 pixels in the element that has most of them."""
    wearers: np.ndarray
    """(m,) int32: number of elements that wear it."""
    worn: WornTable
    parts: tuple[Part, ...]
    """The fragments in order of time: they tell where a worn pixel lies."""
    samples: tuple[tuple[StoredSample, ...], ...]
    """Of each element, in order of time."""
    background: BackgroundSamples

    def cases(self) -> np.ndarray:
        """(m,) uint8: the case 1, 2 or 3 of each colour (paper, section 3.2)."""
        alone = (self.wearers == 1) & (self.worn_sum == self.total)
        return np.where(self.wearers == 0, 2, np.where(alone, 1, 3)).astype(np.uint8)

    def find(self, colours: np.ndarray) -> np.ndarray:
        """Place of each of `colours` in `self.colours`; each must occur in the video."""
        return np.searchsorted(self.colours, colours)
