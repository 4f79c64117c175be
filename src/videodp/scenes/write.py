"""A painted scene as a video file, with its ground truth beside it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from videodp.elements import ParquetWriter, Seen, mask_runs, no_runs, pack_runs
from videodp.scenes.scene import Scene, paint
from videodp.scenes.spec import PaintedFrame, SceneSpec
from videodp.stages import Stages, Watcher
from videodp.video import VideoWriter

__all__ = ["truth_file", "write_scene"]


def truth_file(video: Path) -> Path:
    """``street.mp4`` has its truth in ``street.elements.parquet``."""
    return video.with_name(f"{video.stem}.elements.parquet")


def write_scene(
    spec: SceneSpec,
    output: str | Path,
    *,
    codec: str = "libx264",
    crf: int = 20,
    overwrite: bool = False,
    workers: int | None = None,
    watcher: Watcher | None = None,
) -> Path:
    """Paints a scene into a video; returns the path of its exact elements.

    Args:
        spec: what to paint.
        output: the video.
        codec: as for `publish`.
        crf: quality.
        overwrite: replace files that are there.
        workers: threads.
        watcher: told about progress.
    """
    output = Path(output)
    truth = truth_file(output)
    with (
        ParquetWriter(
            truth, (spec.width, spec.height), spec.frames, overwrite=overwrite
        ) as elements,
        VideoWriter(
            output,
            width=spec.width,
            height=spec.height,
            rate=spec.rate,
            codec=codec,
            crf=crf,
            overwrite=overwrite,
        ) as video,
        Stages(watcher).stage("paint", spec.frames) as step,
    ):
        for frame in _painted(paint(spec), workers or os.cpu_count() or 1):
            video.write(frame.rgb)
            elements.write(_seen(frame), visibility=[shown.visible for shown in frame.shown])
            step(1)
    return truth


def _painted(scene: Scene, workers: int) -> Iterator[PaintedFrame]:
    under_way: deque[Future[PaintedFrame]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for index in range(len(scene)):
            under_way.append(pool.submit(scene.frame, index))
            if len(under_way) > 2 * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def _seen(frame: PaintedFrame) -> Seen:
    width = frame.rgb.shape[1]
    runs = [mask_runs(s.mask, s.box[0], s.box[1], width) for s in frame.shown]
    return Seen(
        frame.index,
        np.array([s.id for s in frame.shown], np.int64),
        np.array([s.box for s in frame.shown], np.float64).reshape(-1, 4),
        tuple(s.label for s in frame.shown),
        pack_runs(runs),
        no_runs(len(runs)),
    )
