"""Cuts live tracks into pieces that surely are of one element.

A live tracker goes over from one element to another where they meet. So a track is cut where
its element was hidden, and where its looks change; `join` puts together what belongs together.
"""

from __future__ import annotations

import numpy as np

from videodp.elements.track.boxes import apart
from videodp.elements.track.model import Sightings

__all__ = ["split"]

_CLEAR = 0.5  # a box of which less is clear may be anybody's
_PAUSE = 0.35  # seconds without a clear sighting after which a piece ends
_WINDOW = 1.0  # seconds before and after that are compared
_LEAST = 2  # sightings on either side, at least; fewer prove nothing
_OTHER = 0.05  # looks further apart than this are of two elements


def split(table: Sightings, clear: np.ndarray, rate: float, step: int, least: int) -> np.ndarray:
    """New ids for the rows, (n,) int32: each piece has its own; 0 is what belongs to none.

    Looks of one person a second apart differ by 0.02 in the middle, and by 0.04 or less nine
    times of ten; those of two persons by 0.15, and by 0.04 or more nine times of ten.

    Args:
        table: The live tracks.
        clear: (n,) how much of each box nobody covers.
        rate: Frames in a second.
        step: Every how many frames somebody looked.
        least: Sightings that make a piece.
    """
    rows = np.flatnonzero((table.id > 0) & (clear >= _CLEAR))
    ids = np.zeros(len(table), np.int32)
    if not len(rows):
        return ids
    rows = rows[np.lexsort((table.frame[rows], table.id[rows]))]
    frame = table.frame[rows]
    pause = max(_PAUSE * rate, 2 * step)  # one detection missed is never a pause
    begins = np.diff(table.id[rows], prepend=0) > 0
    begins |= np.diff(frame, prepend=0) > pause
    look = table.look[rows]
    starts = np.flatnonzero(begins)
    for start, stop in zip(starts, np.append(starts[1:], len(rows)), strict=True):
        for cut in _cuts(frame[start:stop], look[start:stop], rate):
            begins[start + cut] = True
    pieces = np.cumsum(begins)
    # Glimpses would lead from one element to another: they look like both.
    solid = np.bincount(pieces)[pieces] >= least
    ids[rows[solid]] = pieces[solid]
    return ids


def _cuts(frame: np.ndarray, look: np.ndarray, rate: float) -> list[int]:
    """Places in one piece before which another element begins."""
    places = np.arange(_LEAST, len(frame) - _LEAST + 1)
    if not len(places) or not look.shape[1]:
        return []
    sums = np.concatenate([np.zeros((1, look.shape[1])), np.cumsum(look, axis=0, dtype=float)])
    low = np.searchsorted(frame, frame[places - 1] - _WINDOW * rate)
    high = np.searchsorted(frame, frame[places] + _WINDOW * rate, side="right")
    before = (sums[places] - sums[low]) / (places - low)[:, None]
    after = (sums[high] - sums[places]) / (high - places)[:, None]
    far = apart(before, after)
    far[(places - low < _LEAST) | (high - places < _LEAST)] = 0
    cuts: list[int] = []
    while far.max(initial=0) > _OTHER:
        best = int(far.argmax())
        cuts.append(int(places[best]))
        far[np.abs(frame[places] - frame[places[best]]) <= _WINDOW * rate] = 0
    return cuts
