"""Each query of elements equals what is counted by hand."""

import numpy as np
import pytest

from videodp.errors import UsageError
from videodp.queries import (
    Ground,
    Line,
    Zone,
    ask,
    count,
    density,
    density_map,
    dwell,
    heatmap,
    occupancy,
    speed,
    stay,
    stay_times,
)

from .rows import footage_of_rows, walk

# 1: frames 0 to 4, to the right. 2: a car in frames 2 and 4, up. 3: a dog in frame 1.
ROWS = [
    *walk(1, {t: (10.0 + 10 * t, 50.0) for t in range(5)}),
    *walk(2, {2: (80.0, 90.0), 4: (80.0, 70.0)}, "car"),
    *walk(3, {1: (30.0, 30.0)}, "dog"),
]
LEFT = Zone(((0, 0), (35, 0), (35, 100), (0, 100)))


def test_count() -> None:
    assert count(footage_of_rows(ROWS, 6)).to_pydict() == {
        "frame": [0, 1, 2, 3, 4, 5],
        "time": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5],
        "people": [1, 1, 1, 1, 1, 0],
        "vehicles": [0, 0, 1, 0, 1, 0],
        "elements": [1, 2, 2, 1, 2, 0],
    }


def test_count_of_some_frames_and_labels() -> None:
    answer = count(footage_of_rows(ROWS, 6, frames=(2, 5), labels={"car"}))
    assert answer["frame"].to_pylist() == [2, 3, 4]
    assert answer["people"].to_pylist() == [0, 0, 0]
    assert answer["elements"].to_pylist() == [1, 0, 1]


def test_boxes_without_identity_are_counted_but_never_followed() -> None:
    rows = [(t, -1, "person", 10.0 * k, 10.0 * t, 5.0, 5.0) for t in range(4) for k in range(3)]
    footage = footage_of_rows(rows, 4)
    assert count(footage)["people"].to_pylist() == [3, 3, 3, 3]
    line = Line((0, 20), (100, 20))
    for name, more in (
        ("stay", {}),
        ("speed", {}),
        ("direction", {}),
        ("crossings", {"line": line}),
        ("crossing-events", {"line": line}),
        ("dwell", {"zone": LEFT}),
    ):
        assert len(ask(footage, name, **more)) == 0, name


def test_density() -> None:
    answer = density(footage_of_rows(ROWS, 6))
    assert answer["people"].to_pylist() == [1, 1, 1, 1, 1, 0]
    assert answer["per_megapixel"].to_pylist() == [100.0] * 5 + [0.0]


def test_density_on_the_ground_counts_between_the_reference_points() -> None:
    corners = ((0, 0), (35, 0), (35, 100), (0, 100))
    ground = Ground(corners, ((0, 0), (2, 0), (2, 5), (0, 5)))
    answer = density(footage_of_rows(ROWS, 6), ground=ground)
    assert answer["people"].to_pylist() == [1, 1, 1, 0, 0, 0]
    assert answer["per_square_metre"].to_pylist() == pytest.approx([0.1] * 3 + [0.0] * 3)


def test_density_map() -> None:
    answer = density_map(footage_of_rows(ROWS, 5), grid=(2, 1))
    assert answer["people"].to_pylist() == [0.8, 0.2]  # 10, 20, 30, 40; 50 begins the second
    assert answer["most"].to_pylist() == [1, 1]
    assert answer["per_megapixel"].to_pylist() == pytest.approx([160.0, 40.0])


def test_heatmap() -> None:
    answer = heatmap(footage_of_rows(ROWS, 5), grid=(2, 2))
    # Feet: 1 at y 50, which is the lower half; 2 below right; 3 above left.
    assert answer["sightings"].to_pylist() == [1, 0, 4, 3]
    assert answer["elements"].to_pylist() == [1, 0, 1, 2]
    assert answer["x"].to_pylist() == [0, 50, 0, 50]
    assert answer["row"].to_pylist() == [0, 0, 1, 1]


