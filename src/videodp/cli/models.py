"""``videodp models list`` and ``videodp models fetch``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress, tell_warnings
from videodp.elements.detect import CATALOGUE, Model, fetch_model, find_model, install_model
from videodp.elements.detect import models_folder as cache
from videodp.elements.detect.store import is_pinned, known_model

__all__ = ["fetch", "list_models", "models"]

models = typer.Typer(help="Detectors for videodp find: which there are, and how to get them.")


@models.command("list")
def list_models() -> None:
    """Say which models can be fetched, and which are here.

    Example: videodp models list. A folder that the environment variable VIDEODP_MODELS names is
    looked into first, for files of the same names.
    """
    for model in CATALOGUE.values():
        megabytes = model.size / 1e6
        print(f"{model.name}  {model.licence}  {megabytes:.1f} MB  {_where(model)}")
    own = os.environ.get("VIDEODP_MODELS")
    first = f"{own} (VIDEODP_MODELS), then " if own else ""
    print(f"looked into: {first}{cache()}")
    if not own:
        print("VIDEODP_MODELS can name a folder that is looked into first")


@models.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As videodp models list shows it.")],
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="A file you have, instead of the network."),
    ] = None,
) -> None:
    """Get a model from where it was published, and check it to the last byte.

    Example: videodp models fetch yolox-nano. This is the only command that uses the network; where
    there is none, get the file elsewhere: videodp models fetch yolox-nano --from yolox_nano.onnx.
    """
    model = known_model(name)
    if source is None:
        with progress() as watcher:
            path = fetch_model(model, watcher=watcher)
    else:
        path, pinned = install_model(model, source)
        if not pinned:
            tell_warnings(
                (f"{source} is a detector, but not the published {model.file}: taken as it is",)
            )
    print(path)


def _where(model: Model) -> str:
    path = find_model(model.name)
    if path is None:
        return f"not here: videodp models fetch {model.name}"
    return f"here: {path}" + ("" if is_pinned(model, path) else " (not the published bytes)")
