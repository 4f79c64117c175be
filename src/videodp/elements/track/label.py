"""One label for each track, and ids from 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from videodp.elements.track.model import SEEN, UNKNOWN, Sightings

__all__ = ["name_tracks"]

_TIMID = 1e-6  # the weight of "something moves" against any detector's word


def name_tracks(table: Sightings) -> Sightings:
    """The table with one label a track, the one with the highest sum of scores.

    Ids are given anew: 1, 2, ... by first frame; labels that are left are listed by name.
    """
    if not len(table):
        return replace(table, labels=())
    names, track = np.unique(table.id, return_inverse=True)
    first = np.full(len(names), np.iinfo(np.int32).max)
    np.minimum.at(first, track, table.frame)
    rank = np.empty(len(names), np.int32)
    rank[np.lexsort((names, first))] = np.arange(1, len(names) + 1)
    votes = np.zeros((len(names), len(table.labels)))
    seen = table.how == SEEN
    np.add.at(votes, (track[seen], table.label[seen]), table.score[seen] + _TIMID)
    if UNKNOWN in table.labels:
        votes[:, table.labels.index(UNKNOWN)] *= _TIMID
    winner = votes.argmax(axis=1)
    left = sorted({table.labels[i] for i in winner})
    code = np.array([left.index(table.labels[i]) for i in winner], np.uint8)
    named = replace(table, id=rank[track], label=code[track], labels=tuple(left))
    return named.take(np.lexsort((named.id, named.frame)))
