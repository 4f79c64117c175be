"""Finds the drawn pixels: from what the census set aside, or by decoding their fragment again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from videodp.census import Census, Part
from videodp.elements import Elements, OwnerPicture, Placed, place
from videodp.kernels.figures import find_ordinals
from videodp.render.draw import Drawn, Picks
from videodp.video import Frame, Video, prefetch, read_frames

__all__ = ["locate"]


@dataclass(frozen=True)
class _Search:
    """Pixels to be found in one fragment."""

    part: Part
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
    """Finds the drawn pixels in the video; only fragments that hold some are looked at."""
    found = _Found(len(picks.element))

    def search(task: _Search) -> None:
        wanted = [_Wanted(picks, task, int(e)) for e in np.unique(picks.element[task.pick])]
        if task.part.stash is not None:
            missing = _from_stash(video, elements, task, wanted, found)
        else:
            missing = _from_video(video, elements, task, wanted, found)
        if missing:
            raise AssertionError(
                f"{missing} drawn pixels were not found: the video changed under us"
            )
        progress(task.part.stop - task.part.start)

    tasks = _searches(census, picks)
    progress(video.frames - sum(task.part.stop - task.part.start for task in tasks))
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(search, tasks))
    frame, y, x = found.places.T
    order = np.lexsort((x, y, frame, picks.element))
    return Drawn(
        picks.element[order],
        frame[order],
        y[order],
        x[order],
        picks.colour[order],
        found.boxes[order],
    )


class _Found:
    """Where each pick lies; different threads fill in different rows."""

    def __init__(self, picks: int) -> None:
        self.places = np.zeros((picks, 3), np.int64)
        """Frame, y, x."""
        self.boxes = np.zeros((picks, 4))
        """Of the element in that frame."""

    def add(self, placed: Placed, element: int, picks: np.ndarray, yx: np.ndarray) -> None:
        """Picks of one element in one frame, and their (n, 2) y, x."""
        self.places[picks, 0] = placed.frame
        self.places[picks, 1:] = yx
        self.boxes[picks] = placed.boxes[placed.index == element]


def _searches(census: Census, picks: Picks) -> list[_Search]:
    """Follows each ordinal through the fragments' counts to the fragment that holds it."""
    ordinal = picks.ordinal.copy()
    open_picks = np.ones(len(ordinal), bool)
    tasks = []
    for part in census.parts:
        here = np.zeros(len(ordinal), np.int64)
        for element in np.unique(picks.element[open_picks]):
            mine = open_picks & (picks.element == element)
            here[mine] = part.worn.pixels(int(element), picks.colour[mine])
        inside = np.flatnonzero(open_picks & (ordinal < here))
        if len(inside):
            tasks.append(_Search(part, inside, ordinal[inside]))
        open_picks[inside] = False
        ordinal -= here
    return tasks


class _Wanted:
    """What is looked for in one element."""

    def __init__(self, picks: Picks, task: _Search, element: int) -> None:
        mine = picks.element[task.pick] == element
        self.element = element
        self.pick = task.pick[mine]
        self.colours, self.which = np.unique(picks.colour[self.pick], return_inverse=True)
        self.colours = self.colours.astype(np.int64)
        self.ordinal = task.ordinal[mine]
        self.passed = np.zeros(len(self.colours), np.int64)

    def in_frame(self, frame: Frame, owner: np.ndarray, bounds: np.ndarray) -> np.ndarray:
        """(n, 2) int64 y, x of the wanted pixels that lie in this frame, -1 for the others."""
        found = np.full((len(self.pick), 2), -1, np.int64)
        find_ordinals(
            frame.rgb,
            owner,
            bounds,
            self.element + 1,
            self.colours,
            self.passed,
            self.which,
            self.ordinal,
            found,
        )
        return found

    def in_pixels(self, colours: np.ndarray) -> np.ndarray:
        """(n,) int64 which of the element's pixels of a frame are wanted, -1 for none."""
        rank = np.full(len(self.pick), -1, np.int64)
        for place_of, colour in enumerate(self.colours):
            here = np.flatnonzero(colours == colour)
            number = self.ordinal - self.passed[place_of]
            mine = (self.which == place_of) & (number >= 0) & (number < len(here))
            rank[mine] = here[number[mine]]
            self.passed[place_of] += len(here)
        return rank


def _from_stash(
    video: Video, elements: Elements, task: _Search, wanted: list[_Wanted], found: _Found
) -> int:
    """Which pixels of an element they are tells the stash; where these lie, its mask."""
    assert task.part.stash is not None
    hits: dict[int, list[tuple[int, np.ndarray, np.ndarray]]] = {}
    for sought in wanted:
        for frame, colours in task.part.stash.colours(sought.element):
            rank = sought.in_pixels(colours)
            here = np.flatnonzero(rank >= 0)
            if len(here):
                hits.setdefault(frame, []).append((sought.element, sought.pick[here], rank[here]))
    missing = len(task.pick)
    owners = OwnerPicture(video.width, video.height)
    for seen in elements.frames(task.part.start, task.part.stop) if hits else ():
        if seen.frame not in hits:
            continue
        placed = place(elements, seen, video.width, video.height)
        owner = owners.paint(placed)
        for element, picks, ranks in hits[seen.frame]:
            bounds = placed.bounds[placed.index == element]
            (x0, y0), (x1, y1) = bounds[:, :2].min(axis=0), bounds[:, 2:].max(axis=0)
            own = np.argwhere(owner[y0:y1, x0:x1] == element + 1) + np.array([y0, x0])
            found.add(placed, element, picks, own[ranks])
            missing -= len(picks)
    return missing


def _from_video(
    video: Video, elements: Elements, task: _Search, wanted: list[_Wanted], found: _Found
) -> int:
    by_element = {sought.element: sought for sought in wanted}
    missing = len(task.pick)
    lives = [elements.tracks[element] for element in by_element]
    only = {at for life in lives for at in range(life.first, life.last + 1)}
    owners = OwnerPicture(video.width, video.height)
    seen_frames = elements.frames(task.part.start, task.part.stop)
    # Several fragments are searched at a time: one thread and a short queue for each.
    reading = read_frames(video, task.part.start, task.part.stop, threads=1, only=only)
    frames = prefetch(reading, ahead=1)
    with closing(frames):
        for frame in frames:
            seen = next(seen for seen in seen_frames if seen.frame == frame.index)
            placed = place(elements, seen, video.width, video.height)
            owner = owners.paint(placed)
            for element, bounds in zip(placed.index.tolist(), placed.bounds, strict=True):
                if element not in by_element:
                    continue
                sought = by_element[element]
                yx = sought.in_frame(frame, owner, bounds)
                hits = np.flatnonzero(yx[:, 0] >= 0)
                found.add(placed, element, sought.pick[hits], yx[hits])
                missing -= len(hits)
            if not missing:
                break
    return missing
