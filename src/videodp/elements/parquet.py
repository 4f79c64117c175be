"""Our own elements file: Parquet, one row per element and frame, masks as runs.

Columns: ``frame`` (from 0), ``id``, ``label``, ``x``, ``y``, ``width``, ``height``,
``confidence``, ``visibility`` and ``mask``: start, length, start, length, ... of the runs of the
mask in raster order over the whole picture; null where the box is the mask. Rows are sorted by
frame. The file's metadata holds the size and the number of frames of the video.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from videodp.elements.model import Seen
from videodp.errors import ElementsError
from videodp.video import atomic_path

__all__ = ["ParquetSource", "ParquetWriter", "read_header"]

_SCHEMA = pa.schema(
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
        ("mask", pa.list_(pa.int32())),
    ]
)
_KEY = b"videodp.elements"
_ROWS_PER_GROUP = 512
_NEEDED = {"frame", "id", "x", "y", "width", "height"}


@dataclass(frozen=True)
class Header:
    """What the file says about its video."""

    size: tuple[int, int] | None
    length: int | None


def read_header(path: Path) -> Header:
    """Checks the columns and reads size and length of the video."""
    schema = _open(path).schema_arrow
    missing = _NEEDED - set(schema.names)
    if missing:
        raise ElementsError(
            f"{path.name} lacks the columns {', '.join(sorted(missing))}: "
            "not an elements file; docs/files.md lists the columns"
        )
    about = json.loads((schema.metadata or {}).get(_KEY, b"{}"))
    size = (about["width"], about["height"]) if "width" in about else None
    return Header(size, about.get("frames"))


def _open(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise ElementsError(f"{path.name} is not a readable Parquet file: {error}") from None


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
            pending: pa.Table | None = None
            for group in _groups(file, start, stop):
                table = file.read_row_group(group)
                table = table if pending is None else pa.concat_tables([pending, table])
                last = table["frame"][-1].as_py()
                whole = pc.less(table["frame"], last)
                pending = table.filter(pc.invert(whole))
                yield from _split(table.filter(whole), start, stop)
            if pending is not None:
                yield from _split(pending, start, stop)


def _groups(file: pq.ParquetFile, start: int, stop: int) -> list[int]:
    column = file.schema_arrow.names.index("frame")
    found = []
    for group in range(file.num_row_groups):
        statistics = file.metadata.row_group(group).column(column).statistics
        if statistics is None or (statistics.max >= start and statistics.min < stop):
            found.append(group)
    return found


def _split(table: pa.Table, start: int, stop: int) -> Iterator[Seen]:
    frames = table["frame"].to_numpy()
    if np.any(np.diff(frames) < 0):
        raise ElementsError("the rows of an elements file must be sorted by frame: sort the file")
    ids = table["id"].to_numpy()
    boxes = np.column_stack([table[c].to_numpy() for c in ("x", "y", "width", "height")])
    names = table.column_names
    labels = table["label"].to_pylist() if "label" in names else ["element"] * len(ids)
    offsets, runs = _masks(table["mask"]) if "mask" in names else _no_masks(len(ids))
    edges = np.flatnonzero(np.diff(frames, prepend=-1, append=-1)).tolist()
    for a, b in pairwise(edges):
        if start <= frames[a] < stop:
            yield Seen(
                int(frames[a]),
                ids[a:b].astype(np.int64),
                boxes[a:b].astype(np.float64),
                tuple(str(label) for label in labels[a:b]),
                offsets[a : b + 1] - offsets[a],
                runs[offsets[a] : offsets[b]],
            )


def _masks(column: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    lists = column.combine_chunks()
    lists = lists.chunk(0) if isinstance(lists, pa.ChunkedArray) else lists
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    values = lists.flatten().to_numpy()
    if np.any(lengths % 2):
        raise ElementsError("a mask has a start without a length: write masks as pairs")
    offsets = np.concatenate([[0], np.cumsum(lengths // 2)]).astype(np.int64)
    return offsets, values.reshape(-1, 2)


def _no_masks(count: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(count + 1, np.int64), np.zeros((0, 2), np.int32)


class ParquetWriter:
    """Writes elements frame by frame; the file is complete or not there at all."""

    def __init__(
        self, path: Path, size: tuple[int, int], length: int, *, overwrite: bool = False
    ) -> None:
        about = {"version": 1, "width": size[0], "height": size[1], "frames": length}
        self._schema = _SCHEMA.with_metadata({_KEY: json.dumps(about).encode()})
        self._atomic = atomic_path(path, overwrite=overwrite)
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
            runs = seen.runs[seen.run_offsets[i] : seen.run_offsets[i + 1]]
            rows["mask"].append(runs.reshape(-1) if len(runs) else None)
        rows["frame"].extend([seen.frame] * len(seen))
        rows["id"].extend(seen.ids.tolist())
        rows["label"].extend(seen.labels)
        for column, name in enumerate(("x", "y", "width", "height")):
            rows[name].extend(seen.boxes[:, column].tolist())
        rows["confidence"].extend(confidence or [1.0] * len(seen))
        rows["visibility"].extend(visibility or [None] * len(seen))
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
