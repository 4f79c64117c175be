"""Directions and crossings: by hand, with flicker, and against supervision's line."""

from itertools import pairwise

import numpy as np
import pytest
import supervision as sv
from hypothesis import given, settings
from hypothesis import strategies as st

from videodp.queries import Line, crossing_events, crossings, direction

from .rows import footage_of_rows, walk

ACROSS = Line((0, 50), (100, 50))
"""From left to right: inwards is up."""


def events(feet: dict[int, tuple[float, float]], line: Line = ACROSS) -> list[tuple[int, str]]:
    answer = crossing_events(footage_of_rows(walk(1, feet), 1000), line=line).to_pylist()
    return [(row["frame"], row["direction"]) for row in answer]


def down(*ys: float, x: float = 20.0, start: int = 0) -> dict[int, tuple[float, float]]:
    return {start + t: (x, y) for t, y in enumerate(ys)}


@pytest.mark.parametrize(
    ("ys", "expected"),
    [
        ((30, 40, 48, 55, 60), [(3, "out")]),
        ((70, 60, 52, 45, 40), [(3, "in")]),
        ((30, 40, 50, 60, 70), [(3, "out")]),  # exactly on the line is on neither side
        ((30, 40, 50, 40, 30), []),
        ((30, 60, 30, 60, 30), []),  # once there is not being there
        ((30, 40, 60, 65, 40, 35), [(2, "out"), (4, "in")]),
        ((49.5, 50.5, 49.5, 50.5, 49.5, 50.5), []),  # less than a tenth of the box
        ((40, 49.5, 50.5, 49.5, 50.5, 60, 70), [(5, "out")]),  # trembles, then goes: once
        ((40, 49.5, 50.5, 49.5, 50.5, 40, 30), []),
        ((60,), []),
        ((40, 60), []),  # seen once on the other side
        ((50, 50, 50), []),
    ],
)
def test_crossing(ys: tuple[float, ...], expected: list[tuple[int, str]]) -> None:
    assert events(down(*ys)) == expected


def test_who_is_hidden_at_the_line_is_counted_once() -> None:
    assert events({**down(30, 40), **down(60, 70, start=500)}) == [(500, "out")]


def test_who_flickers_at_the_line_is_counted_once() -> None:
    ys = np.linspace(30, 70, 41)
    feet = {t: place for t, place in down(*ys).items() if t % 3}
    assert [way for _, way in events(feet)] == ["out"]


def test_who_passes_beside_the_line_has_not_crossed_it() -> None:
    line = Line((0, 50), (40, 50))
    assert events(down(30, 40, 60, 70, x=30.0), line) == [(2, "out")]
    assert events(down(30, 40, 60, 70, x=50.0), line) == []
    # Around the end of the line and then along it on the other side.
    around = {0: (20.0, 40.0), 1: (60.0, 40.0), 2: (60.0, 60.0), 3: (20.0, 60.0), 4: (20.0, 70.0)}
    assert events(around, line) == []


def test_the_other_way_round_in_is_out() -> None:
    turned = Line(ACROSS.end, ACROSS.start)
    assert events(down(30, 40, 60, 70), turned) == [(2, "in")]


def test_crossings_by_label() -> None:
    rows = [
        *walk(1, down(30, 40, 60, 70)),
        *walk(2, down(70, 60, 40, 30, 60, 70), "car"),
        *walk(3, down(10, 11, 12), "dog"),
        *walk(-1, down(30, 40, 60, 70), "ghost"),
    ]
    answer = crossings(footage_of_rows(rows, 6), line=ACROSS)
    assert answer.to_pylist() == [
        {"label": "car", "in": 1, "out": 1},
        {"label": "dog", "in": 0, "out": 0},
        {"label": "person", "in": 0, "out": 1},
    ]
    only = crossings(footage_of_rows(rows, 6, labels={"car"}), line=ACROSS)
    assert only["label"].to_pylist() == ["car"]


def test_direction_by_an_axis() -> None:
    rows = [
        *walk(1, down(20, 30, 40)),
        *walk(2, down(80, 60, 40), "car"),
        *walk(3, down(50, 54)),  # less than half a box
    ]
    answer = direction(footage_of_rows(rows, 3)).to_pylist()
    assert [row["direction"] for row in answer] == ["downstream", "upstream", "none"]
    assert [row["shift"] for row in answer] == [20, -40, 4]
    sideways = direction(footage_of_rows(rows, 3), axis="x").to_pylist()
    assert {row["direction"] for row in sideways} == {"none"}


def test_direction_by_a_line() -> None:
    rows = [
        *walk(1, down(30, 40, 60, 70)),
        *walk(2, down(70, 60, 40, 30)),
        *walk(3, down(30, 40, 60, 70, 40, 30)),  # there and back
        *walk(4, down(10, 20, 30, 40)),
    ]
    answer = direction(footage_of_rows(rows, 6), line=ACROSS).to_pylist()
    assert [row["direction"] for row in answer] == ["upstream", "downstream", "none", "none"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([-30, -20, -10, 10, 20, 30]), min_size=1, max_size=30))
def test_the_same_as_supervision_where_nothing_flickers(offsets: list[int]) -> None:
    feet = down(*(50.0 + offset for offset in offsets))
    zone = sv.LineZone(
        sv.Point(0, 50),
        sv.Point(100, 50),
        triggering_anchors=[sv.Position.BOTTOM_CENTER],
        minimum_crossing_threshold=2,
    )
    for x, y in feet.values():
        box = np.array([[x - 5, y - 10, x + 5, y]])
        zone.trigger(sv.Detections(xyxy=box, class_id=np.array([0]), tracker_id=np.array([1])))
    ways = [way for _, way in events(feet)]
    assert (ways.count("in"), ways.count("out")) == (zone.in_count, zone.out_count)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-60, 60), min_size=1, max_size=40))
def test_in_and_out_alternate(offsets: list[float]) -> None:
    ways = [way for _, way in events(down(*(50.0 + offset for offset in offsets)))]
    assert all(a != b for a, b in pairwise(ways))
