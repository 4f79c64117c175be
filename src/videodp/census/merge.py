"""Adds the counts of all fragments up to one census."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from videodp.census.background import background_frames, background_samples
from videodp.census.count import stored_table
from videodp.census.model import Census, Fragment, Part, StoredSample, WornTable
from videodp.census.table import add_counts
from videodp.elements import Elements
from videodp.video import Video

__all__ = ["merge"]

_ROWS = 250_000
"""Rows that are summed up at once."""


def merge(video: Video, elements: Elements, fragments: Iterable[Fragment], store: Path) -> Census:
    """One census of the whole video, the same however it was cut into fragments."""
    colours, total = np.zeros(0, np.int32), np.zeros(0, np.int64)
    pixels, visible = np.zeros(len(elements), np.int64), np.zeros(len(elements), np.int64)
    parts: list[Part] = []
    samples: dict[tuple[int, int], StoredSample] = {}
    for fragment in fragments:
        colours, total = add_counts([(colours, total), (fragment.colours, fragment.total)])
        pixels += fragment.pixels
        visible += fragment.visible
        parts.append(fragment.part)
        for key, sample in fragment.samples.items():
            if key not in samples or sample.frame < samples[key].frame:
                samples[key] = sample
    parts.sort(key=lambda part: part.start)
    worn = _add_worn([part.worn for part in parts], len(elements), store / "worn")
    worn_sum, worn_max, wearers = _summarise(worn, colours)
    return Census(
        video.width,
        video.height,
        video.frames,
        elements.tracks,
        pixels,
        visible,
        colours,
        total,
        worn_sum,
        worn_max,
        wearers,
        worn,
        tuple(parts),
        _by_element(samples, len(elements)),
        background_samples(
            store, background_frames(elements, video.frames), video.height, video.width
        ),
    )


def _add_worn(tables: list[WornTable], elements: int, file: Path) -> WornTable:
    """Merges element by element: memory holds one element at a time."""
    rows = np.zeros(elements, np.int64)
    with (
        file.with_suffix(".colours").open("wb") as out_c,
        file.with_suffix(".counts").open("wb") as out_n,
    ):
        for element in range(elements):
            pieces = [table.of(element) for table in tables]
            colours, counts = add_counts(pieces)
            out_c.write(colours.data)
            out_n.write(counts.data)
            rows[element] = len(colours)
    return stored_table(rows, file)


def _summarise(worn: WornTable, colours: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sum and maximum over the elements, and how many wear it, for each colour."""
    worn_sum, worn_max = np.zeros(len(colours), np.int64), np.zeros(len(colours), np.int64)
    wearers = np.zeros(len(colours), np.int32)
    for start in range(0, len(worn.colours), _ROWS):
        own = worn.colours[start : start + _ROWS]
        order = np.argsort(own, kind="stable")
        own, counts = own[order], worn.counts[start : start + _ROWS][order]
        first = np.flatnonzero(np.diff(own, prepend=-1))
        at = np.searchsorted(colours, own[first])
        worn_sum[at] += np.add.reduceat(counts, first)
        worn_max[at] = np.maximum(worn_max[at], np.maximum.reduceat(counts, first))
        wearers[at] += np.diff(first, append=len(own)).astype(np.int32)
    return worn_sum, worn_max, wearers


def _by_element(
    samples: dict[tuple[int, int], StoredSample], elements: int
) -> tuple[tuple[StoredSample, ...], ...]:
    lists: list[list[StoredSample]] = [[] for _ in range(elements)]
    for (element, _), sample in sorted(samples.items()):
        lists[element].append(sample)
    return tuple(map(tuple, lists))
