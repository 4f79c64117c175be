"""Actors do not walk or drive through each other, where coming a little later or earlier helps.

Only the made-up population is looked at, so this costs no privacy.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from videodp.kernels.apart import keep_apart

__all__ = ["meetings", "spread_out"]

_MOMENT = Fraction(1, 4)
"""Seconds from one look to the next."""
_SHIFTS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
"""Moments that one may come later or earlier."""
_LOOKS = 64
"""Moments of each that are looked at while it looks for its time: stays may be long."""
_DEPTH = 0.3
"""Depth of a footprint on the ground, as the camera sees it, over its width."""
_SHARE = 0.8
"""Of their common width: who comes nearer than that stands in the other's place."""


def spread_out(
    ways: list[np.ndarray], frames: int, rate: Fraction, window: Fraction
) -> list[np.ndarray]:
    """Shifts actors in time, within the window in which they come, so that fewer meet.

    Args:
        ways: knots of each, see `Actor`.
        frames: of the video.
        rate: frames per second.
        window: frames in which as many must come as before.
    """
    first = np.array([way[0, 0] for way in ways])
    last = np.array([way[-1, 0] for way in ways])
    begin = np.floor(first / float(window)) * float(window)
    step = _step(rate)
    low = -np.floor((first - begin) / step)
    until = np.minimum(begin + float(window) - 1 - first, frames - 1 - last)
    high = np.maximum(np.floor(until / step), 0)
    order = np.argsort(first, kind="stable")
    shift, _ = _arrange([ways[i] for i in order], frames, step, low[order], high[order], _LOOKS)
    moved = [way.copy() for way in ways]
    for i, moments in zip(order.tolist(), shift.tolist(), strict=True):
        moved[i][:, 0] += moments * step
    return moved


def meetings(ways: list[np.ndarray], frames: int, rate: Fraction) -> tuple[int, int]:
    """Moments at which two actors stand in one place, and moments of all actors together."""
    step, none = _step(rate), np.zeros(len(ways))
    _, met = _arrange(ways, frames, step, none, none, frames)
    return int(met.sum()), sum(len(_moments(way, step)) for way in ways)


def _step(rate: Fraction) -> int:
    return max(1, round(rate * _MOMENT))


def _moments(way: np.ndarray, step: int) -> np.ndarray:
    """Frames in which an actor is looked at: whole multiples of a step."""
    return step * np.arange(np.ceil(way[0, 0] / step), np.floor(way[-1, 0] / step) + 1)


def _arrange(
    ways: list[np.ndarray],
    frames: int,
    step: int,
    low: np.ndarray,
    high: np.ndarray,
    looks: int,
) -> tuple[np.ndarray, np.ndarray]:
    """(n,) moments by which each is shifted, and (n,) how often it then meets one before it."""
    n = len(ways)
    shift, met = np.zeros(n, np.int64), np.zeros(n, np.int64)
    if not n:
        return shift, met
    when = [_moments(way, step) for way in ways]
    cuts = np.concatenate([[0], np.cumsum([len(some) for some in when])])
    feet = np.empty((cuts[-1], 3), np.float32)
    for way, some, a, b in zip(ways, when, cuts[:-1], cuts[1:], strict=True):
        for column in range(3):
            feet[a:b, column] = np.interp(some, way[:, 0], way[:, column + 1])
    slot = np.array([some[0] if len(some) else 0 for some in when]) // step
    shifts = np.array([s for far in _SHIFTS for s in dict.fromkeys((far, -far))], np.int64)
    keep_apart(
        feet,
        cuts,
        slot.astype(np.int64),
        frames // step + 2,
        shifts,
        low.astype(np.int64),
        high.astype(np.int64),
        _DEPTH,
        _SHARE,
        looks,
        shift,
        met,
    )
    return shift, met
