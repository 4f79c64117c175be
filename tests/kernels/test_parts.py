"""Parts of a picture, measured one by one."""

import numpy as np
import pytest

from videodp.kernels.parts import join_boxes, measure_parts


@pytest.mark.parametrize("seed", range(4))
def test_each_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.choice(6, (9, 14), p=[0.5, 0.3, 0.1, 0.05, 0.05, 0]).astype(np.int32)
    marks = rng.integers(0, 2, labels.shape).astype(np.uint8)
    bounds = np.full((6, 4), -7, np.int64)
    sizes, marked = np.full((2, 6), -7, np.int64)
    measure_parts(labels, marks, bounds, sizes, marked)
    for part in range(1, 6):
        lines, columns = np.nonzero(labels == part)
        assert sizes[part] == len(lines)
        assert marked[part] == marks[labels == part].sum()
        if len(lines):
            box = columns.min(), lines.min(), columns.max() + 1, lines.max() + 1
            assert tuple(bounds[part]) == box
    assert sizes[0] == marked[0] == 0


def _joined(boxes, gap, tall):
    """Slow: the first two that fit become one, from the beginning, until none do."""
    left = {i: (box, [i]) for i, box in enumerate(np.asarray(boxes).tolist())}
    while True:
        for i, j in ((i, j) for i in left for j in left if i < j):
            (x, y, w, h), (a, b, v, t) = left[i][0], left[j][0]
            right, bottom = max(x + w, a + v), max(y + h, b + t)
            one = (min(x, a), min(y, b), right - min(x, a), bottom - min(y, b))
            shared = min(x + w, a + v) - max(x, a)
            above = max(y, b) - min(y + h, b + t) <= gap * max(h, t)
            slim = one[3] <= tall * one[2] and one[2] <= 1.5 * max(w, v)
            if above and slim and shared >= 0.5 * min(w, v):
                left[i] = (one, left[i][1] + left.pop(j)[1])
                break
        else:
            groups = np.zeros(len(boxes), np.int64)
            for first, (_, members) in left.items():
                groups[members] = first
            return groups


@pytest.mark.parametrize("seed", range(12))
def test_boxes_are_joined_in_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    boxes = np.column_stack([rng.integers(0, 40, (14, 2)), rng.integers(2, 12, (14, 2))])
    groups = np.arange(14)
    join_boxes(boxes.copy(), groups, 0.35, 4.5)
    assert groups.tolist() == _joined(boxes, 0.35, 4.5).tolist()
    assert len(set(groups.tolist())) < 14
