"""Where those must be who are listed before and after a frame, but not in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from videodp.elements.model import Elements

__all__ = ["unlisted"]


def unlisted(elements: Elements, frames: Sequence[int]) -> dict[int, np.ndarray]:
    """Boxes of elements between two sightings, as if they went evenly from one to the next.

    A tracker that loses somebody for a moment leaves such gaps. Who is hidden has them, too. An
    id below 0 is nobody in particular, so nothing goes from one to the next.

    Args:
        elements: who is in the video.
        frames: of interest, ascending.

    Returns:
        For each of these frames (n, 4) float64: x, y, width, height.
    """
    found: dict[int, list[np.ndarray]] = {frame: [] for frame in frames}
    lives = [(t.first, t.last) for t in elements.tracks if t.id >= 0 and t.gaps]
    if any(first < frame < last for first, last in lives for frame in frames):
        _collect(elements, np.array(frames), found)
    return {frame: np.array(boxes).reshape(-1, 4) for frame, boxes in found.items()}


def _collect(elements: Elements, frames: np.ndarray, found: dict[int, list[np.ndarray]]) -> None:
    """One pass over the boxes; the last one of each track is remembered."""
    since = np.full(len(elements), -1)
    boxes = np.zeros((len(elements), 4))
    for seen in elements.frames(0, 1 + max(track.last for track in elements.tracks)):
        seen = seen.take(np.flatnonzero(seen.ids >= 0))
        at = elements.positions(seen.ids)
        begin = np.searchsorted(frames, since[at], side="right")
        end = np.searchsorted(frames, seen.frame, side="left")
        for i in np.flatnonzero((since[at] >= 0) & (begin < end)).tolist():
            for frame in frames[begin[i] : end].tolist():
                share = (frame - since[at[i]]) / (seen.frame - since[at[i]])
                found[frame].append((1 - share) * boxes[at[i]] + share * seen.boxes[i])
        since[at], boxes[at] = seen.frame, seen.boxes
