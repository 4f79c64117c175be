"""SQL answers what it is asked and can reach nothing else."""

import errno
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers import new_folder
from videodp.elements import ParquetWriter
from videodp.errors import UsageError, VideoDPError
from videodp.queries import Footage, open_footage, sql

from .rows import footage_of_rows, seen_of, walk

T = TypeVar("T")

ROWS = [
    *walk(1, {0: (10.0, 50.0), 1: (13.0, 54.0), 3: (13.0, 60.0)}),
    *walk(2, {1: (80.0, 90.0)}, "car"),
    *walk(-1, {2: (50.0, 50.0)}, "bus"),
]


@pytest.fixture(scope="module")
def folder() -> Path:
    folder = new_folder()
    with ParquetWriter(folder / "few.parquet", (100, 100), 5) as writer:
        for frame in range(4):
            rows = [row for row in ROWS if row[0] == frame]
            writer.write(seen_of(frame, rows))
    (folder / "secret.csv").write_text("a,b\n1,2\n")
    return folder


@pytest.fixture(scope="module", params=["parquet", "memory"])
def footage(request: pytest.FixtureRequest, folder: Path) -> Footage:
    if request.param == "memory":
        return footage_of_rows(ROWS, 5)
    return open_footage(folder / "few.parquet", unchecked=True, rate=10)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def stored(folder: Path) -> Footage:
    """In a file; whatever is in memory is laid out as one, behind the same walls."""
    return open_footage(folder / "few.parquet", unchecked=True)


def test_detections(footage: Footage) -> None:
    answer = sql(footage, "SELECT * EXCLUDE (confidence) FROM detections ORDER BY frame, id")
    assert answer.to_pylist()[1] == {
        **{"frame": 1, "time": 0.1, "id": 1, "label": "person", "x": 8, "y": 44, "width": 10},
        **{"height": 10, "cx": 13, "cy": 49, "foot_x": 13, "foot_y": 54, "visibility": None},
    }
    assert len(answer) == 5


def test_tracks(footage: Footage) -> None:
    answer = sql(footage, "SELECT * FROM tracks ORDER BY id").to_pylist()
    assert answer == [
        {
            **{"id": 1, "label": "person", "first": 0, "last": 3, "frames": 3},
            **{"start_x": 10, "start_y": 50, "end_x": 13, "end_y": 60, "path": 11},
            "seconds": pytest.approx(0.4),
            "mean_speed": pytest.approx(11 / 0.3),
        },
        {
            **{"id": 2, "label": "car", "first": 1, "last": 1, "frames": 1},
            **{"start_x": 80, "start_y": 90, "end_x": 80, "end_y": 90, "path": None},
            **{"seconds": pytest.approx(0.1), "mean_speed": None},
        },
    ]


def test_frames_are_all_there(footage: Footage) -> None:
    answer = sql(footage, "SELECT * FROM frames").to_pydict()
    assert answer == {
        "frame": [0, 1, 2, 3, 4],
        "time": [0.0, 0.1, 0.2, 0.3, 0.4],
        "people": [1, 1, 0, 1, 0],
        "vehicles": [0, 1, 1, 0, 0],
        "elements": [1, 2, 1, 1, 0],
    }


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("WITH a AS (SELECT 1 AS n) SELECT n FROM a", 1),
        ("FROM tracks", 2),
        ("VALUES (1), (2)", 2),
        ("DESCRIBE detections", 14),
        ("SUMMARIZE frames", 5),
        ("SHOW TABLES", 3),
        ("EXPLAIN SELECT 1", 1),
        ("EXPLAIN ANALYZE SELECT count(*) FROM tracks", 1),
        ("SELECT * FROM tracks WHERE id > 99", 0),
        ("SELECT 1;", 1),
    ],
)
def test_ways_to_ask(footage: Footage, statement: str, rows: int) -> None:
    assert len(sql(footage, statement)) == rows


def test_sums_are_plain_integers(footage: Footage) -> None:
    assert sql(footage, "SELECT sum(people) AS n FROM frames").schema.field("n").type == pa.int64()


def test_labels_and_frames(folder: Path) -> None:
    some = open_footage(folder / "few.parquet", unchecked=True, frames=(1, 3), labels=["car", "b'"])
    assert sql(some, "SELECT id FROM detections")["id"].to_pylist() == [2]
    assert sql(some, "SELECT frame, vehicles FROM frames").to_pydict() == {
        "frame": [1, 2],
        "vehicles": [1, 0],
    }


@pytest.mark.parametrize("name", ["a'b.parquet", "a*[x]?.parquet", "a{b,c}.parquet"])
def test_any_name_of_a_file(folder: Path, name: str) -> None:
    (folder / name).write_bytes((folder / "few.parquet").read_bytes())
    found = open_footage(folder / name, unchecked=True)
    assert sql(found, "SELECT count(*) AS n FROM detections")["n"].to_pylist() == [5]


