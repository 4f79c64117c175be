"""Frames with the elements cut out, set aside on disk: what the plate is made of."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from videodp.elements import Elements, unlisted
from videodp.kernels.plate import mark_background

__all__ = [
    "BackgroundSamples",
    "Moments",
    "background_frames",
    "background_samples",
    "keep_background",
    "moments_of",
]

_SAMPLES = 9
"""Frames that the plate is made of."""
_MARGIN, _LEAST_MARGIN = 0.006, 3
"""How far around an element is cut out with it: a share of the picture's longer side, in pixels."""


@dataclass(frozen=True)
class BackgroundSamples:
    """Some frames of the video with the elements cut out, on disk: what the plate is made of."""

    file: Path
    frames: tuple[int, ...]
    height: int
    width: int

    def rows(self, top: int, bottom: int) -> np.ndarray:
        """Lines [top, bottom) of all samples, (samples, lines, width, 4) uint8.

        Red, green, blue, and 1 where the pixel is background.
        """
        shape = (bottom - top, self.width, 4)
        size, picture = math.prod(shape), self.height * self.width * 4
        return np.stack(
            [
                np.fromfile(
                    self.file, np.uint8, size, offset=i * picture + top * self.width * 4
                ).reshape(shape)
                for i in range(len(self.frames))
            ]
        )


@dataclass(frozen=True)
class Moments:
    """The frames that the plate is made of, and who is in them unlisted."""

    frames: tuple[int, ...]
    unlisted: dict[int, np.ndarray]
    """Of each frame (n, 4) float64: boxes of those who are listed before and after it."""

    def slot(self, frame: int) -> int | None:
        """Place of a frame among the samples, if it is one."""
        return self.frames.index(frame) if frame in self.unlisted else None

    def clear(self, frame: int, owner: np.ndarray) -> np.ndarray:
        """Where nobody is or is near: at the rim compression mixes colours into the background.

        Args:
            frame: one of `frames`.
            owner: (height, width) int32, above 0 where a listed element is.

        Returns:
            (height, width) bool.
        """
        taken = (owner > 0).astype(np.uint8)
        for x, y, width, height in self.unlisted[frame].tolist():
            left, top = max(math.floor(x), 0), max(math.floor(y), 0)
            taken[top : max(math.ceil(y + height), 0), left : max(math.ceil(x + width), 0)] = 1
        margin = max(_LEAST_MARGIN, round(_MARGIN * max(owner.shape)))
        around = np.ones((2 * margin + 1, 2 * margin + 1), np.uint8)
        clear: np.ndarray = np.asarray(cv2.dilate(taken, around)) == 0
        return clear


def moments_of(elements: Elements, frames: int, samples: int = _SAMPLES) -> Moments:
    """Chooses frames, and looks up who is in them unlisted.

    Args:
        elements: who is in the video.
        frames: of the video.
        samples: how many to choose.
    """
    chosen = background_frames(elements, frames, samples)
    return Moments(chosen, unlisted(elements, chosen))


def background_frames(elements: Elements, frames: int, samples: int = _SAMPLES) -> tuple[int, ...]:
    """Evenly spaced ones of those that were searched: in others nobody is listed.

    Which ones does not depend on how the video is cut.
    """
    start, stop = elements.searched.frames or (0, frames)
    count = min(stop - start, samples)
    return tuple(start + (2 * i + 1) * (stop - start) // (2 * count) for i in range(count))


def background_samples(
    store: Path, frames: tuple[int, ...], height: int, width: int
) -> BackgroundSamples:
    """The samples that `keep_background` writes to a folder."""
    return BackgroundSamples(store / "background.bin", frames, height, width)


def keep_background(store: Path, slot: int, rgb: np.ndarray, background: np.ndarray) -> None:
    """Sets one frame aside, from any thread.

    Args:
        store: folder, private to the owner.
        slot: place of the frame among the samples.
        rgb: (height, width, 3) uint8.
        background: (height, width) bool, False where an element is or is near.
    """
    picture = np.empty((*background.shape, 4), np.uint8)
    mark_background(rgb.reshape(len(rgb), -1), background, picture.reshape(len(rgb), -1))
    handle = os.open(store / "background.bin", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.pwrite(handle, picture.data, slot * picture.nbytes)
    finally:
        os.close(handle)
