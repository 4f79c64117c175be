"""Ways through the picture, between the zones of the flows and along the occupancy map.

Each actor gets several ways that it might take; those are chosen that together fit the noisy
map and the noisy places of entry and exit best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from videodp.kernels.ways import fit_ways, trace_ways
from videodp.synthesis.denoise import apportion
from videodp.synthesis.estimate import Estimate, border_of
from videodp.synthesis.settings import SynthesisSettings

__all__ = ["Ways", "find_ways"]

_CHOICES = 12
_POINTS = 12
_MOMENTS = 32
_SWEEPS = 6
_HABITS = (0.5, 1.0, 2.0, 1.0)
"""How much each field of ways keeps to what the map shows."""


@dataclass(frozen=True, eq=False)
class Ways:
    """One way for each of n actors."""

    points: np.ndarray
    """(n, m, 2) float64: places of the foot, in pixels."""
    pause: np.ndarray
    """(n,) float64: share of the stay spent standing."""
    place: np.ndarray
    """(n,) float64: where on the way, as a share of it."""


def find_ways(
    found: Estimate,
    settings: SynthesisSettings,
    p: int,
    k: int,
    flow: np.ndarray,
    pause: np.ndarray,
    size: tuple[int, int],
    rng: np.random.Generator,
) -> Ways:
    """A way for each actor.

    Args:
        found: what the summary says.
        settings: public.
        p: period.
        k: kind.
        flow: (n, 2) int64: zone where each comes from, zone where it goes.
        pause: (n,) float64: share of the stay that each stands.
        size: of the picture.
        rng: for post-processing.
    """
    n, grid = len(flow), np.array(settings.grid)
    cells = int(grid.prod())
    busy = found.occupancy[p, k]
    zone_of = _zones(settings)
    ends = np.empty((n, _CHOICES, 2, 2))
    end_cells = np.empty((n, _CHOICES, 2), np.int64)
    for side in range(2):
        weights = _end_weights(found.ends[p, k, side], busy, settings.grid)
        picked = _ends(weights, zone_of, flow[:, side], rng)
        end_cells[:, :, side] = picked
        ends[:, :, side] = _points(picked, settings, rng)
    before = _fields(busy, settings.grid, rng)
    shape = (n, _CHOICES)
    field = rng.integers(-1, len(before), shape)
    field[:, 0] = -1
    via = np.full(shape, -1)
    roams = rng.random(shape) < np.where(pause > 0, 0.7, 0.3)[:, None]
    via[roams] = rng.choice(cells, int(roams.sum()), p=_share(busy))
    shift = rng.uniform(-0.4, 0.4, (n * _CHOICES, 2))
    points = np.empty((n * _CHOICES, _POINTS, 2))
    trace_ways(
        before,
        field.ravel(),
        via.ravel(),
        ends.reshape(-1, 2, 2),
        shift,
        int(grid[0]),
        int(grid[1]),
        points,
    )
    points = points.reshape(n, _CHOICES, _POINTS, 2)
    place = np.where(via < 0, rng.random(shape), _nearest(points, via, settings.grid))
    visited = _visited(points, pause, place, settings.grid)
    chosen = _choose(visited, end_cells, found, settings, p, k, rng)
    mine = np.arange(n), chosen
    scaled = points[mine] / grid * size
    scaled[:, :, 1] = np.maximum(scaled[:, :, 1], 1.0)
    return Ways(scaled, pause, place[mine])


def _nearest(points: np.ndarray, via: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """(n, choices): where on its way each comes nearest to a cell, as a share of the way."""
    row, column = np.divmod(via, grid[0])
    away = points - np.stack([column + 0.5, row + 0.5], axis=-1)[:, :, None]
    return np.asarray(np.argmin((away**2).sum(axis=-1), axis=-1) / (_POINTS - 1))


def _share(weights: np.ndarray) -> np.ndarray:
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


def _zones(settings: SynthesisSettings) -> np.ndarray:
    """(cells,) int64: the zone that the middle of each cell is in."""
    row, column = np.divmod(np.arange(settings.grid[0] * settings.grid[1]), settings.grid[0])
    across = ((column + 0.5) / settings.grid[0] * settings.zones[0]).astype(np.int64)
    down = ((row + 0.5) / settings.grid[1] * settings.zones[1]).astype(np.int64)
    return np.asarray(down * settings.zones[0] + across)


def _end_weights(ends: np.ndarray, busy: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """Where ways begin or end: as the summary says, where somebody goes, rather at the border."""
    guess = np.sqrt(_share(busy)) * np.where(border_of(grid), 4.0, 1.0)
    return np.asarray(ends * np.sqrt(_share(busy) + 1e-4) + 1e-4 * guess * max(ends.sum(), 1e-9))


def _ends(
    weights: np.ndarray, zone_of: np.ndarray, zones: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """(n, choices) int64: cells of these zones, shared out by weight."""
    picked = np.empty((len(zones), _CHOICES), np.int64)
    for zone in np.unique(zones):
        mine = np.flatnonzero(zones == zone)
        cells = np.flatnonzero(zone_of == zone)
        if not len(cells):  # more zones than cells
            cells = np.arange(len(zone_of))
        counts = apportion(weights[cells], len(mine) * _CHOICES, rng)
        picked[mine] = rng.permutation(np.repeat(cells, counts)).reshape(len(mine), _CHOICES)
    return picked


def _points(cells: np.ndarray, settings: SynthesisSettings, rng: np.random.Generator) -> np.ndarray:
    """(n, choices, 2) float64: a point in each cell, in cells; at the border of the picture."""
    row, column = np.divmod(cells, settings.grid[0])
    x, y = column + rng.random(cells.shape), row + rng.random(cells.shape)
    left, right = column == 0, column == settings.grid[0] - 1
    x = np.where(left, 0.05 * (x - column), np.where(right, column + 1 - 0.05 * (x - column), x))
    low = (row == settings.grid[1] - 1) & ~left & ~right
    return np.stack([x, np.where(low, row + 1 - 0.05 * (y - row), y)], axis=-1)


def _fields(busy: np.ndarray, grid: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """(fields, cells, cells) int32: the cell before each on the cheapest way from another.

    A step costs its length over how busy the cells are that it joins.
    """
    columns, rows = grid
    cells = np.arange(columns * rows).reshape(rows, columns)
    pairs = [
        (cells[:, :-1], cells[:, 1:], 1.0),
        (cells[:-1], cells[1:], 1.0),
        (cells[:-1, :-1], cells[1:, 1:], 2**0.5),
        (cells[:-1, 1:], cells[1:, :-1], 2**0.5),
    ]
    a = np.concatenate([one.ravel() for one, _, _ in pairs])
    b = np.concatenate([other.ravel() for _, other, _ in pairs])
    length = np.concatenate([np.full(one.size, step) for one, _, step in pairs])
    level = busy / busy.max() if busy.max() > 0 else np.ones(len(busy))
    fields = []
    for habit in _HABITS:
        price = ((level + 0.03) * np.exp(rng.normal(0, 0.25, len(level)))) ** -habit
        cost = length * 0.5 * (price[a] + price[b])
        graph = csr_array((cost, (a, b)), shape=(len(busy), len(busy)))
        _, before = dijkstra(graph, directed=False, return_predecessors=True)
        fields.append(before.astype(np.int32))
    return np.stack(fields)


def _visited(
    points: np.ndarray, pause: np.ndarray, place: np.ndarray, grid: tuple[int, int]
) -> np.ndarray:
    """(n, choices, moments) int32: the cell at each of some evenly spaced moments."""
    moments = (np.arange(_MOMENTS) + 0.5) / _MOMENTS
    stand = pause[:, None, None]
    before = (1 - stand) * place[:, :, None]
    share = np.where(
        moments < before,
        moments / (1 - stand),
        np.where(moments < before + stand, place[:, :, None], (moments - stand) / (1 - stand)),
    )
    at = np.clip(share * (_POINTS - 1), 0, _POINTS - 1 - 1e-9)
    low = at.astype(np.int64)
    n, c = np.ogrid[: len(points), : points.shape[1]]
    n, c = n[:, :, None], c[:, :, None]
    part = (at - low)[..., None]
    spot = points[n, c, low] * (1 - part) + points[n, c, low + 1] * part
    column, row = (
        np.clip(np.floor(spot), 0, np.array(grid) - 1).astype(np.int32).transpose(3, 0, 1, 2)
    )
    return np.asarray(row * grid[0] + column)


def _choose(
    visited: np.ndarray,
    ends: np.ndarray,
    found: Estimate,
    settings: SynthesisSettings,
    p: int,
    k: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """(n,) int64: the way of each, so that together they fit the map and the ends."""
    n = len(visited)
    cells = len(found.occupancy[p, k])
    maps = np.concatenate([found.occupancy[p, k], found.ends[p, k, 0], found.ends[p, k, 1]])
    noise = {name: 100 / settings.shares[name] for name in ("occupancy", "ends")}
    stress = np.repeat([1 / noise["occupancy"] ** 2, 1 / noise["ends"] ** 2], [cells, 2 * cells])
    both = np.concatenate([visited, ends + np.array([cells, 2 * cells])], axis=2).astype(np.int32)
    weight = np.concatenate([np.full(_MOMENTS, 1 / _MOMENTS), [1.0, 1.0]])
    chosen = np.zeros(n, np.int64)
    residual = maps.copy()
    np.subtract.at(residual, both[:, 0], weight)
    for _ in range(_SWEEPS):
        if not fit_ways(both, weight, rng.permutation(n), residual, stress, chosen):
            break
    return chosen
