"""The map: from a video and its elements to a private video."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from videodp.census import take_census
from videodp.elements import Elements, load_elements
from videodp.elements.find import FindSettings, find_elements
from videodp.errors import UsageError
from videodp.plan import make_plan
from videodp.privacy.randomness import Randomness
from videodp.privacy.statement import Statement, limits_of_search, sampling_statement
from videodp.release import companion, owner_record, release_record, write_json
from videodp.render import (
    Cast,
    Plate,
    background_of,
    draw,
    locate,
    make_plate,
    render_frames,
)
from videodp.settings import Settings
from videodp.stages import Stages, Watcher
from videodp.video import Video, VideoWriter, atomic_path, probe

__all__ = ["Published", "publish"]


@dataclass(frozen=True)
class Published:
    """Where everything is, and what the two records beside the video say."""

    video: Path
    release_file: Path
    owner_file: Path
    release: dict[str, Any]
    """For everybody."""
    owner: dict[str, Any]
    """For the owner only."""
    warnings: tuple[str, ...]


def publish(
    video: str | Path | Video,
    output: str | Path,
    elements: str | Path | Elements | None,
    settings: Settings | float,
    *,
    find: FindSettings | None = None,
    keep_elements: str | Path | None = None,
    workers: int | None = None,
    fragment: int | None = None,
    overwrite: bool = False,
    watcher: Watcher | None = None,
) -> Published:
    """Publishes a private video, its public record and the owner's record.

        published = videodp.publish("street.mp4", "private.mp4", "street.elements.parquet", 0.8)
        print(published.release["statement"])

    Args:
        video: the recording: a file, a folder of numbered images, or what `probe` returned.
        output: the private video; ``NAME.release.json`` and ``NAME.owner.json`` go beside it.
        elements: who is in it: ``.parquet``, MOT ``.txt``, or loaded elements; None: they are
            found first.
        settings: what to do; a number is an epsilon with everything else by default.
        find: how to find them, if they are not given.
        keep_elements: where to keep what was found; it is thrown away if not given.
        workers: threads; all cores by default. Never changes the result.
        fragment: cut the video into fragments of so many frames. Never changes the result.
        overwrite: replace files that are there.
        watcher: told about progress.

    Returns:
        Paths and records.
    """
    if not isinstance(settings, Settings):
        settings = Settings(float(settings))
    workers = workers or os.cpu_count() or 1
    video = video if isinstance(video, Video) else probe(video)
    inputs = [video.path]
    if elements is not None and not isinstance(elements, Elements):
        inputs.append(Path(elements))
        elements = load_elements(elements, video)
    _keep_inputs(Path(output), inputs)
    _check_find(video, Path(output), elements, find, keep_elements)
    randomness, look = Randomness(settings.seed), settings.look
    stages = Stages(watcher)

    with _files(Path(output), video, settings, overwrite) as (store, writer, records):
        if elements is None:
            found = keep_elements or store / "found.parquet"
            elements = find_elements(
                video, found, find, workers=workers, overwrite=overwrite, stages=stages
            )
        elements = elements.without(settings.insensitive)
        with stages.stage("census", video.frames) as step:
            census = take_census(
                video, elements, store, workers=workers, fragment=fragment, progress=step
            )
        with stages.stage("plan", len(elements)) as step:
            plan = make_plan(
                census,
                settings.epsilon_per_track,
                k=settings.k,
                rule=settings.rule,
                criterion=settings.criterion,
                workers=workers,
                progress=step,
            )
        with stages.stage("draw", video.frames) as step:
            picks = draw(plan, randomness)
            drawn = locate(video, elements, census, picks, workers=workers, progress=step)
        with stages.stage("render", video.frames) as step:
            plate = make_plate(census.background, workers)
            cast = Cast(drawn, look.insert)
            background = background_of(look, plate, census, plan, picks, randomness)
            for pts, picture in render_frames(
                video, elements, cast, background, writer.prepare, workers
            ):
                writer.write(picture, pts)
                step(1)
        release = release_record(_statement(settings, elements), settings.record())
        owner = owner_record(census, plan, drawn, stages.seconds, release["settings"])
        for path, record in zip(records, (release, owner), strict=True):
            write_json(path, record)
    return Published(
        Path(output),
        companion(Path(output), "release"),
        companion(Path(output), "owner"),
        release,
        owner,
        (*elements.warnings, *_warnings(video, elements, settings, plate)),
    )


@contextmanager
def _files(
    output: Path, video: Video, settings: Settings, overwrite: bool
) -> Iterator[tuple[Path, VideoWriter, tuple[Path, Path]]]:
    """A private folder for the census, and three outputs that appear together or not at all."""
    encoding = settings.encoding
    writer = VideoWriter(
        output,
        width=video.width,
        height=video.height,
        rate=video.rate,
        time_base=video.time_base,
        codec=encoding.codec,
        crf=encoding.crf,
        preset=encoding.preset,
        overwrite=overwrite,
        audio_from=video if encoding.keep_audio else None,
    )
    release, owner = companion(output, "release"), companion(output, "owner")
    with (
        tempfile.TemporaryDirectory(prefix="videodp-") as store,
        _take_back_on_error(overwrite) as in_place,
        atomic_path(release, overwrite) as release_file,
    ):
        with atomic_path(owner, overwrite) as owner_file:
            with writer:
                yield Path(store), writer, (release_file, owner_file)
            in_place.append(output)
        in_place.append(owner)


@contextmanager
def _take_back_on_error(overwrite: bool) -> Iterator[list[Path]]:
    """Deletes files that were put in place before another one could not be."""
    in_place: list[Path] = []
    try:
        yield in_place
    except BaseException:
        for path in [] if overwrite else in_place:
            path.unlink(missing_ok=True)
        raise


def _keep_inputs(output: Path, inputs: list[Path]) -> None:
    """No output may replace the recording or its elements, whatever was asked for."""
    if not output.name:
        raise UsageError(f"'{output}' is not a file name: give the output one, such as private.mp4")
    outputs = (output, companion(output, "release"), companion(output, "owner"))
    for path in filter(os.path.exists, outputs):  # Path.exists fails where a name is too long
        if any(source.exists() and source.samefile(path) for source in inputs):
            raise UsageError(f"{path} is what is to be read: give the output another name")


def _check_find(
    video: Video,
    output: Path,
    elements: Elements | None,
    find: FindSettings | None,
    keep: str | Path | None,
) -> None:
    """Says what is wrong with how elements are to be found before anything is looked at."""
    if elements is not None and (find is not None or keep is not None):
        raise UsageError("elements are given, so none are looked for: leave out one of the two")
    if keep is not None:
        outputs = (output, companion(output, "release"), companion(output, "owner"))
        if Path(keep).resolve() in (path.resolve() for path in (video.path, *outputs)):
            raise UsageError(f"{keep} has another use in this run: give the elements another name")


def _statement(settings: Settings, elements: Elements) -> Statement:
    statement = sampling_statement(
        settings.epsilon,
        tracks_per_person=settings.tracks_per_person,
        background=settings.look.background,
        seeded=settings.seed is not None,
    )
    return replace(statement, assumptions=(*statement.assumptions, *_limits(elements)))


def _limits(elements: Elements) -> tuple[str, ...]:
    """What the owner chose not to protect."""
    searched = elements.searched
    left_out = (*searched.left_out, *sorted(elements.insensitive - {*searched.left_out}))
    return limits_of_search(searched.frames, searched.in_part, searched.labels, left_out)


def _warnings(video: Video, elements: Elements, settings: Settings, plate: Plate) -> Iterator[str]:
    if not elements.searched.everywhere:
        yield f"NOT EVERYBODY IS PROTECTED. {' '.join(_limits(elements))}"
    if not len(elements):
        yield "no sensitive element is listed: the private video looks like the original"
    if not plate.still and settings.look.fill is None and settings.look.background == "retain":
        yield "the camera moves: gaps are filled from their surroundings, not from other times"
    if not plate.still and settings.look.background == "plate":
        yield "the camera moves: one plate cannot show the whole scene; use --background retain"
    if plate.unseen and settings.look.background == "plate":
        yield (
            f"{plate.unseen} pixels of the plate were covered in every sampled frame and are "
            "filled from their surroundings: a smooth patch there tells that somebody stood still"
        )
    if video.has_audio and settings.encoding.keep_audio:
        yield "the sound was kept as it is: voices are not protected by anything"
    elif video.has_audio:
        yield "the sound was dropped: voices cannot be protected"
    if video.truncated:
        yield f"the video ends early: only its first {video.frames} frames were published"
