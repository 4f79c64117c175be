"""Phase I: which pixels are drawn, and where they lie.

Each colour gets a uniformly random set of `draws` of its `count` pixels. The pixels are thought
of in this order: those of the first wearer in order of time, those of the second, ..., and then
the background's. Only draws that fall on elements need a place (under ``retain`` and ``plate`` a
drawn background pixel changes nothing); how many do is hypergeometric, and which ones is uniform.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from videodp.census import Census, WornTable
from videodp.elements import Elements, paint_owner, place
from videodp.kernels.figures import find_ordinals
from videodp.plan import Plan
from videodp.privacy.randomness import Randomness
from videodp.video import Frame, Video, prefetch, read_frames

__all__ = ["Drawn", "Picks", "draw", "locate"]


@dataclass(frozen=True)
class Picks:
    """Drawn pixels of elements, before anybody looked where they are."""

    element: np.ndarray
    """(n,) int64."""
    colour: np.ndarray
    """(n,) int32."""
    ordinal: np.ndarray
    """(n,) int64: number of the pixel among those of its colour and element, in order of time."""
    background_draws: np.ndarray
    """(p,) int64: draws of each published colour that fall on the background."""


@dataclass(frozen=True)
class Drawn:
    """The drawn pixels of elements, sorted by element and frame."""

    element: np.ndarray
    frame: np.ndarray
    y: np.ndarray
    x: np.ndarray
    colour: np.ndarray

    def counts(self, elements: int) -> np.ndarray:
        """Drawn pixels of each element, (elements,) int64."""
        return np.bincount(self.element, minlength=elements).astype(np.int64)


def draw(plan: Plan, randomness: Randomness) -> Picks:
    """Draws for every published colour, from the plan alone."""
    elements, colours, ordinals = [], [], []
    background = plan.draws.copy()
    for i, colour in enumerate(plan.colours.tolist()):
        stream = randomness.stream("draw", colour)
        who, pixels = plan.wear.of(i)
        worn = int(pixels.sum())
        hits = stream.hypergeometric(int(plan.counts[i]), worn, int(plan.draws[i]))
        background[i] -= hits
        ends = np.cumsum(pixels)
        for pick in stream.distinct(hits, worn).tolist():
            wearer = int(np.searchsorted(ends, pick, side="right"))
            elements.append(int(who[wearer]))
            colours.append(colour)
            ordinals.append(pick - int(ends[wearer] - pixels[wearer]))
    return Picks(
        np.array(elements, np.int64),
        np.array(colours, np.int32),
        np.array(ordinals, np.int64),
        background,
    )


@dataclass(frozen=True)
class _Search:
    """Pixels to be found in one fragment."""

    start: int
    stop: int
    worn: WornTable
    pick: np.ndarray
    """(n,) int64: which picks."""
    ordinal: np.ndarray
    """(n,) int64: their numbers, counted from the start of the fragment."""


def locate(
    video: Video,
    elements: Elements,
    census: Census,
    picks: Picks,
    *,
    workers: int = 1,
    progress: Callable[[int], None] = lambda frames: None,
) -> Drawn:
    """Finds the drawn pixels in the video; only fragments that hold some are read."""
    place_of = np.zeros((len(picks.element), 3), np.int64)

    def search(task: _Search) -> None:
        _search(video, elements, picks, task, place_of)
        progress(task.stop - task.start)

    tasks = _searches(census, picks)
    progress(video.frames - sum(task.stop - task.start for task in tasks))
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(search, tasks))
    frame, y, x = place_of.T
    order = np.lexsort((x, y, frame, picks.element))
    return Drawn(picks.element[order], frame[order], y[order], x[order], picks.colour[order])


def _searches(census: Census, picks: Picks) -> list[_Search]:
    """Follows each ordinal through the fragments' counts to the fragment that holds it."""
    ordinal = picks.ordinal.copy()
    open_picks = np.ones(len(ordinal), bool)
    tasks = []
    for start, stop, worn in census.parts:
        here = np.zeros(len(ordinal), np.int64)
        for element in np.unique(picks.element[open_picks]):
            mine = open_picks & (picks.element == element)
            here[mine] = worn.pixels(int(element), picks.colour[mine])
        inside = np.flatnonzero(open_picks & (ordinal < here))
        if len(inside):
            tasks.append(_Search(start, stop, worn, inside, ordinal[inside]))
        open_picks[inside] = False
        ordinal -= here
    return tasks


def _search(
    video: Video, elements: Elements, picks: Picks, task: _Search, place_of: np.ndarray
) -> None:
    wanted = {
        int(element): _Wanted(picks, task, int(element))
        for element in np.unique(picks.element[task.pick])
    }
    missing = len(task.pick)
    lives = [elements.tracks[element] for element in wanted]
    only = {at for life in lives for at in range(life.first, life.last + 1)}
    owner = np.zeros((video.height, video.width), np.int32)
    seen_frames = elements.frames(task.start, task.stop)
    frames = prefetch(read_frames(video, task.start, task.stop, only=only))
    with closing(frames):
        for frame in frames:
            seen = next(seen for seen in seen_frames if seen.frame == frame.index)
            placed = place(elements, seen, video.width, video.height)
            paint_owner(placed, owner)
            for element, bounds in zip(placed.index.tolist(), placed.bounds, strict=True):
                if element in wanted:
                    missing -= wanted[element].look(frame, owner, bounds, element, place_of)
            if not missing:
                return
    raise AssertionError(f"{missing} drawn pixels were not found: the video changed under us")


class _Wanted:
    """What is looked for in one element."""

    def __init__(self, picks: Picks, task: _Search, element: int) -> None:
        mine = picks.element[task.pick] == element
        self.pick = task.pick[mine]
        self.colours, self.which = np.unique(picks.colour[self.pick], return_inverse=True)
        self.colours = self.colours.astype(np.int64)
        self.ordinal = task.ordinal[mine]
        self.passed = np.zeros(len(self.colours), np.int64)

    def look(
        self,
        frame: Frame,
        owner: np.ndarray,
        bounds: np.ndarray,
        element: int,
        place_of: np.ndarray,
    ) -> int:
        found = np.full((len(self.pick), 2), -1, np.int64)
        hits = find_ordinals(
            frame.rgb,
            owner,
            bounds,
            element + 1,
            self.colours,
            self.passed,
            self.which,
            self.ordinal,
            found,
        )
        here = np.flatnonzero(found[:, 0] >= 0)
        place_of[self.pick[here], 0] = frame.index
        place_of[self.pick[here], 1:] = found[here]
        return int(hits)
