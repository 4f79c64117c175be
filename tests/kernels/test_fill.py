"""Ring by ring, and from the plate."""

import numpy as np
import pytest

import naive
from helpers import as_picture
from videodp.kernels.fill import FORBIDDEN, HOLE, KNOWN, fill_from_plate, ring_fill


@pytest.mark.parametrize("seed", range(20))
def test_rings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 12, 2)
    picture = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    shares = rng.dirichlet([3, 1, rng.choice([1e-9, 1])])
    state = rng.choice([HOLE, KNOWN, FORBIDDEN], (height, width), p=shares).astype(np.uint8)
    truth = as_picture(picture)
    known = {place: rgb for place, rgb in truth.items() if state[place] == KNOWN}
    holes = {place for place in truth if state[place] == HOLE}
    expected = naive.ring_fill(known, holes)
    left = ring_fill(picture, state)
    assert left == len(holes - expected.keys())
    for place, rgb in as_picture(picture).items():
        assert rgb == expected.get(place, truth[place])
        assert (state[place] == KNOWN) == (place in expected)


def test_nothing_to_fill_and_nothing_to_fill_from() -> None:
    picture = np.full((3, 4, 3), 7, np.uint8)
    assert ring_fill(picture, np.full((3, 4), KNOWN, np.uint8)) == 0
    assert ring_fill(picture, np.full((3, 4), HOLE, np.uint8)) == 12
    assert (picture == 7).all()


def test_bright_neighbours_do_not_overflow() -> None:
    picture = np.full((3, 3, 3), 255, np.uint8)
    picture[1, 1] = 0
    state = np.full((3, 3), KNOWN, np.uint8)
    state[1, 1] = HOLE
    assert ring_fill(picture, state) == 0
    assert (picture == 255).all()


@pytest.mark.parametrize("seed", range(12))
def test_from_plate(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = rng.integers(6, 24, 2)
    plate = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    light = rng.integers(-60, 60, 3)
    noise = rng.integers(-9, 10, plate.shape)
    frame = np.clip(plate + light + noise, 0, 255).astype(np.uint8)
    elements = []
    for i in range(1, 4):
        y, x = rng.integers(-2, height - 1), rng.integers(-2, width - 1)
        elements.append(naive.Element(i, {0: (float(x), float(y), 4.0, 3.5 + i)}))
    elements = [e for e in elements if naive.box_mask(e.boxes[0], height, width)]
    counts = naive.Counts([frame.tolist()], elements)
    owner = np.zeros((height, width), np.int32)
    for place, i in counts.owner[0].items():
        owner[place] = i
    order = naive.back_to_front(elements, 0)
    bounds = []
    for e in order:
        places = naive.box_mask(e.boxes[0], height, width)
        lines, columns = [a for a, _ in places], [b for _, b in places]
        bounds.append((min(columns), min(lines), max(columns) + 1, max(lines) + 1))
    picture = frame.copy()
    fill_from_plate(
        picture,
        plate,
        owner,
        np.array(bounds, np.int64).reshape(-1, 4),
        np.array([e.id for e in order], np.int32),
        6,
    )
    expected = naive.without_elements(counts, 0, as_picture(plate), "temporal")
    assert as_picture(picture) == expected


def test_from_plate_without_any_background() -> None:
    plate = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    picture = np.zeros((2, 2, 3), np.uint8)
    owner, bounds = np.ones((2, 2), np.int32), np.array([[0, 0, 2, 2]], np.int64)
    fill_from_plate(picture, plate, owner, bounds, np.array([1], np.int32), 6)
    np.testing.assert_array_equal(picture, plate)
