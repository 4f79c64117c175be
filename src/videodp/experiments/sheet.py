"""Some frames of a video in memory, and how far private ones are from them.

Rendering is so cheap that most time would go into decoding the same frames for each epsilon, k and
seed again: they are decoded once, and compared before any encoder has touched them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from videodp.compare import colour_divergence
from videodp.elements import Elements, OwnerPicture, Placed, place
from videodp.render import Cast
from videodp.render.background import Background
from videodp.render.figures import paint_figures
from videodp.video import Frame, Video, read_frames

__all__ = ["Nearness", "Sheet", "read_sheet", "spread"]

_BYTES = 100_000_000
"""Memory for pictures; fewer frames of larger ones."""


@dataclass(frozen=True)
class Nearness:
    """How far private frames are from their originals."""

    kl: float
    mse: float
    """Of grey values 0..1, over all pixels."""
    element_mse: float | None
    """Over the pixels that belong to elements."""


@dataclass(frozen=True)
class Sheet:
    """Frames and who is in them."""

    size: tuple[int, int]
    frames: tuple[Frame, ...]
    placed: tuple[Placed, ...]
    inside: tuple[np.ndarray, ...]
    """Of each frame (n,) int64: pixels of elements, as places in the flat picture."""
    owners: tuple[np.ndarray, ...]
    """Of each frame (n,) int32: whose they are, place in the tracks + 1."""
    colours: np.ndarray
    """(m,) int32: the colours in all these frames, ascending."""
    counts: np.ndarray
    """(m,) int64: pixels of each."""

    @cached_property
    def place_of(self) -> np.ndarray:
        """(2**24,) int32: where each colour is in `colours`, -1 if it is not."""
        places = np.full(2**24, -1, np.int32)
        places[self.colours] = np.arange(len(self.colours), dtype=np.int32)
        return places

    @property
    def pixels(self) -> int:
        """In all frames."""
        return len(self.frames) * self.size[0] * self.size[1]

    def private(self, cast: Cast, background: Background) -> Iterator[np.ndarray]:
        """Each frame as the private video has it, (height, width, 3) uint8."""
        owners = OwnerPicture(*self.size)
        for frame, placed in zip(self.frames, self.placed, strict=True):
            picture = background.paint(frame.rgb.copy(), owners.paint(placed), placed, None)
            paint_figures(picture, placed, cast)
            yield picture

    def nearness(self, pictures: Iterable[np.ndarray], element: int | None = None) -> Nearness:
        """Compares private frames, in which nothing but pixels of elements has changed.

        Args:
            pictures: one for each frame.
            element: place in the tracks: only its pixels count as those of elements.
        """
        tally = _Tally(self)
        for i, picture in enumerate(pictures):
            own = self.owners[i] > 0 if element is None else self.owners[i] == element + 1
            tally.add(i, picture, self.inside[i], own)
        return tally.result()

    def nearness_everywhere(self, pictures: Iterable[np.ndarray]) -> Nearness:
        """Compares any frames."""
        tally = _Tally(self)
        places = np.arange(self.size[0] * self.size[1])
        for i, picture in enumerate(pictures):
            own = np.zeros(len(places), bool)
            own[self.inside[i]] = True
            tally.add(i, picture, places, own)
        return tally.result()


class _Tally:
    """Sums over the frames of a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._gone: list[np.ndarray] = [np.zeros(0, np.int32)]
        self._come: list[np.ndarray] = [np.zeros(0, np.int32)]
        self._error = self._error_elements = 0.0
        self._pixels = 0

    def add(self, i: int, picture: np.ndarray, places: np.ndarray, own: np.ndarray) -> None:
        """Frame i, of which nothing but `places` may have changed; `own`: of elements."""
        before, after = (
            _pack(rgb.reshape(-1, 3)[places]) for rgb in (self._sheet.frames[i].rgb, picture)
        )
        square = (_grey(before) - _grey(after)) ** 2
        self._error += float(square.sum())
        self._error_elements += float(square[own].sum())
        self._pixels += int(own.sum())
        changed = before != after
        self._gone.append(before[changed])
        self._come.append(after[changed])

    def result(self) -> Nearness:
        sheet = self._sheet
        counts = sheet.counts - self._count(self._gone) + self._count(self._come)
        return Nearness(
            colour_divergence(sheet.counts, counts, sheet.pixels),
            self._error / sheet.pixels,
            self._error_elements / self._pixels if self._pixels else None,
        )

    def _count(self, colours: list[np.ndarray]) -> np.ndarray:
        """(m,) int64 pixels of each of the sheet's colours."""
        at = self._sheet.place_of[np.concatenate(colours)]
        return np.bincount(at[at >= 0], minlength=len(self._sheet.counts))


def spread(start: int, stop: int, most: int, size: tuple[int, int]) -> list[int]:
    """At most `most` frames of [start, stop), evenly spaced, fewer if they are large."""
    count = min(stop - start, most, max(_BYTES // (3 * size[0] * size[1]), 1))
    return [start + (2 * i + 1) * (stop - start) // (2 * count) for i in range(count)]


def read_sheet(video: Video, elements: Elements, wanted: list[int]) -> Sheet:
    """Decodes these frames."""
    size = video.width, video.height
    with closing(read_frames(video, only=set(wanted))) as frames:
        kept = tuple(frames)
    placed = tuple(
        place(elements, next(elements.frames(frame.index, frame.index + 1)), *size)
        for frame in kept
    )
    painter = OwnerPicture(*size)
    inside, owners = [], []
    for one in placed:
        flat = painter.paint(one).reshape(-1)
        inside.append(np.flatnonzero(flat))
        owners.append(flat[inside[-1]])
    packed = [np.unique(_pack(frame.rgb), return_counts=True) for frame in kept]
    colours = np.unique(np.concatenate([np.zeros(0, np.int32), *(c for c, _ in packed)]))
    counts = np.zeros(len(colours), np.int64)
    for own, pixels in packed:
        counts[np.searchsorted(colours, own)] += pixels
    return Sheet(size, kept, placed, tuple(inside), tuple(owners), colours, counts)


def _grey(colours: np.ndarray) -> np.ndarray:
    """(n,) float64 grey values 0..1, much faster than by matrix."""
    whole = 299 * (colours >> 16) + 587 * (colours >> 8 & 255) + 114 * (colours & 255)
    return np.asarray(whole / 255_000)


def _pack(rgb: np.ndarray) -> np.ndarray:
    """(...,) int32 24-bit colours."""
    wide = rgb.astype(np.int32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2])
