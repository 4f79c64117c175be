"""Ways through the picture, between the zones of the flows and along the occupancy map.

Each actor gets several ways that it might take; those are chosen that together fit the noisy
map and the noisy places of entry and exit best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from videodp.kernels.ways import fit_ways, trace_ways, visit_cells
from videodp.synthesis.denoise import apportion
from videodp.synthesis.estimate import Estimate, Sizes, border_of
from videodp.synthesis.settings import SynthesisSettings

__all__ = ["Ways", "find_ways", "lengths_of"]

_CHOICES = 12
_POINTS = 24
_MOMENTS = 48
_SWEEPS = 6
_ROUNDS = 2
_STRAIGHT = 6
"""How many of the choices lead straight on: the map is noisy, so it must earn each bend."""
_HEAT, _DETOUR = 0.05, 0.25
"""Random part of each choice, and what a bend costs; in units of squared residuals over noise."""
_BLEND = 0.7
"""How much of the busy map of the next round is what was walked in the last."""
_HABITS = (0.5, 1.0, 2.0, 2.0)
"""How much each field of ways keeps to what the map shows."""


@dataclass(frozen=True, eq=False)
class Ways:
    """One way for each of n actors."""

    points: np.ndarray
    """(n, m, 2) float64: places of the foot, in pixels."""
    pause: np.ndarray
    """(n,) float64: share of the stay spent standing."""
    place: np.ndarray
    """(n,) float64: where on the way, 0 at the first point to 1 at the last."""


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
    if not n:
        return Ways(np.zeros((0, _POINTS, 2)), pause, np.zeros(0))
    busy = found.occupancy[p, k]
    mine = _options(found, settings, p, k, flow, pause, busy, size, rng)
    for _ in range(_ROUNDS):
        mine = mine.of(_choose(mine, found, settings, p, k, rng))
        walked = np.bincount(mine.visited.ravel(), minlength=len(busy)) / _MOMENTS
        busy = _BLEND * walked + (1 - _BLEND) * found.occupancy[p, k]
        # What was chosen stays possible.
        mine = mine.before(_options(found, settings, p, k, flow, pause, busy, size, rng))
    mine = mine.of(_choose(mine, found, settings, p, k, rng))
    scaled = mine.points[:, 0] / grid * size
    scaled[:, :, 1] = np.maximum(scaled[:, :, 1], 1.0)
    return Ways(scaled, pause, mine.place[:, 0])


@dataclass(frozen=True, eq=False)
class _Options:
    """Several ways for each of n actors."""

    points: np.ndarray
    """(n, ways, m, 2) float64, in cells."""
    place: np.ndarray
    """(n, ways) float64: where one pauses."""
    visited: np.ndarray
    """(n, ways, moments) int32: cells."""
    ends: np.ndarray
    """(n, ways, 2) int64: cells."""
    bent: np.ndarray
    """(n, ways) bool: whether it leaves the straight line."""

    def of(self, chosen: np.ndarray) -> _Options:
        """Only one way for each."""
        i = np.arange(len(chosen))
        return _Options(*(getattr(self, name)[i, chosen][:, None] for name in _COLUMNS))

    def before(self, others: _Options) -> _Options:
        """These and then others."""
        return _Options(
            *(
                np.concatenate([getattr(self, name), getattr(others, name)], axis=1)
                for name in _COLUMNS
            )
        )


_COLUMNS = ("points", "place", "visited", "ends", "bent")


def _options(
    found: Estimate,
    settings: SynthesisSettings,
    p: int,
    k: int,
    flow: np.ndarray,
    pause: np.ndarray,
    busy: np.ndarray,
    size: tuple[int, int],
    rng: np.random.Generator,
) -> _Options:
    """Ways between the zones of each flow, most of them along what is busy."""
    n, (columns, rows) = len(flow), settings.grid
    zone_of = _zones(settings)
    shape = (n, _CHOICES)
    ends, end_cells = np.empty((*shape, 2, 2)), np.empty((*shape, 2), np.int64)
    for side in range(2):
        weights = _end_weights(found.ends[p, k, side], busy, settings.grid)
        end_cells[:, :, side] = _ends(weights, zone_of, flow[:, side], rng)
        ends[:, :, side] = _points(end_cells[:, :, side], settings, rng)
    before = _fields(busy, settings.grid, rng)
    field = rng.integers(0, len(before), shape)
    via = np.full(shape, -1)
    roams = rng.random(shape) < np.where(pause > 0, 0.7, 0.3)[:, None]
    roams[:, :_STRAIGHT] = False
    field[:, :_STRAIGHT] = -1
    via[roams] = rng.choice(columns * rows, int(roams.sum()), p=_share(busy))
    shift = rng.uniform(-0.4, 0.4, (n * _CHOICES, 2))
    points = np.empty((n * _CHOICES, _POINTS, 2))
    trace_ways(
        before, field.ravel(), via.ravel(), ends.reshape(-1, 2, 2), shift, columns, rows, points
    )
    points = np.reshape(points, (*shape, _POINTS, 2))
    place = np.where(via < 0, rng.random(shape), _nearest(points, via, settings.grid))
    effort = lengths_of(points / settings.grid * size, found.sizes[k], size)
    visited = np.empty((n * _CHOICES, _MOMENTS), np.int32)
    visit_cells(
        points.reshape(-1, _POINTS, 2),
        effort.reshape(-1, _POINTS - 1),
        np.repeat(pause, _CHOICES),
        place.ravel(),
        columns,
        rows,
        visited,
    )
    return _Options(points, place, visited.reshape(*shape, _MOMENTS), end_cells, field >= 0)


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
    """(n, choices, 2) float64: a point in each cell, in cells; at the border of the picture.

    Where the border of a zone runs through a cell, on that side on which its middle is.
    """
    row, column = np.divmod(cells, settings.grid[0])
    x, y = (
        _within(line, settings.grid[axis], settings.zones[axis], rng)
        for axis, line in enumerate((column, row))
    )
    left, right = column == 0, column == settings.grid[0] - 1
    x = np.where(left, 0.05 * (x - column), np.where(right, column + 1 - 0.05 * (x - column), x))
    low = (row == settings.grid[1] - 1) & ~left & ~right
    return np.stack([x, np.where(low, row + 1 - 0.05 * (y - row), y)], axis=-1)


def _within(lines: np.ndarray, cells: int, zones: int, rng: np.random.Generator) -> np.ndarray:
    """A place in each column (or row) of cells that is in the zone of its middle."""
    zone = np.floor((lines + 0.5) / cells * zones)
    low = np.maximum(lines, zone / zones * cells)
    high = np.minimum(lines + 1, (zone + 1) / zones * cells)
    return np.asarray(low + rng.random(lines.shape) * (high - low))


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


def lengths_of(points: np.ndarray, sizes: Sizes, size: tuple[int, int]) -> np.ndarray:
    """(..., m - 1) float64: way from each point, (..., m, 2) in pixels, to the next in heights."""
    steps = np.hypot(*np.moveaxis(np.diff(points, axis=-2), -1, 0))
    feet = 0.5 * (points[..., 1:, 1] + points[..., :-1, 1])
    return np.asarray(steps / (sizes.at(feet / size[1]) * size[1]))


def _choose(
    options: _Options,
    found: Estimate,
    settings: SynthesisSettings,
    p: int,
    k: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """(n,) int64: the way of each, so that together they fit the map and the ends."""
    n = len(options.place)
    cells = found.occupancy.shape[-1]
    target = np.concatenate([found.counted[p, k], found.ends_counted[p, k].ravel()])
    stress = np.repeat(1 / found.doubt, [cells, 2 * cells])
    both = np.concatenate([options.visited, options.ends + np.array([cells, 2 * cells])], axis=2)
    weight = np.concatenate([np.full(_MOMENTS, 1 / _MOMENTS), [1.0, 1.0]])
    chosen = np.zeros(n, np.int64)
    residual = target - np.bincount(both[:, 0].ravel(), np.tile(weight, n), minlength=len(target))
    for _ in range(_SWEEPS):
        luck = _HEAT * rng.gumbel(size=both.shape[:2]) - _DETOUR * options.bent
        fit_ways(both, weight, rng.permutation(n), residual, stress, luck, chosen)
    return chosen
