"""The two values that flow out of this folder: a video's description and its frames."""

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["Frame", "Video"]


@dataclass(frozen=True)
class Video:
    """What `probe` found out about a video: a handle that holds no open file.

    It can be pickled, so that several processes read parts of one video.

    Attributes:
        path: The file, or the folder of numbered pictures.
        width: Of the upright frames: rotation metadata has been applied.
        height: The same.
        frames: How many frames `read_frames` gives: exact.
        rate: Average frames per second.
        time_base: Seconds per unit of `pts`.
        codec: FFmpeg's name of the codec.
        pixel_format: FFmpeg's name of the decoded pixel format.
        has_audio: Whether there is sound beside the pictures.
        key_frames: Frames (from 0, in presentation order) where decoding can start and
            give exactly what decoding from the beginning gives. Always contains 0.
        truncated: The file ends early and the caller said that this is allowed.
        pts: (frames,) int64, increasing: when each frame is shown, in `time_base`.
        timed: Whether decoded frames carry the times in `pts`. If not (old AVI files),
            `pts` merely counts and frames can only be told by counting.
        quarter_turns: How often a decoded frame is turned by 90 degrees
            counterclockwise to stand upright.
        mirrored: Whether it is mirrored left to right before it is turned.
        pictures: The files of a folder of numbered pictures, in order.
    """

    path: Path
    width: int
    height: int
    frames: int
    rate: Fraction
    time_base: Fraction
    codec: str
    pixel_format: str
    has_audio: bool
    key_frames: tuple[int, ...]
    truncated: bool
    pts: NDArray[np.int64] = field(repr=False, compare=False)
    timed: bool = True
    quarter_turns: int = 0
    mirrored: bool = False
    pictures: tuple[Path, ...] = field(default=(), repr=False)

    def time_of(self, index: int) -> Fraction:
        """When frame `index` is shown, in seconds."""
        return int(self.pts[index]) * self.time_base


@dataclass(frozen=True, eq=False)
class Frame:
    """One decoded picture.

    Attributes:
        index: From 0, in presentation order.
        pts: When it is shown, in the video's `time_base`.
        time: The same in seconds, exact.
        rgb: (height, width, 3) uint8 RGB, upright; rows may be padded. It
            belongs to the caller and stays valid for as long as the caller holds it.
    """

    index: int
    pts: int
    time: Fraction
    rgb: NDArray[np.uint8]
