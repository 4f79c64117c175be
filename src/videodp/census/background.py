"""Frames with the elements cut out, set aside on disk: what the plate is made of."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from videodp.kernels.plate import mark_background

__all__ = [
    "BackgroundSamples",
    "background_frames",
    "background_samples",
    "clear_of",
    "keep_background",
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


def background_frames(frames: int, samples: int = _SAMPLES) -> tuple[int, ...]:
    """Evenly spaced frames: which ones does not depend on how the video is cut."""
    count = min(frames, samples)
    return tuple((2 * i + 1) * frames // (2 * count) for i in range(count))


def clear_of(owner: np.ndarray) -> np.ndarray:
    """(height, width) bool: where no element of (height, width) int32 `owner` is, or is near.

    At the rim of an element compression mixes its colours into the background.
    """
    margin = max(_LEAST_MARGIN, round(_MARGIN * max(owner.shape)))
    around = np.ones((2 * margin + 1, 2 * margin + 1), np.uint8)
    clear: np.ndarray = np.asarray(cv2.dilate((owner > 0).astype(np.uint8), around)) == 0
    return clear


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
