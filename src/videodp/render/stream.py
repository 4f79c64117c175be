"""Renders the private video frame by frame: decode, paint on all cores, hand on in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

import numpy as np

from videodp.census import Census
from videodp.elements import Elements, Placed, paint_owner, place
from videodp.plan import Plan
from videodp.privacy.randomness import Randomness
from videodp.render.background import Background, FromPlate, Retained, Sampled
from videodp.render.draw import Picks
from videodp.render.figures import Cast, paint_figures
from videodp.render.model import Look
from videodp.render.plate import Plate
from videodp.video import Frame, Video, prefetch, read_frames

__all__ = ["background_of", "render_frames"]


def background_of(
    look: Look,
    plate: Plate,
    census: Census,
    plan: Plan,
    picks: Picks,
    randomness: Randomness,
) -> Background:
    """The background that was asked for."""
    if look.background == "plate":
        return FromPlate(plate.rgb)
    if look.background == "sample":
        return Sampled(census, plan, picks.background_draws, randomness)
    return Retained(plate.rgb, look.fill or ("temporal" if plate.still else "spatial"))


def render_frames(
    video: Video, elements: Elements, cast: Cast, background: Background, workers: int = 1
) -> Iterator[tuple[int, np.ndarray]]:
    """Time stamp and picture of every frame of the private video, in order.

    A frame depends on nothing but itself and on what was drawn, so workers paint several at
    once; at most two for each worker are under way.
    """
    owners = [np.empty((video.height, video.width), np.int32) for _ in range(workers)]

    def paint(frame: Frame, placed: Placed, prepared: np.ndarray | None) -> np.ndarray:
        owner = owners.pop()
        paint_owner(placed, owner)
        picture = background.paint(frame.rgb, owner, placed, prepared)
        paint_figures(picture, placed, cast)
        owners.append(owner)
        return picture

    under_way: deque[tuple[int, Future[np.ndarray]]] = deque()
    with (
        closing(prefetch(read_frames(video, threads=max(workers // 2, 1)))) as frames,
        ThreadPoolExecutor(workers) as pool,
    ):
        for frame, seen in zip(frames, elements.frames(0, video.frames), strict=True):
            placed = place(elements, seen, video.width, video.height)
            prepared = background.prepare(frame, placed)
            under_way.append((frame.pts, pool.submit(paint, frame, placed, prepared)))
            if len(under_way) > 2 * workers:
                pts, picture = under_way.popleft()
                yield pts, picture.result()
        for pts, picture in under_way:
            yield pts, picture.result()
