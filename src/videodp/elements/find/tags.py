"""Who is who in a picture: small tags that hide little, and never each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

__all__ = ["Tag", "arrange", "put_tags", "text_size"]

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_SMALLEST, _HEIGHTS = 0.3, 1600
"""Scale of the text: so many picture heights are scale 1, but what is smaller cannot be read."""
_RIM = 2
_BRIGHT = 140
"""Grey level of a colour from which on black is read better on it than white."""


@dataclass(frozen=True)
class Tag:
    """What is to be said of one element."""

    bounds: tuple[int, int, int, int]
    """x0, y0, x1, y1 of the element, inside the picture."""
    texts: tuple[str, ...]
    """The same ever shorter: the first for which there is room is put."""
    colour: tuple[int, int, int]


def put_tags(picture: np.ndarray, tags: Sequence[Tag], busy: np.ndarray) -> None:
    """Writes the tags into (height, width, 3) uint8, those there is no room for left out.

    Args:
        picture: the frame, written.
        tags: front-most first; these get the best places.
        busy: (height, width) bool or uint8: what should stay in sight.
    """
    scale = max(_SMALLEST, len(picture) / _HEIGHTS)
    sizes = [[text_size(text, scale) for text in tag.texts] for tag in tags]
    for tag, found in zip(tags, arrange([t.bounds for t in tags], sizes, busy), strict=True):
        if found is None:
            continue
        which, x, y = found
        (width, height), text = text_size(tag.texts[which], scale), tag.texts[which]
        cv2.rectangle(picture, (x, y), (x + width - 1, y + height - 1), tag.colour, cv2.FILLED)
        grey = np.dot(tag.colour, (0.299, 0.587, 0.114))
        ink = (0, 0, 0) if grey >= _BRIGHT else (255, 255, 255)
        at = (x + _RIM, y + height - 1 - _RIM)
        cv2.putText(picture, text, at, _FONT, scale, ink, 1, cv2.LINE_AA)


def text_size(text: str, scale: float) -> tuple[int, int]:
    """Width and height of a tag."""
    (width, height), _ = cv2.getTextSize(text, _FONT, scale, 1)
    return width + 2 * _RIM, height + 2 * _RIM


def arrange(
    bounds: Sequence[tuple[int, int, int, int]],
    sizes: Sequence[Sequence[tuple[int, int]]],
    busy: np.ndarray,
) -> list[tuple[int, int, int] | None]:
    """Where each tag goes: which of its sizes, x and y; None where there is no room.

    Each takes the place about its element, clear of all tags before it, that hides least of what
    is busy; the longest text that has any such place.

    Args:
        bounds: x0, y0, x1, y1 of each element.
        sizes: width and height of each text of each tag.
        busy: (height, width) bool or uint8.
    """
    busy, taken = busy > 0, np.zeros(busy.shape, bool)
    found: list[tuple[int, int, int] | None] = []
    for box, wanted in zip(bounds, sizes, strict=True):
        best = None
        for which, (width, height) in enumerate(wanted):
            hidden: dict[tuple[int, int], int] = {}
            for x, y in _places(box, width, height):
                there = np.s_[max(y, 0) : y + height, max(x, 0) : x + width]
                if busy[there].size == width * height and not taken[there].any():
                    hidden.setdefault((x, y), int(busy[there].sum()))
            if hidden:
                x, y = min(hidden, key=lambda place: hidden[place])  # the first of equals
                taken[y : y + height, x : x + width] = True
                best = which, x, y
                break
        found.append(best)
    return found


def _places(box: tuple[int, int, int, int], width: int, height: int) -> Iterator[tuple[int, int]]:
    """Above, below, beside and inside, from the one the eye looks for first."""
    x0, y0, x1, y1 = box
    middle = (x0 + x1 - width) // 2
    for y in (y0 - height, y1):
        yield from ((x, y) for x in (x0, middle, x1 - width))
    for x in (x1, x0 - width):
        yield from ((x, y) for y in (y0, y1 - height))
    yield from ((middle, y) for y in (y0, y1 - height))
