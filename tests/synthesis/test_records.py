"""Records against a slow look at every box."""

import numpy as np

from synthesis.people import FRAMES, RATE, SIZE, walkers
from videodp.elements import load_elements, write_mot
from videodp.synthesis.boxes import elements_of
from videodp.synthesis.model import Actor, Population
from videodp.synthesis.records import cells_of, records_of


def test_boxes_of_a_population_are_those_of_its_actors() -> None:
    made = walkers(40)
    elements = elements_of(made)
    seen = list(elements.frames(0, 700))
    assert [frame.frame for frame in seen] == list(range(700))
    for actor in made.actors[::7]:
        for t in range(actor.first, actor.last + 1, 13):
            (row,) = np.flatnonzero(seen[t].ids == actor.id)
            x, foot, width, height = actor.at(np.array([t]))[0]
            assert np.allclose(seen[t].boxes[row], [x - width / 2, foot - height, width, height])
    assert sum(len(frame) for frame in seen) == sum(track.frames for track in elements.tracks)


def test_boxes_survive_a_file(tmp_path) -> None:
    elements = elements_of(walkers(3))
    write_mot(tmp_path / "made.txt", elements.frames(0, FRAMES), FRAMES)
    again = load_elements(tmp_path / "made.txt")
    assert [track.frames for track in again.tracks] == [track.frames for track in elements.tracks]


def test_records_are_what_a_slow_look_finds() -> None:
    made = walkers(12)
    records = records_of(elements_of(made), SIZE, FRAMES, RATE, (16, 9))
    assert len(records) == 12
    for i, actor in enumerate(made.actors):
        spots = actor.at(np.arange(actor.first, actor.last + 1))
        assert (records.first[i], records.last[i]) == (actor.first, actor.last)
        assert np.allclose(records.entry[i], spots[0, :2])
        assert np.allclose(records.exit[i], spots[-1, :2])
        assert np.isclose(records.foot[i], spots[:, 1].mean())
        assert np.isclose(records.height[i], np.exp(np.log(spots[:, 3]).mean()))
        visits = np.zeros(144, int)
        for x, foot in spots[:, :2]:
            column = min(max(int(x / SIZE[0] * 16), 0), 15)
            visits[min(max(int(foot / SIZE[1] * 9), 0), 8) * 16 + column] += 1
        assert np.array_equal(records.visits[i], visits)
        # 650 pixels in 6 seconds at 60 to 70 pixels of height.
        assert 1.5 < records.speed[i] < 1.8
        assert records.standing[i] == 0


def test_who_stands_half_the_time_stands_half_the_time() -> None:
    knots = np.array(
        [[0, 100, 200, 20, 60], [100, 200, 200, 20, 60], [200, 200, 200, 20, 60]], np.float64
    )
    made = Population(SIZE, FRAMES, RATE, (Actor(1, "person", knots),))
    records = records_of(elements_of(made), SIZE, FRAMES, RATE, (16, 9))
    assert abs(records.standing[0] - 0.5) < 0.07
    assert abs(records.speed[0] - 100 / 60 / 4) < 0.05


def test_one_track_does_not_change_the_record_of_another() -> None:
    many, few = walkers(5), walkers(4)
    a = records_of(elements_of(many), SIZE, FRAMES, RATE, (16, 9)).take(np.arange(4))
    b = records_of(elements_of(few), SIZE, FRAMES, RATE, (16, 9))
    for name in ("first", "last", "entry", "exit", "height", "speed", "standing", "visits"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name


def test_places_outside_count_where_they_are_nearest() -> None:
    points = np.array([[-50.0, -1.0], [1e30, 1e30], [np.nan, 359.9], [np.inf, -np.inf]])
    assert cells_of(points, SIZE, (16, 9)).tolist() == [0, 143, 128, 15]
