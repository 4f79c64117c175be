"""``videodp query``: answers, files, and everything that can be asked wrongly."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from videodp.queries import QUERIES

from .conftest import ELEMENTS, FRAMES, Commands

COUNT = ("query", "street.mp4", "count")
NEEDED = {
    "line": ("--line", "0,32,96,32"),
    "zone": ("--zone", "0,0 96,0 96,64 0,64"),
    "truth": ("--truth", "street.elements.parquet"),
}


def test_formats(videodp: Commands) -> None:
    table = videodp.fine(*COUNT).out.splitlines()
    assert table[0].split() == ["frame", "time", "people", "vehicles", "elements"]
    assert len(table) == FRAMES + 1
    rows = json.loads(videodp.fine(*COUNT, "--format", "json").out)
    assert [row["frame"] for row in rows] == list(range(FRAMES))
    found = list(csv.DictReader(io.StringIO(videodp.fine(*COUNT, "--format", "csv").out)))
    assert [int(row["people"]) for row in found] == [row["people"] for row in rows]
    videodp.fine(*COUNT, "-o", "count.parquet")
    assert pq.read_table(videodp.folder / "count.parquet").to_pylist() == rows


@pytest.mark.parametrize("name", QUERIES)
def test_every_query(videodp: Commands, name: str) -> None:
    more = [text for key in QUERIES[name].needs for text in NEEDED[key]]
    videodp.fine("query", "street.mp4", name, *more, "-o", "a.csv", "--plot", "a.png")
    assert (videodp.folder / "a.csv").stat().st_size > 0
    assert (videodp.folder / "a.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_from_elements_alone(videodp: Commands) -> None:
    of_video = videodp.fine(*COUNT, "--format", "csv").out
    alone = ("query", "street.elements.parquet", "count", "--fps", "25", "--format", "csv")
    assert videodp.fine(*alone).out == of_video


def test_a_part(videodp: Commands) -> None:
    rows = json.loads(
        videodp.fine(*COUNT, "--frames", "2-4", "--labels", "person", "--format", "json").out
    )
    assert [row["frame"] for row in rows] == [2, 3, 4]
    assert {row["vehicles"] for row in rows} == {0}


@pytest.mark.parametrize("asked", ["count", "SELECT count(*) AS n FROM detections"])
def test_a_label_that_nobody_has(videodp: Commands, asked: str) -> None:
    call = ("query", "street.mp4", asked, "--format", "json", "--labels")
    done = videodp.fine(*call, "unicorn,person,car")
    note = "videodp: note: no element has the label 'unicorn': there are car, person\n"
    assert done.err == note
    assert done.out == videodp.fine(*call, "person,car").out
    assert videodp.fine(*call, "unicorn", "--frames", "1-2").err == note
    assert videodp.fine(*call, "person,car", "--frames", "1-2").err == ""


def test_labels_of_strangers_do_not_steer_the_terminal(videodp: Commands) -> None:
    Path("odd.txt").write_text("1,1,10,10,20,20,1,\x1b[2Jcar,1\n")
    Path("empty.txt").write_text("")
    call = ("query", "street.mp4", "count", "--labels", "person", "--elements")
    assert "there are \\x1b[2Jcar\n" in videodp.fine(*call, "odd.txt").err
    assert "there are no elements" in videodp.fine(*call, "empty.txt").err


def test_sql(videodp: Commands) -> None:
    asked = "SELECT label, count(*) AS n FROM tracks GROUP BY label ORDER BY label"
    out = videodp.fine("query", "street.mp4", asked, "--format", "json", "--plot", "a.png").out
    assert {row["label"] for row in json.loads(out)} >= {"person"}
    none = videodp.fine("query", "street.mp4", "SELECT id FROM tracks WHERE id > 99")
    assert none.out.splitlines()[-1] == "nothing: no row"


def test_nothing_is_left_of_a_plot_that_failed(videodp: Commands) -> None:
    videodp.refused(
        *(2, "a plot needs a column and a number"),
        *("query", "street.mp4", "SELECT label FROM tracks", "-o", "a.csv", "--plot", "a.png"),
    )


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("street.mp4",), "Missing argument"),
        (("none.mp4", "count"), r"there is no file none\.mp4"),
        (("none.parquet", "count"), r"no elements file at none\.parquet"),
        (("street.mp4", "cuont"), r"there is no query 'cuont': did you mean count\?"),
        (("street.mp4", ""), "there is no query ''"),
        (("street.mp4", "SELECT labl FROM tracks"), r"no column 'labl': did you mean label\?"),
        (("street.mp4", "SELECT * FROM trakcs"), r"no table 'trakcs': did you mean tracks\?"),
        (("street.mp4", "DROP VIEW tracks"), "only SELECT can be asked"),
        (("street.mp4", "SELECT 1", "--line", "0,0,9,9"), "SQL takes no line"),
        (("street.mp4", "SELECT 1", "--time-limit", "0"), "a time limit is a number of seconds"),
        (("street.mp4", "count", "--zone", "0,0 9,0 9,9"), "count takes no --zone: leave it out"),
        (("street.mp4", "count", "--format", "xml"), "there is no format 'xml': use table, csv"),
        (("street.mp4", "count", "--frames", "5"), "'5' is not a span of frames: write .*0-99"),
        (("street.mp4", "count", "--frames", "5-2"), "frames 5-2 end before they begin"),
        (("street.mp4", "count", "--frames", "0-8"), "frames 0 to 8 are not there: .* 8 frames"),
        (("street.mp4", "count", "--labels", ","), "no label was given"),
        (("street.mp4", "count", "--fps", "x"), "'x' is not a frame rate"),
        (("street.mp4", "count", "--elements", "none.txt"), "no elements file at"),
        (("street.mp4", "crossings"), "crossings needs --line: give --line x0,y0,x1,y1"),
        (("street.mp4", "crossings", "--line", "1,2,3"), "'1,2,3' is not a line: write"),
        (("street.mp4", "crossings", "--line", "1,2,1,2"), "two different points"),
        (("street.mp4", "crossings", "--line", "0,0,97,9"), "outside the picture of 96x64"),
        (("street.mp4", "crossings", "--line", "nan,0,9,9"), "is not a line"),
        (("street.mp4", "dwell", "--zone", "0,0 9"), "is not a zone: write"),
        (("street.mp4", "dwell", "--zone", "0,0 9,9"), "three corners with an area"),
        (("street.mp4", "dwell", "--zone", "0,0 9,0 9,99"), "outside the picture of 96x64"),
        (("street.mp4", "pixels", "--region", "90,0,9,9"), "outside the picture of 96x64"),
        (("street.mp4", "pixels", "--region", "0,0,0,9"), "a region of 0x9 has no pixels"),
        (("street.mp4", "pixels", "--region", "0,0,9.5,9"), "is not a region"),
        (("street.mp4", "speed", "--reference", "0,0=0,0"), "is not a set of four reference"),
        (
            ("street.mp4", "speed", "--reference", "0,0=0,0 9,0=1,0 18,0=2,0 0,9=0,1"),
            "on one line in the picture",
        ),
        (("street.mp4", "heatmap", "--grid", "16"), "'16' is not a grid: write for example 16x9"),
        (("street.mp4", "heatmap", "--grid", "0x9"), "a grid has 1 to 512"),
        (("street.mp4", "stay-times", "--bins", "0"), "1 to 10000 bins, not 0"),
        (("street.mp4", "direction", "--axis", "z"), "there is no axis 'z'"),
        (("street.mp4", "match"), "match needs --truth"),
        (("street.mp4", "match", "--truth", "none.parquet"), "no elements file at"),
        (("street.elements.parquet", "histogram"), "holds no pictures: give the video itself"),
        (("street.elements.parquet", "speed"), "a speed needs the frame rate"),
        (
            (
                "street.mp4",
                "count",
                "-o",
                "street.elements.parquet",
                "--elements",
                "street.elements.parquet",
            ),
            r"has another use in this run",
        ),
        (("street.mp4", "count", "-o", "a.csv", "--plot", "a.csv"), "has another use"),
        (("street.mp4", "count", "-o", "a.xml"), "there is no format 'xml'"),
        (("street.mp4", "count", "--plot", "a.gif"), r"a\.gif is not a name for a plot"),
    ],
)
def test_wrong_use(videodp: Commands, arguments: tuple[str, ...], match: str) -> None:
    videodp.refused(2, match, "query", *arguments)


def test_existing_files_are_kept(videodp: Commands) -> None:
    (videodp.folder / "a.csv").write_text("mine")
    videodp.refused(2, "is already there", *COUNT, "-o", "a.csv")
    videodp.fine(*COUNT, "-o", "a.csv", "--overwrite")


def test_a_video_that_nobody_looked_at(videodp: Commands) -> None:
    (videodp.folder / "street.elements.parquet").rename(videodp.folder / "who.parquet")
    videodp.refused(2, r"who is in street\.mp4\?.* or give --elements FILE", *COUNT)
    videodp.fine(*COUNT, "--elements", "who.parquet")
    videodp.fine("query", "street.mp4", "histogram")


def test_the_private_video_answers_as_the_original_does(videodp: Commands) -> None:
    videodp.fine("publish", "street.mp4", "-o", "p.mp4", *ELEMENTS, "--epsilon", "2", "--seed", "1")
    for name in ("count", "histogram"):
        ours = videodp.fine("query", "p.mp4", name, *ELEMENTS, "--format", "csv").out
        theirs = videodp.fine("query", "street.mp4", name, *ELEMENTS, "--format", "csv").out
        assert ours.splitlines()[0] == theirs.splitlines()[0]