def test_feet_on_the_edge_of_the_picture_are_in_it_and_others_are_not() -> None:
    rows = walk(1, {0: (100.0, 100.0), 1: (101.0, 50.0), 2: (0.0, 0.0)})
    assert heatmap(footage_of_rows(rows, 3), grid=(2, 2))["sightings"].to_pylist() == [1, 0, 0, 1]


def test_stay_is_ranked_and_counts_hidden_moments() -> None:
    assert stay(footage_of_rows(ROWS, 6)).to_pylist() == [
        {"id": 3, "label": "dog", "first": 1, "last": 1, "frames": 1, "seconds": 0.1},
        {
            "id": 2,
            "label": "car",
            "first": 2,
            "last": 4,
            "frames": 2,
            "seconds": pytest.approx(0.3),
        },
        {"id": 1, "label": "person", "first": 0, "last": 4, "frames": 5, "seconds": 0.5},
    ]


def test_stay_within_some_frames() -> None:
    answer = stay(footage_of_rows(ROWS, 6, frames=(3, 6), labels=["person", "dog"]))
    assert answer.to_pylist() == [
        {
            "id": 1,
            "label": "person",
            "first": 3,
            "last": 4,
            "frames": 2,
            "seconds": pytest.approx(0.2),
        }
    ]


def test_stay_times() -> None:
    answer = stay_times(footage_of_rows(ROWS, 6, rate=None), bins=5)
    assert answer["low"].to_pylist() == [0, 1, 2, 3, 4]
    assert answer["high"].to_pylist() == [1, 2, 3, 4, 5]
    assert answer["elements"].to_pylist() == [1, 0, 1, 0, 1]


def test_occupancy_and_dwell() -> None:
    footage = footage_of_rows(ROWS, 6)
    assert occupancy(footage, zone=LEFT)["elements"].to_pylist() == [1, 2, 1, 0, 0, 0]
    assert dwell(footage, zone=LEFT).to_pylist() == [
        {
            **{"id": 1, "label": "person", "first": 0, "last": 2, "visits": 1, "frames": 3},
            "seconds": pytest.approx(0.3),
        },
        {
            **{"id": 3, "label": "dog", "first": 1, "last": 1, "visits": 1, "frames": 1},
            "seconds": pytest.approx(0.1),
        },
    ]


def test_flicker_in_a_zone_is_one_visit_and_coming_back_is_another() -> None:
    inside, outside = (20.0, 50.0), (60.0, 50.0)
    feet = {0: inside, 3: inside, 4: outside, 5: inside, 6: inside}
    answer = dwell(footage_of_rows(walk(1, feet), 8), zone=LEFT).to_pylist()
    assert [(row["visits"], row["frames"]) for row in answer] == [(2, 4)]


def test_speed_in_pixels() -> None:
    rows = walk(1, {t: (10.0 + 3 * t, 20.0 + 4 * t) for t in range(13)})
    assert speed(footage_of_rows(rows, 13)).to_pylist() == [
        {
            "id": 1,
            "label": "person",
            "seconds": pytest.approx(1.2),
            "distance": pytest.approx(60),
            "speed": pytest.approx(50),
            "fastest": pytest.approx(50),
            "unit": "px",
        }
    ]


def test_a_trembling_box_is_not_fast() -> None:
    rows = walk(1, {t: (50.0 + t % 2, 50.0) for t in range(101)})
    answer = speed(footage_of_rows(rows, 101)).to_pylist()[0]
    assert answer["speed"] <= 2  # from frame to frame it would be 10


def test_speed_in_metres_on_a_slanted_ground() -> None:
    seen = ((40.0, 30.0), (60.0, 30.0), (100.0, 100.0), (0.0, 100.0))
    ground = Ground(seen, ((0, 40), (10, 40), (10, 0), (0, 0)))
    back = np.linalg.inv(_homography(ground))
    metres = [(5.0, 2.0 * t) for t in range(11)]  # 2 m in a tenth of a second
    feet = {t: _project(back, place) for t, place in enumerate(metres)}
    answer = speed(footage_of_rows(walk(1, feet), 11), ground=ground).to_pylist()[0]
    assert answer["distance"] == pytest.approx(20, rel=1e-5)
    assert answer["speed"] == pytest.approx(20, rel=1e-5)
    assert answer["unit"] == "m"


