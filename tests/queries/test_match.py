"""Precision, recall, MOTA and IDF1: by hand, and against every assignment there is."""

from itertools import permutations

import numpy as np
import pytest

from videodp.errors import UsageError
from videodp.queries import match

from .rows import Row, elements_of_rows, footage_of_rows, walk

STAY = {t: (20.0, 50.0) for t in range(4)}
GO = {t: (50.0 + 5 * t, 50.0) for t in range(4)}


def answer(truth: list[Row], found: list[Row], **more: float) -> dict[str, dict[str, object]]:
    footage = footage_of_rows(found, 4)
    table = match(footage, truth=elements_of_rows(truth, 4), **more)  # type: ignore[arg-type]
    return {row["label"]: row for row in table.to_pylist()}


def test_itself() -> None:
    rows = [*walk(1, STAY), *walk(2, GO, "car")]
    found = answer(rows, rows)
    assert list(found) == ["car", "person", "all"]
    for row in found.values():
        assert [row[c] for c in ("precision", "recall", "mota", "idf1")] == [1, 1, 1, 1]
        assert row["switches"] == 0


def test_by_hand() -> None:
    truth = [*walk(1, STAY), *walk(2, GO)]
    found = [
        *walk(7, {t: STAY[t] for t in (0, 1)}),
        *walk(8, {t: STAY[t] for t in (2, 3)}),  # a switch
        *walk(9, {t: GO[t] for t in (0, 1, 2)}),  # one missed
        *walk(5, {3: (90.0, 20.0)}),  # one false
    ]
    assert answer(truth, found)["all"] == {
        **{"label": "all", "truth": 8, "found": 8, "matched": 7, "switches": 1},
        "precision": pytest.approx(7 / 8),
        "recall": pytest.approx(7 / 8),
        "mota": pytest.approx(1 - 3 / 8),
        "idf1": pytest.approx(2 * 5 / 16),
    }


def test_labels_matter_except_for_all() -> None:
    found = answer(walk(1, STAY), walk(1, STAY, "car"))
    assert found["all"]["recall"] == 1
    assert (found["person"]["recall"], found["person"]["precision"]) == (0, None)
    assert (found["car"]["recall"], found["car"]["precision"]) == (None, 0)


def test_half_of_the_union_is_enough_and_less_is_not() -> None:
    truth = [(0, 1, "person", 0.0, 0.0, 30.0, 10.0)]
    assert answer(truth, [(0, 1, "person", 10.0, 0.0, 30.0, 10.0)])["all"]["matched"] == 1  # 20/40
    assert answer(truth, [(0, 1, "person", 10.1, 0.0, 30.0, 10.0)])["all"]["matched"] == 0
    assert answer(truth, [(0, 1, "person", 20.0, 0.0, 30.0, 10.0)], overlap=0.2)["all"]["matched"]


def test_without_anybody() -> None:
    row = answer([], [])["all"]
    assert (row["truth"], row["found"], row["precision"], row["mota"]) == (0, 0, None, None)


def test_boxes_without_identity_count_for_precision_only() -> None:
    row = answer(walk(1, STAY), walk(-1, STAY))["all"]
    assert (row["precision"], row["recall"], row["switches"], row["idf1"]) == (1, 1, 0, 0)


def test_overlap_is_a_share() -> None:
    with pytest.raises(UsageError, match="a share above 0, at most 1, not 0"):
        answer([], [], overlap=0)


@pytest.mark.parametrize("seed", range(8))
def test_idf1_is_that_of_the_best_assignment(seed: int) -> None:
    rng = np.random.default_rng(seed)
    spots = [(20.0 + 20 * i, 50.0) for i in range(4)]  # boxes on different spots never overlap
    where = {who: rng.integers(0, 4, 4) for who in ("truth", "found")}
    truth, found = [], []
    together = np.zeros((3, 3), int)
    for t in range(4):
        for name, rows in (("truth", truth), ("found", found)):
            for i in range(3):
                rows += walk(i, {t: spots[(where[name][t] + i) % 4]})
        for i in range(3):
            for j in range(3):
                together[i, j] += (where["truth"][t] + i - where["found"][t] - j) % 4 == 0
    best = max(sum(together[i, p[i]] for i in range(3)) for p in permutations(range(3)))
    assert answer(truth, found)["all"]["idf1"] == pytest.approx(2 * best / 24)


@pytest.mark.parametrize("seed", range(10))
def test_the_same_as_trackers(seed: int) -> None:
    """Crowds that overlap, flicker and change their ids."""
    evaluate = pytest.importorskip("trackers.eval")
    rng = np.random.default_rng(seed)
    truth, found = [], []
    for who in range(8):
        x, pace = rng.uniform(10, 60), rng.uniform(-2, 2)
        other = who
        for t in range(25):
            if rng.random() < 0.1:
                other = int(rng.integers(100, 200)) * 10 + who
            place = (x + pace * t, 50.0)
            if rng.random() < 0.9:
                truth += walk(who, {t: place}, side=20)
            if rng.random() < 0.8:
                shifted = (place[0] + rng.normal(0, 3), place[1] + rng.normal(0, 3))
                found += walk(other, {t: shifted}, side=20)
    row = match(footage_of_rows(found, 25), truth=elements_of_rows(truth, 25)).to_pylist()[-1]
    ids, likeness = {"truth": [], "found": []}, []
    for t in range(25):
        here = [[r for r in sorted(rows) if r[0] == t] for rows in (truth, found)]
        for name, rows in zip(ids, here, strict=True):
            ids[name].append(np.array([r[1] for r in rows], int))
        likeness.append(np.array([[_iou(a, b) for b in here[1]] for a in here[0]]))
        likeness[-1] = likeness[-1].reshape(len(here[0]), len(here[1]))
    clear = evaluate.compute_clear_metrics(ids["truth"], ids["found"], likeness)
    identity = evaluate.compute_identity_metrics(ids["truth"], ids["found"], likeness)
    assert row["mota"] == pytest.approx(clear["MOTA"])
    assert (row["matched"], row["switches"]) == (clear["CLR_TP"], clear["IDSW"])
    assert row["idf1"] == pytest.approx(identity["IDF1"])


def _iou(a: Row, b: Row) -> float:
    w = max(0.0, min(a[3] + a[5], b[3] + b[5]) - max(a[3], b[3]))
    h = max(0.0, min(a[4] + a[6], b[4] + b[6]) - max(a[4], b[4]))
    return w * h / (a[5] * a[6] + b[5] * b[6] - w * h)
