"""Boxes that are not sound go; of boxes that show the same thing the best stays."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from videodp.elements.detect import Detections
from videodp.elements.detect.boxes import MOST_BOXES, distinct, merged, sound


def overlap(a: list[float], b: list[float]) -> float:
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(0.0, w) * max(0.0, h)
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def naive_distinct(
    boxes: list[list[float]], scores: list[float], kinds: list[int], limit: float
) -> list[int]:
    kept: list[int] = []
    for i in sorted(range(len(boxes)), key=lambda i: -scores[i]):
        if all(kinds[i] != kinds[j] or overlap(boxes[i], boxes[j]) <= limit for j in kept):
            kept.append(i)
    return kept


@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.sampled_from([0.3, 0.5, 0.65]))
def test_distinct_is_what_it_says(seed: int, n: int, limit: float) -> None:
    rng = np.random.default_rng(seed)
    boxes = np.hstack((rng.uniform(-60, 60, (n, 2)), rng.uniform(20, 60, (n, 2))))
    scores = rng.permutation(np.linspace(0.1, 1, n)) if n else np.zeros(0)
    kinds = rng.integers(0, 3, n)
    expected = naive_distinct(boxes.tolist(), scores.tolist(), kinds.tolist(), limit)
    assert distinct(boxes, scores, kinds, limit).tolist() == expected


def test_kinds_stay_apart_at_opposite_borders() -> None:
    """Also where boxes reach out of the frame."""
    boxes = np.array([[600, 50, 40, 90], [-34, 50, 40, 90]], float)
    assert distinct(boxes, np.array([0.9, 0.8]), np.array([0, 1]), 0.5).tolist() == [0, 1]
    assert distinct(boxes, np.array([0.9, 0.8]), np.array([1, 0]), 0.5).tolist() == [0, 1]


def test_equal_scores_keep_their_order() -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 0, 10, 10], [50, 0, 10, 10]], float)
    assert distinct(boxes, np.full(3, 0.5), np.zeros(3, int), 0.5).tolist() == [0, 2]


def test_no_more_than_the_best_are_compared() -> None:
    n = MOST_BOXES + 50
    boxes = np.stack((np.arange(n) * 20.0, np.zeros(n), np.full(n, 9.0), np.full(n, 9.0)), axis=1)
    kept = distinct(boxes, np.linspace(0.1, 0.9, n), np.zeros(n, int), 0.5)
    assert kept.tolist() == list(range(n - 1, 49, -1))


def test_sound() -> None:
    boxes = np.array(
        [
            [0, 0, 5, 5],
            [-4, -4, 5, 5],  # reaches in
            [-5, 0, 5, 5],  # ends at the border
            [20, 0, 5, 5],  # begins behind it
            [0, 10, 5, 5],
            [0, 0, 0, 5],
            [0, 0, 5, -1],
            [np.nan, 0, 5, 5],
            [0, 0, np.inf, 5],
        ]
    )
    assert sound(boxes, 20, 10).tolist() == [True, True, *[False] * 7]


def found(*rows: tuple[float, str]) -> Detections:
    """Boxes at one place, with these scores and labels."""
    return Detections(
        np.tile([5.0, 5.0, 10.0, 20.0], (len(rows), 1)),
        np.array([score for score, _ in rows], np.float32),
        tuple(label for _, label in rows),
    )


def test_a_vehicle_is_not_a_car_and_a_truck() -> None:
    both = merged([found((0.4, "car"), (0.3, "person")), found((0.6, "truck"), (0.2, "bus"))], 0.5)
    assert both.labels == ("truck", "person")
    assert both.scores.tolist() == np.float32([0.6, 0.3]).tolist()


def test_merging_nothing() -> None:
    assert len(merged([found(), found()], 0.5)) == 0
    assert merged([], 0.5).boxes.shape == (0, 4)
