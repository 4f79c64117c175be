"""Takes the census of a whole video: fragments on all cores, then one small merge."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from videodp.census.background import moments_of
from videodp.census.count import SAMPLES_PER_ELEMENT, count_fragment
from videodp.census.cut import cut
from videodp.census.merge import merge
from videodp.census.model import Census, Fragment
from videodp.census.stash import Room, room_in
from videodp.elements import Elements
from videodp.stages import handing_back
from videodp.video import Video

__all__ = ["take_census"]

_TEAM = 8
"""Threads that share a fragment: more than one decoder can keep busy."""


def take_census(
    video: Video,
    elements: Elements,
    store: Path,
    *,
    workers: int = 1,
    fragment: int | None = None,
    samples: int = SAMPLES_PER_ELEMENT,
    stash: int | None = None,
    progress: Callable[[int], None] = lambda frames: None,
) -> Census:
    """Counts all fragments and adds them up.

    The kernels let go of Python's lock, so threads use all cores and share memory.
    """
    pieces = cut(video, workers, fragment)
    room = Room(room_in(store) if stash is None else stash)
    team = min(workers, _TEAM)
    moments = moments_of(elements, video.frames)
    stopped = False

    def tell(frames: int) -> None:
        if stopped:
            raise KeyboardInterrupt
        progress(frames)

    def count(piece: tuple[int, int]) -> Fragment:
        start, stop = piece
        with handing_back():
            return count_fragment(
                video,
                elements,
                start,
                stop,
                store,
                samples=samples,
                progress=tell,
                threads=team,
                room=room,
                moments=moments,
            )

    with ThreadPoolExecutor(workers // team) as pool:
        try:
            return merge(video, elements, pool.map(count, pieces), store)
        finally:
            stopped = True  # after an error or ctrl-C the other fragments end at their next frame
