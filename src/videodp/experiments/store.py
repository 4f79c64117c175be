"""Finished parts of the experiments, kept so that a run can go on where it was stopped."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from videodp.errors import OutputError, UsageError
from videodp.release import write_json
from videodp.video import atomic_path

__all__ = ["Row", "Rows", "Store", "digest_of"]

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""Rows by the CSV they belong to."""

_FORMAT = 1


def digest_of(paths: Sequence[Path]) -> str:
    """What is in these files, in 16 letters."""
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()


class Store:
    """A folder with a manifest of the settings, and one file for each finished part."""

    def __init__(self, folder: Path, settings: dict[str, Any], *, overwrite: bool = False) -> None:
        """Opens or makes the folder.

        Raises:
            UsageError: it holds experiments with other settings.
        """
        self.folder = folder
        self.parts = folder / "parts"
        if overwrite:
            shutil.rmtree(self.parts, ignore_errors=True)
            (folder / "manifest.json").unlink(missing_ok=True)
        manifest = {"format": _FORMAT, **settings}
        known = self._manifest()
        if known is not None and known != json.loads(json.dumps(manifest)):
            other = next(
                key for key in {**manifest, **known} if known.get(key) != manifest.get(key)
            )
            raise UsageError(
                f"{folder} holds experiments with another {other}: give another folder, or "
                "--overwrite"
            )
        try:
            self.parts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot make the folder {folder}: {error.strerror}") from None
        if known is None:
            with atomic_path(folder / "manifest.json") as path:
                write_json(path, manifest)

    def _manifest(self) -> dict[str, Any] | None:
        path = self.folder / "manifest.json"
        if not path.is_file():
            return None
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            known = None
        if not isinstance(known, dict):
            raise UsageError(f"{path} is not ours: give another folder, or --overwrite")
        return known

    def load(self, part: str) -> Rows | None:
        """The rows of a finished part; None if it is not finished."""
        path = self.parts / f"{part}.json"
        if not path.is_file():
            return None
        rows: Rows = json.loads(path.read_text(encoding="utf-8"))
        return rows

    def save(self, part: str, rows: Rows) -> Rows:
        """Keeps a finished part: all of it or nothing. Returns it as `load` does."""
        with atomic_path(self.parts / f"{part}.json") as path:
            path.write_text(json.dumps(rows), encoding="utf-8")
        return json.loads(json.dumps(rows))  # type: ignore[no-any-return]

    def write_csv(self, name: str, rows: list[Row]) -> None:
        """``NAME.csv``, with numbers of eight digits."""
        columns = list(dict.fromkeys(key for row in rows for key in row))
        with (
            atomic_path(self.folder / f"{name}.csv", overwrite=True) as path,
            path.open("w", newline="", encoding="utf-8") as file,
        ):
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows({key: _text(value) for key, value in row.items()} for row in rows)


def _text(value: object) -> object:
    return f"{value:.8g}" if isinstance(value, float) else value
