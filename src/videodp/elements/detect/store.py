"""Detector files: which ones are known, and where they are on this machine.

name --find_model--> VIDEODP_MODELS/file, else cache/file, else None
"""

from __future__ import annotations

import difflib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from videodp.errors import ModelNotFoundError, UsageError

__all__ = ["CATALOGUE", "Model", "find_model", "is_pinned", "known_model", "models_folder"]


@dataclass(frozen=True)
class Model:
    """A published detector file, to the last byte."""

    name: str
    file: str
    licence: str
    size: int
    """In bytes."""
    sha256: str
    url: str


CATALOGUE: dict[str, Model] = {
    model.name: model
    for model in (
        Model(
            "yolox-nano",
            "yolox_nano.onnx",
            "Apache-2.0",
            3_659_407,
            "c789161ed43c8269fcd4e67c67eeeb4e80c622da2eb296a20bc6007bd18a0b7d",
            "https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0/"
            "yolox_nano.onnx",
        ),
    )
}
"""Models that can be fetched by name."""


def models_folder() -> Path:
    """Where fetched models are kept: ``$XDG_CACHE_HOME/videodp/models``."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    # The standard of these folders says that a relative path is to be ignored.
    base = Path(cache) if os.path.isabs(cache) else Path.home() / ".cache"
    return base / "videodp" / "models"


def known_model(name: str) -> Model:
    """The model of this name.

    Raises:
        UsageError: there is none; the message names the nearest.
    """
    if name not in CATALOGUE:
        near = difflib.get_close_matches(name.lower(), CATALOGUE, 1, 0.4)
        hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(CATALOGUE)}"
        raise UsageError(f"no model '{name}': {hint}")
    return CATALOGUE[name]


def find_model(name: str) -> Path | None:
    """The file of a model: in the folder that VIDEODP_MODELS names, else among fetched ones.

    Which bytes it has is not looked at: the file in a folder of your own is your choice.

    Raises:
        ModelNotFoundError: VIDEODP_MODELS names something that is no folder.
    """
    model = known_model(name)
    folders = [models_folder()]
    own = os.environ.get("VIDEODP_MODELS")
    if own:
        if not os.path.isdir(own):
            raise ModelNotFoundError(
                f"VIDEODP_MODELS is {own}, but there is no such folder: correct or unset it"
            )
        folders.insert(0, Path(own))
    paths = (folder / model.file for folder in folders)
    return next((path for path in paths if os.path.isfile(path)), None)


def is_pinned(model: Model, path: Path) -> bool:
    """Whether a file is the published one, byte by byte."""
    if path.stat().st_size != model.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == model.sha256
