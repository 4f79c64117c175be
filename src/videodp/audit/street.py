"""A small painted street with a canary in it, and the same street without: exact neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from videodp.elements import (
    Elements,
    ParquetWriter,
    Seen,
    load_elements,
    mask_runs,
    no_runs,
    pack_runs,
)
from videodp.scenes import Scene, SceneSpec, paint
from videodp.video import Video, VideoWriter, probe

__all__ = ["CANARIES", "CANARY", "Canary", "Filmed", "film"]

CANARY = 1_000_000
"""Its identity: nobody else in the street has it."""

STREET = SceneSpec(width=160, height=96, frames=16, people=4, vehicles=2, seed=5)


@dataclass(frozen=True)
class Canary:
    """Somebody made up to be found."""

    name: str
    size: tuple[float, float]
    """Width and height as shares of the picture."""
    steps: float
    """How far it walks, as a share of the width."""
    present: float
    """Share of the frames in which it is there."""


CANARIES = (
    Canary("walks through", (0.08, 0.4), 0.6, 1.0),
    Canary("stands all the time", (0.08, 0.4), 0.0, 1.0),
    Canary("small and brief", (0.03, 0.12), 0.1, 0.25),
)


@dataclass(frozen=True)
class Filmed:
    """The street on film."""

    video: Video
    elements: Elements
    pictures: np.ndarray
    """(n, height, width, 3) uint8 RGB."""


def film(folder: Path, canary: Canary | None) -> Filmed:
    """Writes the street, with the canary in front of everybody or without it."""
    scene = paint(STREET)
    video, elements = folder / "street.mkv", folder / "street.parquet"
    size = (STREET.width, STREET.height)
    pictures = []
    with (
        VideoWriter(
            video, width=size[0], height=size[1], rate=STREET.rate, codec="ffv1", threads=1
        ) as frames,
        ParquetWriter(elements, size, STREET.frames) as rows,
    ):
        for rgb, seen in _frames(scene, canary):
            frames.write(rgb)
            rows.write(seen)
            pictures.append(rgb)
    filmed = probe(video)
    return Filmed(filmed, load_elements(elements, filmed), np.stack(pictures))


def _frames(scene: Scene, canary: Canary | None) -> Iterator[tuple[np.ndarray, Seen]]:
    rng = np.random.default_rng(STREET.seed)
    for painted in scene:
        ids = [shown.id for shown in painted.shown]
        boxes = [shown.box for shown in painted.shown]
        masks = [mask_runs(s.mask, s.box[0], s.box[1], STREET.width) for s in painted.shown]
        labels = [shown.label for shown in painted.shown]
        rgb = painted.rgb.copy()
        box = None if canary is None else _box(canary, painted.index)
        if box is not None:
            x, y, w, h = box
            body = np.ones((h, w), bool)
            body[[0, 0, -1, -1], [0, -1, 0, -1]] = False
            # It wears what the street wears: only such colours can be drawn at all.
            worn = rgb.reshape(-1, 3)[rng.integers(0, len(rgb) * rgb.shape[1], (h, w))]
            rgb[y : y + h, x : x + w][body] = worn[body]
            ids.append(CANARY)
            boxes.append(box)
            masks.append(mask_runs(body, x, y, STREET.width))
            labels.append("person")
        seen = Seen(
            painted.index,
            np.array(ids, np.int64),
            np.array(boxes, np.float64).reshape(-1, 4),
            tuple(labels),
            pack_runs(masks),
            no_runs(len(ids)),
        )
        yield rgb, seen.back_to_front()


def _box(canary: Canary, frame: int) -> tuple[int, int, int, int] | None:
    """x, y, width, height; its feet touch the lower edge, so that nobody is in front of it."""
    if frame >= canary.present * STREET.frames:
        return None
    w, h = round(canary.size[0] * STREET.width), round(canary.size[1] * STREET.height)
    moved = canary.steps * STREET.width * frame / STREET.frames
    return round(0.15 * STREET.width + moved), STREET.height - h, w, h
