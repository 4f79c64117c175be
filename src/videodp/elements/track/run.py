"""From detections of single frames to elements: `track` is the way, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from videodp.elements.track.attach import attach, mean_looks
from videodp.elements.track.boxes import clearness, overlap, per_frame, share_inside
from videodp.elements.track.collect import collect
from videodp.elements.track.extend import ahead, extend
from videodp.elements.track.fill import fill
from videodp.elements.track.glimpses import set_glimpses_apart
from videodp.elements.track.join import join
from videodp.elements.track.label import name_tracks
from videodp.elements.track.live import follow
from videodp.elements.track.model import FILLED, UNKNOWN, Found, Sightings
from videodp.elements.track.smooth import smooth
from videodp.elements.track.split import split
from videodp.elements.track.things import Covered, without_things

__all__ = ["track"]

_SURE = 0.5  # scores from here on make tracks by themselves
_WEAK = 0.3  # scores from here on make tracks where no track is
_SOLID = 0.7, 3, 10  # seconds of a piece that shows whose it is; least and most sightings
_GLIMPSE = 0.25, 2, 6  # the same for a piece of weak detections
_AHEAD = 0.5  # seconds for which weak detections go on with a track
_EXPLAINED = 0.6  # share of a box inside a track's, or the other way round, that is that track


def track(
    frames: Iterable[Found],
    size: tuple[int, int],
    rate: Fraction | float,
    length: int,
    *,
    every: int = 1,
    covered: Covered | None = None,
) -> Sightings:
    """Finds out which detections are the same person or vehicle, and where each was unseen.

    All lengths of time are in seconds and all distances in sizes of the box, so that nothing
    depends on the frame rate or on how large the picture is.

    Args:
        frames: What was found, in order of frames; a frame without anything may be left out.
            It is read once; only the boxes are kept, about 80 bytes each.
        size: Width and height of the picture.
        rate: Frames of the video in a second.
        length: Number of frames of the video.
        every: Somebody looked at frames 0, every, 2 every, ...; those between are filled in.
        covered: Tells the share of boxes in which something moves; None if nobody can tell.

    Returns:
        Every element in every frame from its first to its last, without gaps. What is seen of
        several at once for a moment has an id below 0.

    Raises:
        MissingExtraError: The tracking library is not installed.
        ElementsError: The frames are not in order.
    """
    rate = float(rate)
    table = collect(frames)
    # Never 0: who is always hidden looks like something, too.
    weight = np.maximum(table.score * clearness(table.frame, table.box), 0.02)
    table = _sure_tracks(table, weight, rate, every)
    table = _lengthen(table, weight, rate, length)
    table = _weak_tracks(table, weight, rate, every)
    table = _lengthen(table, weight, rate, length)
    tracks = without_things(fill(_tracked(table)), rate, covered)
    tracks = extend(tracks, size, rate, every, length - 1, covered)
    tracks = name_tracks(smooth(tracks, rate))
    return set_glimpses_apart(tracks, _many(_SOLID, rate / every))


def _sure_tracks(table: Sightings, weight: np.ndarray, rate: float, every: int) -> Sightings:
    """Tracks of what is surely detected: followed, cut where doubtful, joined."""
    moving = table.label == table.labels.index(UNKNOWN)
    sure = np.flatnonzero((table.score >= _SURE) & ~moving)
    table = replace(table, id=follow(table, sure, rate, every))
    clear = clearness(table.frame, table.box)
    table = replace(table, id=split(table, clear, rate, every, _many(_SOLID, rate / every)))
    return replace(table, id=join(table, weight, rate, every))


def _lengthen(table: Sightings, weight: np.ndarray, rate: float, length: int) -> Sightings:
    """The same tracks with the weak detections in their gaps and at their ends."""
    looks = mean_looks(table, weight)
    full = fill(_tracked(table))
    gaps = full.take(np.flatnonzero(full.how == FILLED))
    table = replace(table, id=attach(table, gaps, looks))
    return _pursue(table, looks, rate, length)


def _pursue(table: Sightings, looks: np.ndarray, rate: float, length: int) -> Sightings:
    """The same tracks, gone on with from one weak detection to the next.

    Who stands in a bad light or half hidden is seen weakly for long, so that one look ahead is
    not enough.
    """
    growing = table.id > 0
    while growing.any():
        ends, _ = ahead(table.take(growing), rate, _AHEAD, length - 1)
        ids = attach(table, ends, looks)
        grown = np.zeros(len(looks), bool)
        grown[ids[ids != table.id]] = True
        growing = grown[ids]
        table = replace(table, id=ids)
    return table


def _weak_tracks(table: Sightings, weight: np.ndarray, rate: float, every: int) -> Sightings:
    """Tracks of what is left, where no track is yet; joined to those there are."""
    moving = table.label == table.labels.index(UNKNOWN)
    free = (table.id == 0) & ((table.score >= _WEAK) | moving)
    free[free] = ~_explained(table.take(free), fill(_tracked(table)), moving[free])
    ids = follow(table, np.flatnonzero(free), rate, every)
    clear = clearness(table.frame, table.box)
    least = _many(_GLIMPSE, rate / every)
    pieces = split(replace(table, id=ids), clear, rate, every, least)
    # Whoever is surely there is somebody, if only for a moment.
    alone = np.flatnonzero(free & (pieces == 0) & (table.score >= _SURE) & ~moving)
    pieces[alone] = pieces.max(initial=0) + 1 + np.arange(len(alone))
    pieces[pieces > 0] += table.id.max(initial=0)
    table = replace(table, id=np.maximum(table.id, pieces))
    return replace(table, id=join(table, weight, rate, every))


def _explained(table: Sightings, tracks: Sightings, moving: np.ndarray) -> np.ndarray:
    """(n,) bool: whether a track explains the box of a row.

    A detector's box does not name another element where it is inside a track's box. What moves
    also is explained where it has a track's box in it: several people are one blob.
    """
    explained = np.zeros(len(table), bool)
    for rows in per_frame(table.frame):
        there = tracks.box[tracks.at(int(table.frame[rows.start]))]
        if not len(there):
            continue
        here = table.box[rows]
        explained[rows] = share_inside(here, there).max(axis=1) >= _EXPLAINED
        blob = share_inside(there, here).max(axis=0) >= _EXPLAINED
        blob |= overlap(here, there).max(axis=1) >= _EXPLAINED / 2
        explained[rows] |= blob & moving[rows]
    return explained


def _many(seconds: tuple[float, int, int], rate: float) -> int:
    """A number of sightings: so many seconds, but within bounds."""
    length, least, most = seconds
    return min(max(round(length * rate), least), most)


def _tracked(table: Sightings) -> Sightings:
    """Only what belongs to a track."""
    return table.under(table.id)
