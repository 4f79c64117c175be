"""What the elements of a video look like in memory: one frame at a time, and one line per track."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

__all__ = [
    "EVERYWHERE",
    "Elements",
    "Runs",
    "Searched",
    "Seen",
    "Source",
    "Track",
    "empty_seen",
    "no_runs",
]


@dataclass(frozen=True)
class Track:
    """One element (VE, Υ_j) over the whole video."""

    id: int
    label: str
    first: int
    """First frame, from 0."""
    last: int
    """Last frame, included."""
    frames: int
    """Number of frames in which it is listed."""

    @property
    def gaps(self) -> int:
        """Number of frames between its first and its last in which it is not listed."""
        return self.last - self.first + 1 - self.frames


@dataclass(frozen=True)
class Runs:
    """Masks of several elements, each as runs in raster order over the whole picture."""

    offsets: np.ndarray
    """(n + 1,) int64: mask i owns ``runs[offsets[i]:offsets[i + 1]]``, which may be none."""
    runs: np.ndarray
    """(r, 2) int32: start and length."""

    def of(self, i: int) -> np.ndarray:
        """The runs of one mask."""
        return self.runs[self.offsets[i] : self.offsets[i + 1]]

    def inside(self, pixels: int) -> bool:
        """Whether every run lies in a picture of so many pixels."""
        starts, lengths = self.runs.astype(np.int64).T
        return bool(np.all((starts >= 0) & (lengths > 0) & (starts + lengths <= pixels)))

    def take(self, index: np.ndarray) -> Runs:
        """The masks at ``index``, in that order."""
        starts, ends = self.offsets[:-1][index], self.offsets[1:][index]
        pieces = [self.runs[a:b] for a, b in zip(starts, ends, strict=True) if b > a]
        return Runs(
            np.concatenate([[0], np.cumsum(ends - starts)]).astype(np.int64),
            np.concatenate(pieces) if pieces else np.zeros((0, 2), np.int32),
        )


def no_runs(count: int) -> Runs:
    """So many masks without a run."""
    return Runs(np.zeros(count + 1, np.int64), np.zeros((0, 2), np.int32))


@dataclass(frozen=True)
class Seen:
    """All elements of one frame, in columns, sorted from back to front.

    An element whose lower edge is further down is nearer to the camera; equal edges are ordered
    by id. Painting the masks in this order gives every pixel to its front-most element.
    """

    frame: int
    ids: np.ndarray
    """(n,) int64."""
    boxes: np.ndarray
    """(n, 4) float64: x, y, width, height in pixels; may reach beyond the picture."""
    labels: tuple[str, ...]
    masks: Runs
    """What is protected: all pixels of the element; no run: the box."""
    shapes: Runs
    """What is drawn in its place, inside the mask; no run: the mask."""

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, index: np.ndarray) -> Seen:
        """The rows at ``index``, in that order."""
        return Seen(
            self.frame,
            self.ids[index],
            self.boxes[index],
            tuple(self.labels[i] for i in index),
            self.masks.take(index),
            self.shapes.take(index),
        )

    def back_to_front(self) -> Seen:
        """The same elements in painting order."""
        bottoms = self.boxes[:, 1] + self.boxes[:, 3]
        order = np.lexsort((self.ids, bottoms))
        return self if np.array_equal(order, np.arange(len(self))) else self.take(order)


def empty_seen(frame: int) -> Seen:
    """A frame without any element."""
    return Seen(
        frame,
        np.zeros(0, np.int64),
        np.zeros((0, 4)),
        (),
        no_runs(0),
        no_runs(0),
    )


@dataclass(frozen=True)
class Searched:
    """Where and for what elements were looked for: choices of the owner, so public.

    Whatever is outside is not listed, and so not protected.
    """

    frames: tuple[int, int] | None = None
    """Frames [start, stop); None: all."""
    in_part: bool = False
    """Only in a part of the picture."""
    labels: tuple[str, ...] | None = None
    """All that the detector was asked for; None: people and vehicles."""
    left_out: tuple[str, ...] = ()
    """Labels that were found but are not listed."""

    @property
    def everywhere(self) -> bool:
        """Whether every frame was searched, all over the picture."""
        return self.frames is None and not self.in_part


EVERYWHERE = Searched()
"""In every frame, all over the picture, for people and vehicles."""


class Source(Protocol):
    """Where the rows of an elements file come from; read again and again, never kept whole."""

    @property
    def name(self) -> str:
        """For messages."""

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        """Frames in [start, stop) that hold elements, in order."""


@dataclass(frozen=True)
class Elements:
    """The elements of a video. Rows stay in their file; only one line per track is kept."""

    source: Source
    tracks: tuple[Track, ...]
    """Sorted by id."""
    size: tuple[int, int] | None = None
    """Width and height of the video they belong to, where the file tells."""
    length: int | None = None
    """Number of frames of that video, where the file tells."""
    searched: Searched = EVERYWHERE
    """Where and for what they were looked for, where the file tells."""
    found_by: tuple[str, ...] = ()
    """What looked for them, as far as the owner chose it; none: somebody gave them."""
    boxes_only: bool = False
    """Whether not one of them has an outline."""
    insensitive: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()
    _index: dict[int, int] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._index.update({track.id: i for i, track in enumerate(self.tracks)})

    def __len__(self) -> int:
        return len(self.tracks)

    def positions(self, ids: np.ndarray) -> np.ndarray:
        """Place of each id in `tracks`, (n,) int32."""
        return np.array([self._index[int(i)] for i in ids], np.int32)

    def without(self, labels: Iterable[str]) -> Elements:
        """The same, but elements with these labels are not sensitive: they are background."""
        dropped = self.insensitive | frozenset(labels)
        kept = tuple(t for t in self.tracks if t.label not in dropped)
        return replace(self, tracks=kept, insensitive=dropped, _index={})

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        """One `Seen` for every frame in [start, stop), back to front, empty ones included."""
        at = start
        for seen in self.source.frames(start, stop):
            while at < seen.frame:
                yield empty_seen(at)
                at += 1
            yield self._sensitive(seen).back_to_front()
            at += 1
        while at < stop:
            yield empty_seen(at)
            at += 1

    def _sensitive(self, seen: Seen) -> Seen:
        keep = np.array([int(i) in self._index for i in seen.ids], bool)
        return seen if keep.all() else seen.take(np.flatnonzero(keep))
