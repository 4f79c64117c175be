"""``videodp scene``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress
from videodp.cli.values import frame_rate
from videodp.errors import UsageError
from videodp.scenes import SceneSpec, write_scene

__all__ = ["scene"]


def scene(
    output: Annotated[Path, typer.Argument(metavar="OUT.mp4", help="The video to write.")],
    size: Annotated[str, typer.Option(help="Width x height.")] = "1280x720",
    frames: Annotated[int, typer.Option(help="Number of frames.")] = 300,
    fps: Annotated[str, typer.Option(help="Frames per second: 25 or 30000/1001.")] = "25",
    people: Annotated[int, typer.Option(help="How many people pass.")] = 12,
    vehicles: Annotated[int, typer.Option(help="How many vehicles pass.")] = 4,
    seed: Annotated[int, typer.Option(help="Another number, another scene.")] = 0,
    noise: Annotated[float, typer.Option(help="Sensor noise in grey levels.")] = 2.0,
    codec: Annotated[str, typer.Option(help="libx264, libx265, ffv1, ...")] = "libx264",
    crf: Annotated[int, typer.Option(help="Quality, smaller is better.")] = 20,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """Paint a street scene with exact ground truth.

    Example: videodp scene street.mp4 --people 24 --vehicles 6 writes street.mp4 and
    street.elements.parquet, in which every person and vehicle is outlined to the pixel.
    """
    if not output.name:
        raise UsageError(f"'{output}' is not a file name: give one such as street.mp4")
    width, height = _size(size)
    spec = SceneSpec(width, height, frames, frame_rate(fps), people, vehicles, seed, noise)
    with progress() as watcher:
        truth = write_scene(
            spec, output, codec=codec, crf=crf, overwrite=overwrite, watcher=watcher
        )
    print(f"{output}\n{truth}")


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and len(text) < 20):
        raise UsageError(f"'{text}' is not a size: write width x height, for example 1280x720")
    return int(width), int(height)
