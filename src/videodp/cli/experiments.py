"""``videodp experiments``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress
from videodp.errors import ElementsNotFoundError, OutputError, UsageError
from videodp.experiments import Trial, run_experiments
from videodp.experiments.settings import EXPERIMENTS
from videodp.scenes import SceneSpec, truth_file, write_scene
from videodp.video import probe

__all__ = ["experiments"]


def experiments(
    video: Annotated[
        Path | None, typer.Argument(metavar="[VIDEO]", help="An original; or give --scene.")
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for everything.")
    ] = Path("experiments"),
    elements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Who is in it: .parquet, or MOT .txt.")
    ] = None,
    scene: Annotated[bool, typer.Option("--scene", help="Paint a street instead.")] = False,
    seeds: Annotated[int, typer.Option(help="How often each trial is repeated.")] = 5,
    only: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Only these: pixels,k,histogram.")
    ] = None,
    detector: Annotated[
        str, typer.Option(help="To look for elements: auto, yolox, motion, or FILE.onnx.")
    ] = "auto",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Forget an earlier run.")] = False,
) -> None:
    """Repeat the paper's experiments on a video, and see which of its claims hold.

    Example: videodp experiments street.mp4 --elements street.elements.parquet -o tried. Writes CSV
    files, plots and claims.md. After an interruption the same command goes on where it was. All of
    it tells about the original: it is for the owner.
    """
    names = tuple(EXPERIMENTS) if only is None else tuple(n.strip() for n in only.split(","))
    trial = Trial(seeds=seeds, only=names, detector=detector)
    if scene == (video is not None):
        raise UsageError("what is to be tried on? give a video, or --scene, and not both")
    with _owner_only(), progress() as watcher:
        if video is None:
            video = output / "scene.mp4"
            _paint(video, overwrite)
        if elements is None:
            elements = truth_file(video)
            if not elements.is_file():
                probe(video)  # says so if there is no such video
                raise ElementsNotFoundError(f"who is in {video.name}? give --elements FILE")
        claims = run_experiments(
            video, elements, output, trial, overwrite=overwrite, watcher=watcher
        )
    print(f"What holds and what does not:  {claims}")


@contextmanager
def _owner_only() -> Iterator[None]:
    """Nobody else on this machine may read the files and folders that are made here."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _paint(video: Path, overwrite: bool) -> None:
    """The same scene each time, so it is painted once."""
    try:
        video.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {video.parent}: {error.strerror}") from None
    if overwrite or not (video.is_file() and truth_file(video).is_file()):
        write_scene(SceneSpec(640, 360, frames=250), video, overwrite=True)
