"""A frame as a model wants it: shrunk onto a sheet of its size, its channels, its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

__all__ = ["DYNAMIC_SIDE", "Sheet"]

DYNAMIC_SIDE = 640
"""The longer side of the sheet where the model takes any size; most are trained at this one."""
_STEP = 32  # the coarsest grid of common models: their sheets are multiples of it
_GREY = 114  # what YOLOX, and most after it, had around their pictures in training


@dataclass(frozen=True)
class Sheet:
    """What a model takes.

    Attributes:
        height: In pixels; None where the model takes any.
        width: The same.
        dtype: float32, float16 or uint8.
        channels_last: (height, width, 3) instead of (3, height, width).
        batched: Whether there is an axis of length 1 before these.
        bgr: Blue first.
        unit: Numbers are 0..1 instead of 0..255.
        stretched: The frame fills the sheet whatever its shape, instead of keeping its shape.
    """

    height: int | None
    width: int | None
    dtype: np.dtype[np.generic]
    channels_last: bool = False
    batched: bool = True
    bgr: bool = False
    unit: bool = False
    stretched: bool = False

    def size(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Width and height of the sheet, then of a frame on it."""
        tall, wide = self.height or DYNAMIC_SIDE, self.width or DYNAMIC_SIDE
        if self.stretched:
            return wide, tall, wide, tall
        ratio = min(wide / width, tall / height)
        w = min(wide, max(1, round(width * ratio)))
        h = min(tall, max(1, round(height * ratio)))
        # No more empty sheet than needed: time goes by its area.
        wide = self.width or math.ceil(w / _STEP) * _STEP
        tall = self.height or math.ceil(h / _STEP) * _STEP
        return wide, tall, w, h

    def size_of(self, sheet: np.ndarray) -> tuple[int, int]:
        """Width and height of a sheet that `put` made."""
        tall, wide = sheet.shape[-3:-1] if self.channels_last else sheet.shape[-2:]
        return wide, tall

    def put(self, rgb: np.ndarray) -> tuple[np.ndarray, float, float]:
        """Lays a frame at the sheet's upper left corner.

        Returns:
            The sheet, and how many of its pixels one pixel of the frame is, across and down.
        """
        height, width = rgb.shape[:2]
        wide, tall, w, h = self.size(width, height)
        # No average over what is left out: at 1080p it takes 60 times as long, and nano finds fewer
        # with it (0.88 instead of 0.91 of the people and cars of painted streets, at 0.1).
        small = cv2.resize(rgb, (w, h), interpolation=cv2.INTER_LINEAR)
        number = np.float32(1 / 255) if self.unit else np.float32(1)
        sheet = np.empty((tall, wide, 3) if self.channels_last else (3, tall, wide), self.dtype)
        planes = np.moveaxis(sheet, 2, 0) if self.channels_last else sheet
        planes[:, h:] = planes[:, :h, w:] = _GREY * number
        for channel in range(3):
            from_channel = small[:, :, 2 - channel if self.bgr else channel]
            if self.unit:
                np.multiply(from_channel, number, out=planes[channel, :h, :w], casting="unsafe")
            else:
                planes[channel, :h, :w] = from_channel
        return (sheet[None] if self.batched else sheet), w / width, h / height
