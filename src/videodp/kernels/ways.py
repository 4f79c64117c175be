"""Ways through a grid of cells: traced from end to end, and chosen to fit a map."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["fit_ways", "trace_ways", "visit_cells"]


@njit(nogil=True, cache=True)
def _walk(before: np.ndarray, start: int, stop: int, out: np.ndarray, at: int) -> int:
    """Writes the cells from start to stop, start left out; ``before[stop]`` leads back."""
    length = 0
    cell = stop
    while cell != start and cell >= 0 and at + length < len(out):
        out[at + length] = cell
        length += 1
        cell = before[start, cell]
    for i in range(length // 2):
        a, b = at + i, at + length - 1 - i
        out[a], out[b] = out[b], out[a]
    return at + length


@njit(nogil=True, cache=True)
def _along(places: np.ndarray, reach: np.ndarray, n: int, share: float) -> tuple[float, float]:
    """The point at a share of the length of a line of n places."""
    wanted = share * reach[n - 1]
    i = 1
    while i < n - 1 and reach[i] < wanted:
        i += 1
    step = reach[i] - reach[i - 1]
    part = min(max((wanted - reach[i - 1]) / step, 0.0), 1.0) if step > 0 else 0.0
    x = places[i - 1, 0] + part * (places[i, 0] - places[i - 1, 0])
    y = places[i - 1, 1] + part * (places[i, 1] - places[i - 1, 1])
    return x, y


@njit(nogil=True, cache=True)
def trace_ways(
    before: np.ndarray,
    field: np.ndarray,
    via: np.ndarray,
    ends: np.ndarray,
    shift: np.ndarray,
    columns: int,
    rows: int,
    points: np.ndarray,
) -> None:
    """Traces ways from cell to cell and rounds their corners.

    Args:
        before: (fields, cells, cells) int32: the cell before ``[to]`` on the way ``[from, to]``;
            below 0 where there is none.
        field: (n,) int64: which field a way follows; below 0: straight on.
        via: (n,) int64: a cell that it passes; below 0: none.
        ends: (n, 2, 2) float64: first and last point, in cells: column and row with fractions.
        shift: (n, 2) float64: how far beside the middles of cells it passes, in cells.
        columns: of the grid.
        rows: of the grid.
        points: (n, m, 2) float64, written: points of the way at equal distances, in cells.
    """
    most = 4 * (columns + rows)
    cells = np.empty(most, np.int64)
    places = np.empty((most + 2, 2))
    reach = np.empty(most + 2)
    m = points.shape[1]
    rough = np.empty((m, 2))
    for i in range(len(points)):
        used = 0
        if field[i] >= 0 or via[i] >= 0:
            start = min(int(ends[i, 0, 1]), rows - 1) * columns + min(
                int(ends[i, 0, 0]), columns - 1
            )
            stop = min(int(ends[i, 1, 1]), rows - 1) * columns + min(
                int(ends[i, 1, 0]), columns - 1
            )
            back = before[max(field[i], 0)]
            if via[i] >= 0:
                used = _walk(back, start, via[i], cells, used)
                used = _walk(back, via[i], stop, cells, used)
            else:
                used = _walk(back, start, stop, cells, used)
            if used > 0 and cells[used - 1] == stop:
                used -= 1  # the last point is given
        places[0] = ends[i, 0]
        for j in range(used):
            places[j + 1, 0] = cells[j] % columns + 0.5 + shift[i, 0]
            places[j + 1, 1] = cells[j] // columns + 0.5 + shift[i, 1]
        places[used + 1] = ends[i, 1]
        n = used + 2
        reach[0] = 0.0
        for j in range(1, n):
            reach[j] = reach[j - 1] + np.hypot(
                places[j, 0] - places[j - 1, 0], places[j, 1] - places[j - 1, 1]
            )
        for j in range(m):
            rough[j, 0], rough[j, 1] = _along(places, reach, n, j / (m - 1))
        points[i, 0], points[i, m - 1] = rough[0], rough[m - 1]
        for j in range(1, m - 1):
            for axis in range(2):
                points[i, j, axis] = (
                    0.25 * rough[j - 1, axis] + 0.5 * rough[j, axis] + 0.25 * rough[j + 1, axis]
                )


@njit(nogil=True, cache=True)
def fit_ways(
    cells: np.ndarray,
    weight: np.ndarray,
    order: np.ndarray,
    residual: np.ndarray,
    stress: np.ndarray,
    luck: np.ndarray,
    chosen: np.ndarray,
) -> int:
    """Chooses one of several ways for each actor, so that all together fit a map.

    One sweep: each actor in turn takes the way with the smallest sum of squared residuals, less
    its luck.

    Args:
        cells: (n, ways, s) int32: the cells that a way visits, one for each of s moments.
        weight: (s,) float64: what a moment puts on its cell.
        order: (n,) int64: whose turn it is.
        residual: (cells,) float64, changed: map less all chosen ways.
        stress: (cells,) float64: how much a squared residual matters.
        luck: (n, ways) float64.
        chosen: (n,) int64, changed: which way each has.

    Returns:
        How many actors changed their way.
    """
    changed = 0
    ways, moments = cells.shape[1], cells.shape[2]
    for turn in range(len(order)):
        i = order[turn]
        old = chosen[i]
        for s in range(moments):
            residual[cells[i, old, s]] += weight[s]
        best, lowest = old, np.inf
        for way in range(ways):
            cost = -luck[i, way]
            for s in range(moments):  # growth of the sum of squares, moment by moment
                c, w = cells[i, way, s], weight[s]
                cost += stress[c] * (w * w - 2.0 * w * residual[c])
                residual[c] -= w
            for s in range(moments):
                residual[cells[i, way, s]] += weight[s]
            if cost < lowest - 1e-12:
                best, lowest = way, cost
        for s in range(moments):
            residual[cells[i, best, s]] -= weight[s]
        changed += best != old
        chosen[i] = best
    return changed


@njit(nogil=True, cache=True)
def visit_cells(
    points: np.ndarray,
    effort: np.ndarray,
    pause: np.ndarray,
    place: np.ndarray,
    columns: int,
    rows: int,
    out: np.ndarray,
) -> None:
    """Tells in which cell each way is at evenly spaced moments of its stay.

    Args:
        points: (n, m, 2) float64: column and row with fractions.
        effort: (n, m - 1) float64: time from point to point, in any unit.
        pause: (n,) float64: share of the stay spent standing.
        place: (n,) float64: where one stands, 0 at the first point to 1 at the last.
        columns: of the grid.
        rows: of the grid.
        out: (n, moments) int32, written.
    """
    m, moments = points.shape[1], out.shape[1]
    reach = np.zeros(m)
    for i in range(len(points)):
        for j in range(1, m):
            reach[j] = reach[j - 1] + max(effort[i, j - 1], 1e-9)
        total = reach[m - 1]
        spot = place[i] * (m - 1)
        at = min(int(spot), m - 2)
        stand = (reach[at] + (spot - at) * (reach[at + 1] - reach[at])) / total
        moving = 1.0 - pause[i]
        j = 1
        for s in range(moments):
            now = (s + 0.5) / moments
            if now < moving * stand:
                share = now / moving
            elif now < moving * stand + pause[i]:
                share = stand
            else:
                share = (now - pause[i]) / moving
            while j < m - 1 and reach[j] < share * total:
                j += 1
            part = (share * total - reach[j - 1]) / (reach[j] - reach[j - 1])
            x = points[i, j - 1, 0] + part * (points[i, j, 0] - points[i, j - 1, 0])
            y = points[i, j - 1, 1] + part * (points[i, j, 1] - points[i, j - 1, 1])
            column = min(max(int(np.floor(x)), 0), columns - 1)
            row = min(max(int(np.floor(y)), 0), rows - 1)
            out[i, s] = row * columns + column
