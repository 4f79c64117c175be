"""Tracking on small plays with a known end, and what holds for any input."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elements.track.actors import RATE, SIZE, Actor, detect
from elements.track.mot import Rows, Score, measure
from videodp.elements.detect import Detections, no_detections
from videodp.elements.track import EXTENDED, FILLED, SEEN, UNKNOWN, Found, Sightings, track
from videodp.errors import ElementsError, MissingExtraError

pytest.importorskip("trackers")


def run(*actors: Actor, frames: int = 100, **options: object) -> Sightings:
    return track(detect(actors, frames), SIZE, RATE, frames, **options)


def compare(found: Sightings, *actors: Actor, frames: int = 100, rate: float = RATE) -> Score:
    """Against the truth, in which nobody is ever hidden."""
    rows = [
        (frame, number, *actor.box(frame, rate))
        for number, actor in enumerate(actors, 1)
        for frame in range(frames)
        if actor.first <= frame < actor.end
    ]
    truth = np.array(rows)
    return measure(
        Rows(truth[:, 0].astype(int), truth[:, 1].astype(int), truth[:, 2:]),
        Rows(found.frame, found.id, found.box),
    )


def walk(x: float, y: float, vx: float = 0.0, vy: float = 0.0):
    return lambda t: (x + vx * t, y + vy * t)


def check(found: Sightings, frames: int) -> None:
    """What holds for any tracks."""
    assert (np.lexsort((found.id, found.frame)) == np.arange(len(found))).all()
    assert len({*zip(found.frame.tolist(), found.id.tolist(), strict=True)}) == len(found)
    assert sorted(set(found.id.tolist())) == list(range(1, found.id.max(initial=0) + 1))
    assert ((found.frame >= 0) & (found.frame < frames)).all()
    assert np.isfinite(found.box).all()
    for identity in np.unique(found.id):
        rows = np.flatnonzero(found.id == identity)
        assert (np.diff(found.frame[rows]) == 1).all()
        assert len(np.unique(found.label[rows])) == 1
        assert (found.how[rows] == SEEN).any()
        inner = np.flatnonzero(found.how[rows] == SEEN)
        between = found.how[rows][inner[0] : inner[-1]]
        assert (between != EXTENDED).all()


def test_two_who_cross() -> None:
    cast = (Actor(walk(100, 300, 80), 1), Actor(walk(420, 304, -80), 2))
    score = compare(run(*cast), *cast)
    assert score.ids == 2
    assert score.idf1 >= 0.97
    assert score.switches == 0


def test_two_who_meet_and_turn_back() -> None:
    """Motion says they went through each other; only their looks say they did not."""

    def there_and_back(x: float, way: int):
        return lambda t: (x + way * 80 * min(t, 4 - t), 300 + way)

    cast = (Actor(there_and_back(150, 1), 1), Actor(there_and_back(480, -1), 2))
    score = compare(run(*cast), *cast)
    assert score.ids == 2
    assert score.idf1 >= 0.95


@pytest.mark.parametrize("gap", [5, 20, 45, 80])
def test_a_gap_is_filled(gap: int) -> None:
    actor = Actor(walk(100, 300, 60, 5), 1, hidden=((40, 40 + gap),), end=150)
    found = run(actor, frames=150)
    assert set(found.id) == {1}
    filled = found.frame[found.how == FILLED]
    assert filled.tolist() == list(range(40, 40 + gap))
    assert compare(found, actor, frames=150).recall == 1
    low, high = found.box[found.frame == 39, 0], found.box[found.frame == 40 + gap, 0]
    assert ((found.box[40 : 40 + gap, 0] >= low) & (found.box[40 : 40 + gap, 0] <= high)).all()


def test_who_comes_out_where_another_went_in() -> None:
    """Same place, same way, but looks like somebody else: two people."""
    first = Actor(walk(100, 300, 60), 1, end=40)
    second = Actor(walk(100, 300, 60), 5, first=60)
    assert set(run(first, second).id) == {1, 2}
    again = Actor(walk(100, 300, 60), 1, first=60)
    assert set(run(first, again).id) == {1}


def test_two_behind_a_wall_keep_their_looks() -> None:
    hidden = ((40, 70),)
    cast = (
        Actor(walk(100, 300, 60), 1, hidden=hidden),
        Actor(walk(340, 301, -60), 2, hidden=hidden),
    )
    score = compare(run(*cast), *cast)
    assert score.ids == 2
    assert score.idf1 >= 0.98


def test_weak_detections_go_on_with_a_track() -> None:
    way = walk(200, 300, 40)
    found = run(Actor(way, 1, end=60), Actor(way, 1, first=60, end=75, score=0.12))
    assert set(found.id) == {1}
    assert (found.how[found.frame < 70] == SEEN).all()


def test_a_track_goes_on_for_as_long_as_there_are_weak_detections() -> None:
    way = walk(200, 300)
    found = run(Actor(way, 1, end=30), Actor(way, 1, first=30, score=0.12))
    assert set(found.id) == {1}
    assert (found.how == SEEN).all()
    assert found.frame[-1] == 99


def test_who_is_weak_all_the_time_is_not_dropped() -> None:
    actor = Actor(walk(200, 300, 40), 1, score=0.35)
    assert compare(run(actor), actor).recall == 1


def test_a_post_is_no_person() -> None:
    frames = 12 * RATE
    post = Actor(walk(500, 300), 1, end=frames, height=60, score=0.45)
    assert set(run(post, frames=frames).id) == set()
    assert len(run(post, frames=frames, covered=lambda frame, boxes: np.ones(len(boxes)))) > 0
    sways = Actor(lambda t: (500 + 5 * np.sin(3 * t), 300), 1, end=frames, height=60, score=0.45)
    assert set(run(sways, frames=frames).id) == {1}
    sure = Actor(walk(500, 300), 1, end=frames, height=60, score=0.8)
    assert set(run(sure, frames=frames).id) == {1}


def test_a_post_that_somebody_walks_by_is_no_person() -> None:
    frames = 12 * RATE
    nudged = range(100, 160)
    post = Actor(
        lambda t: (506 if round(t * RATE) in nudged else 500, 300),
        1,
        end=frames,
        height=60,
        score=0.45,
    )
    quiet = run(post, frames=frames, covered=lambda frame, boxes: np.zeros(len(boxes)))
    assert set(quiet.id) == set()
    stirs = Actor(lambda t: (506 if t % 2 > 1 else 500, 300), 1, end=frames, height=60, score=0.45)
    moved = run(stirs, frames=frames, covered=lambda frame, boxes: np.zeros(len(boxes)))
    assert set(moved.id) == {1}


def test_a_box_around_parts_of_two_people_is_nobody_else() -> None:
    cast = (Actor(walk(200, 300, 40), 1), Actor(walk(234, 303, 40), 2))
    both = Actor(walk(217, 301, 40), 3, first=40, end=43)
    found = run(*cast, both)
    assert [set(found.id[found.id > 0]), set(found.id[found.id < 0])] == [{1, 2}, {-1}]
    assert 3 <= (found.id < 0).sum() < 10, "it is still protected"
    longer = Actor(walk(217, 301, 40), 3, first=40, end=60)
    assert compare(run(*cast, longer), *cast).ids == 3
    elsewhere = Actor(walk(400, 200, 40), 3, first=40, end=43)
    assert compare(run(*cast, elsewhere), *cast).ids == 3


def test_a_track_goes_on_where_something_moves() -> None:
    actor = Actor(walk(300, 300, 40), 1, first=30, end=60)

    def covered(frame: int, boxes: np.ndarray) -> np.ndarray:
        return np.full(len(boxes), 1.0 if 20 <= frame < 70 else 0.0)

    found = run(actor, covered=covered)
    assert (found.frame[0], found.frame[-1]) == (20, 69)
    assert (found.how[found.frame < 30] == EXTENDED).all()


def test_a_track_goes_on_over_the_border() -> None:
    actor = Actor(walk(560, 300, 60), 1, end=27)  # lost at x = 622, out at x = 656
    found = run(actor)
    assert 35 <= found.frame[-1] <= 42
    assert (found.box[:, 0] + found.box[:, 2] <= SIZE[0] + 3).all()
    stands = Actor(walk(622, 300), 1, end=27)
    assert run(stands).frame[-1] == 26


def test_labels_are_voted_for() -> None:
    way = walk(200, 300, 40)
    cast = (
        Actor(way, 1, end=60, label="car", score=0.7),
        Actor(way, 1, first=60, end=90, label="truck", score=0.9),
    )
    found = run(*cast)
    assert found.labels == ("car",)
    assert set(found.label) == {0}


def test_what_moves_takes_the_name_of_what_it_turns_out_to_be() -> None:
    way = walk(150, 300, 60)
    found = run(
        Actor(way, 1, end=70, label=UNKNOWN, score=0.5),
        Actor(way, 1, first=70, label="person", score=0.55),
    )
    assert found.labels == ("person",)
    assert found.frame[0] == 0
    alone = run(Actor(way, 1, label=UNKNOWN, score=0.4))
    assert alone.labels == (UNKNOWN,)


def test_a_blob_over_two_people_is_nobody_else() -> None:
    cast = (Actor(walk(200, 300, 40), 1), Actor(walk(240, 303, 40), 2))
    blob = Actor(walk(220, 306, 40), 3, first=30, end=60, height=150, label=UNKNOWN, score=0.9)
    score = compare(run(*cast, blob), *cast)
    assert score.ids == 2
    assert score.idf1 >= 0.97


@pytest.mark.parametrize("every", [2, 5])
def test_frames_between_are_filled(every: int) -> None:
    cast = (Actor(walk(100, 300, 60), 1), Actor(walk(420, 200, -60), 2))
    found = track(detect(cast, every=every), SIZE, RATE, 100, every=every)
    check(found, 100)
    assert compare(found, *cast).idf1 >= 0.98
    assert (found.how[found.frame % every != 0] != SEEN).all()


def test_half_the_rate_gives_the_same_people() -> None:
    cast = (
        Actor(walk(100, 300, 80), 1),
        Actor(walk(420, 304, -80), 2),
        Actor(walk(300, 200, 30), 3, hidden=((30, 60),)),
    )
    halved = [
        Actor(a.way, a.look, 0, 50, hidden=tuple((x // 2, y // 2) for x, y in a.hidden))
        for a in cast
    ]
    found = track(detect(halved, 50, rate=RATE / 2), SIZE, RATE / 2, 50)
    score = compare(found, *halved, frames=50, rate=RATE / 2)
    assert score.ids == 3
    assert score.idf1 >= 0.95


def test_nobody() -> None:
    assert len(track([], SIZE, RATE, 10)) == 0
    nothing = [Found(i, no_detections(), np.zeros((0, 48), np.uint8)) for i in range(5)]
    assert len(track(nothing, SIZE, RATE, 5)) == 0


def test_one_frame() -> None:
    found = run(Actor(walk(200, 300), 1, end=1), frames=1)
    check(found, 1)
    assert len(found) == 1


def test_frames_out_of_order() -> None:
    with pytest.raises(ElementsError, match="in order"):
        track(reversed(list(detect([Actor(walk(200, 300), 1)]))), SIZE, RATE, 100)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trackers", None)
    with pytest.raises(MissingExtraError, match=r"videodp\[detect\]"):
        run(Actor(walk(200, 300), 1))


number = st.floats(-50, 700, allow_nan=False, width=32)
side = st.floats(1, 200, allow_nan=False, width=32)
detection = st.tuples(number, number, side, side, st.floats(0, 1, width=32), st.integers(0, 3))


@given(
    st.lists(st.lists(detection, max_size=5), max_size=12),
    st.sampled_from([1, 3]),
    st.sampled_from([1, 7, 30]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_any_input(
    frames: list[list[tuple[float, ...]]], every: int, rate: int, looks: bool
) -> None:
    """In order, nobody twice, no gap, one label each; and the same again."""

    def found():
        for i, rows in enumerate(frames):
            table = np.array(rows).reshape(-1, 6)
            labels = tuple(("person", "car", UNKNOWN, "bus")[int(code)] for code in table[:, 5])
            yield Found(
                i * every,
                Detections(table[:, :4], table[:, 4].astype(np.float32), labels),
                np.ones((len(rows), 48 if looks else 0), np.uint8),
            )

    length = max(1, len(frames) * every)
    once = track(found(), SIZE, rate, length, every=every)
    check(once, length)
    again = track(found(), SIZE, rate, length, every=every)
    assert once.labels == again.labels
    for name in ("frame", "id", "box", "score", "label", "look", "how"):
        np.testing.assert_array_equal(getattr(once, name), getattr(again, name))
