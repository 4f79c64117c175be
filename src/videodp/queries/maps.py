"""Maps: on which spots of the picture people stand, and where their paths lead."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from videodp.errors import UsageError
from videodp.queries.footage import PEOPLE, Footage, feet_of
from videodp.queries.tables import table_of

__all__ = ["DENSITY_MAP", "HEATMAP", "density_map", "heatmap"]

_CELL = [
    ("column", pa.int32()),
    ("row", pa.int32()),
    ("x", pa.float64()),
    ("y", pa.float64()),
    ("width", pa.float64()),
    ("height", pa.float64()),
]
DENSITY_MAP = pa.schema(
    [*_CELL, ("people", pa.float64()), ("most", pa.int32()), ("per_megapixel", pa.float64())]
)
HEATMAP = pa.schema([*_CELL, ("sightings", pa.int64()), ("elements", pa.int32())])

_MOST_CELLS = 512


def density_map(footage: Footage, *, grid: tuple[int, int] = (16, 9)) -> pa.Table:
    """Crowd density of every cell of the picture, by where people's feet are.

    Args:
        footage: what to look at.
        grid: columns and rows of cells of the same size.

    Returns:
        `DENSITY_MAP`: one row for each cell, line by line. `people`: mean over the frames;
        `most`: in one frame; `per_megapixel`: the mean for the size of the cell.
    """
    cells = _Grid(footage.size, grid)
    total, most = np.zeros(cells.count, np.int64), np.zeros(cells.count, np.int64)
    for seen in footage.frames():
        people = np.array([label in PEOPLE for label in seen.labels], bool)
        places = cells.of(feet_of(seen.boxes[people]))
        here = np.bincount(places[places >= 0], minlength=cells.count)
        total += here
        np.maximum(most, here, out=most)
    mean = total / max(1, len(footage))
    columns = cells.columns()
    area = columns["width"] * columns["height"] / 1e6
    return table_of(
        DENSITY_MAP, {**columns, "people": mean, "most": most, "per_megapixel": mean / area}
    )


def heatmap(footage: Footage, *, grid: tuple[int, int] = (32, 18)) -> pa.Table:
    """Where the paths of elements lead.

    Args:
        footage: what to look at.
        grid: columns and rows of cells of the same size.

    Returns:
        `HEATMAP`: one row for each cell, line by line. `sightings`: how often a foot was in it;
        `elements`: how many different elements these were.
    """
    cells = _Grid(footage.size, grid)
    sightings = np.zeros(cells.count, np.int64)
    visited = _Pairs(cells.count)
    for seen in footage.sightings():
        places = cells.of(seen.feet)
        inside = places >= 0
        sightings += np.bincount(places[inside], minlength=cells.count)
        visited.add(seen.index[inside], places[inside])
    return table_of(
        HEATMAP, {**cells.columns(), "sightings": sightings, "elements": visited.per_cell()}
    )


class _Grid:
    """Equal cells over the whole picture, numbered line by line."""

    def __init__(self, size: tuple[int, int], grid: tuple[int, int]) -> None:
        if not all(1 <= side <= _MOST_CELLS for side in grid):
            raise UsageError(
                f"a grid has 1 to {_MOST_CELLS} columns and rows, not {grid[0]}x{grid[1]}"
            )
        self._size, self._grid = np.array(size, np.float64), grid
        self.count = grid[0] * grid[1]

    def of(self, points: np.ndarray) -> np.ndarray:
        """(n,) int64: the cell of each point, (n, 2); -1 outside of the picture.

        The lower and the right edge belong to the picture: feet are on the lower edge of a box.
        """
        inside = np.all((points >= 0) & (points <= self._size), axis=1)
        scaled = points / self._size * self._grid
        place = np.clip(np.floor(scaled), 0, np.array(self._grid) - 1).astype(np.int64)
        return np.where(inside, place[:, 1] * self._grid[0] + place[:, 0], -1)

    def columns(self) -> dict[str, np.ndarray]:
        """Where each cell is."""
        row, column = np.divmod(np.arange(self.count), self._grid[0])
        width, height = self._size / self._grid
        return {
            "column": column,
            "row": row,
            "x": column * width,
            "y": row * height,
            "width": np.full(self.count, width),
            "height": np.full(self.count, height),
        }


class _Pairs:
    """Which elements were in which cells; grows with the cells that paths touch."""

    def __init__(self, cells: int) -> None:
        self._cells = cells
        self._known = np.zeros(0, np.int64)
        self._new: list[np.ndarray] = []
        self._waiting = 0

    def add(self, elements: np.ndarray, cells: np.ndarray) -> None:
        self._new.append(elements * self._cells + cells)
        self._waiting += len(elements)
        if self._waiting > max(100_000, len(self._known)):
            self._merge()

    def _merge(self) -> None:
        self._known = np.unique(np.concatenate([self._known, *self._new]))
        self._new, self._waiting = [], 0

    def per_cell(self) -> np.ndarray:
        """(cells,) int64: different elements."""
        self._merge()
        return np.bincount(self._known % self._cells, minlength=self._cells)
