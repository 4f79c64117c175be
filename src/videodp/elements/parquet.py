"""Our own elements file: Parquet, one row per element and frame, masks as runs.

Columns: ``frame`` (from 0), ``id``, ``label``, ``x``, ``y``, ``width``, ``height``,
``confidence``, ``visibility``, ``mask`` and ``shape``: start, length, start, length, ... of the
runs in raster order over the whole picture. The mask is what is protected; null where that is the
box. The shape is what is drawn in its place; null where that is the mask. Rows are sorted by
frame. The file's metadata holds the size and the number of frames of the video.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from videodp.elements.header import Header, parse_header
from videodp.elements.model import EVERYWHERE, Runs, Searched, Seen
from videodp.errors import ElementsError
from videodp.video import atomic_path

__all__ = ["BOX_COLUMNS", "ParquetSource", "ParquetWriter", "read_header"]

BOX_COLUMNS = pa.schema(
    [
        ("frame", pa.int32()),
        ("id", pa.int64()),
        ("label", pa.string()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("width", pa.float64()),
        ("height", pa.float64()),
        ("confidence", pa.float32()),
        ("visibility", pa.float32()),
    ]
)
_RUNS = pa.list_(pa.int32())
_SCHEMA = pa.schema([*BOX_COLUMNS, ("mask", _RUNS), ("shape", _RUNS)])
_KEY = b"videodp.elements"
_ROWS_PER_GROUP = 512
_NEEDED = {"frame", "id", "x", "y", "width", "height"}


def read_header(path: Path) -> Header:
    """Checks the columns and reads size and length of the video."""
    with _open(path) as file:
        schema = file.schema_arrow
    missing = _NEEDED - set(schema.names)
    if missing:
        raise ElementsError(
            f"{path.name} lacks the columns {', '.join(sorted(missing))}: "
            "not an elements file; docs/files.md lists the columns"
        )
    try:
        return parse_header((schema.metadata or {}).get(_KEY, b"{}"))
    except ValueError as error:
        raise ElementsError(
            f"{path.name} has a header that cannot be read, {error}: write the file again"
        ) from None


def _open(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> ElementsError:
    return ElementsError(f"{path.name} is not a readable Parquet file: {error}")


@dataclass(frozen=True)
class ParquetSource:
    """Reads frames from the row groups that hold them."""

    path: Path

    @property
    def name(self) -> str:
        """For messages."""
        return self.path.name

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        """Frames in [start, stop) that hold elements."""
        with _open(self.path) as file:
            pending = _SCHEMA.empty_table()
            first, final = self._spans.T
            for group in np.flatnonzero((final >= start) & (first < stop)).tolist():
                table = pa.concat_tables([pending, self._read(file, group, _SCHEMA)])
                if not len(table):
                    continue
                last = table["frame"][-1].as_py()
                whole = pc.less(table["frame"], last)
                pending = table.filter(pc.invert(whole))
                yield from _split(table.filter(whole), start, stop)
            yield from _split(pending, start, stop)

    @functools.cached_property
    def _spans(self) -> np.ndarray:
        """(groups, 2) int64: first and last frame of each row group, from its rows.

        What the file says about its row groups may be wrong, and nobody would see who is left out.
        """
        schema = pa.schema([_SCHEMA.field("frame")])
        with _open(self.path) as file:
            groups = (self._read(file, i, schema)["frame"] for i in range(file.num_row_groups))
            ends = [(pc.min(frame).as_py(), pc.max(frame).as_py()) for frame in groups]
        return np.array([(0, -1) if None in end else end for end in ends], np.int64).reshape(-1, 2)

    def _read(self, file: pq.ParquetFile, group: int, schema: pa.Schema) -> pa.Table:
        """One row group in our own types; columns that are missing are null."""
        names = [name for name in schema.names if name in file.schema_arrow.names]
        try:
            table = file.read_row_group(group, columns=names)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(self.path, error) from None
        columns = []
        for field in schema:
            if field.name not in names:
                columns.append(pa.nulls(len(table), field.type))
                continue
            try:
                column = table[field.name].cast(field.type)
            except (pa.ArrowException, KeyError):
                raise ElementsError(
                    f"{self.path.name}: column {field.name} does not hold what it should "
                    f"({field.type}): write the file again"
                ) from None
            if field.name in _NEEDED and column.null_count:
                raise ElementsError(
                    f"{self.path.name}: column {field.name} has rows without a value: "
                    "complete or remove them"
                )
            columns.append(column)
        return pa.table(columns, schema=schema)


def _split(table: pa.Table, start: int, stop: int) -> Iterator[Seen]:
    frames = table["frame"].to_numpy()
    if np.any(np.diff(frames) < 0):
        raise ElementsError("the rows of an elements file must be sorted by frame: sort the file")
    ids = table["id"].to_numpy()
    boxes = np.column_stack([table[c].to_numpy() for c in ("x", "y", "width", "height")])
    labels = pc.fill_null(table["label"], "element").to_pylist()
    masks, shapes = _runs(table["mask"]), _runs(table["shape"])
    edges = [0, *(np.flatnonzero(np.diff(frames)) + 1).tolist(), len(frames)]
    for a, b in pairwise(edges):
        if a < b and start <= frames[a] < stop:
            yield Seen(
                int(frames[a]),
                ids[a:b],
                boxes[a:b],
                tuple(labels[a:b]),
                masks.take(np.arange(a, b)),
                shapes.take(np.arange(a, b)),
            )


def _runs(column: pa.ChunkedArray) -> Runs:
    lists = column.combine_chunks()
    lists = lists.chunk(0) if isinstance(lists, pa.ChunkedArray) else lists
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    values = lists.flatten()
    if values.null_count or np.any(lengths % 2):
        raise ElementsError("a mask has a start without a length: write masks as pairs")
    offsets = np.concatenate([[0], np.cumsum(lengths // 2)]).astype(np.int64)
    return Runs(offsets, values.to_numpy().reshape(-1, 2))


class ParquetWriter:
    """Writes elements frame by frame; the file is complete or not there at all."""

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        length: int,
        *,
        searched: Searched = EVERYWHERE,
        overwrite: bool = False,
        private: bool = False,
    ) -> None:
        about: dict[str, object] = {
            "version": 1,
            "width": size[0],
            "height": size[1],
            "frames": length,
        }
        if searched != EVERYWHERE:
            about["searched"] = asdict(searched)
        self._schema = _SCHEMA.with_metadata({_KEY: json.dumps(about).encode()})
        self._atomic = atomic_path(path, overwrite, private=private)
        self._rows: dict[str, list[object]] = {name: [] for name in _SCHEMA.names}

    def __enter__(self) -> ParquetWriter:
        self._writer = pq.ParquetWriter(
            self._atomic.__enter__(), self._schema, compression="zstd", use_dictionary=["label"]
        )
        return self

    def write(
        self,
        seen: Seen,
        confidence: Iterable[float] | None = None,
        visibility: Iterable[float] | None = None,
    ) -> None:
        """Appends one frame; frames must come in order."""
        rows = self._rows
        for i in range(len(seen)):
            for name, runs in (("mask", seen.masks.of(i)), ("shape", seen.shapes.of(i))):
                rows[name].append(runs.reshape(-1) if len(runs) else None)
        rows["frame"].extend([seen.frame] * len(seen))
        rows["id"].extend(seen.ids.tolist())
        rows["label"].extend(seen.labels)
        for column, name in enumerate(("x", "y", "width", "height")):
            rows[name].extend(seen.boxes[:, column].tolist())
        rows["confidence"].extend([1.0] * len(seen) if confidence is None else confidence)
        rows["visibility"].extend([None] * len(seen) if visibility is None else visibility)
        if len(rows["frame"]) >= _ROWS_PER_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows["frame"]:
            self._writer.write_table(pa.table(self._rows, schema=self._schema))
            self._rows = {name: [] for name in _SCHEMA.names}

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._writer.close()
            self._atomic.__exit__(kind, error, trace)
