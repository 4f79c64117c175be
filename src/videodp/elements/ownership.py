"""Which element owns each pixel of a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from videodp.elements.model import Elements, Runs, Seen
from videodp.errors import ElementsError
from videodp.kernels.masks import bound_runs, clear_bounds, paint_elements

__all__ = ["OwnerPicture", "Placed", "place"]


@dataclass(frozen=True)
class Placed:
    """The elements of one frame, ready for the kernels, back to front."""

    frame: int
    index: np.ndarray
    """(n,) int32: place of each element in `Elements.tracks`."""
    boxes: np.ndarray
    """(n, 4) float64: x, y, width, height as given, for normalised coordinates."""
    bounds: np.ndarray
    """(n, 4) int64: x0, y0, x1, y1 around box and mask, inside the picture."""
    masks: Runs
    shapes: Runs

    def __len__(self) -> int:
        return len(self.index)

    def only(self, keep: np.ndarray) -> Placed:
        """The rows where `keep`, (n,) bool, is true."""
        if keep.all():
            return self
        rows = np.flatnonzero(keep)
        return Placed(
            self.frame,
            self.index[rows],
            self.boxes[rows],
            self.bounds[rows],
            self.masks.take(rows),
            self.shapes.take(rows),
        )

    def shape(self, i: int) -> np.ndarray:
        """(r, 2) int32: the runs that are drawn for row `i`; none: its whole bounds."""
        runs = self.shapes.of(i)
        return runs if len(runs) else self.masks.of(i)


def place(elements: Elements, seen: Seen, width: int, height: int) -> Placed:
    """Looks up the elements of a frame and rounds their boxes outwards to whole pixels."""
    runs = seen.masks, seen.shapes
    if not (np.isfinite(seen.boxes).all() and all(some.inside(width * height) for some in runs)):
        # Kernels write where they are told to, inside the picture or not.
        raise ElementsError(
            f"frame {seen.frame + 1} lists something outside the picture of {width}x{height}: "
            "load the elements together with their video"
        )
    x, y, w, h = seen.boxes.T
    bounds = np.stack(
        [
            np.clip(np.floor(x), 0, width),
            np.clip(np.floor(y), 0, height),
            np.clip(np.ceil(x + w), 0, width),
            np.clip(np.ceil(y + h), 0, height),
        ],
        axis=1,
    ).astype(np.int64)
    bound_runs(seen.masks.offsets, seen.masks.runs, width, bounds)
    index = elements.positions(seen.ids)
    return Placed(seen.frame, index, seen.boxes, bounds, seen.masks, seen.shapes)


class OwnerPicture:
    """Who owns each pixel, frame after frame in the same memory.

    No pixel belongs to two elements (paper, footnote 3).
    """

    def __init__(self, width: int, height: int) -> None:
        self._picture = np.zeros((height, width), np.int32)
        self._painted = np.zeros((0, 4), np.int64)

    def paint(self, placed: Placed) -> np.ndarray:
        """(height, width) int32: 0 is background, i + 1 is track i; front-most wins.

        The array is the picture's own: it holds until the next frame is painted.
        """
        clear_bounds(self._picture, self._painted)  # much less than everything
        masks = placed.masks
        paint_elements(self._picture, placed.bounds, masks.offsets, masks.runs, placed.index + 1)
        self._painted = placed.bounds
        return self._picture
