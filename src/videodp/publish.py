"""The map: from a video and its elements to a private video."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from videodp.elements import Elements, elements_for, parquet_file
from videodp.elements.find import FindSettings, find_elements
from videodp.errors import UsageError
from videodp.mechanisms import Job, mechanism_of
from videodp.outputs import check_names, open_files, outputs_of
from videodp.promise import statement_of, warnings_of
from videodp.release import companion, owner_record, release_record, write_json
from videodp.scenes import truth_file
from videodp.settings import Settings
from videodp.stages import Stages, Watcher
from videodp.video import Video, probe

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
    if elements is not None and (find is not None or keep_elements is not None):
        raise UsageError("elements are given, so none are looked for: leave out one of the two")
    keep_elements = None if keep_elements is None else Path(keep_elements)
    check_names(outputs_of(Path(output), settings), inputs, keep_elements)
    stages = Stages(watcher)

    with open_files(Path(output), video, settings, overwrite) as files:
        if elements is None:
            found = keep_elements or files.store / "found.parquet"
            elements = find_elements(
                video, found, find, workers=workers, overwrite=overwrite, stages=stages
            )
        unknown = sorted({*settings.insensitive} - {track.label for track in elements.tracks})
        everybody, elements = elements, elements.without(settings.insensitive)
        job = Job(video, elements, everybody, settings, files, stages, workers, fragment)
        outcome = mechanism_of(settings)(job)
        statement = statement_of(settings, elements)
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
            *warnings_of(video, Path(output), settings, elements),
        ),
    )
