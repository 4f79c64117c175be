"""Lines, zones, regions and the ground."""

import numpy as np
import pytest
import supervision as sv

from videodp.errors import UsageError
from videodp.queries import Ground, Line, Region, Zone

SQUARE = ((10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0))


def test_zone_holds() -> None:
    star = Zone(((10, 10), (50, 30), (10, 50), (25, 30)))  # with a notch on the left
    points = np.array([[30, 30], [12, 30], [26, 30], [20, 20], [60, 30], [10, 9]], float)
    assert star.holds(points).tolist() == [True, False, True, True, False, False]


def test_zones_that_touch_share_nobody() -> None:
    left, right = (
        Zone(((0, 0), (20, 0), (20, 40), (0, 40))),
        Zone(((20, 0), (40, 0), (40, 40), (20, 40))),
    )
    points = np.stack(np.meshgrid(np.arange(40.0), np.arange(40.0)), axis=-1).reshape(-1, 2)
    assert np.all(left.holds(points) ^ right.holds(points))


def test_the_same_as_supervision_away_from_the_edge() -> None:
    rng = np.random.default_rng(0)
    polygon = np.array([[20, 15], [180, 40], [150, 120], [90, 70], [40, 130]])
    points = rng.uniform(0, 200, (4000, 2)).round()
    boxes = np.column_stack([points[:, 0] - 4, points[:, 1] - 9, points[:, 0] + 4, points[:, 1]])
    theirs = sv.PolygonZone(polygon, triggering_anchors=[sv.Position.BOTTOM_CENTER])
    found = theirs.trigger(sv.Detections(xyxy=boxes))
    ours = Zone(tuple(map(tuple, polygon.astype(float).tolist()))).holds(points)
    ends = np.roll(polygon, -1, axis=0)
    far = np.min([_distance(points, a, b) for a, b in zip(polygon, ends, strict=True)], axis=0) > 2
    assert far.sum() > 3000
    assert np.array_equal(found[far], ours[far])


def _distance(points: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    share = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return np.asarray(np.hypot(*(points - a - share[:, None] * (b - a)).T))


def test_measure() -> None:
    across, along = Line((0, 10), (20, 10)).measure(np.array([[5.0, 13.0], [30.0, 4.0]]))
    assert across.tolist() == [3, -6]
    assert along.tolist() == [0.25, 1.5]


def test_metres() -> None:
    ground = Ground(SQUARE, ((0, 0), (4, 0), (4, 4), (0, 4)))
    assert ground.metres(np.array([[30.0, 20.0]])) == pytest.approx(np.array([[2.0, 1.0]]))
    assert ground.area == pytest.approx(16)


def test_the_order_of_reference_points_does_not_matter() -> None:
    ground = Ground(SQUARE, ((0, 0), (4, 0), (4, 4), (0, 4)))
    swapped = Ground((SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]), ((0, 0), (4, 4), (4, 0), (0, 4)))
    assert swapped.area == pytest.approx(ground.area)
    assert swapped.zone.holds(np.array([[30.0, 11.0]])).all()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Line((1, 1), (1, 1)), "two different points"),
        (lambda: Line((1, float("nan")), (1, 1)), "two numbers"),
        (lambda: Zone(((0, 0), (1, 1))), "three corners"),
        (lambda: Zone(((0, 0), (1, 1), (2, 2))), "three corners with an area"),
        (lambda: Region(0, 0, 0, 4), "has no pixels"),
        (lambda: Region(-1, 0, 4, 4).inside((10, 10)), "outside the picture of 10x10"),
        (lambda: Region(8, 0, 4, 4).inside((10, 10)), "reaches to 12,4, outside the picture"),
        (lambda: Ground(SQUARE, ((0, 0), (1, 1), (2, 2), (0, 4))), "on one line in the ground"),
        (lambda: Ground((*SQUARE[:3], SQUARE[0]), SQUARE), "on one line in the picture"),
    ],
)
def test_refused(make, match: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=match):
        make()
