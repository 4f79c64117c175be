"""Files too large for the repository: real videos and a real detector.

They are looked for in the folder that VIDEODP_TEST_DATA names, else in `shared` next to the
checkout; a test that needs one skips where it is not there.
"""

import os
from pathlib import Path

import pytest

__all__ = ["data_path", "model_path"]


def model_path(name: str) -> Path:
    """A model file, or skip the test."""
    return _path("models", name)


def data_path(name: str) -> Path:
    """A data file, or skip the test."""
    return _path("data", name)


def _path(folder: str, name: str) -> Path:
    beside = Path(__file__).resolve().parents[2] / "shared"
    path = Path(os.environ.get("VIDEODP_TEST_DATA") or beside) / folder / name
    if not path.is_file():
        pytest.skip(f"{folder}/{name} is not there; VIDEODP_TEST_DATA can name its folder")
    return path
