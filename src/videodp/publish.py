"""The map: from a video and its elements to a private video."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from videodp.elements import Elements, ParquetWriter, elements_for, parquet_file
from videodp.elements.find import FindSettings, find_elements
from videodp.errors import UsageError
from videodp.mechanisms import Files, Job, mechanism_of
from videodp.privacy.statement import (
    Statement,
    limits_of_search,
    sampling_statement,
    synthesis_statement,
    way_of_search,
)
from videodp.release import companion, owner_record, release_record, write_json
from videodp.scenes import truth_file
from videodp.settings import Settings
from videodp.stages import Stages, Watcher
from videodp.video import Video, VideoWriter, atomic_path, probe

__all__ = ["Published", "outputs_of", "publish"]


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
    elements_file: Path | None
    """Who is in a synthetic video, for everybody; a sampled one comes without."""
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
    if elements is not None:
        file = parquet_file(elements.source) if isinstance(elements, Elements) else Path(elements)
        inputs.extend([] if file is None else [file])
        elements = elements_for(video, elements)
    if settings.plate is not None:
        inputs.append(Path(settings.plate))
    outputs = outputs_of(Path(output), settings)
    _keep_inputs(outputs, inputs)
    _check_find(outputs, inputs, elements, find, keep_elements)
    stages = Stages(watcher)

    with _files(Path(output), video, settings, overwrite) as files:
        if elements is None:
            found = keep_elements or files.store / "found.parquet"
            elements = find_elements(
                video, found, find, workers=workers, overwrite=overwrite, stages=stages
            )
        unknown = sorted({*settings.insensitive} - {track.label for track in elements.tracks})
        elements = elements.without(settings.insensitive)
        job = Job(video, elements, settings, files, stages, workers, fragment)
        outcome = mechanism_of(settings)(job)
        statement = _statement(settings, elements)
        release = {**release_record(statement, settings.record()), **outcome.public}
        owner = owner_record(outcome.owner, stages.seconds, release["settings"])
        for path, record in zip((files.release, files.owner), (release, owner), strict=True):
            write_json(path, record)
    return Published(
        Path(output),
        companion(Path(output), "release"),
        companion(Path(output), "owner"),
        release,
        owner,
        None if files.truth is None else truth_file(Path(output)),
        (
            *elements.warnings,
            *(f"no element has the label '{label}', which is not sensitive" for label in unknown),
            *outcome.warnings,
            *_warnings(video, Path(output), settings, elements),
        ),
    )


@contextmanager
def _files(output: Path, video: Video, settings: Settings, overwrite: bool) -> Iterator[Files]:
    """A private folder, and outputs that appear together or not at all."""
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
    beside, size = truth_file(output), (video.width, video.height)
    truth = None
    if settings.mechanism == "synthesis":
        truth = ParquetWriter(beside, size, video.frames, overwrite=overwrite)
    with (
        tempfile.TemporaryDirectory(prefix="videodp-") as store,
        _take_back_on_error(overwrite) as in_place,
        atomic_path(release, overwrite) as release_file,
    ):
        with atomic_path(owner, overwrite, private=True) as owner_file:
            with truth or nullcontext():
                with writer:
                    yield Files(Path(store), writer, truth, release_file, owner_file)
                in_place.append(output)
            if truth is not None:
                in_place.append(beside)
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


def outputs_of(output: Path, settings: Settings) -> tuple[Path, ...]:
    """Every file that appears."""
    if not output.name:
        raise UsageError(f"'{output}' is not a file name: give the output one, such as private.mp4")
    outputs = (output, companion(output, "release"), companion(output, "owner"))
    return (*outputs, truth_file(output)) if settings.mechanism == "synthesis" else outputs


def _keep_inputs(outputs: tuple[Path, ...], inputs: list[Path]) -> None:
    """No output may replace the recording or its elements, whatever was asked for."""
    for path in filter(os.path.exists, outputs):  # Path.exists fails where a name is too long
        if any(source.exists() and source.samefile(path) for source in inputs):
            raise UsageError(f"{path} is what is to be read: give the output another name")


def _check_find(
    outputs: tuple[Path, ...],
    inputs: list[Path],
    elements: Elements | None,
    find: FindSettings | None,
    keep: str | Path | None,
) -> None:
    """Says what is wrong with how elements are to be found before anything is looked at."""
    if elements is not None and (find is not None or keep is not None):
        raise UsageError("elements are given, so none are looked for: leave out one of the two")
    if keep is not None and Path(keep).resolve() in (p.resolve() for p in (*inputs, *outputs)):
        raise UsageError(f"{keep} has another use in this run: give the elements another name")


def _statement(settings: Settings, elements: Elements) -> Statement:
    statement = _promise(settings)
    search = (way_of_search(elements.found_by), *_limits(settings, elements))
    return replace(statement, assumptions=(*statement.assumptions, *search))


def _promise(settings: Settings) -> Statement:
    if settings.mechanism == "synthesis":
        return synthesis_statement(
            settings.epsilon,
            shares=settings.synthesis.shares,
            tracks_per_person=settings.tracks_per_person,
            plate_given=settings.plate is not None,
            seeded=settings.seed is not None,
        )
    return sampling_statement(
        settings.epsilon,
        tracks_per_person=settings.tracks_per_person,
        background=settings.look.background,
        seeded=settings.seed is not None,
    )


def _limits(settings: Settings, elements: Elements) -> tuple[str, ...]:
    """What the owner chose not to protect."""
    searched = elements.searched
    left_out = (*searched.left_out, *sorted(elements.insensitive - {*searched.left_out}))
    return limits_of_search(
        searched.frames,
        searched.in_part,
        searched.labels,
        left_out,
        published=settings.mechanism == "sampling",
    )


def _warnings(video: Video, output: Path, settings: Settings, elements: Elements) -> Iterator[str]:
    if not elements.searched.everywhere:
        yield f"NOT EVERYBODY IS PROTECTED. {' '.join(_limits(settings, elements))}"
    if video.has_audio and settings.encoding.keep_audio:
        yield "the sound was kept as it is: voices are not protected by anything"
    elif video.has_audio:
        yield "the sound was dropped: voices cannot be protected"
    if video.truncated:
        yield f"the video ends early: only its first {video.frames} frames were published"
    beside = truth_file(output)
    if settings.mechanism != "synthesis" and beside.exists():
        yield f"{beside.name} is there from before: queries of {output.name} would believe it"
