"""RGB histograms of frames."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from videodp.elements import OwnerPicture, place
from videodp.pinq.terms import Answer, Terms, answer, needed
from videodp.queries.footage import Footage
from videodp.queries.pixels import HISTOGRAM
from videodp.queries.tables import table_of
from videodp.video import Frame

__all__ = ["histogram"]

_CHANNELS = 3
_MANY = 2**62
_PIXELS = "how many pixels of one element count in a frame"


def histogram(
    footage: Footage, terms: Terms, *, pixels: int | None = None, frames: int | None = None
) -> Answer:
    """How many pixels have each value of red, green and blue.

    To protect an element is to hide whether its pixels are in the video (the paper's V and
    V' = V without Υ_j); what stands behind it is not looked at.

    Args:
        footage: an original with its elements; few frames of it, as a rule.
        terms: ``paper``: the sensitivity is the largest element, for each number by itself.
            ``element``: one pixel is in three histograms, in as many frames as it may be.
        pixels: most pixels of one element in one frame; the rest of it is left out. For
            ``paper`` it is read off the video if not given, as in the paper.
        frames: for ``element``: most of the asked frames in which one element is counted; it
            is left out of the later ones.

    Returns:
        `HISTOGRAM`: 256 rows, summed over the frames; noise may make a number negative.
    """
    if terms.paper:
        counts, largest = _counts(footage, _MANY, _MANY)
        sensitivity = largest if pixels is None else needed("pixels", pixels, 5000, _PIXELS)
        protects = (
            f"{sensitivity} pixels of one channel; an element has as many in each frame and "
            "channel, and loses epsilon for each of them"
        )
        if pixels is None:
            protects += "; the largest element is read off the video, which nothing protects"
    else:
        most = needed("pixels", pixels, 5000, _PIXELS)
        lives = needed("frames", frames, 1, "in how many frames one is counted")
        counts, _ = _counts(footage, most, lives)
        sensitivity = _CHANNELS * most * lives
        protects = (
            f"one element over the whole answer: {most} of its pixels count in each of its first "
            f"{lives} frames; what stands behind it is not considered"
        )
    return answer(
        terms,
        counts,
        sensitivity,
        protects,
        lambda noisy: table_of(
            HISTOGRAM,
            {"value": np.arange(256), "red": noisy[0], "green": noisy[1], "blue": noisy[2]},
        ),
    )


def _counts(footage: Footage, pixels: int, frames: int) -> tuple[np.ndarray, int]:
    """(3, 256) int64 within the bounds, and the pixels of the largest element, at least 1."""
    counts = np.zeros((_CHANNELS, 256), np.int64)
    counted = np.zeros(len(footage.who.tracks), np.int64)
    largest = 1
    for frame, owner in _owned(footage):
        flat = owner.reshape(-1)
        keep = flat == 0
        for element in np.unique(flat[flat > 0]) - 1:
            counted[element] += 1
            own = np.flatnonzero(flat == element + 1)
            largest = max(largest, len(own))
            if counted[element] <= frames:
                keep[own[:pixels]] = True
        for channel, row in enumerate(counts):
            row += np.bincount(frame.rgb[..., channel].reshape(-1)[keep], minlength=256)
    return counts, largest


def _owned(footage: Footage) -> Iterator[tuple[Frame, np.ndarray]]:
    """Each frame, and (height, width) int32: 0 background, else the place of its owner + 1."""
    owners = OwnerPicture(*footage.size)
    elements = footage.who
    for frame, seen in zip(footage.pictures(), footage.frames(), strict=True):
        yield frame, owners.paint(place(elements, seen, *footage.size))
