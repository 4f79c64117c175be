"""``videodp compare``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress
from videodp.compare import compare as run

__all__ = ["compare"]


def compare(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The recording.")],
    private: Annotated[Path, typer.Argument(metavar="PRIVATE", help="The private video.")],
    elements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Who is in it: .parquet, or MOT .txt.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure how far the private video is from the original.

    Example: videodp compare street.mp4 private.mp4 --elements street.elements.parquet prints KL
    divergence and mean squared errors as in section 5.1 of the paper, and what became of the
    background. For the owner: the numbers depend on the original.
    """
    with progress() as watcher:
        result = run(original, private, elements, watcher=watcher)
    if as_json:
        print(json.dumps(result.record(), indent=1))
    else:
        print(result)
