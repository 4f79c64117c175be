"""A header by somebody else is read within bounds, or refused in one line."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from videodp.elements import Searched, load_elements
from videodp.elements.header import MOST_FRAMES, Header, parse_header
from videodp.errors import ElementsError
from videodp.queries import open_footage

ROW = {"frame": [0], "id": [1], "x": [1.0], "y": [1.0], "width": [5.0], "height": [5.0]}


def written(path: Path, header: str, **columns: list[int]) -> Path:
    table = pa.table({**ROW, **columns})
    pq.write_table(table.replace_schema_metadata({"videodp.elements": header}), path)
    return path


def with_frames(value: str) -> str:
    return f'{{"width": 10, "height": 10, "frames": {value}}}'


def with_searched(**searched: object) -> str:
    return json.dumps({"width": 10, "height": 10, "frames": 20, "searched": searched})


BAD = {
    "endless": (with_frames("Infinity"), "frames is not a whole number"),
    "no number": (with_frames("NaN"), "frames is not a whole number"),
    "half": (with_frames("1.5"), "frames is not a whole number"),
    "true": (with_frames("true"), "frames is not a whole number"),
    "far too many": (with_frames("1" + 13 * "0"), "frames is not a whole number from 0 to"),
    "a few too many": (with_frames(str(MOST_FRAMES + 1)), "frames is not a whole number"),
    "more than 64 bits": (with_frames("1" + 30 * "0"), "frames is not a whole number"),
    "five thousand digits": (with_frames(5000 * "9"), "not JSON"),
    "nested": ('{"width": ' + 30_000 * "[" + 30_000 * "]" + "}", "not JSON"),
    "nested deeper": ('{"width": ' + 100_000 * "[" + 100_000 * "]" + "}", "too long"),
    "below zero": ('{"width": -10, "height": 10, "frames": 20}', "width is not a whole number"),
    "no width": ('{"height": 10, "frames": 20}', "width is not a whole number"),
    "wider than any": ('{"width": 99999, "height": 10}', "width is not a whole number"),
    "a list": ("[1, 2]", "no JSON object"),
    "nothing": ("", "not JSON"),
    "searched backwards": (with_searched(frames=[5, 5]), "end is not a whole number"),
    "searched beyond the end": (with_searched(frames=[5, 21]), "end is not a whole number"),
    "searched three": (with_searched(frames=[1, 2, 3]), "two numbers"),
    "searched text": (with_searched(frames="ab"), "two numbers"),
    "perhaps": (with_searched(in_part="no"), "neither true nor false"),
    "a letter to the public": (with_searched(labels=["x" * 101]), "a label is not text"),
    "steers a terminal": (with_searched(left_out=["\x1b[31mred"]), "a label is not text"),
    "two lines": (with_searched(labels=["a\nb"]), "a label is not text"),
    "label of text": (with_searched(labels="person"), "labels are a list"),
    "thousands": (with_searched(labels=["a"] * 501), "labels are a list"),
    "searched nowhere": ('{"searched": 3}', "searched is no JSON object"),
}


@pytest.mark.parametrize("name", BAD)
def test_refused(name: str, tmp_path: Path) -> None:
    header, match = BAD[name]
    path = written(tmp_path / "bad.parquet", header)
    for load in (load_elements, lambda path: open_footage(path, unchecked=True)):
        with pytest.raises(ElementsError, match=match) as error:
            load(path)
        assert "\n" not in str(error.value)
        assert "bad.parquet has a header that cannot be read" in str(error.value)


def test_read() -> None:
    assert parse_header(b"{}") == Header()
    assert parse_header(with_frames("0").encode()) == Header((10, 10), 0)
    said = Searched((3, 9), True, ("person", "Fußgänger"), ("car",))
    told = {"frames": (3, 9), "in_part": True, "labels": said.labels, "left_out": ("car",)}
    assert parse_header(with_searched(**told).encode()) == Header((10, 10), 20, said)


def test_a_frame_that_no_video_has(tmp_path: Path) -> None:
    """Queries count every frame up to it."""
    path = written(tmp_path / "far.parquet", '{"width": 10, "height": 10}', frame=[2**31 - 1])
    with pytest.raises(ElementsError, match="at most 10000000 frames"):
        load_elements(path)
    (tmp_path / "far.txt").write_text(f"{2**31 - 1},1,1,1,5,5\n")
    with pytest.raises(ElementsError, match="at most 10000000 frames"):
        load_elements(tmp_path / "far.txt")
