"""Renders the private video frame by frame: decode, paint on all cores, hand on in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeVar

import numpy as np

from videodp.census import Census
from videodp.elements import Elements, OwnerPicture, Placed, place
from videodp.plan import Plan
from videodp.privacy.randomness import Randomness
from videodp.render.background import Background, FromPlate, Retained, Sampled
from videodp.render.draw import Picks
from videodp.render.figures import Cast, paint_figures
from videodp.render.model import Look
from videodp.render.plate import Plate
from videodp.video import Frame, Video, in_order, prefetch, read_frames

__all__ = ["background_of", "render_frames"]

T = TypeVar("T")


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
    video: Video,
    elements: Elements,
    cast: Cast,
    background: Background,
    finish: Callable[[np.ndarray], T],
    workers: int = 1,
) -> Iterator[tuple[int, T]]:
    """Time stamp and picture of every frame of the private video, in order.

    A frame depends on nothing but itself and on what was drawn, so workers paint several at
    once.

    Args:
        video: the original.
        elements: its sensitive elements.
        cast: what was drawn of them.
        background: what is behind them.
        finish: what else is to be done with a finished picture, (height, width, 3) uint8, by the
            worker that painted it.
        workers: threads.
    """
    scratch = [OwnerPicture(video.width, video.height) for _ in range(workers)]

    def paint(job: tuple[Frame, Placed, np.ndarray | None]) -> tuple[int, T]:
        frame, placed, prepared = job
        owners = scratch.pop()
        picture = background.paint(frame.rgb, owners.paint(placed), placed, prepared)
        scratch.append(owners)
        paint_figures(picture, placed, cast)
        return frame.pts, finish(picture)

    def jobs(frames: Iterator[Frame]) -> Iterator[tuple[Frame, Placed, np.ndarray | None]]:
        for frame, seen in zip(frames, elements.frames(0, video.frames), strict=True):
            placed = place(elements, seen, video.width, video.height)
            yield frame, placed, background.prepare(frame, placed)

    with (
        closing(prefetch(read_frames(video, threads=max(workers // 2, 1)))) as frames,
        closing(in_order(paint, jobs(frames), workers)) as pictures,
    ):
        yield from pictures
