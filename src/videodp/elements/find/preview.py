"""What was found, drawn over the video: for the owner's eyes only."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np

from videodp.elements.find.tags import Tag, put_tags
from videodp.elements.model import Elements, Seen
from videodp.elements.ownership import Placed, place
from videodp.kernels.figures import crop_mask
from videodp.video import Frame, Video, VideoWriter, prefetch, read_frames
from videodp.video.in_order import in_order

__all__ = ["write_preview"]

_TINT = 0.45


def write_preview(
    video: Video,
    elements: Elements,
    output: str | Path,
    *,
    workers: int = 1,
    overwrite: bool = False,
    progress: Callable[[int], None] = lambda frames: None,
) -> None:
    """Draws every element's mask as a tint, its shape as an outline, its box, id and label.

    In a crowd only the id, where there is no room for both; none where there is none for that.
    """

    def draw(both: tuple[Frame, Seen]) -> tuple[int, np.ndarray]:
        frame, seen = both
        picture = np.array(frame.rgb, order="C")
        placed = place(elements, seen, video.width, video.height)
        busy, tags = np.zeros(picture.shape[:2], np.uint8), []
        for i in range(len(placed)):
            x0, y0, x1, y1 = placed.bounds[i].tolist()
            if x0 >= x1 or y0 >= y1:
                continue
            track = elements.tracks[int(placed.index[i])]
            colour = _colour(track.id)
            _draw(picture, placed, i, colour, busy)
            texts = (f"{track.id} {track.label}", str(track.id))
            tags.append(Tag((x0, y0, x1, y1), texts, colour))
        put_tags(picture, tags[::-1], busy)
        return frame.pts, picture

    writer = VideoWriter(
        output,
        width=video.width,
        height=video.height,
        rate=video.rate,
        time_base=video.time_base,
        overwrite=overwrite,
        private=True,
    )
    with writer, closing(prefetch(read_frames(video))) as frames:
        both = zip(frames, elements.frames(0, video.frames), strict=True)
        with closing(in_order(draw, both, workers)) as pictures:
            for pts, picture in pictures:
                writer.write(picture, pts)
                progress(1)


def _draw(
    picture: np.ndarray,
    placed: Placed,
    i: int,
    colour: tuple[int, int, int],
    busy: np.ndarray,
) -> None:
    """One element; `busy` is told where it is."""
    x0, y0, x1, y1 = placed.bounds[i].tolist()
    part = picture[y0:y1, x0:x1]
    mask, shape = (np.zeros((y1 - y0, x1 - x0), np.uint8) for _ in range(2))
    crop_mask(placed.masks.of(i), placed.bounds[i], picture.shape[1], mask)
    crop_mask(placed.shape(i), placed.bounds[i], picture.shape[1], shape)
    tinted = part[mask == 1] * (1 - _TINT) + np.array(colour) * _TINT
    part[mask == 1] = tinted.astype(np.uint8)
    busy[y0:y1, x0:x1] |= mask
    rims, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(picture, rims, -1, colour, 1, offset=(x0, y0))
    left, top, width, height = (round(v) for v in placed.boxes[i].tolist())
    cv2.rectangle(picture, (left, top), (left + width, top + height), colour, 1)


def _colour(identity: int) -> tuple[int, int, int]:
    """The same identity, the same colour; neighbours far apart (golden ratio)."""
    red, green, blue = colorsys.hsv_to_rgb(identity * 0.618034 % 1, 0.75, 1.0)
    return round(255 * red), round(255 * green), round(255 * blue)
