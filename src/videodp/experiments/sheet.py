"""Some frames of a video in memory, and how far private ones are from them.

Rendering is so cheap that most time would go into decoding the same frames for each epsilon, k and
seed again: they are decoded once, and compared before any encoder has touched them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from videodp.compare import colour_divergence
from videodp.elements import Elements, OwnerPicture, Placed, place
from videodp.plan.optimal_k import to_grey
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
    colours: np.ndarray
    """(m,) int32: the colours in all these frames, ascending."""
    counts: np.ndarray
    """(m,) int64: pixels of each."""

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

    def nearness(self, pictures: Iterator[np.ndarray], element: int | None = None) -> Nearness:
        """Compares other pictures with these frames.

        Args:
            pictures: one for each frame.
            element: place in the tracks: only its pixels count as those of elements.
        """
        owners = OwnerPicture(*self.size)
        others = np.zeros(len(self.counts), np.int64)
        error = error_elements = 0.0
        pixels = 0
        for frame, placed, picture in zip(self.frames, self.placed, pictures, strict=True):
            owner = owners.paint(placed)
            changed = np.any(frame.rgb != picture, axis=2)
            before, after = (_pack(rgb[changed]) for rgb in (frame.rgb, picture))
            square = (to_grey(before) - to_grey(after)) ** 2
            inside = owner > 0 if element is None else owner == element + 1
            error += float(square.sum())
            error_elements += float(square[inside[changed]].sum())
            pixels += int(inside.sum())
            self._count(others, before, -1)
            self._count(others, after, 1)
        return Nearness(
            colour_divergence(self.counts, self.counts + others, self.pixels),
            error / self.pixels,
            error_elements / pixels if pixels else None,
        )

    def _count(self, counts: np.ndarray, colours: np.ndarray, sign: int) -> None:
        at = np.minimum(np.searchsorted(self.colours, colours), len(self.colours) - 1)
        known = self.colours[at] == colours
        counts += sign * np.bincount(at[known], minlength=len(counts))


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
    packed = [np.unique(_pack(frame.rgb), return_counts=True) for frame in kept]
    colours = np.unique(np.concatenate([np.zeros(0, np.int32), *(c for c, _ in packed)]))
    counts = np.zeros(len(colours), np.int64)
    for own, pixels in packed:
        counts[np.searchsorted(colours, own)] += pixels
    return Sheet(size, kept, placed, colours, counts)


def _pack(rgb: np.ndarray) -> np.ndarray:
    """(...,) int32 24-bit colours."""
    wide = rgb.astype(np.int32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2])
