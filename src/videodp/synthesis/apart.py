"""Actors do not stand, walk or drive through each other, where there is room.

Each may come a little later or earlier; where that does not help, it stands or passes a little
aside. So those who wait in one place stand beside each other. Only the made-up population and the
noisy map are looked at, so this costs no privacy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from videodp.kernels.apart import keep_apart

__all__ = ["Ground", "meetings", "spread_out"]

_MOMENT = Fraction(1, 4)
"""Seconds from one look to the next."""
_SHIFTS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
"""Moments that one may come later or earlier."""
_SKIP = 3
"""Each so-many-th of these is tried with a move aside: there are many such moves."""
_SPOTS, _DENSE = 96, 0.35
"""Moves aside, and about how far apart they are, in footprints: the furthest is 3.4 away."""
_KEEP = 10.0
"""What a changed map of visits costs, against the squared length of a move in footprints."""
_LOOKS = 64
"""Moments of each that are looked at while it looks for its place: stays may be long."""
_PATIENCE = 100_000
"""Looks at others after which a place is taken for full."""
_DEPTH = 0.3
"""Depth of a footprint on the ground, as the camera sees it, over its width."""
_SHARE = 0.8
"""Of their common width: who comes nearer than that stands in the other's place."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What some actors have under their feet."""

    room: np.ndarray
    """(rows, columns) bool: cells of the picture in which the map expects somebody."""
    horizon: float
    """Line of the picture, in pixels, from which on down everybody becomes larger."""


def spread_out(
    ways: Sequence[np.ndarray],
    grounds: Sequence[Ground],
    where: Sequence[int],
    size: tuple[int, int],
    frames: int,
    rate: Fraction,
    window: Fraction,
) -> list[np.ndarray]:
    """Moves actors in time, within the window in which they come, and aside: fewer meet.

    Args:
        ways: knots of each, see `Actor`.
        grounds: that there are; nobody moves out of the cells of its own, or of the picture.
        where: which of the grounds is that of each.
        size: width and height of the picture.
        frames: of the video.
        rate: frames per second.
        window: frames in which as many must come as before.
    """
    if not ways:
        return []
    first = np.array([way[0, 0] for way in ways])
    last = np.array([way[-1, 0] for way in ways])
    begin = np.floor(first / float(window)) * float(window)
    step = _step(rate)
    low = -np.floor((first - begin) / step)
    until = np.minimum(begin + float(window) - 1 - first, frames - 1 - last)
    high = np.maximum(np.floor(until / step), 0)
    # Who stands takes a place first; who passes finds a way around.
    passes = np.array([not _stands(way).any() for way in ways])
    order = np.lexsort((first, passes))
    lines = [_line(ways[i], grounds[where[i]]) for i in order]
    rooms, spots = np.stack([ground.room for ground in grounds]), _spots()
    whose = np.asarray(where, np.int64)[order]
    shift, spot, _ = _arrange(
        lines, frames, step, low[order], high[order], spots, size, rooms, whose, _LOOKS
    )
    moved = list(ways)
    for i, line, later, aside in zip(order, lines, shift * step, spots[spot], strict=True):
        moved[i] = _moved(ways[i], line, int(later), aside)
    return moved


def meetings(ways: Sequence[np.ndarray], frames: int, rate: Fraction) -> tuple[int, int]:
    """Moments at which two actors stand in one place, and moments of all actors together."""
    if not ways:
        return 0, 0
    step, none = _step(rate), np.zeros(len(ways), np.int64)
    lines = [np.column_stack([way[:, :4], np.zeros((len(way), 2))]) for way in ways]
    size = tuple(np.vstack([[1.0, 1.0], *(way[:, 1:3].max(axis=0) for way in ways)]).max(axis=0))
    nowhere = np.zeros((1, 1, 1), bool)
    *_, met = _arrange(lines, frames, step, none, none, _spots()[:1], size, nowhere, none, frames)
    return int(met.sum()), sum(len(_moments(way, step)) for way in ways)


