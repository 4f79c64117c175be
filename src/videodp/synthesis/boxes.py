"""The boxes of a population, as elements: what a tracker without mistakes would find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from videodp.elements import Elements, Seen, Track, no_runs
from videodp.synthesis.model import Actor, Population

__all__ = ["elements_of"]

_CHUNK = 256
"""Frames that are worked out together."""


def elements_of(population: Population) -> Elements:
    """Everybody of a population, frame by frame; nothing is kept for each frame."""
    there = [actor for actor in population.actors if actor.first <= actor.last]
    tracks = tuple(
        Track(a.id, a.label, a.first, a.last, a.last - a.first + 1)
        for a in sorted(there, key=lambda actor: actor.id)
    )
    return Elements(_Boxes(tuple(there)), tracks, population.size, population.frames)


@dataclass(frozen=True, eq=False)
class _Boxes:
    """A source of boxes: see `videodp.elements.model.Source`."""

    actors: tuple[Actor, ...]
    name: str = "the synthetic population"

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        """Frames in [start, stop) that hold somebody, in order."""
        firsts = np.array([actor.first for actor in self.actors], np.int64)
        lasts = np.array([actor.last for actor in self.actors], np.int64)
        end = min(stop, int(lasts.max(initial=-1)) + 1)
        for at in range(max(start, int(firsts.min(initial=end))), end, _CHUNK):
            until = min(at + _CHUNK, end)
            here = np.flatnonzero((firsts < until) & (lasts >= at))
            yield from _split([self.actors[i] for i in here], at, until)


def _split(actors: list[Actor], start: int, stop: int) -> Iterator[Seen]:
    if not actors:
        return
    when = [np.arange(max(a.first, start), min(a.last + 1, stop)) for a in actors]
    frames = np.concatenate(when)
    x, foot, width, height = np.concatenate(
        [actor.at(span) for actor, span in zip(actors, when, strict=True)]
    ).T
    boxes = np.column_stack([x - width / 2, foot - height, width, height])
    who = np.repeat(np.arange(len(actors)), [len(span) for span in when])
    ids = np.array([actor.id for actor in actors], np.int64)[who]
    order = np.lexsort((ids, foot, frames))
    cuts = np.searchsorted(frames[order], np.arange(start, stop + 1))
    for i, frame in enumerate(range(start, stop)):
        row = order[cuts[i] : cuts[i + 1]]
        if len(row):
            labels = tuple(actors[k].label for k in who[row])
            yield Seen(frame, ids[row], boxes[row], labels, no_runs(len(row)), no_runs(len(row)))
