"""Joins the pieces of one element: what a live tracker loses it cannot take up again.

Two pieces, one of which ends before the other begins, are compared by where motion carries the
first forwards and the second backwards, by size, and by looks. All pairs are decided at once, by
the cheapest assignment of ends to beginnings; then again with the longer pieces, for longer gaps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from videodp.elements.track.boxes import apart, centres, share_inside, sizes
from videodp.elements.track.model import Sightings

__all__ = ["join"]

_GAPS = (0.5, 1.5, 4.0)  # seconds, one round each
_TWICE = 0.5  # seconds for which two pieces of one element may run side by side
_MEMORY = 0.8  # seconds of a piece that tell where it goes
_LOOKED = 2.0  # seconds of a piece that tell how it looks
# Standard deviations, in sizes of the box: of a place, and of a velocity for each second.
_PLACE = 0.2
_DRIFT = 0.3
_UNSURE = 0.1
_SIZE = 0.25  # standard deviation of the logarithm of a size
_LOOK = 0.015  # standard deviation of the looks of one element: of a long piece,
_GLANCE = 0.035  # and of one sighting
_PATIENCE = 0.6  # seconds of a gap for each sighting of the shorter piece
_FAR = 3.0  # standard deviations beyond which nothing is joined
_WORTH = 9.0  # a pair that costs more than this is no pair


@dataclass(frozen=True, eq=False)
class _Ends:
    """One end of each piece: (k, ...) each."""

    frame: np.ndarray
    place: np.ndarray
    velocity: np.ndarray
    """(k, 2): pixels in a second."""
    doubt: np.ndarray
    """Standard deviation of the velocity, in sizes a second."""
    size: np.ndarray
    look: np.ndarray
    """(k, d) float32."""
    count: np.ndarray
    """(k,): how many sightings that is the mean of."""


def join(table: Sightings, weight: np.ndarray, rate: float, step: int) -> np.ndarray:
    """New ids for the rows, (n,) int32: pieces of one element share one; 0 stays 0."""
    ids = table.id.copy()
    if not ids.any():
        return ids
    for gap in _GAPS:
        ids = _round(table, ids, weight, rate, gap, step)
    return ids


def _round(
    table: Sightings, ids: np.ndarray, weight: np.ndarray, rate: float, gap: float, step: int
) -> np.ndarray:
    names, heads, tails = _pieces(table, ids, weight, rate)
    a, b = _near_in_time(heads, tails, gap * rate + step, _TWICE * rate)
    cost = _cost(tails, heads, a, b, rate, step)
    good = cost < _WORTH
    a, b, cost = a[good], b[good], cost[good]
    together = tails.frame[a] >= heads.frame[b]
    if together.any():
        keep = np.ones(len(a), bool)
        for i in np.flatnonzero(together):
            keep[i] = _same_places(table, ids, names[a[i]], names[b[i]])
        a, b, cost = a[keep], b[keep], cost[keep]
    following = _assign(a, b, cost, len(names))
    final = names.copy()
    # By time of the head, so that the piece before already has its name.
    for i in np.argsort(heads.frame, kind="stable"):
        if following[i] >= 0:
            final[following[i]] = final[i]
    new = ids.copy()
    mine = ids > 0
    new[mine] = final[np.searchsorted(names, ids[mine])]
    return _once_a_frame(table, new)


def _pieces(
    table: Sightings, ids: np.ndarray, weight: np.ndarray, rate: float
) -> tuple[np.ndarray, _Ends, _Ends]:
    """The ids there are, and both ends of each piece."""
    rows = np.flatnonzero(ids > 0)
    rows = rows[np.lexsort((table.frame[rows], ids[rows]))]
    names, starts = np.unique(ids[rows], return_index=True)
    pieces = np.split(rows, starts[1:])
    heads = _ends(table, [_first(table, p, rate, 1) for p in pieces], weight, rate, 1)
    tails = _ends(table, [_first(table, p[::-1], rate, -1) for p in pieces], weight, rate, -1)
    return names, heads, tails


def _first(table: Sightings, piece: np.ndarray, rate: float, way: int) -> np.ndarray:
    """The rows of a piece that tell how it looks, beginning with its very end."""
    away = (table.frame[piece] - table.frame[piece[0]]) * way
    return np.asarray(piece[away <= _LOOKED * rate])


def _ends(
    table: Sightings, pieces: list[np.ndarray], weight: np.ndarray, rate: float, way: int
) -> _Ends:
    count = len(pieces)
    place, velocity = np.zeros((count, 2)), np.zeros((count, 2))
    doubt, size, many = np.zeros(count), np.zeros(count), np.zeros(count)
    look = np.zeros((count, table.look.shape[1]), np.float32)
    for i, piece in enumerate(pieces):
        seconds = (table.frame[piece] - table.frame[piece[0]]) / rate
        near = piece[np.abs(seconds) <= _MEMORY]
        times = seconds[: len(near)]
        boxes = table.box[near].astype(np.float64)
        middles, trust = centres(boxes), weight[near].astype(np.float64)
        size[i] = np.average(sizes(boxes), weights=trust)
        place[i], velocity[i], doubt[i] = _line(times, middles, trust)
        look[i] = np.average(table.look[piece], axis=0, weights=weight[piece])
        many[i] = len(piece)
    frame = table.frame[[piece[0] for piece in pieces]]
    return _Ends(frame, place, velocity, doubt, size, look, many)


def _line(
    times: np.ndarray, places: np.ndarray, trust: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Place at time 0, velocity, and how unsure it is, by weighted least squares.

    A velocity of a moment is drawn to 0: an element at rest is likelier than a fast one.
    """
    trust = trust / trust.sum()
    middle = float(trust @ times)
    spread = float(trust @ (times - middle) ** 2)
    mean = trust @ places
    slack = (_UNSURE**2) / max(1, len(times))
    velocity = (trust * (times - middle)) @ (places - mean) / (spread + slack)
    doubt = float(np.sqrt(slack / (spread + slack)))
    # At the end itself, half way between the line and what was seen there.
    return (mean - middle * velocity + places[0]) / 2, velocity, doubt


