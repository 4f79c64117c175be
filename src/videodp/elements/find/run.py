"""The way through find, step by step."""

from __future__ import annotations

import os
import tempfile
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from videodp.elements.find.eyes import (
    MOTION,
    Eyes,
    choose_network,
    looks_with,
    refuse_motion,
    sees_everything,
)
from videodp.elements.find.outline import Boxes, outline
from videodp.elements.find.settings import FindSettings
from videodp.elements.find.strangers import without_bystanders
from videodp.elements.load import elements_for, from_source, load_elements
from videodp.elements.model import Elements, Searched, Source
from videodp.elements.mot import write_mot
from videodp.elements.motion import ForegroundStore, Scenes, survey
from videodp.elements.parquet import ParquetWriter
from videodp.elements.track import Found, Sightings, track
from videodp.errors import UsageError
from videodp.stages import Stages
from videodp.video import Video, check_free, prefetch, probe, read_frames
from videodp.video.in_order import in_order

__all__ = ["find_elements"]


def find_elements(
    video: str | Path | Video,
    output: str | Path,
    settings: FindSettings | None = None,
    *,
    given: str | Path | Elements | None = None,
    workers: int | None = None,
    overwrite: bool = False,
    private: bool = True,
    stages: Stages | None = None,
) -> Elements:
    """Finds every person and vehicle in a video and writes them to a file.

        elements = videodp.find_elements("street.mp4", "street.elements.parquet")
        print(len(elements), elements.warnings)

    Args:
        video: a file, a folder of numbered images, or what `probe` returned.
        output: ``.parquet`` with a mask for each element and frame, or MOT ``.txt`` with boxes.
        settings: where, when and with what to look.
        given: elements whose boxes are right already: only their masks are looked for.
        workers: threads; all cores by default. Never changes the result.
        overwrite: replace a file that is there.
        private: nobody else on this machine may read the file.
        stages: told about progress.

    Returns:
        The elements, read back from the file; `warnings` say what to be careful about.
    """
    settings = settings or FindSettings()
    video = video if isinstance(video, Video) else probe(video)
    workers = workers or os.cpu_count() or 1
    stages = stages or Stages()
    output = Path(output)
    span = _frames(video, settings)
    given = None if given is None else elements_for(video, given)
    searched = _searched(video, settings, span) if given is None else given.searched
    _check(video, output, settings, searched, overwrite)
    with tempfile.TemporaryDirectory(prefix="videodp-") as folder, _own_threads():
        search = _Search(video, settings, span, Path(folder), workers, stages)
        boxes, notes = (given.source, ()) if given is not None else search.boxes(output.name)
        if output.suffix.lower() == ".txt":
            checked = from_source(boxes, video)
            write_mot(checked, output, video.frames, overwrite=overwrite, private=private)
        else:
            size = (video.width, video.height)
            with ParquetWriter(
                output,
                size,
                video.frames,
                searched=searched,
                overwrite=overwrite,
                private=private,
            ) as writer:
                search.outline(boxes, writer)
    elements = load_elements(output, video)
    warnings = (*notes, *elements.warnings)
    return replace(elements, found_by=search.found_by, warnings=warnings, _index={})


