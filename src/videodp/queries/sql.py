"""SQL over the elements of a video, as strangers may write it.

DuckDB in memory, with three views: `detections`, `tracks` and `frames`. The statement may read
these and nothing else: no other file, no network, no extension, no setting.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pyarrow as pa

from videodp.errors import UsageError
from videodp.queries.footage import Footage
from videodp.queries.registry import nearest
from videodp.queries.views import make_views

__all__ = ["TABLES", "is_sql", "sql"]

TABLES = ("detections", "tracks", "frames")

_MEMORY = "2GB"
_LARGEST = 1 << 30
"""Bytes of an answer."""
_PER_BATCH = 2048
_EXPLAIN = re.compile(r"\s*explain\s+(?:analyze\s+)?(.*)", re.IGNORECASE | re.DOTALL)
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
    if not (time_limit > 0 and math.isfinite(time_limit)):
        raise UsageError(f"a time limit is a number of seconds above 0, not {time_limit:g}")
    with TemporaryDirectory(prefix="videodp-") as folder, closing(_connect()) as connection:
        try:
            make_views(connection, footage, Path(folder))
        except duckdb.Error as error:
            raise UsageError(
                f"the elements of {footage.name} cannot be read as a table: {_line(error)}"
            ) from None
        _lock(connection)
        _only_reads(connection, statement)
        with _limited(connection, time_limit) as late:
            try:
                return _answer(connection, statement)
            except (duckdb.Error, pa.ArrowException, OSError) as error:
                if late.is_set():
                    raise UsageError(
                        f"the statement took longer than {time_limit:g} seconds and was stopped: "
                        "ask for less, or give --time-limit SECONDS"
                    ) from None
                raise UsageError(_explain(connection, error)) from None


def _connect() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(
        ":memory:",
        config={
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "memory_limit": _MEMORY,
            "python_enable_replacements": False,  # no Python variable is a table
            "temp_directory": "",  # nothing is written to disk when memory runs out
            # Folders of this machine are nobody's business; nothing is looked for in any.
            **dict.fromkeys(
                ("home_directory", "extension_directory", "secret_directory"), "nowhere"
            ),
        },
    )
    connection.execute("SET parquet_metadata_cache = true")  # three views look at one file
    return connection


def _lock(connection: duckdb.DuckDBPyConnection) -> None:
    """From here on the statement's author has the word."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _only_reads(connection: duckdb.DuckDBPyConnection, statement: str) -> None:
    kinds = _kinds(connection, statement)
    explained = _EXPLAIN.fullmatch(statement)
    if explained and kinds == [duckdb.StatementType.EXPLAIN]:
        # EXPLAIN ANALYZE does what it explains.
        kinds = _kinds(connection, explained[1])
    if len(kinds) > 1:
        raise UsageError("only one statement at a time can be asked: split them")
    if kinds != [duckdb.StatementType.SELECT]:
        raise UsageError("only SELECT can be asked, also as WITH, DESCRIBE, SUMMARIZE or EXPLAIN")


def _kinds(connection: duckdb.DuckDBPyConnection, statement: str) -> list[duckdb.StatementType]:
    try:
        return [one.type for one in connection.extract_statements(statement)]
    except duckdb.Error as error:
        raise UsageError(f"this is not SQL: {_line(error)}") from None


@contextmanager
def _limited(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[threading.Event]:
    """Interrupts whatever the connection does once the time is up; sets the event then."""
    done, late = threading.Event(), threading.Event()

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            late.set()
            connection.interrupt()
            wait = 0.05  # an interrupt between two steps of a query is lost: say it again

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield late
    finally:
        done.set()
        thread.join()


def _answer(connection: duckdb.DuckDBPyConnection, statement: str) -> pa.Table:
    reader = connection.sql(statement).to_arrow_reader(_PER_BATCH)
    batches, size = [], 0
    for batch in reader:
        batches.append(batch)
        size += batch.nbytes
        if size > _LARGEST:
            raise UsageError("the answer is larger than a gigabyte: aggregate, or add a LIMIT")
    return _with_integers(pa.Table.from_batches(batches, reader.schema))


def _with_integers(answer: pa.Table) -> pa.Table:
    """Sums of whole numbers are 128 bits wide in DuckDB; 64 are enough where they fit."""
    for i, field in enumerate(answer.schema):
        if pa.types.is_decimal(field.type) and field.type.scale == 0:
            with suppress(pa.ArrowInvalid):
                answer = answer.set_column(i, field.name, answer.column(i).cast(pa.int64()))
    return answer


def _explain(connection: duckdb.DuckDBPyConnection, error: Exception) -> str:
    """What is wrong with the statement, in one line."""
    text = str(error)
    if isinstance(error, duckdb.OutOfMemoryException):
        return f"the statement needs more than {_MEMORY} of memory: ask for less at a time"
    if isinstance(error, duckdb.PermissionException):
        return "a statement may read the elements of this video and nothing else: no file, no path"
    if column := _NO_COLUMN.search(text):
        described = connection.sql("SELECT DISTINCT column_name FROM information_schema.columns")
        known = sorted(name for (name,) in described.fetchall())
        return f"there is no column '{column[1]}'{nearest(column[1], known)}"
    if table := _NO_TABLE.search(text):
        return f"there is no table '{table[1]}'{nearest(table[1], TABLES)}"
    return f"the statement cannot be answered: {_line(error)}"


def _line(error: Exception) -> str:
    """The first line of what DuckDB says, without its kind."""
    return str(error).split("\n")[0].partition("Error: ")[2] or str(error).split("\n")[0]
