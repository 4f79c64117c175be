"""Who is listed before and after a frame, but not in it."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from videodp.elements import load_elements, unlisted
from videodp.elements.model import Elements, Seen, Track, no_runs

ROW = "{frame},{id},{x},{y},10,20"


class Boxes:
    """Rows by frame: id and box."""

    name = "boxes"

    def __init__(self, rows: dict[int, list[tuple[int, tuple[float, ...]]]]) -> None:
        self.rows = rows

    def frames(self, start: int, stop: int):
        for frame in sorted(self.rows):
            if start <= frame < stop and self.rows[frame]:
                ids, boxes = zip(*self.rows[frame], strict=True)
                n = len(ids)
                yield Seen(
                    frame, np.array(ids), np.array(boxes, float), ("a",) * n, no_runs(n), no_runs(n)
                )


def elements_of(*lives: dict[int, tuple[float, ...]]) -> Elements:
    rows: dict[int, list[tuple[int, tuple[float, ...]]]] = {}
    for i, life in enumerate(lives):
        for frame, box in life.items():
            rows.setdefault(frame, []).append((i, box))
    tracks = tuple(Track(i, "a", min(life), max(life), len(life)) for i, life in enumerate(lives))
    return Elements(Boxes(rows), tracks)


BOX = st.tuples(*[st.integers(0, 40)] * 2, *[st.integers(1, 20)] * 2)
LIFE = st.dictionaries(st.integers(0, 12), BOX, min_size=1)


@given(st.lists(LIFE, min_size=1, max_size=4), st.sets(st.integers(0, 14)))
def test_against_the_oracle(lives: list[dict], frames: set[int]) -> None:
    found = unlisted(elements_of(*lives), sorted(frames))
    assert found.keys() == frames
    for frame, boxes in found.items():
        expected = [
            box
            for i, life in enumerate(lives)
            if (box := naive.between(naive.Element(i, life, {}), frame))
        ]
        assert boxes.shape == (len(expected), 4)
        np.testing.assert_allclose(sorted(boxes.tolist()), sorted(expected))


def test_somebody_nobody_knows_goes_nowhere(tmp_path: Path) -> None:
    """Boxes without an identity are not one person who walks about."""
    rows = [ROW.format(frame=f, id=i, x=10 * f, y=5) for i in (-1, 7) for f in (1, 5)]
    (tmp_path / "who.txt").write_text("\n".join(rows))
    (boxes,) = unlisted(load_elements(tmp_path / "who.txt"), [2]).values()
    assert boxes.tolist() == [pytest.approx([30, 5, 10, 20], abs=1.1)]


def test_gaps_are_counted() -> None:
    assert Track(1, "a", 3, 9, 5).gaps == 2
    assert Track(1, "a", 3, 9, 7).gaps == 0
