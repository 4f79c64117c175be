"""Answers one statement in a process of its own, which may be killed at any moment.

Started by `sql` as a script and never imported: without the rest of VideoDP it is there at once.
It takes a request as JSON, says as JSON what went wrong, and writes the answer as an Arrow stream.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from contextlib import suppress
from typing import Any

import duckdb
import pyarrow as pa

__all__: list[str] = []

_PER_BATCH = 2048
_MOST_THREADS = 8
"""Each takes room for its stack and its heap."""
_EXPLAIN = re.compile(r"\s*explain\s+(?:analyze\s+)?(.*)", re.IGNORECASE | re.DOTALL)


def main() -> None:
    """Says when it is ready, takes a request, and tells how it ended."""
    print(flush=True)
    request = json.load(sys.stdin)
    told: dict[str, Any] = {}
    try:
        _answer(request)
    except _Refused as refused:
        told = refused.args[0]
    except MemoryError:
        told = {"kind": "memory"}
    json.dump(told, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # nothing is left to be tidied up, and nothing may keep us


class _Refused(Exception):
    """What is to be told, as its only argument."""


def _answer(request: dict[str, Any]) -> None:
    _end_by_itself(request["seconds"] + 1)
    connection = _connect(request["memory"])
    _wall(request["memory"])
    try:
        for statement in request["setup"]:
            connection.execute(statement)
    except duckdb.Error as error:
        raise _Refused({"kind": "setup", "text": _line(error)}) from None
    # From here on the statement's author has the word.
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    _only_reads(connection, request["statement"])
    try:
        _write(connection, request)
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        raise _Refused(_why(connection, error)) from None


def _end_by_itself(seconds: float) -> None:
    """Whoever started us kills us when the time is up; if they are gone, the system does."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _wall(memory: int) -> None:
    """DuckDB does not count what some functions take, so the system gives no more than this."""
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, now + memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _connect(memory: int) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(
        ":memory:",
        config={
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "memory_limit": f"{memory * 3 // 4}B",  # leaves room for what it does not count
            "python_enable_replacements": False,  # no Python variable is a table
            "temp_directory": "",  # nothing is written to disk when memory runs out
            "threads": min(os.cpu_count() or 1, _MOST_THREADS),
            # Folders of this machine are nobody's business; nothing is looked for in any.
            **dict.fromkeys(
                ("home_directory", "extension_directory", "secret_directory"), "nowhere"
            ),
        },
    )
    connection.execute("SET parquet_metadata_cache = true")  # three views look at one file
    return connection


def _only_reads(connection: duckdb.DuckDBPyConnection, statement: str) -> None:
    kinds = _kinds(connection, statement)
    explained = _EXPLAIN.fullmatch(statement)
    if explained and kinds == [duckdb.StatementType.EXPLAIN]:
        # EXPLAIN ANALYZE does what it explains.
        kinds = _kinds(connection, explained[1])
    if len(kinds) > 1:
        raise _Refused({"kind": "several"})
    if kinds != [duckdb.StatementType.SELECT]:
        raise _Refused({"kind": "writes"})


def _kinds(connection: duckdb.DuckDBPyConnection, statement: str) -> list[duckdb.StatementType]:
    try:
        return [one.type for one in connection.extract_statements(statement)]
    except duckdb.Error as error:
        raise _Refused({"kind": "syntax", "text": _line(error)}) from None


def _write(connection: duckdb.DuckDBPyConnection, request: dict[str, Any]) -> None:
    reader = connection.sql(request["statement"]).to_arrow_reader(_PER_BATCH)
    size = 0
    with (
        pa.OSFile(request["answer"], "wb") as file,
        pa.ipc.new_stream(file, reader.schema) as stream,
    ):
        for batch in reader:
            size += batch.nbytes
            if size > request["largest"]:
                raise _Refused({"kind": "large"})
            stream.write_batch(batch)


def _why(connection: duckdb.DuckDBPyConnection, error: Exception) -> dict[str, Any]:
    no_room = duckdb.OutOfMemoryException | pa.ArrowMemoryError
    if isinstance(error, no_room) or "failed to allocate" in str(error):
        return {"kind": "memory"}
    if isinstance(error, duckdb.PermissionException):
        return {"kind": "permission"}
    known: list[str] = []
    with suppress(duckdb.Error):
        described = connection.sql("SELECT DISTINCT column_name FROM information_schema.columns")
        known = sorted(name for (name,) in described.fetchall())
    return {"kind": "error", "text": str(error)[:2000], "line": _line(error), "columns": known}


def _line(error: Exception) -> str:
    """The first line of what DuckDB says, without its kind."""
    first = str(error).split("\n")[0]
    return (first.partition("Error: ")[2] or first)[:1000]


if __name__ == "__main__":
    main()
