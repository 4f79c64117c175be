"""``videodp find``."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress, tell_warnings
from videodp.cli.values import frame_rate, names, time_span
from videodp.elements import Elements
from videodp.elements.find import FindSettings, find_elements, read_area, write_preview
from videodp.errors import UsageError
from videodp.stages import Stages
from videodp.video import check_free, check_one_use, probe

__all__ = ["find"]


def find(
    video: Annotated[Path, typer.Argument(metavar="VIDEO", help="File or folder of images.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="ELEMENTS", help=".parquet, or MOT .txt (boxes)."),
    ],
    detector: Annotated[
        str | None, typer.Option(help="auto, yolox, motion or FILE.onnx; auto.")
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="LABELS", help="What the detector looks for: person,car.")
    ] = None,
    insensitive: Annotated[
        str | None, typer.Option(metavar="LABELS", help="Labels to leave out of the file.")
    ] = None,
    region: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Polygons in or out, JSON.")
    ] = None,
    span: Annotated[
        str | None, typer.Option(metavar="00:10-01:30", help="Look at this time only.")
    ] = None,
    every: Annotated[
        int | None, typer.Option(metavar="N", help="Detect in each Nth frame, track between; 1.")
    ] = None,
    elements: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Boxes that are right: only masks are looked for."),
    ] = None,
    preview: Annotated[
        Path | None, typer.Option(metavar="OUT.mp4", help="Also draw it all over the video.")
    ] = None,
    image_rate: Annotated[
        str, typer.Option(help="Frames per second of a folder of images.")
    ] = "25",
    workers: Annotated[int | None, typer.Option(min=1, help="Threads; all cores.")] = None,
    allow_truncated: Annotated[
        bool, typer.Option("--allow-truncated", help="Use what a cut-off file still holds.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """Find every person and vehicle, where they are in each frame, and their outlines.

    Example: videodp find street.mp4 -o found.parquet --preview found.mp4. Look at the preview:
    what was missed is not protected. Everything written here is for the owner only.
    """
    choices = (detector, labels, insensitive, region, span, every)
    if elements is not None and any(choice is not None for choice in choices):
        raise UsageError("with --elements nobody is looked for: leave out how, where and when")
    settings = FindSettings(
        detector or "auto",
        None if labels is None else names(labels),
        () if insensitive is None else names(insensitive),
        None if region is None else read_area(region),
        None if span is None else time_span(span),
        1 if every is None else every,
    )
    _check(output, preview, (video, elements, region), overwrite)
    recording = probe(video, allow_truncated=allow_truncated, image_rate=frame_rate(image_rate))
    with progress() as watcher:
        stages = Stages(watcher)
        found = find_elements(
            recording,
            output,
            settings,
            given=elements,
            workers=workers,
            overwrite=overwrite,
            stages=stages,
        )
        if preview is not None:
            with stages.stage("preview", recording.frames) as step:
                write_preview(
                    recording,
                    found,
                    preview,
                    workers=workers or os.cpu_count() or 1,
                    overwrite=overwrite,
                    progress=step,
                )
    tell_warnings(found.warnings)
    _summary(found, output, preview)


def _check(
    output: Path, preview: Path | None, inputs: tuple[Path | None, ...], overwrite: bool
) -> None:
    """Says what cannot be written before anything is looked at."""
    if not output.name:
        raise UsageError(f"'{output}' is not a file name: give one such as found.parquet")
    check_one_use(output, (preview, *inputs))
    check_free(output, overwrite)
    if preview is not None:
        check_one_use(preview, inputs)
        check_free(preview, overwrite)


def _summary(found: Elements, output: Path, preview: Path | None) -> None:
    counts = Counter(track.label for track in found.tracks)
    who = ", ".join(f"{counts[label]} {label}" for label in sorted(counts)) or "nobody"
    print(f"{output}: {who}. FOR YOU ONLY")
    if preview is not None:
        print(f"{preview}: the preview, FOR YOU ONLY")
