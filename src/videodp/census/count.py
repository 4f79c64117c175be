"""Counts the colours of one fragment of the video, in one streaming pass."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from videodp.census.background import Moments, keep_background, moments_of
from videodp.census.crops import CropWriter
from videodp.census.model import FileColumn, Fragment, Part, WornTable
from videodp.census.stash import Room, StashWriter
from videodp.census.tallies import Tallies
from videodp.elements import Elements, OwnerPicture, Placed, place
from videodp.kernels.colours import count_colours, gather_worn, histogram_colours
from videodp.video import Frame, Video, prefetch, read_frames

__all__ = [
    "SAMPLES_PER_ELEMENT",
    "count_fragment",
    "stored_table",
]

SAMPLES_PER_ELEMENT = 8
"""Frames of an element that palette and optimal k look at (the paper samples one)."""


class _Counter:
    """What one thread has counted, and its scratch memory."""

    def __init__(self, video: Video) -> None:
        self.histogram = np.zeros(2**24, np.uint32)
        self.owners = OwnerPicture(video.width, video.height)
        self.kept = np.empty(video.width * video.height, np.int32)


@dataclass
class _Team:
    """Counters that share a fragment: any of them may take any frame, since counts add up."""

    store: Path
    tallies: Tallies
    crops: CropWriter
    counters: list[_Counter]
    moments: Moments

    def __post_init__(self) -> None:
        self._free = list(self.counters)

    def count(self, frame: Frame, placed: Placed) -> None:
        """Counts one frame; at most as many calls at a time as there are counters."""
        counter = self._free.pop()
        owner = counter.owners.paint(placed)
        count_colours(frame.rgb, counter.histogram)
        ends = gather_worn(frame.rgb, owner, placed.bounds, placed.index + 1, counter.kept)
        for i, (element, owned) in enumerate(
            zip(placed.index.tolist(), pairwise(ends.tolist()), strict=True)
        ):
            if owned[0] < owned[1]:
                self.tallies.add(element, frame.index, counter.kept[slice(*owned)])
                self.crops.add(frame.rgb, owner, placed, i)
        slot = self.moments.slot(frame.index)
        if slot is not None:
            clear = self.moments.clear(frame.index, owner)
            keep_background(self.store, slot, frame.rgb, clear)
        self._free.append(counter)


def count_fragment(
    video: Video,
    elements: Elements,
    start: int,
    stop: int,
    store: Path,
    *,
    samples: int = SAMPLES_PER_ELEMENT,
    progress: Callable[[int], None] = lambda frames: None,
    threads: int = 1,
    room: Room | None = None,
    moments: Moments | None = None,
) -> Fragment:
    """Counts frames [start, stop). Fragments merge by adding (see `merge`).

    Args:
        video: the video.
        elements: its sensitive elements.
        start: first frame.
        stop: end, not included.
        store: folder for what is too large to keep; private to the owner.
        samples: crops kept of each element.
        progress: told how many frames were done since the last call.
        threads: as many decode, and as many count.
        room: disk space for setting pixels aside; none by default.
        moments: what the plate is made of, if it is known already.
    """
    moments = moments or moments_of(elements, video.frames)
    with (
        closing(StashWriter(store / f"pixels-{start}.bin", room or Room(0))) as stash,
        closing(CropWriter(elements, store / f"samples-{start}.bin", samples)) as crops,
    ):
        counters = [_Counter(video) for _ in range(threads)]
        team = _Team(store, Tallies(stash), crops, counters, moments)
        _count_all(team, video, elements, (start, stop), progress)
        worn, pixels, visible = _collect(team.tallies, len(elements), store / f"worn-{start}")
    colours, total = _add_histograms(counters)
    part = Part(start, stop, worn, stash.stash)
    return Fragment(part, colours, total, pixels, visible, crops.index)


def _count_all(
    team: _Team,
    video: Video,
    elements: Elements,
    span: tuple[int, int],
    progress: Callable[[int], None],
) -> None:
    threads = len(team.counters)
    under_way: deque[Future[None]] = deque()
    with (
        closing(prefetch(read_frames(video, *span, threads=threads), ahead=2)) as frames,
        ThreadPoolExecutor(threads) as pool,
    ):
        for frame, seen in zip(frames, elements.frames(*span), strict=True):
            placed = place(elements, seen, video.width, video.height)
            under_way.append(pool.submit(team.count, frame, placed))
            if len(under_way) > threads:
                under_way.popleft().result()
                progress(1)
        for future in under_way:
            future.result()
            progress(1)


def _add_histograms(counters: list[_Counter]) -> tuple[np.ndarray, np.ndarray]:
    """Colours, (m,) int32 ascending, and their counts, (m,) int64."""
    histogram = counters[0].histogram
    for counter in counters[1:]:
        histogram += counter.histogram
    occupied = np.flatnonzero(histogram)
    colours = histogram_colours(occupied)
    order = np.argsort(colours)
    return colours[order].astype(np.int32), histogram[occupied[order]].astype(np.int64)


def _collect(
    tallies: Tallies, elements: int, file: Path
) -> tuple[WornTable, np.ndarray, np.ndarray]:
    pixels, visible = np.zeros(elements, np.int64), np.zeros(elements, np.int64)
    rows = np.zeros(elements, np.int64)
    with (
        file.with_suffix(".colours").open("wb") as out_c,
        file.with_suffix(".counts").open("wb") as out_n,
    ):
        for element, worn in tallies.close().items():
            colours, counts = worn.table.sorted()
            out_c.write(colours.data)
            out_n.write(counts.data)
            rows[element] = len(colours)
            pixels[element], visible[element] = worn.pixels, worn.visible
    return stored_table(rows, file), pixels, visible


def stored_table(rows: np.ndarray, file: Path) -> WornTable:
    """The table whose columns were written to `file` with the given rows for each element."""
    offsets = np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)
    if not offsets[-1]:
        return WornTable(offsets, np.zeros(0, np.int32), np.zeros(0, np.int64))
    return WornTable(
        offsets,
        FileColumn(file.with_suffix(".colours"), np.int32, int(offsets[-1])),
        FileColumn(file.with_suffix(".counts"), np.int64, int(offsets[-1])),
    )
