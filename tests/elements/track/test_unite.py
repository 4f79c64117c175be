"""Detected and moving boxes of one frame put together."""

import numpy as np

from videodp.elements.detect import Detections, no_detections
from videodp.elements.track import UNKNOWN, unite


def boxes(*rows: tuple[float, float, float, float], label: str = "person") -> Detections:
    table = np.array(rows, float).reshape(-1, 4)
    return Detections(table, np.full(len(rows), 0.5, np.float32), (label,) * len(rows))


def moving(*rows: tuple[float, float, float, float]) -> Detections:
    return boxes(*rows, label=UNKNOWN)


PERSON = (100, 100, 40, 100)


def test_nothing_moves_or_nothing_is_detected() -> None:
    assert len(unite(no_detections(), no_detections())) == 0
    assert unite(boxes(PERSON), no_detections()).labels == ("person",)
    assert unite(no_detections(), moving(PERSON)).labels == (UNKNOWN,)


def test_the_detected_box_wins_on_the_same_place() -> None:
    for box in ((100, 100, 40, 100), (95, 98, 52, 105), (100, 150, 40, 50), (110, 120, 10, 10)):
        united = unite(boxes(PERSON), moving(box))
        np.testing.assert_array_equal(united.boxes, [PERSON])


def test_what_moves_elsewhere_is_kept() -> None:
    united = unite(boxes(PERSON), moving((300, 100, 40, 100)))
    assert united.labels == ("person", UNKNOWN)
    np.testing.assert_array_equal(united.boxes[1], (300, 100, 40, 100))
    assert len(united.scores) == 2


def test_a_blob_over_two_detected_people_is_dropped() -> None:
    united = unite(boxes(PERSON, (145, 100, 40, 100)), moving((98, 95, 90, 110)))
    assert united.labels == ("person", "person")


def test_a_blob_over_one_detected_and_others_keeps_the_rest() -> None:
    united = unite(boxes(PERSON), moving((98, 95, 190, 110)))
    assert united.labels == ("person", UNKNOWN)
    np.testing.assert_allclose(united.boxes[1], (140, 95, 148, 110))


def test_order_does_not_matter_for_what_is_kept() -> None:
    blobs = [(300.0, 100.0, 40.0, 100.0), (98.0, 95.0, 190.0, 110.0), (101.0, 101.0, 40.0, 100.0)]
    one = unite(boxes(PERSON), moving(*blobs)).boxes.tolist()
    other = unite(boxes(PERSON), moving(*blobs[::-1])).boxes.tolist()
    assert sorted(one) == sorted(other)
