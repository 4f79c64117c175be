"""Tags tell who is who, and hide neither each other nor, where they can help it, anybody."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from videodp.elements.find.tags import Tag, arrange, put_tags, text_size

HEIGHT, WIDTH = 120, 200
FREE = np.zeros((HEIGHT, WIDTH), np.uint8)


@st.composite
def crowds(draw: st.DrawFn) -> list[tuple[int, int, int, int]]:
    boxes = []
    for _ in range(draw(st.integers(0, 25))):
        x, y = draw(st.integers(0, WIDTH - 1)), draw(st.integers(0, HEIGHT - 1))
        boxes.append((x, y, draw(st.integers(x + 1, WIDTH)), draw(st.integers(y + 1, HEIGHT))))
    return boxes


@given(crowds(), st.integers(1, 250), st.integers(1, 30))
def test_no_tag_covers_another_or_leaves_the_picture(
    boxes: list[tuple[int, int, int, int]], width: int, height: int
) -> None:
    covered = np.zeros((HEIGHT, WIDTH), int)
    sizes = [[(width, height), (min(width, 9), height)]] * len(boxes)
    for found, size in zip(arrange(boxes, sizes, FREE), sizes, strict=True):
        if found is not None:
            which, x, y = found
            wide, high = size[which]
            assert 0 <= x <= x + wide <= WIDTH
            assert 0 <= y <= y + high <= HEIGHT
            covered[y : y + high, x : x + wide] += 1
    assert covered.max() <= 1


def test_a_tag_goes_where_it_hides_least() -> None:
    box, sizes = (80, 40, 120, 80), [[(30, 10)]]
    assert arrange([box], sizes, FREE) == [(0, 80, 30)]  # above, where nothing is
    busy = FREE.copy()
    busy[:40] = 1
    assert arrange([box], sizes, busy) == [(0, 80, 80)]  # below
    busy[80:] = 1
    assert arrange([box], sizes, busy) == [(0, 120, 40)]  # to the right
    busy[:, 120:] = 1
    assert arrange([box], sizes, busy) == [(0, 50, 40)]  # to the left
    assert arrange([box], sizes, FREE + 1) == [(0, 80, 30)]  # all hide as much: above


def test_where_there_is_no_room_less_is_said() -> None:
    corner = (0, 0, WIDTH, HEIGHT)
    assert arrange([corner], [[(WIDTH + 1, 10), (20, 10)]], FREE) == [(1, 90, 0)]
    assert arrange([corner], [[(WIDTH + 1, 10)]], FREE) == [None]
    twice = arrange([corner] * 3, [[(150, 10)]] * 3, FREE)
    assert [found is None for found in twice] == [False, False, True]


def test_tags_are_written_and_stay_small_on_small_pictures() -> None:
    tag = Tag((80, 40, 120, 80), ("12 person", "12"), (255, 255, 0))
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    put_tags(picture, [tag], FREE)
    shown = (picture == tag.colour).all(axis=2)
    rows, columns = np.nonzero(shown)
    assert rows.max() < 40
    assert columns.min() == 80
    wide, high = columns.max() - columns.min() + 1, rows.max() - rows.min() + 1
    assert (wide, high) == text_size("12 person", 0.3)
    assert wide <= 60
    assert high <= 14
    ink = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    assert (ink.max(axis=2) < 80).sum() > 20, "dark on bright"
