"""Original and private frames side by side, as pictures inside the page."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from videodp.report.facts import ElementRow
from videodp.video import Video, read_frames

__all__ = ["Moment", "Shot", "data_uri", "frame_of", "jpeg", "moments", "take_shots"]

_WIDEST = 960
_QUALITY = 85
_EXPOSED_WEIGHT = 3
"""A frame with an exposed element shows more of what was done than one with a hidden one."""


@dataclass(frozen=True)
class Moment:
    """A frame worth showing."""

    frame: int
    present: int
    """Elements between their first and their last frame."""
    exposed: int
    """Those of them of which a pixel was drawn somewhere in the video."""


@dataclass(frozen=True)
class Shot:
    """A frame in both videos."""

    moment: Moment
    seconds: float
    original: str
    """JPEG, as a data URI."""
    private: str


def moments(elements: Sequence[ElementRow], frames: int, count: int = 4) -> tuple[Moment, ...]:
    """The fullest frame of each part of the video, parts without elements left out."""
    present, exposed = _alive(elements, frames), _alive([e for e in elements if e.drawn], frames)
    score = present + (_EXPOSED_WEIGHT - 1) * exposed
    edges = np.linspace(0, frames, min(count, frames) + 1).astype(int)
    found = []
    for start, stop in pairwise(edges.tolist()):
        best = np.flatnonzero(score[start:stop] == score[start:stop].max()) + start
        at = int(best[len(best) // 2])
        found.append(Moment(at, int(present[at]), int(exposed[at])))
    return tuple(moment for moment in found if moment.present) or tuple(found)


def _alive(elements: Sequence[ElementRow], frames: int) -> np.ndarray:
    """How many of them live in each frame, (frames,) int64."""
    change = np.zeros(frames + 1, np.int64)
    for element in elements:
        change[min(element.first, frames)] += 1
        change[min(element.last + 1, frames)] -= 1
    return np.cumsum(change)[:frames]


def take_shots(original: Video, private: Video, when: Sequence[Moment]) -> Iterator[Shot]:
    """Reads these frames of both videos."""
    for moment in when:
        yield Shot(
            moment,
            float(original.time_of(moment.frame) - original.time_of(0)),
            data_uri(frame_of(original, moment.frame)),
            data_uri(frame_of(private, moment.frame)),
        )


def frame_of(video: Video, index: int) -> np.ndarray:
    """One frame, (height, width, 3) uint8."""
    (frame,) = read_frames(video, index, index + 1)
    return frame.rgb


def data_uri(rgb: np.ndarray) -> str:
    """A JPEG of moderate size that a page can hold."""
    height, width = rgb.shape[:2]
    if width > _WIDEST:
        size = (_WIDEST, max(round(height * _WIDEST / width), 1))
        rgb = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    return "data:image/jpeg;base64," + base64.b64encode(jpeg(rgb)).decode("ascii")


def jpeg(rgb: np.ndarray) -> bytes:
    """A picture, (height, width, 3) uint8, as a file."""
    bgr = cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2BGR)
    _, file = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return bytes(file)
