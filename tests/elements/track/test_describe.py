"""Looks: alike for one element, unlike for two."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from videodp.elements.track import describe
from videodp.elements.track.boxes import apart, clearness, overlap, share_inside

RED, GREEN, BLUE, GREY = (200, 40, 40), (40, 160, 60), (40, 50, 190), (128, 128, 128)


def dressed(shirt: tuple[int, ...], trousers: tuple[int, ...], light: float = 1.0) -> np.ndarray:
    rng = np.random.default_rng(3)
    rgb = np.full((200, 200, 3), 110.0)
    rgb[40:90, 80:120] = np.array(shirt) * light
    rgb[90:140, 80:120] = np.array(trousers) * light
    return np.clip(rgb + rng.normal(0, 3, rgb.shape), 0, 255).astype(np.uint8)


def look(rgb: np.ndarray, box: tuple[float, ...] = (80, 40, 40, 100)) -> np.ndarray:
    return describe(rgb, np.array([box])).astype(float)


def test_the_same_is_alike_and_others_are_not() -> None:
    me = look(dressed(RED, BLUE))
    assert apart(me, look(dressed(RED, BLUE, 1.04)))[0] < 0.04
    assert apart(me, look(dressed(RED, BLUE), (83, 36, 38, 104)))[0] < 0.04
    for other in (dressed(BLUE, RED), dressed(GREEN, BLUE), dressed(RED, GREY)):
        assert apart(me, look(other))[0] > 0.1


def test_shapes_and_borders() -> None:
    rgb = dressed(RED, BLUE)
    assert describe(rgb, np.zeros((0, 4))).shape == (0, 48)
    odd = np.array([[-50, -50, 20, 20], [190, 190, 500, 500], [5, 5, 0.1, 0.1], [0, 0, 200, 200]])
    looks = describe(rgb, odd)
    assert looks.shape == (4, 48)
    assert looks.dtype == np.uint8
    squares = (looks / 255.0) ** 2
    np.testing.assert_allclose(squares.reshape(4, 6, 8).sum(axis=2), 1, atol=0.02)


def test_unknown_looks_say_nothing() -> None:
    assert apart(np.zeros((2, 48)), np.ones((2, 48))).tolist() == [0, 0]
    assert apart(np.zeros((2, 0)), np.zeros((2, 0))).tolist() == [0, 0]


box = st.tuples(*[st.integers(-20, 60)] * 2, *[st.integers(1, 40)] * 2)


def pixels(one: tuple[int, ...]) -> set[tuple[int, int]]:
    x, y, w, h = one
    return {(i, j) for i in range(x, x + w) for j in range(y, y + h)}


@given(st.lists(box, min_size=1, max_size=4))
@settings(max_examples=50, deadline=None)
def test_boxes_against_counted_pixels(rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, float)
    areas = [pixels(row) for row in rows]
    both = [[len(a & b) for b in areas] for a in areas]
    either = [[len(a | b) for b in areas] for a in areas]
    np.testing.assert_allclose(overlap(table, table), np.array(both) / np.array(either))
    shares = np.array(both) / np.array([[len(a)] for a in areas])
    np.testing.assert_allclose(share_inside(table, table), shares)
    bottoms = table[:, 1] + table[:, 3]
    expected = [
        1 - max([shares[i, j] for j in range(len(rows)) if bottoms[j] > bottoms[i]], default=0)
        for i in range(len(rows))
    ]
    np.testing.assert_allclose(clearness(np.zeros(len(rows), int), table), expected)
