"""The second look: the shape of everybody, written to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import numpy as np

from videodp.elements.masks import Silhouette, plain_silhouettes, silhouettes
from videodp.elements.model import Seen, Source, no_runs
from videodp.elements.motion import Scenes
from videodp.elements.parquet import ParquetWriter
from videodp.elements.runs import mask_runs, pack_runs
from videodp.elements.track import Sightings
from videodp.video import Frame, Video, prefetch, read_frames
from videodp.video.in_order import in_order

__all__ = ["Boxes", "outline"]


class Boxes:
    """Sightings as a source of elements: boxes without masks, those outside the picture left out.

    Attributes:
        name: for messages.
    """

    def __init__(self, sightings: Sightings, size: tuple[int, int], name: str) -> None:
        self.name = name
        x, y, w, h = sightings.box.astype(np.float64).T
        seen = (x < size[0]) & (y < size[1]) & (x + w > 0) & (y + h > 0) & (w > 0) & (h > 0)
        self._table = sightings.take(np.flatnonzero(seen))

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        """Frames in [start, stop) that hold elements, in order."""
        table = self._table
        first, end = np.searchsorted(table.frame, [start, stop])
        for frame in np.unique(table.frame[first:end]).tolist():
            rows = table.at(frame)
            count = rows.stop - rows.start
            yield Seen(
                frame,
                table.id[rows].astype(np.int64),
                table.box[rows].astype(np.float64),
                tuple(table.labels[label] for label in table.label[rows]),
                no_runs(count),
                no_runs(count),
            )

    def scores(self, frame: int) -> list[float]:
        """The detector's, in the order of `frames`."""
        return [float(score) for score in self._table.score[self._table.at(frame)]]


def outline(
    video: Video,
    boxes: Source,
    scenes: Scenes | None,
    writer: ParquetWriter,
    *,
    span: tuple[int, int],
    workers: int,
    progress: Callable[[int], None],
) -> None:
    """Writes boxes with the shapes in them; only frames that hold somebody are converted.

    Args:
        video: the video.
        boxes: who is where.
        scenes: what to compare with; None: the box is protected.
        writer: open.
        span: frames [start, stop) that are looked at.
        workers: threads.
        progress: told how many frames were done since the last call.
    """

    def shape(both: tuple[Frame, Seen]) -> Seen:
        frame, seen = both
        model = scenes.at(frame.index) if scenes is not None else None
        if model is None:
            found = plain_silhouettes(seen.boxes, video.width, video.height)
        else:
            found = silhouettes(frame.rgb, model, seen.boxes)
        return _with_masks(seen, found, video.width)

    here = {seen.frame for seen in boxes.frames(*span)}
    seen_frames = boxes.frames(*span)
    frames = prefetch(read_frames(video, *span, only=here, threads=max(workers // 2, 1)), ahead=2)
    done = span[0]
    with (
        closing(frames),
        closing(in_order(shape, zip(frames, seen_frames, strict=True), workers)) as shaped,
    ):
        for seen in shaped:
            scores = boxes.scores(seen.frame) if isinstance(boxes, Boxes) else None
            writer.write(seen, scores)
            progress(seen.frame + 1 - done)
            done = seen.frame + 1
    progress(span[1] - done)


def _with_masks(seen: Seen, found: list[Silhouette], width: int) -> Seen:
    def runs(masks: list[np.ndarray]) -> list[np.ndarray]:
        return [
            mask_runs(mask, one.bounds[0], one.bounds[1], width)
            for mask, one in zip(masks, found, strict=True)
        ]

    return Seen(
        seen.frame,
        seen.ids,
        seen.boxes,
        seen.labels,
        pack_runs(runs([one.protected for one in found])),
        pack_runs(runs([one.drawn for one in found])),
    )
