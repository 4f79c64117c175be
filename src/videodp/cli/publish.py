"""``videodp publish``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress, tell_warnings
from videodp.cli.values import any_names, frame_rate, names
from videodp.elements.find import FindSettings
from videodp.errors import UsageError
from videodp.outputs import outputs_of
from videodp.plan import epsilon_for
from videodp.publish import Published
from videodp.publish import publish as run
from videodp.render import Look
from videodp.report import write_report
from videodp.settings import Encoding, Settings
from videodp.video import check_free, check_one_use, probe

__all__ = ["publish"]


def publish(
    video: Annotated[Path, typer.Argument(metavar="VIDEO", help="File or folder of images.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="PRIVATE.mp4", help="The private video.")
    ],
    epsilon: Annotated[
        float | None, typer.Option(metavar="E", help="Privacy budget of each person or vehicle.")
    ] = None,
    max_exposure: Annotated[
        float | None,
        typer.Option(metavar="D", help="Instead: the largest probability of exposure, 0..1."),
    ] = None,
    elements: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Who is in it: .parquet, or MOT .txt; else found."),
    ] = None,
    detector: Annotated[
        str | None, typer.Option(help="How to find them: auto, yolox, motion or FILE.onnx.")
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="LABELS", help="What to look for: person,car.")
    ] = None,
    keep_elements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep what was found, for you only.")
    ] = None,
    mechanism: Annotated[str, typer.Option(help="sampling or synthesis")] = "sampling",
    synthesis_labels: Annotated[
        str, typer.Option(metavar="LABELS", help="Synthesis: told apart, the rest is 'other'.")
    ] = "",
    plate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Synthesis: a picture of the empty scene.")
    ] = None,
    insensitive: Annotated[
        str, typer.Option(metavar="LABELS", help="Labels to leave in the picture: car,truck.")
    ] = "",
    background: Annotated[str, typer.Option(help="retain, plate or sample")] = "retain",
    fill: Annotated[
        str | None, typer.Option(help="temporal or spatial; temporal if the camera stands still")
    ] = None,
    insert: Annotated[str, typer.Option(help="lifetime, neighbours or none")] = "lifetime",
    k: Annotated[str, typer.Option(help="Colours of each element: auto or a number.")] = "auto",
    criterion: Annotated[str, typer.Option(help="What auto minimises: paper or fill.")] = "paper",
    rule: Annotated[str, typer.Option(help="affordable or paper")] = "affordable",
    tracks_per_person: Annotated[
        int, typer.Option(help="Identities that one person may have been split into.")
    ] = 1,
    codec: Annotated[str, typer.Option(help="libx264, libx265, ffv1 (lossless), ...")] = "libx264",
    crf: Annotated[int, typer.Option(help="Quality, smaller is better.")] = 20,
    preset: Annotated[str, typer.Option(help="Speed of the encoder.")] = "veryfast",
    keep_audio: Annotated[
        bool, typer.Option("--keep-audio", help="Keep the sound, unprotected.")
    ] = False,
    image_rate: Annotated[
        str, typer.Option(help="Frames per second of a folder of images.")
    ] = "25",
    seed: Annotated[
        int | None, typer.Option(help="Repeatable, for tests only: not for a release.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Threads; all cores.")] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Also write the owner's report.")
    ] = None,
    allow_truncated: Annotated[
        bool, typer.Option("--allow-truncated", help="Use what a cut-off file still holds.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """Publish a private video.

    Example: videodp publish street.mp4 -o private.mp4 --epsilon 0.8 --report report.html finds
    everybody and writes private.mp4 and private.release.json for everybody, private.owner.json and
    report.html for the owner only. Give --elements street.elements.parquet if you know who is in
    it.
    """
    settings = Settings(
        _epsilon(epsilon, max_exposure, mechanism),
        mechanism=mechanism,
        synthesis_labels=any_names(synthesis_labels),
        plate=plate,
        insensitive=any_names(insensitive),
        tracks_per_person=tracks_per_person,
        k=_k(k),
        rule=rule,
        criterion=criterion,
        look=Look(background, fill, insert),
        encoding=Encoding(codec, crf, preset, keep_audio),
        seed=seed,
    )
    original = probe(video, allow_truncated=allow_truncated, image_rate=frame_rate(image_rate))
    if report is not None:  # say so now, not after an hour
        others = (video, elements, keep_elements, *outputs_of(output, settings))
        check_one_use(report, others, "the report")
        check_free(report, overwrite)
    with progress() as watcher:
        published = run(
            original,
            output,
            elements,
            settings,
            find=_find(detector, labels),
            keep_elements=keep_elements,
            workers=workers,
            overwrite=overwrite,
            watcher=watcher,
        )
    if report is not None:
        write_report(report, published, original, overwrite=overwrite)
    tell_warnings(published.warnings)
    if keep_elements is not None:
        print(f"{keep_elements}: who was found where, FOR YOU ONLY")
    _summary(published, report)


def _epsilon(epsilon: float | None, max_exposure: float | None, mechanism: str) -> float:
    if max_exposure is not None and mechanism == "synthesis":
        raise UsageError("synthesis exposes nobody: give --epsilon in place of --max-exposure")
    if epsilon is not None and max_exposure is None:
        return epsilon
    if max_exposure is not None and epsilon is None:
        return epsilon_for(max_exposure)
    both = "not both" if epsilon is not None else "for example --epsilon 0.8"
    raise UsageError(f"give either --epsilon or --max-exposure: {both}")


def _find(detector: str | None, labels: str | None) -> FindSettings | None:
    """How to find elements; None if nothing was said about it."""
    if detector is None and labels is None:
        return None
    return FindSettings(detector or "auto", None if labels is None else names(labels))


def _k(text: str) -> int | str:
    if text == "auto":
        return text
    if not text.isdecimal() or len(text) > 9:
        raise UsageError(f"'{text}' is not a number of colours: give --k auto or --k 6")
    return int(text)


def _summary(published: Published, report: Path | None) -> None:
    print(f"{published.video}: the private video")
    print(f"{published.release_file}: what it guarantees, for everybody")
    if published.elements_file is not None:
        print(f"{published.elements_file}: who was made up, frame by frame, for everybody")
    print(f"{published.owner_file}: who was in the recording, FOR YOU ONLY")
    if report is not None:
        print(f"{report}: the report, FOR YOU ONLY")
    print(f"\n{published.release['summary']}\n\n{published.release['caution']}")
