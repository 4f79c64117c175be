"""What was checked is what is protected, whatever the file says of itself or becomes."""

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import videodp
from helpers import make_scene, write_elements, write_scene, write_video
from videodp.elements import (
    Elements,
    Runs,
    Seen,
    Track,
    elements_for,
    load_elements,
    no_runs,
    place,
)
from videodp.errors import ElementsError
from videodp.video import probe

FRAMES = 8
OUTPUTS = ("private.mp4", "private.release.json", "private.owner.json", "private.elements.parquet")


def lying(path: Path) -> Path:
    """One person in every frame; the statistics put the first frames before the video."""
    frames = np.arange(FRAMES, dtype=np.int32)
    boxes = {name: np.full(FRAMES, side) for name, side in zip("xy", (1.0, 2.0), strict=True)}
    sides = {"width": np.full(FRAMES, 3.0), "height": np.full(FRAMES, 4.0)}
    table = pa.table({"frame": frames, "id": np.ones(FRAMES, np.int64), **boxes, **sides})
    pq.write_table(table, path, use_dictionary=False, compression="none", row_group_size=4)
    written = path.read_bytes()
    foot = len(written) - 8 - struct.unpack("<I", written[-8:-4])[0]
    head, tail = written[:foot], written[foot:]
    for value, claimed in ((3, -1), (0, -5)):
        tail = tail.replace(
            b"\x04" + struct.pack("<i", value), b"\x04" + struct.pack("<i", claimed)
        )
    path.write_bytes(head + tail)
    assert pq.read_metadata(path).row_group(0).column(0).statistics.max == -1
    return path


def test_what_a_file_says_about_its_row_groups_is_not_believed(tmp_path: Path) -> None:
    elements = load_elements(lying(tmp_path / "lying.parquet"))
    assert elements.tracks[0].frames == FRAMES
    assert [len(seen) for seen in elements.frames(0, FRAMES)] == [1] * FRAMES
    assert [len(seen) for seen in elements.frames(2, 4)] == [1, 1]


def test_every_stretch_of_a_checked_file_can_be_read(tmp_path: Path) -> None:
    path = write_elements(tmp_path / "a.parquet", scene := make_scene(9))
    pq.write_table(pq.read_table(path), path, row_group_size=2)
    elements, n = load_elements(path), len(scene.frames)
    for start in range(n + 1):
        for stop in range(start, n + 1):
            counts = [len(seen) for seen in elements.frames(start, stop)]
            assert counts == [sum(t in e.boxes for e in scene.elements) for t in range(start, stop)]


@pytest.mark.parametrize("change", ["shorter", "longer", "wider", "renamed"])
@pytest.mark.parametrize(
    ("stage", "mechanism"),
    [("census", "sampling"), ("render", "sampling"), ("summary", "synthesis")],
)
def test_a_file_that_changes_during_a_run_is_refused(
    stage: str, mechanism: str, change: str, tmp_path: Path
) -> None:
    video, path = write_scene(tmp_path, make_scene(9))
    table = pq.read_table(path)

    def watch(name: str, done: int, total: int) -> None:
        if name == stage and done == 0:
            pq.write_table(_changed(table, change), path)

    asked = videodp.Settings(2.5, mechanism=mechanism, seed=7)
    with pytest.raises(ElementsError, match="no longer what it was"):
        videodp.publish(video, tmp_path / "private.mp4", path, asked, watcher=watch)
    assert not any((tmp_path / name).exists() for name in OUTPUTS)


def _changed(table: pa.Table, how: str) -> pa.Table:
    if how == "shorter":
        return table.slice(0, len(table) - 1)
    if how == "longer":
        more = table.slice(len(table) - 1)
        return pa.concat_tables([table, more.set_column(1, "id", pa.array([999]))])
    column, value = ("width", 1.0) if how == "wider" else ("label", "dog")
    at = table.column_names.index(column)
    return table.set_column(at, column, pa.array([value] * len(table)))


def test_rows_that_go_back_in_time_are_refused(tmp_path: Path) -> None:
    video, path = write_scene(tmp_path, make_scene(9))
    table = pq.read_table(path)
    backwards = pa.concat_tables([table.slice(i, 1) for i in reversed(range(len(table)))])
    pq.write_table(backwards, path, row_group_size=1)
    with pytest.raises(ElementsError, match="sorted by frame"):
        load_elements(path, probe(video))


# --- loaded without the video, or with another one ---


def far_outside(folder: Path) -> tuple[Path, Path]:
    """A mask that ends far outside the memory of the picture; the file does not tell its size."""
    video, path = write_scene(folder, make_scene(9))
    table = pq.read_table(path).replace_schema_metadata(None)
    column = table.column_names.index("mask")
    far = pa.array([[2_000_000_000, 100_000_000]] * len(table), pa.list_(pa.int32()))
    pq.write_table(table.set_column(column, "mask", far), path)
    return video, path


def test_elements_that_nobody_checked_are_checked(tmp_path: Path) -> None:
    video, path = far_outside(tmp_path)
    elements = load_elements(path)
    with pytest.raises(ElementsError, match="outside the picture"):
        videodp.publish(video, tmp_path / "private.mp4", elements, 2.5)
    with pytest.raises(ElementsError, match="outside the picture"):
        videodp.find_elements(video, tmp_path / "found.parquet", given=elements)
    with pytest.raises(ElementsError, match="outside the picture"):
        videodp.compare(video, video, elements)
    assert not any((tmp_path / name).exists() for name in (*OUTPUTS, "found.parquet"))


def test_elements_of_another_length_are_refused(tmp_path: Path) -> None:
    long, path = write_scene(tmp_path, make_scene(9))
    elements = load_elements(path, probe(long))
    short = write_video(tmp_path / "short.mkv", make_scene(9).frames[:-1])
    with pytest.raises(ElementsError, match="belongs to a video of"):
        videodp.publish(short, tmp_path / "private.mp4", elements, 2.5)


def test_checking_again_keeps_what_the_owner_said(tmp_path: Path) -> None:
    video, path = write_scene(tmp_path, make_scene(9))
    pq.write_table(pq.read_table(path).replace_schema_metadata(None), path)
    label = load_elements(path).tracks[0].label
    said = replace(load_elements(path).without([label]), found_by=("a detector",), _index={})
    checked = elements_for(probe(video), said)
    assert checked.size is not None
    assert (checked.tracks, checked.insensitive) == (said.tracks, said.insensitive)
    assert checked.found_by == said.found_by
    assert elements_for(probe(video), checked) is checked


def test_kernels_are_never_told_to_write_outside() -> None:
    """Whoever comes past the checks, with a source of their own."""
    boxes = np.array([[1.0, 1.0, 5.0, 5.0]])
    far = Runs(np.array([0, 1]), np.array([[2_000_000_000, 5]], np.int32))
    for masks, sides in ((far, boxes), (no_runs(1), boxes * np.nan)):
        seen = Seen(0, np.array([1]), sides, ("person",), masks, no_runs(1))
        with pytest.raises(ElementsError, match="outside the picture"):
            place(Elements(None, (Track(1, "person", 0, 0, 1),)), seen, 10, 10)  # type: ignore