def _step(rate: Fraction) -> int:
    return max(1, round(rate * _MOMENT))


def _moments(way: np.ndarray, step: int) -> np.ndarray:
    """Frames in which an actor is looked at: whole multiples of a step."""
    return step * np.arange(np.ceil(way[0, 0] / step), np.floor(way[-1, 0] / step) + 1)


def _spots() -> np.ndarray:
    """(s, 2) float64: moves aside, in footprints, as evenly spread as seeds of a sunflower."""
    i = np.arange(_SPOTS)
    turn = np.pi * (3 - 5**0.5) * i
    away = _DENSE * np.sqrt(i)
    return np.column_stack([away * np.cos(turn), away * np.sin(turn)])


def _stands(way: np.ndarray) -> np.ndarray:
    """(m - 1,) bool: between which knots an actor stands."""
    return np.asarray((np.diff(way[:, 1:3], axis=0) == 0).all(axis=1) & (np.diff(way[:, 0]) > 0))


def _line(way: np.ndarray, ground: Ground) -> np.ndarray:
    """(m, 6) float64: frame, x, foot, width, how much of a move aside is followed, and growth.

    All of a move is followed where one stands, or else half way; nothing at the ends, unless one
    stands there. One grows, in shares of the width a pixel further down, as perspective says.
    """
    length = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(way[:, 1:3], axis=0).T))])
    share = length / length[-1] if length[-1] > 0 else np.full(len(way), 0.5)
    stands = np.flatnonzero(_stands(way))
    at = share[stands[0]] if len(stands) else 0.5
    come = share / at if at > 0 else np.ones(len(way))
    go = (1 - share) / (1 - at) if at < 1 else np.ones(len(way))
    above = way[:, 2] - ground.horizon
    grow = np.where(above > 1, 1 / np.maximum(above, 1), 0.0)
    return np.column_stack([way[:, :4], np.minimum(come, go), grow])


def _moved(way: np.ndarray, line: np.ndarray, later: int, aside: np.ndarray) -> np.ndarray:
    """The same knots later and aside."""
    unit = line[:, 4] * line[:, 3] * _SHARE
    down = unit * _DEPTH * aside[1]
    grown = np.maximum(1 + line[:, 5] * down, 0.1)[:, None]
    x, foot = way[:, 1] + unit * aside[0], way[:, 2] + down
    return np.column_stack([way[:, 0] + later, x, foot, way[:, 3:] * grown])


def _arrange(
    lines: list[np.ndarray],
    frames: int,
    step: int,
    low: np.ndarray,
    high: np.ndarray,
    spots: np.ndarray,
    size: tuple[float, float],
    rooms: np.ndarray,
    where: np.ndarray,
    looks: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(n,) moments by which each is shifted, (n,) its move aside, and (n,) whom it then meets."""
    when = [_moments(line, step) for line in lines]
    cuts = np.concatenate([[0], np.cumsum([len(some) for some in when])])
    feet = np.empty((cuts[-1], 5), np.float32)
    for line, some, a, b in zip(lines, when, cuts[:-1], cuts[1:], strict=True):
        for column in range(5):
            feet[a:b, column] = np.interp(some, line[:, 0], line[:, column + 1])
    slot = np.array([some[0] if len(some) else 0 for some in when]) // step
    shifts = np.array([s for far in _SHIFTS for s in dict.fromkeys((far, -far))], np.int64)
    shift, spot, met = (np.zeros(len(lines), np.int64) for _ in range(3))
    keep_apart(
        feet,
        cuts,
        slot.astype(np.int64),
        frames // step + 2,
        shifts,
        low.astype(np.int64),
        high.astype(np.int64),
        spots,
        _SKIP,
        np.array(size, np.float64),
        rooms,
        where,
        _KEEP,
        _DEPTH,
        _SHARE,
        looks,
        _PATIENCE,
        shift,
        spot,
        met,
    )
    return shift, spot, met
