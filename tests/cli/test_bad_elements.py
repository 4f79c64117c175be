"""Elements that cannot be used: one line that says so, and nothing is written."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers import make_scene, write_elements
from videodp.cli.main import run as run_command

from .conftest import EPSILON, PUBLISH, Commands

GOOD = "1,1,10,10,20,30,1,1,1"


def mot(videodp: Commands, *lines: str) -> tuple[str, ...]:
    (videodp.folder / "own.txt").write_text("".join(line + "\n" for line in lines))
    return (*PUBLISH, "--elements", "own.txt", *EPSILON)


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("frame,id,x,y,w,h", "own.txt line 2 is not 'frame,id,x,y,w,h,...': frame,id"),
        ("1,2", "line 2 is not"),
        ("1,2,3,4,5", "line 2 is not"),
        ("hello", "line 2 is not"),
        ("1 2 10 10 20 30", "line 2 is not"),
        ("1,2.5,10,10,20,30", "line 2 is not"),
        ("1.5,2,10,10,20,30", "line 2 is not"),
        ("1,2,nan,10,20,30", "line 2 is not"),
        ("1,2,10,inf,20,30", "line 2 is not"),
        ("inf,2,10,10,20,30", "line 2 is not"),
        ("1,nan,10,10,20,30", "line 2 is not"),
        ("1,1e300,10,10,20,30", "line 2 is not"),
        ("1,99999999999999999999,10,10,20,30", "line 2 is not"),
        ("99999999999,2,10,10,20,30", "line 2 has frame 99999999999: MOT counts"),
        ("\x00\x01\x1b[31m\x7f", "line 2 is not"),
        ("0,2,10,10,20,30", "line 2 has frame 0: MOT counts frames from 1"),
        ("-3,2,10,10,20,30", "line 2 has frame -3: MOT counts frames from 1"),
        ("9,2,10,10,20,30", "lists frame 9, but the video has 8 frames: give the elements of this"),
        ("1,1,40,10,20,30", "element 1 is twice in frame 1: one box for each"),
        ("1,2,10,10,0,30", "box of element 2 in frame 1 has no area: width and height must be"),
        ("1,2,10,10,20,-1", "box of element 2 in frame 1 has no area"),
        ("1,2,200,10,20,30", "element 2 in frame 1 is outside the picture of 96x64: correct or"),
        ("1,2,10,64,20,30", "outside the picture"),
        ("1,2,-20,10,20,30", "outside the picture"),
        ("1,2,10,-31,20,30", "outside the picture"),
    ],
)
def test_bad_mot_lines(videodp: Commands, line: str, match: str) -> None:
    said = videodp.refused(1, match, *mot(videodp, GOOD, line))
    assert said.rstrip("\n").isprintable()


def test_mot_text_of_another_kind(videodp: Commands) -> None:
    path = videodp.folder / "own.txt"
    arguments = mot(videodp)
    for content in (GOOD.encode("utf-16"), np.random.default_rng(0).bytes(3000)):
        path.write_bytes(content)
        videodp.refused(1, r"own\.txt line 1 is not", *arguments)


def change_column(name: str, change: Callable[[list], list], kind: pa.DataType | None = None):
    def make(table: pa.Table) -> pa.Table:
        at = table.column_names.index(name)
        values = change(table[name].to_pylist())
        return table.set_column(at, name, pa.array(values, kind or table.schema.field(name).type))

    return make


def about(**changes: object):
    def make(table: pa.Table) -> pa.Table:
        known = {"version": 1, "width": 96, "height": 64, "frames": 8, **changes}
        return table.replace_schema_metadata({b"videodp.elements": json.dumps(known).encode()})

    return make


PARQUET = {
    "no such columns": (lambda t: t.drop_columns(["id", "x"]), "lacks the columns id, x: not an"),
    "not sorted": (lambda t: t.take(list(range(len(t)))[::-1]), "sorted by frame: sort the file"),
    "another size": (about(width=64, height=48), "video of 64x48, but street.mp4 is 96x64: give"),
    "another length": (about(frames=9), "video of 9 frames, but street.mp4 has 8: give"),
    "a later frame": (change_column("frame", lambda v: [*v[:-1], 99]), "lists frame 100, but"),
    "a negative frame": (change_column("frame", lambda v: [-5, *v[1:]]), "frame -4|frame -5"),
    "the frame before": (change_column("frame", lambda v: [-1, *v[1:]]), "frame 0|frame -1"),
    "a far frame": (
        change_column("frame", lambda v: [*v[:-1], 2**31 + 5], pa.int64()),
        "frame",
    ),
    "a missing frame": (change_column("frame", lambda v: [*v[:-1], None]), "column frame"),
    "only missing frames": (change_column("frame", lambda v: [None] * len(v)), "column frame"),
    "frames as text": (change_column("frame", lambda v: ["x"] * len(v), pa.string()), "frame"),
    "a missing id": (change_column("id", lambda v: [None, *v[1:]]), "column id"),
    "half an id": (change_column("id", lambda v: [1.5, *v[1:]], pa.float64()), "column id"),
    "ids as names": (change_column("id", lambda v: ["Ann"] * len(v), pa.string()), "column id"),
    "an id too large": (
        change_column("id", lambda v: [2**64 - 1, *v[1:]], pa.uint64()),
        "column id",
    ),
    "a missing box": (change_column("x", lambda v: [None, *v[1:]]), "column x"),
    "a NaN box": (change_column("x", lambda v: [float("nan"), *v[1:]]), "no area|not a number"),
    "an infinite box": (change_column("width", lambda v: [float("inf"), *v[1:]]), "no area|number"),
    "no width": (change_column("width", lambda v: [0.0, *v[1:]]), "no area: width and height"),
    "boxes as text": (change_column("y", lambda v: ["a"] * len(v), pa.string()), "column y"),
    "a box outside": (change_column("x", lambda v: [96.0, *v[1:]]), "outside the picture of 96x64"),
    "one id twice": (change_column("id", lambda v: [5] * len(v)), "5 is twice in frame 1"),
    "half a run": (change_column("mask", lambda v: [[1, 2, 3], *v[1:]]), "start without a length"),
    "a mask outside": (
        change_column("mask", lambda v: [[96 * 64 - 2, 3], *v[1:]]),
        "mask in frame 1 reaches outside the picture of 96x64",
    ),
    "a mask before": (change_column("mask", lambda v: [[-1, 3], *v[1:]]), "reaches outside"),
    "an empty run": (change_column("mask", lambda v: [[5, 0], *v[1:]]), "mask in frame 1"),
    "a far mask": (change_column("mask", lambda v: [[2**31 - 1, 2**31 - 1], *v[1:]]), "outside"),
    "a hole in a mask": (change_column("mask", lambda v: [[5, None], *v[1:]]), "mask"),
    "masks as text": (change_column("mask", lambda v: ["a"] * len(v), pa.string()), "mask"),
    "no header": (
        lambda t: t.replace_schema_metadata({b"videodp.elements": b"{broken"}),
        "header",
    ),
    "a strange header": (
        lambda t: t.replace_schema_metadata({b"videodp.elements": b'{"width": "x"}'}),
        "header",
    ),
}


@pytest.mark.parametrize("name", PARQUET)
def test_bad_parquet(videodp: Commands, name: str) -> None:
    change, match = PARQUET[name]
    pq.write_table(change(pq.read_table("street.elements.parquet")), "own.parquet")
    videodp.refused(1, match, *PUBLISH, "--elements", "own.parquet", *EPSILON)


def test_rows_out_of_order_in_groups_of_their_own(videodp: Commands) -> None:
    table = pq.read_table("street.elements.parquet")
    frames = table["frame"].to_numpy()
    with pq.ParquetWriter("own.parquet", table.schema) as writer:
        for frame in (0, 1, 4, 2, 3, 5):
            writer.write_table(table.filter(pa.array(frames == frame)))
    videodp.refused(1, "sorted by frame", *PUBLISH, "--elements", "own.parquet", *EPSILON)


def test_files_that_are_not_parquet(videodp: Commands) -> None:
    whole = Path("street.elements.parquet").read_bytes()
    broken = bytearray(whole)
    broken[8:300] = bytes(292)  # the pages, not the index at the end
    contents = (b"", b"frame,id\n", whole[: len(whole) // 2], whole[:-9], bytes(broken))
    for content in contents:
        Path("own.parquet").write_bytes(content)
        said = videodp.refused(1, "own.parquet", *PUBLISH, "--elements", "own.parquet", *EPSILON)
        assert "Parquet" in said


@pytest.mark.parametrize(
    ("elements", "status", "match"),
    [
        ("no.parquet", 2, "no elements file at no.parquet: give the path"),
        ("no.txt", 2, "no elements file at no.txt: give the path"),
        (".", 2, "no elements file"),
        ("own.json", 1, r"elements are \.parquet or MOT \.txt, not '\.json'"),
        ("own", 1, r"elements are \.parquet or MOT \.txt"),
    ],
)
def test_no_elements(videodp: Commands, elements: str, status: int, match: str) -> None:
    for name in ("own.json", "own"):
        Path(name).write_text("{}")
    videodp.refused(status, match, *PUBLISH, "--elements", elements, *EPSILON)


def test_elements_of_another_video(videodp: Commands) -> None:
    other = make_scene(7, frames=8)
    assert (other.width, other.height) != (96, 64)
    write_elements(videodp.folder / "other.parquet", other)
    videodp.refused(1, "belongs to a video", *PUBLISH, "--elements", "other.parquet", *EPSILON)
    arguments = ["scene", "longer.mp4", "--size", "96x64", "--frames", "9", "--people", "1"]
    assert run_command([*arguments, "--vehicles", "0"]) == 0
    elements = ("--elements", "longer.elements.parquet")
    videodp.refused(1, "video of 9 frames, but street.mp4 has 8", *PUBLISH, *elements, *EPSILON)


# --- strange, but fine ---


def test_ids_that_jump_are_told_and_published(videodp: Commands) -> None:
    lines = [f"{frame},4,{2 if frame % 2 else 85},{frame},8,8" for frame in range(1, 9)]
    done = videodp.fine(*mot(videodp, *lines))
    assert "note: own.txt: ids that jump across the picture between two frames: 4;" in done.err
    assert "check the ids" in done.err


def test_ids_may_be_large_far_apart_and_below_zero(videodp: Commands) -> None:
    ids = [-7, 0, 12, 9_007_199_254_740_993, 9_007_199_254_740_992, 2**63 - 1]
    lines = [
        f"{frame},{identity},{10 * place},10,9,20"
        for frame in (1, 2)
        for place, identity in enumerate(ids)
    ]
    videodp.fine(*mot(videodp, *lines))
    owner = json.loads(Path("private.owner.json").read_text())
    assert [element["id"] for element in owner["elements"]] == sorted(ids)
    assert {element["frames"] for element in owner["elements"]} == {2}


def test_boxes_may_be_partly_outside(videodp: Commands) -> None:
    boxes = ("-10,-10,20,20", "90,60,50,50", "-1000,30,3000,5", "-1e308,10,1.5e308,3")
    lines = [f"{frame},{i},{box}" for frame in (1, 2) for i, box in enumerate(boxes)]
    done = videodp.fine(*mot(videodp, *lines))
    assert done.err.count("note") == 1, "that they are boxes, and no more"
    owner = json.loads(Path("private.owner.json").read_text())
    assert [e["pixels"] for e in owner["elements"]] == [200, 48, 960, 576]


@pytest.mark.parametrize("content", ["", "\n\n", "# nobody\n"])
def test_nobody_in_it(videodp: Commands, content: str) -> None:
    """Nothing is wrong with an empty street, but the owner is told what that means."""
    arguments = mot(videodp)
    (videodp.folder / "own.txt").write_text(content)
    done = videodp.fine(*arguments, "--crf", "0")
    assert "note: no sensitive element is listed: the private video looks like the original" in (
        done.err
    )
    owner = json.loads(Path("private.owner.json").read_text())
    assert owner["elements"] == owner["drawn_pixels"] == []
    release = json.loads(Path("private.release.json").read_text())
    assert "what was missed is published" in release["assumptions"][0]
    compared = json.loads(videodp.fine("compare", "street.mp4", "private.mp4", "--json").out)
    assert compared["mse"] < 1e-4


def test_nobody_in_a_parquet_file(videodp: Commands) -> None:
    table = pq.read_table("street.elements.parquet").slice(0, 0)
    pq.write_table(table, "own.parquet")
    done = videodp.fine(*PUBLISH, "--elements", "own.parquet", *EPSILON)
    assert "no sensitive element is listed" in done.err


def test_parquet_of_other_hands(videodp: Commands) -> None:
    """Whole numbers of any type, no labels, no masks, further columns, other order."""
    table = pq.read_table("street.elements.parquet")
    nested = pa.array([{"a": 1, "b": 2}] * len(table))
    own = pa.table(
        {
            "extra": nested,
            "height": table["height"].cast(pa.float32()),
            "width": table["width"],
            "y": table["y"].cast(pa.int16()),
            "x": table["x"].cast(pa.float32()),
            "id": table["id"].cast(pa.uint8()),
            "frame": table["frame"].cast(pa.int64()),
        }
    )
    pq.write_table(own, "own.parquet", row_group_size=3)
    videodp.fine(*PUBLISH, "--elements", "own.parquet", *EPSILON)
    owner = json.loads(Path("private.owner.json").read_text())
    assert [e["id"] for e in owner["elements"]] == sorted(set(table["id"].to_pylist()))
    assert sum(e["frames"] for e in owner["elements"]) == len(table)
