"""SQL over the elements of a video, as strangers may write it.

DuckDB in a process of its own, with three views: `detections`, `tracks` and `frames`. The
statement may read these and nothing else: no other file, no network, no extension, no setting.
What takes too long or too much memory is ended with its process: DuckDB's own limits do not hold
inside a single function.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from videodp.errors import UsageError, VideoDPError
from videodp.queries.footage import Footage
from videodp.queries.registry import nearest
from videodp.queries.views import lay_out

__all__ = ["TABLES", "is_sql", "sql"]

TABLES = ("detections", "tracks", "frames")

_DAY = 86_400
"""Seconds that a statement may be given at most."""
_LONGEST = 10_000
"""Bytes of a statement."""
_MEMORY = 2 << 30
_LARGEST = 1 << 30
"""Bytes of an answer."""
_SANDBOX = Path(__file__).with_name("sandbox.py")
_NO_COLUMN = re.compile(r'column "?([^"]+?)"? not found', re.IGNORECASE)
_NO_TABLE = re.compile(r"Table with name (\S+) does not exist")


def is_sql(question: str) -> bool:
    """Whether a question is a statement, not the name of a query: names have no spaces."""
    return len(question.split()) > 1


def sql(footage: Footage, statement: str, *, time_limit: float = 30.0) -> pa.Table:
    """The answer to one SELECT over `detections`, `tracks` and `frames`; docs/queries.md has them.

    Args:
        footage: what to look at.
        statement: one SELECT (also WITH, FROM, DESCRIBE, SUMMARIZE, SHOW) or EXPLAIN of one.
        time_limit: seconds.

    Raises:
        UsageError: the statement is not one that may be asked, is wrong, takes too long or
            wants too much memory.
    """
    if not 0 < time_limit <= _DAY:
        raise UsageError(
            f"a time limit is a number of seconds above 0, at most {_DAY}, not {time_limit:g}"
        )
    _check(statement)
    with TemporaryDirectory(prefix="videodp-") as folder, _Sandbox() as sandbox:
        request = {
            "setup": lay_out(footage, Path(folder)),
            "statement": statement,
            "answer": str(Path(folder) / "answer.arrow"),
            "memory": _MEMORY,
            "largest": _LARGEST,
            "seconds": time_limit,
        }
        told = sandbox.ask(request, time_limit)
        if told:
            raise UsageError(_explain(told, footage, time_limit))
        with pa.OSFile(request["answer"]) as file, pa.ipc.open_stream(file) as stream:
            return _with_integers(stream.read_all())


def _check(statement: str) -> None:
    """What is not worth a process, or would crash DuckDB's parser."""
    try:
        length = len(statement.encode())
    except UnicodeEncodeError:
        raise UsageError("the statement holds something that is no text: write it again") from None
    if length > _LONGEST:
        raise UsageError(f"the statement is longer than {_LONGEST} bytes: ask for less at a time")


class _Sandbox:
    """The process that answers; it starts while the tables are being laid out."""

    def __enter__(self) -> _Sandbox:
        path = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(_SANDBOX)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A heap for each thread would use up the room that the wall leaves.
            env={**os.environ, "PYTHONPATH": path, "MALLOC_ARENA_MAX": "2"},
            start_new_session=True,  # ctrl-C is ours: we end it
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """What went wrong; nothing if the answer is where it should be."""
        process = self._process
        assert process.stdout is not None
        if not process.stdout.read(1):  # it says when it is ready: then the time begins
            _, error = process.communicate()
            raise VideoDPError(f"SQL cannot be started: {error.decode(errors='replace')[-300:]}")
        try:
            told, _ = process.communicate(json.dumps(request).encode(), seconds)
        except subprocess.TimeoutExpired:
            return {"kind": "late"}
        if process.returncode == 0:
            with suppress(ValueError):
                return dict(json.loads(told))
        alarm = getattr(signal, "SIGALRM", None)
        return {"kind": "late" if alarm and process.returncode == -alarm else "crash"}


def _with_integers(answer: pa.Table) -> pa.Table:
    """Sums of whole numbers are 128 bits wide in DuckDB; 64 are enough where they fit."""
    for i, field in enumerate(answer.schema):
        if pa.types.is_decimal(field.type) and field.type.scale == 0:
            with suppress(pa.ArrowInvalid):
                answer = answer.set_column(i, field.name, answer.column(i).cast(pa.int64()))
    return answer


def _explain(told: dict[str, Any], footage: Footage, seconds: float) -> str:
    """What is wrong, in one line."""
    text, line = told.get("text", ""), told.get("line", "")
    match told["kind"]:
        case "late":
            return (
                f"the statement took longer than {seconds:g} seconds and was stopped: "
                "ask for less, or give --time-limit SECONDS"
            )
        case "memory":
            return "the statement needs more than 2 GB of memory: ask for less at a time"
        case "crash":
            return (
                "the statement needs more than 2 GB of memory, or is nested too deeply: ask for "
                "less at a time"
            )
        case "large":
            return "the answer is larger than a gigabyte: aggregate, or add a LIMIT"
        case "several":
            return "only one statement at a time can be asked: split them"
        case "writes":
            return "only SELECT can be asked, also as WITH, DESCRIBE, SUMMARIZE or EXPLAIN"
        case "permission":
            return (
                "a statement may read the elements of this video and nothing else: no file, no path"
            )
        case "syntax":
            return f"this is not SQL: {text}"
        case "setup":
            return f"the elements of {footage.name} cannot be read as a table: {text}"
    if column := _NO_COLUMN.search(text):
        return f"there is no column '{column[1]}'{nearest(column[1], told['columns'])}"
    if table := _NO_TABLE.search(text):
        return f"there is no table '{table[1]}'{nearest(table[1], TABLES)}"
    return f"the statement cannot be answered: {line}"
