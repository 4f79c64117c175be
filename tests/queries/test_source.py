"""Where the elements of a video come from when nobody names a file."""

import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from helpers import write_video
from videodp.elements import ParquetWriter
from videodp.errors import ElementsError, ElementsNotFoundError, UsageError
from videodp.queries import count, elements_of, found_file, open_footage, sql
from videodp.video import probe

from .rows import seen_of, walk

ROWS = walk(1, {0: (10.0, 12.0)}, side=8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return write_video(tmp_path / "a[1].mkv", np.zeros((3, 16, 24, 3), np.uint8))


def put(path: Path, size: tuple[int, int] = (24, 16), length: int = 3) -> Path:
    with ParquetWriter(path, size, length) as writer:
        writer.write(seen_of(0, ROWS))
    return path


def test_nobody_has_looked(video: Path) -> None:
    with pytest.raises(UsageError, match=r"who is in a\[1\]\.mkv\?.* or give --elements FILE"):
        elements_of(probe(video))


def test_the_truth_beside_a_video(video: Path) -> None:
    put(video.with_name("a[1].elements.parquet"))
    assert len(elements_of(probe(video))) == 1


def test_what_was_found_belongs_to_the_content(video: Path) -> None:
    put(found_file(probe(video)))
    assert len(elements_of(probe(video))) == 1
    assert count(open_footage(video))["people"].to_pylist() == [1, 0, 0]
    os.replace(write_video(video.with_name("b.mkv"), np.ones((3, 16, 24, 3), np.uint8)), video)
    with pytest.raises(UsageError, match="who is in"):
        elements_of(probe(video))


def test_elements_alone(video: Path) -> None:
    path = put(video.with_name("few.parquet"))
    footage = open_footage(path, rate=Fraction(5))
    assert count(footage)["time"].to_pylist() == [0, 0.2, 0.4]
    with pytest.raises(UsageError, match=r"few\.parquet is an elements file itself"):
        open_footage(path, path)


@pytest.mark.parametrize("unchecked", [False, True])
def test_elements_of_another_video(video: Path, unchecked: bool) -> None:
    other = put(video.with_name("other.parquet"), (32, 16))
    with pytest.raises(ElementsError, match="belongs to a video of 32x16"):
        open_footage(video, other, unchecked=unchecked)
    with pytest.raises(ElementsNotFoundError):
        open_footage(video, video.with_name("none.parquet"), unchecked=unchecked)
    (video.parent / "bad.parquet").write_bytes(b"no")
    with pytest.raises(ElementsError, match="not a readable Parquet file"):
        open_footage(video.parent / "bad.parquet", unchecked=unchecked)


def test_mot_can_be_asked_in_sql(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("1,7,1,1,8,8,1,3,1\n3,7,2,1,8,8,1,3,1\n")
    answer = sql(open_footage(path, unchecked=True), "SELECT id, label, frames FROM tracks")
    assert answer.to_pylist() == [{"id": 7, "label": "car", "frames": 2}]
