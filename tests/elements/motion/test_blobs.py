"""Fragments become bodies, groups become people."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from videodp.elements.motion.blobs import join_fragments, split_group


def test_head_and_legs_are_one_body() -> None:
    boxes = np.array([[10, 10, 12, 20], [9, 34, 14, 24], [60, 10, 12, 40]])
    groups = join_fragments(boxes)
    assert groups[0] == groups[1] != groups[2]


def test_one_far_above_the_other_are_two() -> None:
    groups = join_fragments(np.array([[10, 10, 10, 20], [10, 60, 10, 20]]))
    assert groups[0] != groups[1]


def test_nobody() -> None:
    assert len(join_fragments(np.zeros((0, 4), np.int64))) == 0


def test_two_side_by_side_are_cut_between_them() -> None:
    body = np.zeros((40, 34), bool)
    body[:, 2:14] = body[:, 20:32] = True
    body[18:22] = True  # they hold hands
    parts = split_group(body)
    assert len(parts) == 2
    assert 13 <= parts[0][1] <= 20


def test_a_car_is_not_cut() -> None:
    body = np.zeros((30, 80), bool)
    body[14:28] = True
    body[2:14, 25:60] = True
    assert split_group(body) == [(0, 80)]


@given(st.integers(1, 40), st.integers(1, 90), st.integers(0, 10**6))
def test_parts_are_the_whole_patch(height: int, width: int, seed: int) -> None:
    body = np.random.default_rng(seed).random((height, width)) < 0.5
    parts = split_group(body)
    assert parts[0][0] == 0
    assert parts[-1][1] == width
    assert all(a[1] == b[0] for a, b in pairwise(parts))
    assert all(left < right for left, right in parts)
