"""What a box may claim, and lines that are closed, against loops."""

from itertools import pairwise

import numpy as np
import pytest

from videodp.kernels.bodies import BOX, CORE, DRAWN, MINE, claim, keep_central, span_lines


def _claims(boxes, i, x0, y0, shape) -> np.ndarray:
    out = np.zeros(shape, np.uint8)
    claim(np.array(boxes, np.float64), i, x0, y0, out)
    return out


@pytest.mark.parametrize("seed", range(6))
def test_boxes_and_cores(seed: int) -> None:
    rng = np.random.default_rng(seed)
    boxes = np.column_stack([rng.uniform(0, 15, (4, 2)), rng.uniform(1, 14, (4, 2))])
    flags = _claims(boxes, 1, 3, 2, (20, 18))
    x, y, w, h = boxes[1]
    for line in range(20):
        for column in range(18):
            a, b = column + 3, line + 2
            inside = a + 1 > x and a < x + w and b + 1 > y and b < y + h
            u, v = 2 * (a + 0.5 - x) / w - 1, 2 * (b + 0.5 - y) / h - 1
            others = any(
                p <= a + 0.5 < p + r and q <= b + 0.5 < q + s for p, q, r, s in boxes[[0, 2, 3]]
            )
            flag = int(flags[line, column])
            assert bool(flag & BOX) == inside
            assert bool(flag & CORE) == (u * u + v * v <= 1)
            assert bool(flag & MINE) == (inside or not others)
            assert flag & MINE or not flag & DRAWN


def test_one_in_front_leaves_what_is_beside_its_body() -> None:
    person, car = (20, 10, 10, 40), (0, 20, 60, 20)
    before = _claims([person, car], 0, 20, 10, (40, 10)) & DRAWN
    assert before[20, 5]  # its body
    assert before[2, 0]  # above the car
    assert not before[20, 0]  # the car beside its shoulder
    behind = _claims([person, car], 1, 0, 20, (20, 60)) & DRAWN
    assert behind.all()


def test_side_by_side_each_gets_its_half() -> None:
    left, right = (0, 0, 10, 30), (6, 0, 10, 30)
    one = _claims([left, right], 0, 0, 0, (30, 16)) & DRAWN > 0
    two = _claims([left, right], 1, 0, 0, (30, 16)) & DRAWN > 0
    assert not (one & two)[:, 6:7].any()
    assert one[15, 7]
    assert two[15, 8]
    assert (one | two)[:, :16].all()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("reach", "gap"), [(1, 3), (2, 0), (3, 6)])
def test_gaps_are_closed(seed: int, reach: int, gap: int) -> None:
    rng = np.random.default_rng(seed)
    mask = (rng.random((9, 14)) < 0.08).astype(np.uint8)
    flags = np.where(rng.random((9, 14)) < 0.5, CORE, BOX).astype(np.uint8)
    out = np.full((9, 14), 7, np.uint8)
    span_lines(mask, flags, reach, gap, out)
    for y in range(9):
        held = mask[max(0, y - reach) : y + reach + 1].any(axis=0)
        at = np.flatnonzero(held)
        expected = held.copy()
        for a, b in pairwise(at):
            if b - a - 1 <= gap:
                expected[a:b] = True
        if not at.size:
            expected = flags[y] == CORE
        assert (out[y] > 0).tolist() == expected.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_parts_that_reach_into_the_core(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 5, (7, 8)).astype(np.uint16)
    flags = np.where(rng.random((7, 8)) < 0.05, CORE | BOX, MINE).astype(np.uint8)
    out = np.full((7, 8), 9, np.uint8)
    told = keep_central(labels, flags, 5, out)
    core = (flags & CORE) > 0
    kept = set(labels[core].tolist()) - {0}
    assert (out > 0).tolist() == np.isin(labels, sorted(kept)).tolist()
    assert told == pytest.approx((labels[core] > 0).mean() if core.any() else 0.0)
