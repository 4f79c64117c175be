"""Who stands in whose place, and when to come instead so that fewer do."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["keep_apart"]


@njit(nogil=True, cache=True)
def _meet(a: np.ndarray, b: np.ndarray, depth: float, share: float) -> bool:
    """Whether two footprints, x, y, width, cover each other more than a little."""
    wide = 0.5 * (a[2] + b[2]) * share
    across, along = (a[0] - b[0]) / wide, (a[1] - b[1]) / (wide * depth)
    return bool(across * across + along * along < 1.0)


@njit(nogil=True, cache=True)
def keep_apart(
    feet: np.ndarray,
    cuts: np.ndarray,
    slot: np.ndarray,
    slots: int,
    shifts: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    depth: float,
    share: float,
    looks: int,
    shift: np.ndarray,
    met: np.ndarray,
) -> None:
    """One after the other takes the shift in time at which it meets fewest of those before.

    Args:
        feet: (rows, 3) float32: x and y of the foot, and width, moment by moment.
        cuts: (n + 1,) int64: rows of actor i are ``cuts[i]`` to ``cuts[i + 1]``.
        slot: (n,) int64: the moment of its first row.
        slots: how many moments there are.
        shifts: (k,) int64: moments later, the one to be preferred first.
        low: (n,) int64: the least shift of each.
        high: (n,) int64: the largest one.
        depth: of a footprint over its width.
        share: of their widths at which two touch.
        looks: about how many moments of each are looked at, evenly over its stay.
        shift: (n,) int64, written: the shift of each; 0 if none is possible.
        met: (n,) int64, written: of these, those at which it then meets another, for each other.
    """
    head = np.full(slots, -1, np.int64)
    after = np.empty(len(feet), np.int64)
    for i in range(len(slot)):
        best, fewest = 0, -1
        stride = max((cuts[i + 1] - cuts[i]) // looks, 1)
        for s in shifts:
            if s < low[i] or s > high[i]:
                continue
            count = 0
            for row in range(cuts[i], cuts[i + 1], stride):
                other = head[slot[i] + s + row - cuts[i]]
                while other >= 0:
                    count += _meet(feet[row], feet[other], depth, share)
                    other = after[other]
                if fewest >= 0 and count >= fewest:
                    break
            if fewest < 0 or count < fewest:
                best, fewest = s, count
            if fewest == 0:
                break
        shift[i], met[i] = best, max(fewest, 0)
        for row in range(cuts[i], cuts[i + 1]):
            at = slot[i] + best + row - cuts[i]
            after[row], head[at] = head[at], row
