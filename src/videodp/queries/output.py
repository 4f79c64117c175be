"""Answers for people and for programs: an aligned table, CSV, JSON or Parquet."""

from __future__ import annotations

import io
import json
import math
import sys
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table
from rich.text import Text

from videodp.errors import UsageError
from videodp.video import atomic_path

__all__ = ["FORMATS", "form_of", "printed", "show_answer", "write_answer"]

FORMATS = ("table", "csv", "json", "parquet")

_ROWS = 50
"""Of a table for people; more would only scroll by."""
_CELL = 60
"""Characters of a cell."""


def show_answer(answer: pa.Table, form: str = "table") -> None:
    """Prints an answer to stdout."""
    form_of(form)
    if form == "table":
        wide = None if sys.stdout.isatty() else 10_000  # in a file nothing is cut to a window
        Console(file=sys.stdout, width=wide, highlight=False).print(_for_people(answer, _ROWS))
        if len(answer) > _ROWS:
            print(f"and {len(answer) - _ROWS} more rows: --format csv shows all")
        if not len(answer):
            print("nothing: no row")
        return
    if form == "parquet" and sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal: give -o FILE.parquet")
    if form == "parquet":
        _write(answer, form, sys.stdout.buffer)
    else:
        text = io.BytesIO()
        _write(answer, form, text)
        sys.stdout.write(text.getvalue().decode())


def write_answer(
    answer: pa.Table, path: str | Path, form: str | None = None, *, overwrite: bool = False
) -> Path:
    """Writes an answer to a file that is complete or not there; without `form` by its ending."""
    path = Path(path)
    form = form_of(form, path)
    with atomic_path(path, overwrite) as temporary, temporary.open("wb") as file:
        _write(answer, form, file)
    return path


def form_of(form: str | None, path: Path | None = None) -> str:
    """The format that was asked for; without one that of the file's ending."""
    if form is None:
        form = "table" if path is None else path.suffix[1:].lower()
    if form not in FORMATS:
        raise UsageError(f"there is no format '{form}': use {', '.join(FORMATS)}")
    return form


def _write(answer: pa.Table, form: str, file: BinaryIO) -> None:
    match form:
        case "csv":
            pc.write_csv(_flat(answer), file)
        case "json":
            _write_json(answer, file)
        case "parquet":
            pq.write_table(answer, file, compression="zstd")
        case _:
            console = Console(file=io.StringIO(), width=10_000, highlight=False)
            with console.capture() as capture:
                console.print(_for_people(answer, len(answer)))
            file.write(capture.get().encode())


def _flat(answer: pa.Table) -> pa.Table:
    """CSV has no lists and no structures: they become JSON."""
    for i, field in enumerate(answer.schema):
        if pa.types.is_nested(field.type) or not _fits_csv(field.type):
            texts = [None if v is None else _text(v) for v in answer.column(i).to_pylist()]
            answer = answer.set_column(i, field.name, pa.array(texts, pa.string()))
    return answer


def _fits_csv(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_primitive(kind) or types.is_string(kind) or types.is_large_string(kind))


def _write_json(answer: pa.Table, file: BinaryIO) -> None:
    """One row a line."""
    if len(set(answer.column_names)) < len(answer.column_names):
        raise UsageError("two columns have the same name, which JSON cannot tell apart: rename one")
    file.write(b"[")
    for i in range(len(answer)):
        row = {
            name: _plain(column[i].as_py())
            for name, column in zip(answer.column_names, answer.columns, strict=True)
        }
        line = json.dumps(row, ensure_ascii=False, default=str, allow_nan=False)
        file.write((",\n" if i else "\n").encode() + line.encode("utf-8", "replace"))
    file.write(b"\n]\n")


def _plain(value: object) -> object:
    """JSON knows no infinity and nothing that is not a number: null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    return value


def _text(value: object) -> str:
    if isinstance(value, list | dict):
        return json.dumps(_plain(value), ensure_ascii=False, default=str)
    return str(value)


def _for_people(answer: pa.Table, rows: int) -> Table:
    shown = answer.slice(0, rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for field in answer.schema:
        number = pa.types.is_floating(field.type) or pa.types.is_integer(field.type)
        right = "right" if number or pa.types.is_decimal(field.type) else "left"
        table.add_column(Text(printed(field.name)), justify=right, no_wrap=True)  # type: ignore[arg-type]
    columns = [column.to_pylist() for column in shown.columns]
    for row in zip(*columns, strict=True):
        table.add_row(*(Text(_cell(value)) for value in row))
    return table


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else _text(value)
    text = printed(text)
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"


def printed(text: str) -> str:
    """The text without anything that steers a terminal: names and labels are given by others."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
