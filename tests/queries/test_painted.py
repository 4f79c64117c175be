"""Every query agrees with what was painted."""

from pathlib import Path

import numpy as np
import pytest

from helpers import new_folder
from videodp.queries import (
    Footage,
    Line,
    Zone,
    count,
    crossing_events,
    dwell,
    match,
    open_footage,
    speed,
    sql,
    stay,
)
from videodp.scenes import PaintedFrame, SceneSpec, paint, write_scene

SPEC = SceneSpec(width=160, height=96, frames=60, people=6, vehicles=2, seed=4)


@pytest.fixture(scope="module")
def painted() -> list[PaintedFrame]:
    return list(paint(SPEC))


@pytest.fixture(scope="module")
def video() -> Path:
    path = new_folder() / "street.mp4"
    write_scene(SPEC, path)
    return path


@pytest.fixture(scope="module")
def footage(video: Path) -> Footage:
    return open_footage(video)


def test_counts(painted: list[PaintedFrame], footage: Footage) -> None:
    answer = count(footage)
    people = [sum(s.label == "person" for s in frame.shown) for frame in painted]
    assert answer["people"].to_pylist() == people
    assert answer["elements"].to_pylist() == [len(frame.shown) for frame in painted]
    assert answer["time"].to_pylist() == pytest.approx([t / 25 for t in range(60)])


def test_stays(painted: list[PaintedFrame], footage: Footage) -> None:
    seen: dict[int, list[int]] = {}
    for frame in painted:
        for shown in frame.shown:
            seen.setdefault(shown.id, []).append(frame.index)
    for row in stay(footage).to_pylist():
        frames = seen.pop(row["id"])
        assert (row["first"], row["last"], row["frames"]) == (frames[0], frames[-1], len(frames))
        assert row["seconds"] == pytest.approx((frames[-1] - frames[0] + 1) / 25)
    assert not seen


def test_crossings_are_those_of_who_changed_sides(
    painted: list[PaintedFrame], footage: Footage
) -> None:
    x = 80.0
    net: dict[int, int] = {}
    for event in crossing_events(footage, line=Line((x, 0), (x, 96))).to_pylist():
        net[event["id"]] = net.get(event["id"], 0) + (1 if event["direction"] == "in" else -1)
    expected = {}
    for identity in {s.id for frame in painted for s in frame.shown}:
        boxes = [s.box for frame in painted for s in frame.shown if s.id == identity]
        sides = [b[0] + b[2] / 2 - x for b in boxes if abs(b[0] + b[2] / 2 - x) > 0.1 * min(b[2:])]
        if len(sides) > 1 and sides[0] * sides[-1] < 0 and sides[-1] * sides[-2] > 0:
            expected[identity] = 1 if sides[-1] > 0 else -1  # down the line, left is where x grows
    assert {identity: n for identity, n in net.items() if n} == expected
    assert expected


def test_dwell(painted: list[PaintedFrame], footage: Footage) -> None:
    zone = Zone(((40, 0), (120, 0), (120, 96), (40, 96)))
    frames: dict[int, int] = {}
    for frame in painted:
        for shown in frame.shown:
            x = shown.box[0] + shown.box[2] / 2
            y = shown.box[1] + shown.box[3]
            if 40 <= x < 120 and y < 96:
                frames[shown.id] = frames.get(shown.id, 0) + 1
    answer = dwell(footage, zone=zone).to_pylist()
    assert {row["id"]: row["frames"] for row in answer} == frames


def test_match_of_the_truth_with_itself(footage: Footage) -> None:
    row = match(footage, truth=footage.who).to_pylist()[-1]
    assert (row["label"], row["precision"], row["recall"], row["mota"]) == ("all", 1, 1, 1)


def test_sql_says_the_same_as_the_queries(footage: Footage) -> None:
    counted = sql(footage, "SELECT * FROM frames")
    assert counted.to_pylist() == count(footage).to_pylist()
    tracks = sql(
        footage, "SELECT id, label, first, last, frames, seconds FROM tracks ORDER BY seconds, id"
    ).to_pylist()
    for ours, theirs in zip(stay(footage).to_pylist(), tracks, strict=True):
        assert theirs == {**ours, "seconds": pytest.approx(ours["seconds"])}
    lengths = sql(footage, "SELECT path FROM tracks ORDER BY id")["path"].to_numpy()
    assert np.all(lengths >= speed(footage)["distance"].to_numpy() - 1e-9)


def test_a_part_is_what_the_whole_says_of_it(video: Path, footage: Footage) -> None:
    part = open_footage(video, frames=(20, 40), labels=["car"])
    whole = count(footage).slice(20, 20)
    assert count(part)["vehicles"].to_pylist() == whole["vehicles"].to_pylist()
    assert sql(part, "SELECT * FROM frames").to_pylist() == count(part).to_pylist()
