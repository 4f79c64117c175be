"""Opens an elements file and checks it against its video, in one streaming pass."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from videodp.elements.checked import CheckedSource
from videodp.elements.header import MOST_FRAMES
from videodp.elements.model import Elements, Searched, Seen, Source, Track
from videodp.elements.mot import read_mot
from videodp.elements.parquet import ParquetSource, read_header
from videodp.errors import ElementsError, ElementsNotFoundError
from videodp.video import Video

__all__ = ["elements_for", "from_source", "load_elements"]

_JUMP = 4.0
"""A centre that moves this many box sides from one frame to the next has jumped."""


@dataclass
class _Tally:
    label: str
    first: int
    last: int
    frames: int
    box: list[float]
    jumps: int = 0


def load_elements(path: str | Path, video: Video | None = None) -> Elements:
    """Opens ``.parquet`` (ours) or ``.txt`` (MOT) and checks every row against the video."""
    path = Path(path)
    if not os.path.isfile(path):  # Path.is_file fails where a name is too long
        raise ElementsNotFoundError(
            f"no elements file at {path}: give the path of a .parquet or MOT .txt file"
        )
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        header = read_header(path)
        elements = from_source(ParquetSource(path), video, header.size, header.length)
        _searched_here(path.name, header.searched, video)
        return replace(elements, searched=header.searched, _index={})
    if suffix in (".txt", ".csv"):
        return from_source(read_mot(path), video)
    raise ElementsError(f"{path.name}: elements are .parquet or MOT .txt, not '{suffix}'")


def elements_for(video: Video, given: str | Path | Elements) -> Elements:
    """Elements that were checked against this very video; a file is loaded.

    Loaded elements may have been checked against another video, or against none.
    """
    if not isinstance(given, Elements):
        return load_elements(given, video)
    length = None if video.truncated else video.frames
    same = (given.size, given.length) == ((video.width, video.height), length)
    if same and isinstance(given.source, CheckedSource):
        return given
    _searched_here(given.source.name, given.searched, video)
    source = given.source.source if isinstance(given.source, CheckedSource) else given.source
    checked = from_source(source, video, given.size, given.length)
    return replace(
        checked.without(given.insensitive),
        searched=given.searched,
        found_by=given.found_by,
        warnings=tuple(dict.fromkeys((*given.warnings, *checked.warnings))),
        _index={},
    )


def from_source(
    source: Source,
    video: Video | None = None,
    size: tuple[int, int] | None = None,
    length: int | None = None,
) -> Elements:
    """Scans all rows once: one line per track is kept, everything wrong is an error."""
    if video is not None:
        _fits(source.name, video, size, length)
        size = (video.width, video.height)
        length = None if video.truncated else video.frames
    tallies: dict[int, _Tally] = {}
    checked = CheckedSource(source)
    outlines = 0
    for seen in source.frames(-(2**31), 2**31):
        outlines += len(seen.masks.runs)
        _check(source.name, seen, size, length)
        _count(tallies, seen)
        checked.remember(seen)
    tracks = tuple(
        Track(identity, t.label, t.first, t.last, t.frames)
        for identity, t in sorted(tallies.items())
    )
    return Elements(
        checked,
        tracks,
        size,
        length,
        boxes_only=not outlines,
        warnings=_jumps(source.name, tallies),
    )


def _fits(name: str, video: Video, size: tuple[int, int] | None, length: int | None) -> None:
    if size is not None and size != (video.width, video.height):
        raise ElementsError(
            f"{name} belongs to a video of {size[0]}x{size[1]}, but {video.path.name} is "
            f"{video.width}x{video.height}: give the elements of this video"
        )
    if length is not None and length != video.frames and not video.truncated:
        raise ElementsError(
            f"{name} belongs to a video of {length} frames, but {video.path.name} has "
            f"{video.frames}: give the elements of this video"
        )


def _searched_here(name: str, searched: Searched, video: Video | None) -> None:
    if video is not None and searched.frames is not None and searched.frames[1] > video.frames:
        raise ElementsError(
            f"{name} says that frames {searched.frames[0]} to {searched.frames[1] - 1} were "
            f"searched, but {video.path.name} has {video.frames}: give the elements of this video"
        )


def _check(name: str, seen: Seen, size: tuple[int, int] | None, length: int | None) -> None:
    if len(np.unique(seen.ids)) != len(seen):
        values, counts = np.unique(seen.ids, return_counts=True)
        raise ElementsError(
            f"{name}: element {values[counts > 1][0]} is twice in frame {seen.frame + 1}: "
            "one box for each element and frame"
        )
    x, y, w, h = seen.boxes.T
    bad = ~np.all(np.isfinite(seen.boxes), axis=1)
    if bad.any():
        raise ElementsError(
            f"{name}: the box of element {seen.ids[bad][0]} in frame {seen.frame + 1} holds "
            "something that is not a number: correct or remove it"
        )
    bad = (w <= 0) | (h <= 0)
    if bad.any():
        raise ElementsError(
            f"{name}: the box of element {seen.ids[bad][0]} in frame {seen.frame + 1} has no "
            "area: width and height must be above 0"
        )
    if seen.frame < 0:
        raise ElementsError(f"{name} lists frame {seen.frame}, but frames count from 0")
    if length is None and seen.frame >= MOST_FRAMES:
        raise ElementsError(
            f"{name} lists frame {seen.frame + 1}, but a video has at most {MOST_FRAMES} frames: "
            "correct the file, or cut the video"
        )
    if length is not None and seen.frame >= length:
        raise ElementsError(
            f"{name} lists frame {seen.frame + 1}, but the video has {length} frames: "
            "give the elements of this video"
        )
    if size is None:
        return
    outside = (x >= size[0]) | (y >= size[1]) | (x + w <= 0) | (y + h <= 0)
    if outside.any():
        raise ElementsError(
            f"{name}: the box of element {seen.ids[outside][0]} in frame {seen.frame + 1} is "
            f"outside the picture of {size[0]}x{size[1]}: correct or remove it"
        )
    if not all(runs.inside(size[0] * size[1]) for runs in (seen.masks, seen.shapes)):
        raise ElementsError(
            f"{name}: a mask in frame {seen.frame + 1} reaches outside the picture of "
            f"{size[0]}x{size[1]}: write its runs again"
        )


def _count(tallies: dict[int, _Tally], seen: Seen) -> None:
    rows = zip(seen.ids.tolist(), seen.labels, seen.boxes.tolist(), strict=True)
    for identity, label, box in rows:
        tally = tallies.get(identity)
        if tally is None:
            tallies[identity] = _Tally(label, seen.frame, seen.frame, 1, box)
            continue
        if seen.frame == tally.last + 1:
            x, y, w, h = box
            a, b, c, d = tally.box
            moved = max(abs(x + w / 2 - a - c / 2), abs(y + h / 2 - b - d / 2))
            tally.jumps += moved > _JUMP * max(w, h, c, d)
        tally.last = seen.frame
        tally.frames += 1
        tally.box = box


def _jumps(name: str, tallies: dict[int, _Tally]) -> tuple[str, ...]:
    jumping = sorted(identity for identity, tally in tallies.items() if tally.jumps)
    if not jumping:
        return ()
    shown = ", ".join(map(str, jumping[:5])) + (", ..." if len(jumping) > 5 else "")
    return (
        f"{name}: ids that jump across the picture between two frames: {shown}; two people "
        "under one id are protected together, one person under two ids only half: check the ids",
    )
