"""Phase II for elements: where drawn colours appear, and the figure that grows from them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from videodp.elements import Placed
from videodp.kernels.figures import crop_mask, stamp, stamp_flat
from videodp.kernels.fill import FORBIDDEN, HOLE, KNOWN, ring_fill
from videodp.render.draw import Drawn

__all__ = ["INSERTS", "Cast", "paint_figures"]

INSERTS = ("lifetime", "neighbours", "none")


@dataclass(frozen=True)
class _Role:
    """The drawn pixels of one element, in order of time."""

    frames: np.ndarray
    """(n,) int64."""
    places: np.ndarray
    """(n, 2) int64: y, x."""
    relative: np.ndarray
    """(n, 2) float64: down and across its box, 0..1."""
    colours: np.ndarray
    """(n, 3) uint8."""
    moments: list[int] = field(init=False)
    """The different frames, and where in the columns the pixels of each begin."""
    edges: list[int] = field(init=False)

    def __post_init__(self) -> None:
        moments, starts = np.unique(self.frames, return_index=True)
        object.__setattr__(self, "moments", moments.tolist())
        object.__setattr__(self, "edges", [*starts.tolist(), len(self.frames)])

    def seeds(self, frame: int, insert: str) -> slice:
        """Which drawn pixels show in a frame: its own, else those of the nearest frames."""
        at = bisect_left(self.moments, frame)
        if at < len(self.moments) and self.moments[at] == frame:
            return slice(self.edges[at], self.edges[at + 1])
        first, last = max(at - 1, 0), min(at + 1, len(self.moments))
        if insert == "none":
            first = last
        elif insert == "neighbours":
            first += self.moments[first] < frame - 1
            last -= self.moments[last - 1] > frame + 1
        return slice(self.edges[first], self.edges[max(first, last)])


class Cast:
    """The elements of which something was drawn, and what."""

    def __init__(self, drawn: Drawn, insert: str) -> None:
        self.insert = insert
        self.roles: dict[int, _Role] = {}
        channels = np.stack([drawn.colour >> 16, (drawn.colour >> 8) & 255, drawn.colour & 255], 1)
        down = (drawn.y + 0.5 - drawn.boxes[:, 1]) / drawn.boxes[:, 3]
        across = (drawn.x + 0.5 - drawn.boxes[:, 0]) / drawn.boxes[:, 2]
        for element in np.unique(drawn.element).tolist():
            mine = drawn.element == element
            self.roles[element] = _Role(
                drawn.frame[mine],
                np.stack([drawn.y[mine], drawn.x[mine]], 1),
                np.stack([down[mine], across[mine]], 1),
                channels[mine].astype(np.uint8),
            )

    def shown(self, placed: Placed) -> Iterator[tuple[int, _Role, slice]]:
        """Row, role and drawn pixels of each element that is painted in a frame."""
        for row, element in enumerate(placed.index.tolist()):
            if element in self.roles:
                seeds = self.roles[element].seeds(placed.frame, self.insert)
                if seeds.start < seeds.stop:
                    yield row, self.roles[element], seeds


def paint_figures(picture: np.ndarray, placed: Placed, cast: Cast) -> None:
    """Paints every drawn element over its whole shape, back to front.

    Elements that are not drawn take no part: they neither cover a figure nor leave their outline
    in it.

    Args:
        picture: (height, width, 3) uint8, changed in place.
        placed: all elements of the frame.
        cast: what was drawn.
    """
    for i, role, seeds in cast.shown(placed):
        runs = placed.shape(i)
        colours = role.colours[seeds]
        if (colours == colours[0]).all():  # what grows from one colour is that colour
            stamp_flat(picture, runs, placed.bounds[i], colours[0])
            continue
        x0, y0, x1, y1 = placed.bounds[i].tolist()
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        crop_mask(runs, placed.bounds[i], picture.shape[1], mask)
        if mask.any():
            crop = _figure(role, seeds, placed.frame, placed.boxes[i], (y0, x0), mask)
            stamp(picture, crop, mask, x0, y0)


def _figure(
    role: _Role,
    seeds: slice,
    frame: int,
    box: np.ndarray,
    origin: tuple[int, int],
    mask: np.ndarray,
) -> np.ndarray:
    """The filled crop, (h, w, 3) uint8: drawn colours spread over the mask ring by ring."""
    if (role.frames[seeds] == frame).all():
        places = role.places[seeds] - origin
    else:
        places = (
            np.floor(role.relative[seeds] * box[[3, 2]] + box[[1, 0]]).astype(np.int64) - origin
        )
    colours = role.colours[seeds]
    crop = np.empty((*mask.shape, 3), np.uint8)
    state = np.where(mask == 1, HOLE, FORBIDDEN).astype(np.uint8)
    meeting: dict[tuple[int, int], list[np.ndarray]] = {}
    for (y, x), colour in zip(_onto(mask, places).tolist(), colours, strict=True):
        meeting.setdefault((y, x), []).append(colour)
    for at, several in meeting.items():
        crop[at] = (2 * np.sum(several, axis=0, dtype=np.int64) + len(several)) // (
            2 * len(several)
        )
        state[at] = KNOWN
    if ring_fill(crop, state):  # parts of the mask that nothing reaches: go on through the gaps
        state[state == FORBIDDEN] = HOLE
        ring_fill(crop, state)
    return crop


def _onto(mask: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Moves places that missed the mask to its nearest pixel."""
    places = np.clip(places, 0, np.array(mask.shape) - 1)
    missed = mask[places[:, 0], places[:, 1]] == 0
    if missed.any():
        pixels = np.argwhere(mask)
        for i in np.flatnonzero(missed):
            distance = ((pixels - places[i]) ** 2).sum(axis=1)
            places[i] = pixels[np.argmin(distance)]
    return places