def test_a_file_of_somebody_else_has_fewer_columns(folder: Path) -> None:
    table = pa.table(
        {
            "frame": np.array([0, 1], np.int64),
            "id": np.array([1, 1], np.int32),
            **{name: np.array([1.0, 2.0], np.float32) for name in ("x", "y", "width", "height")},
        }
    )
    pq.write_table(table, folder / "other.parquet")
    found = open_footage(folder / "other.parquet", unchecked=True)
    assert sql(found, "SELECT label, seconds FROM tracks").to_pylist() == [
        {"label": "element", "seconds": None}
    ]
    assert sql(found, "SELECT count(*) AS n FROM frames")["n"].to_pylist() == [2]


FORBIDDEN = [
    "COPY (SELECT 1) TO '{folder}/out.csv'",
    "COPY tracks TO '{folder}/out.parquet'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/out.csv'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/few.parquet'",
    "EXPLAIN (ANALYZE) COPY (SELECT 1) TO '{folder}/few.parquet'",
    "EXPLAIN /* x */ ANALYZE COPY (SELECT 1) TO '{folder}/few.parquet'",
    "-- x\nEXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/few.parquet'",
    "EXPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/out.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "SET enable_external_access = true",
    "SET memory_limit = '100GB'",
    "RESET lock_configuration",
    "CREATE TABLE t AS SELECT 1",
    "CREATE VIEW t AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "CREATE SECRET s (TYPE s3)",
    "DROP VIEW tracks",
    "INSERT INTO tracks VALUES (1)",
    "UPDATE tracks SET id = 1",
    "DELETE FROM tracks",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "USE memory",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv('{folder}/secret.csv')",
    "SELECT * FROM '{folder}/secret.csv'",
    "SELECT * FROM '{folder}/few.parquet.old'",
    "SELECT * FROM read_csv_auto('{folder}/secret.csv')",
    "SELECT * FROM sniff_csv('{folder}/secret.csv')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM read_parquet('{folder}/other.parquet')",
    "SELECT * FROM parquet_metadata('{folder}/other.parquet')",
    "SELECT * FROM read_parquet('{folder}/few.parquet/../other.parquet')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_csv('https://example.com/x.csv')",
    "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
    "SELECT * FROM sqlite_scan('{folder}/x.db', 't')",
    "SELECT * FROM enable_logging()",
    "SELECT getenv('HOME')",
    "SELECT * FROM query('COPY (SELECT 1) TO ''{folder}/out.csv''')",
    "SELECT * FROM footage",
    "SELECT * FROM ROWS",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY (SELECT 1) TO '{folder}/out.csv'",
    "",
    ";",
    "-- nothing",
    "SELEKT 1",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_refused(stored: Footage, folder: Path, statement: str) -> None:
    (folder / "other.parquet").touch()
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(UsageError) as error:
        sql(stored, statement.format(folder=folder), time_limit=10)
    assert "\n" not in str(error.value)
    assert "root:" not in str(error.value)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


REVEALING = [
    "SELECT * FROM duckdb_views()",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM duckdb_columns()",
    "SELECT * FROM duckdb_databases()",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_external_file_cache()",
    "SELECT * FROM information_schema.views",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM pg_views",
    "SELECT * FROM pg_settings",
    "SELECT * FROM sqlite_master",
    "SELECT current_setting('allowed_paths')",
    "SELECT * FROM query('SELECT * FROM duckdb_views()')",
    "SHOW ALL TABLES",
    "EXPLAIN SELECT * FROM tracks",
    "EXPLAIN ANALYZE SELECT * FROM tracks",
    "SELECT json_serialize_plan('SELECT * FROM tracks')",
]


@pytest.mark.parametrize("statement", REVEALING)
def test_nothing_tells_where_files_are(stored: Footage, folder: Path, statement: str) -> None:
    told = str(sql(stored, statement).to_pydict())
    for place in (str(folder), folder.name, str(Path.home()), "few.parquet"):
        assert place not in told


def test_a_file_on_another_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_disk(*_: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", other_disk)
    found = open_footage(folder / "few.parquet", unchecked=True)
    assert sql(found, "SELECT count(*) AS n FROM detections")["n"].to_pylist() == [5]
    assert folder.name not in str(sql(found, "FROM duckdb_settings()").to_pydict())


def test_a_file_that_breaks_does_not_tell_where_it_is(folder: Path) -> None:
    whole = bytearray((folder / "few.parquet").read_bytes())
    whole[4:400] = bytes(396)  # pages, not the footer
    (folder / "torn.parquet").write_bytes(whole)
    found = open_footage(folder / "torn.parquet", unchecked=True)
    with pytest.raises(UsageError) as error:
        sql(found, "SELECT sum(x), max(label) FROM detections")
    assert folder.name not in str(error.value)
    assert "\n" not in str(error.value)


def test_there_are_no_secrets(stored: Footage) -> None:
    assert len(sql(stored, "SELECT * FROM duckdb_secrets()")) == 0


@pytest.mark.parametrize(
    ("statement", "match"),
    [
        ("SELECT labl FROM tracks", "there is no column 'labl': did you mean label\\?"),
        ("SELECT t.foot FROM detections t", "foot"),
        ("SELECT * FROM detektions", "there is no table 'detektions': did you mean detections\\?"),
        ("SELECT * FROM persons", "there is no table 'persons': use detections, tracks, frames"),
        ("SELECT 1; SELECT 2", "only one statement at a time"),
        ("DROP VIEW tracks", "only SELECT can be asked"),
        ("SELECT * FROM read_text('/etc/passwd')", "no file, no path"),
        ("SELECT 'x' + 1", "the statement cannot be answered: "),
    ],
)
def test_messages(stored: Footage, statement: str, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        sql(stored, statement)


ENDLESS = [
    "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a",
    "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range + b.range = 7",
    "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))",  # one call, never interrupted
    f"SELECT count(*) FROM {', '.join(f'tracks t{i}' for i in range(600))}",  # in the planner
]


@pytest.mark.parametrize("statement", ENDLESS)
def test_what_does_not_end_is_stopped(stored: Footage, statement: str) -> None:
    began = time.monotonic()
    with pytest.raises(UsageError, match=r"took longer than 0\.3 seconds and was stopped"):
        sql(stored, statement, time_limit=0.3)
    assert time.monotonic() - began < 30  # most of it for a busy machine


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT list(range) FROM range(1000000000)",
        "SELECT repeat('x', 1000) || range FROM range(100000000)",
        "SELECT len(range(1000000000))",
        "SELECT length(repeat('x', 3000000000))",
        "SELECT repeat('x', 100000000) FROM range(15)",
    ],
)
def test_what_is_too_large_is_refused(stored: Footage, statement: str) -> None:
    with pytest.raises(UsageError, match=r"2 GB of memory|larger than a gigabyte"):
        sql(stored, statement, time_limit=60)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most < 2.5 * 2**20  # KiB


@pytest.mark.parametrize(
    ("statement", "match"),
    [
        (f"{'(FROM ' * 200_000}tracks", "longer than 10000 bytes"),
        (f"SELECT {'- ' * 4900}1", "depth"),
        (f"{'(FROM ' * 1400}tracks{')' * 1400}", "depth"),
        ("SELECT '\udcff'", "holds something that is no text"),
    ],
)
def test_what_breaks_a_parser_is_refused(stored: Footage, statement: str, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        sql(stored, statement)


def test_a_process_that_dies_is_an_error(
    stored: Footage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = tmp_path / "dying.py"
    dying.write_text("import os, sys\nprint(flush=True)\nsys.stdin.read()\nos.abort()\n")
    monkeypatch.setattr(sys.modules["videodp.queries.sql"], "_SANDBOX", dying)
    with pytest.raises(UsageError, match="nested too deeply"):
        sql(stored, "SELECT 1")
    dying.write_text("raise SystemExit('no DuckDB here')")
    with pytest.raises(VideoDPError, match="cannot be started: no DuckDB here"):
        sql(stored, "SELECT 1")


ASK = """
from videodp.queries import open_footage, sql
print(sql(open_footage({path!r}, unchecked=True), {statement!r}, time_limit={limit}).to_pylist())
"""


@pytest.mark.parametrize("how", ["-c", "-"])
def test_from_a_program_that_is_no_file(folder: Path, how: str) -> None:
    """As in a notebook: nothing can be loaded from it a second time."""
    program = ASK.format(path=str(folder / "few.parquet"), statement="SELECT 7 AS n", limit=60)
    arguments = [sys.executable, how, *([program] if how == "-c" else [])]
    done = subprocess.run(arguments, input=program, capture_output=True, text=True, check=True)
    assert done.stdout == "[{'n': 7}]\n"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_nothing_goes_on_when_the_asker_is_killed(folder: Path, tmp_path: Path) -> None:
    program = ASK.format(path=str(folder / "few.parquet"), statement=ENDLESS[2], limit=1)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}  # its folder stays behind
    asker = subprocess.Popen([sys.executable, "-c", program], env=environment)
    children = Path(f"/proc/{asker.pid}/task/{asker.pid}/children")
    child = _wait_for(lambda: children.read_text().split())[0]
    _wait_for(lambda: Path(f"/proc/{child}/stat").read_text().split()[2] == "R")
    time.sleep(0.5)
    asker.kill()
    asker.wait()
    _wait_for(lambda: not _runs(child))


def _runs(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] not in "ZX"
    except OSError:
        return False


def _wait_for(found: Callable[[], T]) -> T:
    end = time.monotonic() + 60
    while not (value := found()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return value


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), 1e10])
def test_time_limit(stored: Footage, limit: float) -> None:
    with pytest.raises(UsageError, match="a time limit is a number of seconds above 0"):
        sql(stored, "SELECT 1", time_limit=limit)
