"""The views that SQL sees. Nothing is computed until a statement asks for it."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from videodp.elements import Elements, parquet_file
from videodp.elements.parquet import BOX_COLUMNS
from videodp.queries.footage import PEOPLE, VEHICLES, Footage

__all__ = ["lay_out"]

_TYPES = dict(
    zip(
        BOX_COLUMNS.names,
        ["INTEGER", "BIGINT", "VARCHAR", *["DOUBLE"] * 4, *["FLOAT"] * 2],
        strict=True,
    )
)
_FRAMES_PER_BATCH = 1000
_EVEN = 1e-6
"""Seconds by which frames may be off their frame rate and still be evenly spaced."""


def lay_out(footage: Footage, folder: Path) -> list[str]:
    """The statements that make `detections`, `tracks` and `frames`, over files in `folder`.

    A Parquet file gets another name there: whoever asks can see what DuckDB has opened, and is not
    to learn from it how this machine is arranged. DuckDB would tell where a symbolic link leads.
    """
    path = folder / "elements.parquet"
    selected = _source(footage.who, path)
    making = [f"SET allowed_paths = [{_texts([str(path)])}]"]
    where = [f"frame >= {footage.start} AND frame < {footage.stop}"]
    if footage.labels is not None:
        where.append(f"label IN ({_texts(footage.labels)})")
    if footage.who.insensitive:
        where.append(f"label NOT IN ({_texts(footage.who.insensitive)})")
    time = _time(footage, folder, making)
    making.append(
        f"CREATE VIEW detections AS SELECT frame, {time} AS time, id, label, x, y, width, height, "
        "x + width / 2 AS cx, y + height / 2 AS cy, x + width / 2 AS foot_x, "
        "y + height AS foot_y, confidence, visibility "
        f"FROM (SELECT {selected}) WHERE {' AND '.join(where)}"
    )
    shown = footage.frame_seconds if footage.rate is not None else "NULL::DOUBLE"
    making.append(
        f"""CREATE VIEW tracks AS SELECT * EXCLUDE (places, began, ended),
        ended - began + {shown} AS seconds,
        list_sum([sqrt(power(places[i].x - places[i - 1].x, 2)
            + power(places[i].y - places[i - 1].y, 2))
            for i in range(2, len(places) + 1)]) AS path,
        path / nullif(ended - began, 0) AS mean_speed
        FROM (SELECT id, arg_min(label, frame) AS label, min(frame) AS first, max(frame) AS last,
            count(*) AS frames, min(time) AS began, max(time) AS ended,
            arg_min(foot_x, frame) AS start_x, arg_min(foot_y, frame) AS start_y,
            arg_max(foot_x, frame) AS end_x, arg_max(foot_y, frame) AS end_y,
            list({{'x': foot_x, 'y': foot_y}} ORDER BY frame) AS places
            FROM detections WHERE id >= 0 GROUP BY id)"""
    )
    making.append(
        f"""CREATE VIEW frames AS SELECT frame, {time} AS time, coalesce(people, 0) AS people,
        coalesce(vehicles, 0) AS vehicles, coalesce(elements, 0) AS elements
        FROM (SELECT range::INTEGER AS frame FROM range({footage.start}, {footage.stop}))
        LEFT JOIN (SELECT frame, count(*) FILTER (label IN ({_texts(PEOPLE)})) AS people,
            count(*) FILTER (label IN ({_texts(VEHICLES)})) AS vehicles, count(*) AS elements
            FROM detections GROUP BY frame) USING (frame) ORDER BY frame"""
    )
    return making


def _source(elements: Elements, path: Path) -> str:
    """What to select the columns of `BOX_COLUMNS` from, when the rows are in a file at `path`."""
    file = parquet_file(elements.source)
    if file is None:
        with pq.ParquetWriter(path, BOX_COLUMNS) as writer:
            for batch in _batches(elements):
                writer.write_batch(batch)
    else:
        try:
            path.hardlink_to(file.resolve())
        except OSError:  # another disk, or somebody else's file
            shutil.copyfile(file, path)
    present = set(pq.read_schema(path).names)
    columns = ", ".join(_column(name, name in present) for name in BOX_COLUMNS.names)
    return f"{columns} FROM read_parquet({_texts([str(path)])})"


def _column(name: str, present: bool) -> str:
    value = f"CAST({name} AS {_TYPES[name]})" if present else f"NULL::{_TYPES[name]}"
    return f"coalesce({value}, 'element') AS label" if name == "label" else f"{value} AS {name}"


def _batches(elements: Elements) -> Iterator[pa.RecordBatch]:
    stop = max((track.last + 1 for track in elements.tracks), default=0)
    frames = elements.frames(0, stop)
    while chunk := list(islice(frames, _FRAMES_PER_BATCH)):
        lengths = [len(seen) for seen in chunk]
        boxes = np.concatenate([seen.boxes for seen in chunk])
        columns = [
            pa.array(np.repeat([seen.frame for seen in chunk], lengths), pa.int32()),
            pa.array(np.concatenate([seen.ids for seen in chunk])),
            pa.array([label for seen in chunk for label in seen.labels], pa.string()),
            *(pa.array(np.ascontiguousarray(boxes[:, i])) for i in range(4)),
            pa.nulls(len(boxes), pa.float32()),
            pa.nulls(len(boxes), pa.float32()),
        ]
        yield pa.record_batch(columns, schema=BOX_COLUMNS)


def _time(footage: Footage, folder: Path, making: list[str]) -> str:
    """An expression for when `frame` is shown; what it needs is made first."""
    if footage.rate is None:
        return "NULL::DOUBLE"
    numerator, denominator = footage.rate.numerator, footage.rate.denominator
    frames = np.arange(footage.start, footage.stop)
    times = footage.seconds(frames)
    if not len(times) or np.abs(times - frames * denominator / numerator).max() < _EVEN:
        return f"frame::BIGINT * {denominator} / {numerator}::DOUBLE"
    path = folder / "times.parquet"
    pq.write_table(pa.table({"at": [times.tolist()]}), path)
    making.append(f"CREATE TABLE times AS SELECT at FROM read_parquet({_texts([str(path)])})")
    return f"(SELECT at FROM times)[frame - {footage.start} + 1]"


def _texts(values: Collection[str]) -> str:
    """SQL literals."""
    return ", ".join("'" + value.replace("'", "''") + "'" for value in sorted(values))