def _homography(ground: Ground) -> np.ndarray:
    """By solving the eight equations (Hartley and Zisserman, 4.1)."""
    rows, values = [], []
    for (x, y), (u, v) in zip(ground.seen, ground.true, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(values)), 1.0).reshape(3, 3)


def _project(matrix: np.ndarray, place: tuple[float, float]) -> tuple[float, float]:
    x, y, w = matrix @ np.array([*place, 1.0])
    return float(x / w), float(y / w)


def test_nobody_beyond_the_horizon() -> None:
    """Which goes through the corner of the picture here."""
    seen = ((40.0, 20.0), (60.0, 20.0), (100.0, 100.0), (0.0, 100.0))
    ground = Ground(seen, ((0, 40), (10, 40), (10, 0), (0, 0)))
    assert np.isnan(ground.metres(np.array([[50.0, -30.0]]))).all()
    rows = walk(1, {t: (50.0, -30.0 + t) for t in range(5)})
    assert len(speed(footage_of_rows(rows, 5), ground=ground)) == 0


def test_an_empty_answer_is_an_empty_table() -> None:
    footage = footage_of_rows([], 3)
    for name, more in (
        ("stay", {}),
        ("stay-times", {}),
        ("speed", {}),
        ("direction", {}),
        ("crossings", {"line": Line((0, 5), (9, 5))}),
        ("crossing-events", {"line": Line((0, 5), (9, 5))}),
        ("dwell", {"zone": LEFT}),
    ):
        answer = ask(footage, name, **more)
        assert len(answer) == 0, name
        assert answer.column_names, name
    assert count(footage)["people"].to_pylist() == [0, 0, 0]


def test_without_a_frame_rate_times_are_empty() -> None:
    footage = footage_of_rows(ROWS, 6, rate=None)
    assert count(footage)["time"].null_count == 6
    assert stay(footage)["seconds"].null_count == 3
    with pytest.raises(UsageError, match="a speed needs the frame rate"):
        speed(footage)


@pytest.mark.parametrize(
    ("name", "more", "match"),
    [
        ("cuont", {}, "there is no query 'cuont': did you mean count\\?"),
        ("xyz", {}, "there is no query 'xyz': use count, density"),
        ("count", {"line": Line((0, 0), (1, 1))}, "count takes no --line: leave it out"),
        ("crossings", {}, "crossings needs --line: give --line x0,y0,x1,y1"),
        ("dwell", {}, "dwell needs --zone"),
        ("crossings", {"line": Line((0, 0), (300, 0))}, "outside the picture of 100x100"),
        ("occupancy", {"zone": Zone(((0, 0), (9, 0), (9, 101)))}, "outside the picture of 100x100"),
        ("heatmap", {"grid": (0, 4)}, "a grid has 1 to 512 columns and rows, not 0x4"),
        ("heatmap", {"grid": (4, 999)}, "a grid has 1 to 512"),
        ("stay-times", {"bins": 0}, "stay times need 1 to 10000 bins, not 0"),
        ("direction", {"axis": "z"}, "there is no axis 'z': use x or y"),
        ("histogram", {}, "holds no pictures: give the video itself"),
        ("match", {}, "match needs --truth"),
    ],
)
def test_wrong_use(name: str, more: dict[str, object], match: str) -> None:
    footage = footage_of_rows(ROWS, 6)
    with pytest.raises(UsageError, match=match) as error:
        ask(footage, name, **more)
    assert "\n" not in str(error.value)


def test_size_must_be_known_for_a_map() -> None:
    with pytest.raises(UsageError, match="does not tell the size"):
        heatmap(footage_of_rows(ROWS, 6, size=None))


def test_frames_must_be_there() -> None:
    with pytest.raises(UsageError, match="frames 0 to 6 are not there: there are 6 frames"):
        footage_of_rows(ROWS, 6, frames=(0, 7))
