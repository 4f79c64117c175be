"""Goes on with tracks before they begin and after they end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from videodp.elements.track.boxes import centres, per_frame, share_inside, sizes
from videodp.elements.track.model import EXTENDED, Sightings
from videodp.elements.track.things import Covered

__all__ = ["ahead", "extend"]

_MEMORY = 0.8  # seconds of a track that tell where it goes
_UNSURE = 0.1  # seconds that the velocity of a short track is drawn to 0 by
_SLOW = 0.1  # sizes of the box a second below which it stands
_REACH = 2.0  # seconds for which a track may go on without a detection
_MOVES = 0.5  # share of a box in which something moves, if somebody is there
_TAKEN = 0.5  # share of a box that another track explains
_BORDER = 0.25  # sizes of the box from the border of the picture, where detectors lose people
_OUT = 0.25  # share of a box inside the picture below which it is gone


def ahead(table: Sightings, rate: float, seconds: float, last: int) -> tuple[Sightings, np.ndarray]:
    """Where tracks would be for a while before their beginning and after their end.

    Returns:
        Rows for frames within 0..`last`, straight on; and (n,) int32, how many frames each is
        away from its track: below 0 before it, above 0 after it.
    """
    reach = max(1, round(seconds * rate))
    rows = np.flatnonzero(table.id > 0)
    rows = rows[np.lexsort((table.frame[rows], table.id[rows]))]
    _, starts = np.unique(table.id[rows], return_index=True)
    steps, ends, boxes = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)], [np.zeros((0, 4))]
    for piece in np.split(rows, starts[1:]) if len(rows) else []:
        for way, end in ((-1, piece[0]), (1, piece[-1])):
            step = way * np.arange(1, reach + 1, dtype=np.int32)
            there = table.frame[end] + step
            step = step[(there >= 0) & (there <= last)]
            seen = (table.frame[piece] - table.frame[end]) / rate
            near = np.abs(seen) <= _MEMORY
            velocity = _velocity(table.box[piece[near]], seen[near])
            box = np.repeat(table.box[end][None].astype(np.float64), len(step), axis=0)
            box[:, :2] += velocity * (step / rate)[:, None]
            steps.append(step)
            ends.append(np.full(len(step), end))
            boxes.append(box)
    step, end = np.concatenate(steps), np.concatenate(ends)
    frame = table.frame[end] + step
    order = np.lexsort((table.id[end], frame))
    end = end[order]
    rows_ahead = Sightings(
        frame[order].astype(np.int32),
        table.id[end],
        np.concatenate(boxes)[order].astype(np.float32),
        table.score[end],
        table.label[end],
        np.zeros((len(end), table.look.shape[1]), np.uint8),
        np.full(len(end), EXTENDED, np.uint8),
        table.labels,
    )
    return rows_ahead, step[order]


def extend(
    table: Sightings,
    size: tuple[int, int],
    rate: float,
    every: int,
    last: int,
    covered: Covered | None = None,
) -> Sightings:
    """The table, with tracks gone on with for as long as there is reason to.

    There is reason where nobody looked, where something moves in the expected box that is no other
    track, and where a track that goes over the border of the picture is not yet gone.
    """
    rows, step = ahead(table, rate, _REACH, last)
    if not len(rows):
        return table
    inside = _visible(rows.box, size)
    reason = (inside < 1) | _near_border(rows.box, size)
    # Who stands near the border, or walks along it, does not leave.
    leaving = np.zeros_like(reason)
    order = np.lexsort((np.abs(step), step > 0, rows.id))
    first = np.diff(rows.id[order] * 2 + (step[order] > 0), prepend=-1) != 0
    group = np.cumsum(first) - 1
    least = np.minimum.reduceat(inside[order], np.flatnonzero(first))
    leaving[order] = least[group] < _OUT
    reason = reason & leaving & (inside >= _OUT)
    if covered is not None:
        reason |= _moving(table, rows, covered) & (inside >= _OUT)
    reason |= (np.abs(step) < every) & (inside >= _OUT)
    # Up to the first frame without a reason.
    ended = np.cumsum(~reason[order])
    before = (ended - ~reason[order])[first][group]
    kept = np.zeros(len(rows), bool)
    kept[order] = ended == before
    more = rows.take(np.flatnonzero(kept))
    # What is beyond the border is not shown: a detector would not box it either.
    high = np.minimum(more.box[:, :2] + more.box[:, 2:], np.array(size, np.float32))
    low = np.maximum(more.box[:, :2], 0)
    return table.plus(replace(more, box=np.hstack([low, high - low]).astype(np.float32)))


def _visible(boxes: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """(n,): the share of each box that is inside the picture."""
    return share_inside(boxes, np.array([[0, 0, *size]], float))[:, 0]


def _near_border(boxes: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """(n,) bool: whether the border of the picture is near."""
    low = boxes[:, :2].min(axis=1)
    high = (np.array(size) - boxes[:, :2] - boxes[:, 2:]).min(axis=1)
    return np.asarray(np.minimum(low, high) < _BORDER * sizes(boxes))


def _moving(table: Sightings, rows: Sightings, covered: Covered) -> np.ndarray:
    """(n,) bool: whether something moves there that belongs to no track yet."""
    moves = np.zeros(len(rows), bool)
    for here in per_frame(rows.frame):
        frame = int(rows.frame[here.start])
        moves[here] = covered(frame, rows.box[here].astype(np.float64)) >= _MOVES
        others = table.box[table.at(frame)]
        if len(others):
            moves[here] &= share_inside(rows.box[here], others).max(axis=1) < _TAKEN
    return moves


def _velocity(boxes: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """(2,): pixels in a second, drawn to 0 where the boxes show too little of the way."""
    middles = centres(boxes.astype(np.float64))
    size = float(sizes(boxes).mean())
    aside = seconds - seconds.mean()
    velocity = aside @ middles / (float(aside @ aside) + _UNSURE**2)
    return np.asarray(velocity if np.linalg.norm(velocity) > _SLOW * size else np.zeros(2))
