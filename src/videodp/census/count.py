"""Counts the colours of one fragment of the video, in one streaming pass."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from videodp.census.model import FileColumn, Fragment, Part, StoredSample, WornTable
from videodp.census.stash import Room, StashWriter
from videodp.elements import Elements, Placed, paint_owner, place
from videodp.kernels.colours import (
    EMPTY,
    count_colours,
    crop_colours,
    histogram_colours,
    rehash,
    tally_worn,
)
from videodp.video import Video, prefetch, read_frames

__all__ = ["BACKGROUND_SAMPLES", "SAMPLES_PER_ELEMENT", "background_frames", "count_fragment"]

BACKGROUND_SAMPLES = 9
"""Frames that the plate is made of."""

SAMPLES_PER_ELEMENT = 8
"""Frames of an element that palette and optimal k look at (the paper samples one)."""


def background_frames(frames: int, samples: int = BACKGROUND_SAMPLES) -> tuple[int, ...]:
    """Evenly spaced frames: which ones does not depend on how the video is cut."""
    count = min(frames, samples)
    return tuple((2 * i + 1) * frames // (2 * count) for i in range(count))


@dataclass
class _Table:
    """Colour counts of one element, growing as needed."""

    slots: np.ndarray = field(default_factory=lambda: _free(1024))
    used: int = 0
    pixels: int = 0
    visible: int = 0

    def reserve(self, more: int) -> None:
        """Makes room so that at most two slots of three are ever taken."""
        need = 3 * (self.used + min(more, 2**24)) // 2
        if need > len(self.slots):
            larger = _free(1 << (need - 1).bit_length())
            rehash(self.slots, larger)
            self.slots = larger

    def sorted(self) -> tuple[np.ndarray, np.ndarray]:
        taken = self.slots[self.slots[:, 0] != EMPTY].astype(np.int64)
        rows = np.sort((taken[:, 0] << 32) | taken[:, 1])  # one integer sorts faster than a pair
        return (rows >> 32).astype(np.int32), rows & 0xFFFFFFFF


def _free(size: int) -> np.ndarray:
    slots = np.zeros((size, 2), np.int32)
    slots[:, 0] = EMPTY
    return slots


@dataclass
class _Samples:
    """Writes crops of elements, one for each part of their life, to one file."""

    elements: Elements
    file: Path
    parts: int
    index: dict[tuple[int, int], StoredSample] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._out = self.file.open("wb")

    def add(self, rgb: np.ndarray, owner: np.ndarray, placed: Placed, i: int) -> None:
        element = int(placed.index[i])
        track = self.elements.tracks[element]
        life = track.last - track.first + 1
        key = (element, (placed.frame - track.first) * min(self.parts, life) // life)
        if key in self.index:
            return
        x0, y0, x1, y1 = placed.bounds[i].tolist()
        crop = np.empty((y1 - y0, x1 - x0), np.int32)
        crop_colours(rgb, owner, placed.bounds[i], element + 1, crop)
        x, y, w, h = placed.boxes[i].tolist()
        self.index[key] = StoredSample(
            self.file, self._out.tell(), (y1 - y0, x1 - x0), placed.frame, (x, y, w, h), (x0, y0)
        )
        self._out.write(crop.data)

    def close(self) -> None:
        self._out.close()


def count_fragment(
    video: Video,
    elements: Elements,
    start: int,
    stop: int,
    store: Path,
    *,
    samples: int = SAMPLES_PER_ELEMENT,
    progress: Callable[[int], None] = lambda frames: None,
    threads: int = 0,
    room: Room | None = None,
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
        threads: decoder threads, 0 for as many as fit.
        room: disk space for setting pixels aside; none by default.
    """
    histogram = np.zeros(2**24, np.uint32)
    tables: dict[int, _Table] = {}
    owner = np.zeros((video.height, video.width), np.int32)
    wanted = {frame: i for i, frame in enumerate(background_frames(video.frames))}
    seen_frames = elements.frames(start, stop)
    kept = np.empty(owner.size, np.int32)
    with (
        closing(StashWriter(store / f"pixels-{start}.bin", room or Room(0))) as stash,
        closing(_Samples(elements, store / f"samples-{start}.bin", samples)) as crops,
        closing(prefetch(read_frames(video, start, stop, threads=threads), ahead=2)) as frames,
    ):
        for frame, seen in zip(frames, seen_frames, strict=True):
            placed = place(elements, seen, video.width, video.height)
            paint_owner(placed, owner)
            count_colours(frame.rgb, histogram)
            for i in range(len(placed)):
                owned = _tally(frame.rgb, owner, placed, i, tables, kept)
                if owned:
                    stash.add(int(placed.index[i]), frame.index, kept[:owned])
                    crops.add(frame.rgb, owner, placed, i)
            if frame.index in wanted:
                _keep_background(store, wanted[frame.index], frame.rgb, owner)
            progress(1)
    occupied = np.flatnonzero(histogram)
    colours = histogram_colours(occupied)
    order = np.argsort(colours)
    worn, pixels, visible = _collect(tables, len(elements), store / f"worn-{start}")
    return Fragment(
        Part(start, stop, worn, stash.stash),
        colours[order].astype(np.int32),
        histogram[occupied[order]].astype(np.int64),
        pixels,
        visible,
        crops.index,
    )


def _tally(
    rgb: np.ndarray,
    owner: np.ndarray,
    placed: Placed,
    i: int,
    tables: dict[int, _Table],
    kept: np.ndarray,
) -> int:
    element = int(placed.index[i])
    bounds = placed.bounds[i]
    table = tables.setdefault(element, _Table())
    table.reserve(int((bounds[2] - bounds[0]) * (bounds[3] - bounds[1])))
    pixels, new = tally_worn(rgb, owner, bounds, element + 1, table.slots, kept)
    table.pixels += pixels
    table.visible += pixels > 0
    table.used += new
    return int(pixels)


def _keep_background(store: Path, slot: int, rgb: np.ndarray, owner: np.ndarray) -> None:
    picture = np.empty((*owner.shape, 4), np.uint8)
    picture[..., :3] = rgb
    picture[..., 3] = owner == 0
    handle = os.open(store / "background.bin", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.pwrite(handle, picture.data, slot * picture.nbytes)
    finally:
        os.close(handle)


def _collect(
    tables: dict[int, _Table], elements: int, file: Path
) -> tuple[WornTable, np.ndarray, np.ndarray]:
    pixels, visible = np.zeros(elements, np.int64), np.zeros(elements, np.int64)
    rows = np.zeros(elements, np.int64)
    with (
        file.with_suffix(".colours").open("wb") as out_c,
        file.with_suffix(".counts").open("wb") as out_n,
    ):
        for element in sorted(tables):
            colours, counts = tables[element].sorted()
            out_c.write(colours.data)
            out_n.write(counts.data)
            rows[element] = len(colours)
            pixels[element] = tables[element].pixels
            visible[element] = tables[element].visible
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