class _Search:
    """One search through one video."""

    def __init__(
        self,
        video: Video,
        settings: FindSettings,
        span: tuple[int, int],
        folder: Path,
        workers: int,
        stages: Stages,
    ) -> None:
        self.video = video
        self.settings = settings
        self.span = span
        self.folder = folder
        self.workers = workers
        self.stages = stages
        self.found_by: tuple[str, ...] = ()
        self._first: Scenes | None = None

    def boxes(self, name: str) -> tuple[Source, tuple[str, ...]]:
        """Who is where, and what the owner must know about it."""
        video, settings = self.video, self.settings
        network, note = choose_network(settings)
        notes = [note] if note else []
        scenes, moving = None, []
        self.found_by = looks_with(settings, network)
        if MOTION in self.found_by:
            scenes = self._first = self._survey("first", None)
            moving = [camera for camera in scenes.cameras if not camera.still]
            if moving and network is None:
                raise refuse_motion(settings)
            if moving:
                notes.append(
                    "the camera moves, so only what the model sees is found, and boxes are "
                    "protected instead of outlines"
                )
        store = None
        if scenes is not None:
            path = self.folder / "foreground"
            store = ForegroundStore(path, video.frames, video.width, video.height)
        everything = sees_everything() if moving and settings.labels is None else None
        eyes = Eyes(everything or network, scenes, store, settings, everything is not None)
        try:
            sightings = self._track(eyes)
        finally:
            if store is not None:
                store.close()
        if everything is not None:
            sightings = without_bystanders(sightings, max(c.displacement for c in moving))
        return Boxes(_sensitive(sightings, settings), (video.width, video.height), name), (*notes,)

    def _survey(self, name: str, boxes: Source | None) -> Scenes:
        """Looks at samples; with boxes, nobody can be taken for a part of the scene."""

        def there(frame: int) -> np.ndarray:
            assert boxes is not None
            return next((seen.boxes for seen in boxes.frames(frame, frame + 1)), np.zeros((0, 4)))

        with self.stages.stage(f"survey {name}", 1) as step:
            known = there if boxes is not None else None
            # Shapes are only looked for with boxes: before, what moves is told in small pictures.
            scenes = survey(
                self.video, self.folder, known, self.workers, self._first, fine=boxes is not None
            )
            step(1)
        return scenes

    def _track(self, eyes: Eyes) -> Sightings:
        """Looks at every frame, or each so many, and follows everybody."""
        video, every = self.video, self.settings.every
        start = -(-self.span[0] // every) * every
        wanted = range(start, self.span[1], every)
        with self.stages.stage("detect", len(wanted)) as step:

            def all_found() -> Iterator[Found]:
                threads = max(self.workers // 2, 1)
                read = read_frames(video, *self.span, only=wanted, threads=threads)
                with (
                    closing(prefetch(read, ahead=2)) as frames,
                    closing(in_order(eyes.look, frames, self.workers)) as results,
                ):
                    for found in results:
                        step(1)
                        yield found

            return track(
                all_found(),
                (video.width, video.height),
                video.rate,
                self.span[1],
                every=every,
                covered=eyes.covered if eyes.store is not None else None,
            )

    def outline(self, boxes: Source, writer: ParquetWriter) -> None:
        """The second look at everybody, with a scene that nobody is part of."""
        scenes = self._survey("second", boxes)
        with self.stages.stage("outline", self.span[1] - self.span[0]) as step:
            outline(
                self.video,
                boxes,
                scenes,
                writer,
                span=self.span,
                workers=self.workers,
                progress=step,
            )


def _sensitive(sightings: Sightings, settings: FindSettings) -> Sightings:
    if not settings.insensitive:
        return sightings
    dropped = [i for i, name in enumerate(sightings.labels) if name in settings.insensitive]
    return sightings.take(np.flatnonzero(~np.isin(sightings.label, dropped)))


def _searched(video: Video, settings: FindSettings, span: tuple[int, int]) -> Searched:
    """What the file says about where was looked."""
    return Searched(
        None if span == (0, video.frames) else span,
        settings.area is not None,
        settings.labels,
        settings.insensitive,
    )


def _frames(video: Video, settings: FindSettings) -> tuple[int, int]:
    """The frames of the span."""
    if settings.span is None:
        return 0, video.frames
    times = [video.time_of(0) + second for second in settings.span]
    start, stop = (bisect_left(range(video.frames), t, key=video.time_of) for t in times)
    if start >= stop:
        length = float(video.frames / video.rate)
        raise UsageError(f"the span holds no frame: the video is {length:.1f} seconds long")
    return start, stop


def _check(
    video: Video,
    output: Path,
    settings: FindSettings,
    searched: Searched,
    overwrite: bool,
) -> None:
    """Says what is wrong before the work begins."""
    suffix = output.suffix.lower()
    if suffix not in (".parquet", ".txt"):
        raise UsageError(f"{output}: elements are written as .parquet or MOT .txt")
    if suffix == ".txt" and (searched.frames is not None or searched.in_part):
        raise UsageError(
            "MOT text cannot say that only a part of the video was searched: give an output that "
            "ends in .parquet"
        )
    check_free(output, overwrite)
    if settings.area is not None:
        settings.area.check(video.width, video.height)


@contextmanager
def _own_threads() -> Iterator[None]:
    """OpenCV's own threads would fight with ours."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)
