"""Who stands in whose place, and when to come or how far aside to be so that fewer do."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["keep_apart"]

_STRIPS = 16
"""Upright strips of the picture: who is in another one than those beside it need not be asked."""


@njit(nogil=True, cache=True)
def _aside(foot: np.ndarray, spot: np.ndarray, depth: float, share: float, out: np.ndarray) -> None:
    """Writes x, y and width of a footprint after a move; who comes nearer becomes wider."""
    unit = foot[3] * foot[2] * share
    down = unit * depth * spot[1]
    out[0] = foot[0] + unit * spot[0]
    out[1] = foot[1] + down
    out[2] = foot[2] * max(1.0 + foot[4] * down, 0.1)


@njit(nogil=True, cache=True)
def _meet(a: np.ndarray, b: np.ndarray, depth: float, share: float) -> bool:
    """Whether two footprints, x, y, width, cover each other more than a little."""
    wide = 0.5 * (a[2] + b[2]) * share
    across, along = (a[0] - b[0]) / wide, (a[1] - b[1]) / (wide * depth)
    return bool(across * across + along * along < 1.0)


@njit(nogil=True, cache=True)
def _strip(x: float, width: float) -> int:
    return int(min(max(x / width * _STRIPS, 0.0), _STRIPS - 1.0))


@njit(nogil=True, cache=True)
def _cell(x: float, y: float, size: np.ndarray, room: np.ndarray) -> int:
    """The cell of the room that a place is in; below 0 outside of the picture."""
    if x < 0.0 or y < 0.0 or x > size[0] or y > size[1]:
        return -1
    rows, columns = room.shape
    row, column = int(y / size[1] * rows), int(x / size[0] * columns)
    return int(min(row, rows - 1) * columns + min(column, columns - 1))


@njit(nogil=True, cache=True)
def _change(
    feet: np.ndarray,
    stride: int,
    spot: np.ndarray,
    size: np.ndarray,
    room: np.ndarray,
    depth: float,
    share: float,
    change: np.ndarray,
) -> bool:
    """Writes what a move changes in the map of visits; False if it leads where it must not."""
    here = np.empty(3, np.float32)
    part = 1.0 / ((len(feet) - 1) // stride + 1)
    change[:] = 0.0
    for row in range(0, len(feet), stride):
        _aside(feet[row], spot, depth, share, here)
        old = _cell(feet[row, 0], feet[row, 1], size, room)
        new = _cell(here[0], here[1], size, room)
        if new == old:
            continue
        if new < 0 or not room[new // room.shape[1], new % room.shape[1]]:
            return False
        change[new] += part
        if old >= 0:
            change[old] -= part
    return True


@njit(nogil=True, cache=True)
def _ranked(
    feet: np.ndarray,
    stride: int,
    spots: np.ndarray,
    size: np.ndarray,
    room: np.ndarray,
    drift: np.ndarray,
    weight: float,
    depth: float,
    share: float,
) -> np.ndarray:
    """Possible moves aside: not to move, then those that change the map little and are short."""
    cost = np.full(len(spots), -np.inf)
    change = np.empty(len(drift))
    possible = 1
    for k in range(1, len(spots)):
        if _change(feet, stride, spots[k], size, room, depth, share, change):
            misfit = np.sum(change * (change + 2.0 * drift))  # growth of the sum of squares
            cost[k] = spots[k, 0] ** 2 + spots[k, 1] ** 2 + weight * misfit
            possible += 1
        else:
            cost[k] = np.inf
    return np.argsort(cost)[:possible]


@njit(nogil=True, cache=True)
def keep_apart(
    feet: np.ndarray,
    cuts: np.ndarray,
    slot: np.ndarray,
    slots: int,
    shifts: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    spots: np.ndarray,
    skip: int,
    size: np.ndarray,
    rooms: np.ndarray,
    where: np.ndarray,
    weight: float,
    depth: float,
    share: float,
    looks: int,
    patience: int,
    shift: np.ndarray,
    spot: np.ndarray,
    met: np.ndarray,
) -> None:
    """One after the other takes the move in time and aside with which it meets fewest before it.

    Time comes first, since it changes no map; then places aside, those first that keep the map of
    visits as it was before anybody moved.

    Args:
        feet: (rows, 5) float32: x and y of the foot, width, how much of a move aside is followed
            (0 to 1), and how much wider one is a pixel further down, moment by moment.
        cuts: (n + 1,) int64: rows of actor i are ``cuts[i]`` to ``cuts[i + 1]``.
        slot: (n,) int64: the moment of its first row.
        slots: how many moments there are.
        shifts: (k,) int64: moments later, the one to be preferred first.
        low: (n,) int64: the least shift of each.
        high: (n,) int64: the largest one.
        spots: (s, 2) float64: moves aside in own footprints, across and down; the first is 0, 0.
        skip: with a move aside, each so-many-th shift is tried.
        size: (2,) float64: width and height of the picture.
        rooms: (r, rows, columns) bool: cells into which one may move.
        where: (n,) int64: which of them is for whom.
        weight: what a changed map costs, against the squared length of a move.
        depth: of a footprint over its width.
        share: of their widths at which two touch.
        looks: about how many moments of each are looked at, evenly over its stay.
        patience: looks at others after which one takes the best move so far.
        shift: (n,) int64, written: the shift of each; 0 if none is possible.
        spot: (n,) int64, written: its move aside.
        met: (n,) int64, written: of these, those at which it then meets another, for each other.
    """
    head = np.full((slots, _STRIPS), -1, np.int64)
    after = np.empty(len(feet), np.int64)
    placed = np.empty((len(feet), 3), np.float32)
    here = np.empty(3, np.float32)
    drift = np.zeros((len(rooms), rooms.shape[1] * rooms.shape[2]))
    change = np.empty(drift.shape[1])
    stay = np.zeros(1, np.int64)
    widest = 0.0
    for i in range(len(slot)):
        mine, room, off = feet[cuts[i] : cuts[i + 1]], rooms[where[i]], drift[where[i]]
        stride = max(len(mine) // looks, 1)
        fewest, looked, turn, order = -1, 0, 0, stay
        while turn < len(order) and fewest != 0 and looked <= patience:
            k = order[turn]
            for s in shifts[:: skip if turn else 1]:
                if s < low[i] or s > high[i]:
                    continue
                count = 0
                for row in range(0, len(mine), stride):
                    _aside(mine[row], spots[k], depth, share, here)
                    far = 0.5 * (here[2] + widest) * share
                    at, end = _strip(here[0] - far, size[0]), _strip(here[0] + far, size[0])
                    for strip in range(at, end + 1):
                        other = head[slot[i] + s + row, strip]
                        while other >= 0:
                            count += _meet(here, placed[other], depth, share)
                            looked += 1
                            other = after[other]
                    if fewest >= 0 and count >= fewest:
                        break
                if fewest < 0 or count < fewest:
                    shift[i], spot[i], fewest = s, k, count
                if fewest == 0:
                    break
            if turn == 0 and fewest != 0:
                order = _ranked(mine, stride, spots, size, room, off, weight, depth, share)
            turn += 1
        met[i] = max(fewest, 0)
        move = spots[spot[i]]
        if spot[i] and _change(mine, stride, move, size, room, depth, share, change):
            off += change
        for row in range(len(mine)):
            at = cuts[i] + row
            _aside(mine[row], move, depth, share, placed[at])
            widest = max(widest, placed[at, 2])
            now, strip = slot[i] + shift[i] + row, _strip(placed[at, 0], size[0])
            after[at], head[now, strip] = head[now, strip], at
