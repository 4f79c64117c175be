"""Adds the counts of all fragments up to one census."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from videodp.census.count import background_frames, stored_table
from videodp.census.model import BackgroundSamples, Census, Fragment, StoredSample, WornTable
from videodp.elements import Elements
from videodp.video import Video

__all__ = ["merge"]


def merge(
    video: Video, elements: Elements, fragments: Iterable[Fragment], store: Path
) -> Census:
    """One census of the whole video, the same however it was cut into fragments."""
    histogram = np.zeros(2**24, np.int64)
    pixels, visible = np.zeros(len(elements), np.int64), np.zeros(len(elements), np.int64)
    parts: list[tuple[int, int, WornTable]] = []
    samples: dict[tuple[int, int], StoredSample] = {}
    for fragment in fragments:
        histogram[fragment.colours] += fragment.total
        pixels += fragment.pixels
        visible += fragment.visible
        parts.append((fragment.start, fragment.stop, fragment.worn))
        for key, sample in fragment.samples.items():
            if key not in samples or sample.frame < samples[key].frame:
                samples[key] = sample
    parts.sort(key=lambda part: part[0])
    colours = np.flatnonzero(histogram).astype(np.int32)
    worn = _add_worn([table for _, _, table in parts], len(elements), store / "worn")
    worn_sum, worn_max, wearers = _summarise(worn, colours)
    return Census(
        video.width,
        video.height,
        video.frames,
        elements.tracks,
        pixels,
        visible,
        colours,
        histogram[colours],
        worn_sum,
        worn_max,
        wearers,
        worn,
        tuple(parts),
        _by_element(samples, len(elements)),
        BackgroundSamples(
            store / "background.bin", background_frames(video.frames), video.height, video.width
        ),
    )


def _add_worn(tables: list[WornTable], elements: int, file: Path) -> WornTable:
    """Merges element by element: memory holds one element at a time."""
    rows = np.zeros(elements, np.int64)
    with file.with_suffix(".colours").open("wb") as out_c, file.with_suffix(".counts").open(
        "wb"
    ) as out_n:
        for element in range(elements):
            pieces = [table.of(element) for table in tables]
            colours, place = np.unique(
                np.concatenate([np.zeros(0, np.int32), *(c for c, _ in pieces)]),
                return_inverse=True,
            )
            counts = np.zeros(len(colours), np.int64)
            np.add.at(counts, place, np.concatenate([np.zeros(0, np.int64), *(n for _, n in pieces)]))
            out_c.write(colours.data)
            out_n.write(counts.data)
            rows[element] = len(colours)
    return stored_table(rows, file)


def _summarise(
    worn: WornTable, colours: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    worn_sum, worn_max = np.zeros(len(colours), np.int64), np.zeros(len(colours), np.int64)
    wearers = np.zeros(len(colours), np.int32)
    for element in range(len(worn.offsets) - 1):
        own, counts = worn.of(element)
        at = np.searchsorted(colours, own)
        worn_sum[at] += counts
        worn_max[at] = np.maximum(worn_max[at], counts)
        wearers[at] += 1
    return worn_sum, worn_max, wearers


def _by_element(
    samples: dict[tuple[int, int], StoredSample], elements: int
) -> tuple[tuple[StoredSample, ...], ...]:
    lists: list[list[StoredSample]] = [[] for _ in range(elements)]
    for (element, _), sample in sorted(samples.items()):
        lists[element].append(sample)
    return tuple(map(tuple, lists))