def _near_in_time(
    heads: _Ends, tails: _Ends, gap: float, twice: float
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (a, b): b begins within `gap` frames after a ends, or `twice` before."""
    order = np.argsort(heads.frame, kind="stable")
    begins = heads.frame[order]
    low = np.searchsorted(begins, tails.frame - twice)
    high = np.searchsorted(begins, tails.frame + gap, side="right")
    a = np.repeat(np.arange(len(tails.frame)), high - low)
    within = np.arange(len(a)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    b = order[np.repeat(low, high - low) + within]
    later = (heads.frame[b] > heads.frame[a]) & (tails.frame[b] > tails.frame[a])
    return a[later], b[later]


def _cost(
    tails: _Ends, heads: _Ends, a: np.ndarray, b: np.ndarray, rate: float, step: int
) -> np.ndarray:
    """How unlikely it is that head b goes on with tail a; infinite beyond all doubt."""
    seconds = (heads.frame[b] - tails.frame[a]) / rate
    size = np.sqrt(tails.size[a] * heads.size[b])
    forwards = tails.place[a] + tails.velocity[a] * seconds[:, None] - heads.place[b]
    backwards = heads.place[b] - heads.velocity[b] * seconds[:, None] - tails.place[a]
    ways = []
    for miss, doubt in ((forwards, tails.doubt[a]), (backwards, heads.doubt[b])):
        sigma = _PLACE + np.hypot(_DRIFT, doubt) * np.abs(seconds)
        ways.append((np.linalg.norm(miss, axis=1) / size / sigma, sigma))
    far = np.hypot(ways[0][0], ways[1][0]) / np.sqrt(2)
    wide = np.log((ways[0][1] + ways[1][1]) / (2 * _PLACE))
    grown = np.log(heads.size[b] / tails.size[a]) / _SIZE
    blur = np.sqrt(_LOOK**2 + _GLANCE**2 / np.minimum(tails.count[a], heads.count[b]))
    look = apart(tails.look[a], heads.look[b]) / blur
    cost = far**2 + grown**2 / 2 + look**2 / 2 + wide
    # Two glimpses far apart in time are no evidence of one element.
    trust = np.maximum(_PATIENCE * np.minimum(tails.count[a], heads.count[b]), 2 * step / rate)
    never = (far > _FAR) | (np.abs(grown) > _FAR) | (seconds > trust)
    return np.where(never, np.inf, cost)


def _same_places(table: Sightings, ids: np.ndarray, a: int, b: int) -> bool:
    """Whether two pieces that run side by side are on top of each other all that time."""
    first, second = np.flatnonzero(ids == a), np.flatnonzero(ids == b)
    _, i, j = np.intersect1d(table.frame[first], table.frame[second], return_indices=True)
    if not len(i):
        return True
    one, two = table.box[first[i]], table.box[second[j]]
    inside = [
        max(share_inside(p[None], q[None])[0, 0], share_inside(q[None], p[None])[0, 0])
        for p, q in zip(one, two, strict=True)
    ]
    return bool(min(inside) > 0.6)


def _assign(a: np.ndarray, b: np.ndarray, cost: np.ndarray, count: int) -> np.ndarray:
    """(count,): the head that follows each tail, or -1; the cheapest of all assignments."""
    following = np.full(count, -1)
    if not len(a):
        return following
    # Each tail may also go without, at the price of the dearest pair: so all are matched.
    alone = np.arange(count)
    rows = np.concatenate([a, alone])
    columns = np.concatenate([b, count + alone])
    weights = np.concatenate([cost, np.full(count, _WORTH)]) + 1  # 0 would be no edge
    matrix = csr_matrix((weights, (rows, columns)), shape=(count, 2 * count))
    tails, heads = min_weight_full_bipartite_matching(matrix)
    real = heads < count
    following[tails[real]] = heads[real]
    return following


def _once_a_frame(table: Sightings, ids: np.ndarray) -> np.ndarray:
    """Of several rows of an id in a frame the surest keeps it, the others are nobody's."""
    order = np.lexsort((-table.score, table.frame, ids))
    again = (np.diff(ids[order], prepend=-1) == 0) & (np.diff(table.frame[order], prepend=-1) == 0)
    kept = ids.copy()
    kept[order[again]] = 0
    return kept
