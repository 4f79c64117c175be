"""Things happen in a scene: people walk, pause, cross and hide each other; cars drive and stop."""

import itertools

import numpy as np
import pytest

from videodp.scenes import SceneSpec, paint


def tracks(spec: SceneSpec, step: int = 1) -> tuple[dict[int, dict[int, tuple]], list[int]]:
    """Boxes and visibility by identity and frame, and how many are in each frame."""
    ways: dict[int, dict[int, tuple]] = {}
    counts = []
    scene = paint(spec)
    for index in range(0, spec.frames, step):
        shown = scene.frame(index).shown
        counts.append(len(shown))
        for s in shown:
            ways.setdefault(s.id, {})[index] = (*s.box, s.visible, s.label)
    return ways, counts


@pytest.fixture(scope="module")
def plaza() -> tuple[dict[int, dict[int, tuple]], list[int]]:
    return tracks(SceneSpec(480, 270, 300, people=24, vehicles=0, seed=7))


def centre(box: tuple) -> float:
    return box[0] + box[2] / 2


def inner(way: dict[int, tuple], width: int = 480) -> list[tuple]:
    """The boxes that the picture's border does not cut."""
    return [b for b in way.values() if b[0] > 0 and b[0] + b[2] < width]


def test_a_short_scene_is_full(plaza: tuple) -> None:
    counts = plaza[1]
    assert min(counts) >= 12
    assert 15 <= np.median(counts) <= 24


def test_people_go_both_ways(plaza: tuple) -> None:
    ways = [w for w in map(inner, plaza[0].values()) if len(w) > 20]
    moved = [centre(way[-1]) - centre(way[0]) for way in ways]
    assert sum(m > 30 for m in moved) >= 4
    assert sum(m < -30 for m in moved) >= 4


def test_legs_move(plaza: tuple) -> None:
    # Somebody who walks is now wide (a full step) and now narrow (legs together).
    ways = [inner(way) for way in plaza[0].values()]
    change = [max(b[2] for b in w) / min(b[2] for b in w) for w in ways if len(w) > 50]
    assert np.median(change) > 1.4


def test_some_pause_and_go_on(plaza: tuple) -> None:
    paused = 0
    for way in plaza[0].values():
        at = np.array([centre(b) for b in inner(way)])
        still = np.abs(at[15:] - at[:-15]) < 2
        paused += int(still.any() and not still.all())
    assert paused >= 3


def test_people_hide_each_other(plaza: tuple) -> None:
    hidden = [way for way in plaza[0].values() if min(b[4] for b in way.values()) < 0.5]
    assert len(hidden) >= 5


def test_people_walk_in_groups(plaza: tuple) -> None:
    # Two who stay near each other for as long as both are there.
    ways = plaza[0]
    close = 0
    for a in ways:
        common = [(ways[a][f], ways[a + 1][f]) for f in ways[a] if f in ways.get(a + 1, {})]
        apart = [abs(centre(p) - centre(q)) / p[3] for p, q in common if min(p[0], q[0]) > 0]
        close += int(len(apart) > 60 and max(apart) < 1.5)
    assert close >= 2


def test_some_come_and_some_leave() -> None:
    ways, counts = tracks(SceneSpec(320, 180, 1050, people=83, vehicles=0, seed=1), step=10)
    come = [way for way in ways.values() if min(way) > 100]
    leave = [way for way in ways.values() if max(way) < 900]
    assert len(ways) == 83
    assert len(come) > 30
    assert len(leave) > 30
    assert 15 <= np.median(counts) <= 40


def test_a_highway_flows_both_ways_and_nobody_collides() -> None:
    spec = SceneSpec(640, 360, 540, people=0, vehicles=115, seed=2)
    ways, counts = tracks(spec, step=9)
    assert len(ways) == 115
    assert 10 <= np.median(counts) <= 30
    seconds = [len(way) * 9 / 25 for way in ways.values()]
    assert 1.5 <= np.median(seconds) <= 6
    moved = [centre(list(w.values())[-1]) - centre(next(iter(w.values()))) for w in ways.values()]
    assert sum(m > 100 for m in moved) > 35
    assert sum(m < -100 for m in moved) > 35
    collisions = 0
    for index in range(0, 540, 27):
        lane: dict[int, list[tuple]] = {}
        for way in ways.values():
            if index in way:
                lane.setdefault(round((way[index][1] + way[index][3]) / 12), []).append(way[index])
        for row in lane.values():
            row.sort()
            collisions += sum(a[0] + a[2] > b[0] for a, b in itertools.pairwise(row))
    assert collisions == 0


def test_some_vehicles_stop_and_some_people_cross_the_road() -> None:
    ways, _ = tracks(SceneSpec(480, 270, 450, people=24, vehicles=6, seed=4), step=5)
    stopped = crossed = 0
    for way in ways.values():
        boxes = inner(way)
        at = np.array([centre(b) for b in boxes])
        feet = np.array([b[1] + b[3] for b in boxes])
        if not boxes:
            continue
        if boxes[0][5] == "person":
            crossed += int(np.ptp(feet) > 0.25 * 270)
        elif len(at) > 5:
            stopped += int((np.abs(np.diff(at)) < 1).any() and np.ptp(at) > 50)
    assert stopped >= 2
    assert crossed >= 2


def test_who_is_further_away_is_smaller(plaza: tuple) -> None:
    boxes = [b for way in plaza[0].values() for b in inner(way)]
    feet = np.array([b[1] + b[3] for b in boxes])
    tall = np.array([b[3] for b in boxes])
    assert np.corrcoef(feet, tall)[0, 1] > 0.8
