"""Coarse foreground in a file."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from videodp.elements.motion import ForegroundStore


def _masks(seed: int, frames: int = 7) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    masks = np.zeros((frames, 100, 150), bool)
    for mask in masks:
        y, x = rng.integers(0, 80), rng.integers(0, 120)
        mask[y : y + 30, x : x + 40] = True
    return list(masks)


def test_any_split_and_order_gives_the_same_file(tmp_path: Path) -> None:
    masks = _masks(1)
    with ForegroundStore(tmp_path / "a", 7, 150, 100) as store:
        for i, mask in enumerate(masks):
            store.write(i, mask)
    with ForegroundStore(tmp_path / "b", 7, 150, 100) as store, ThreadPoolExecutor(3) as pool:
        list(pool.map(store.write, reversed(range(7)), reversed(masks)))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").stat().st_size == 7 * 31  # 13 x 19 cells a frame
    assert (tmp_path / "a").stat().st_mode & 0o077 == 0


def test_what_was_written_is_read_by_another(tmp_path: Path) -> None:
    mask = np.zeros((80, 160), bool)
    mask[16:48, 32:64] = True
    with ForegroundStore(tmp_path / "a", 3, 160, 80) as store:
        store.write(1, mask)
    with ForegroundStore(tmp_path / "a", 3, 160, 80) as store:
        assert not store.read(0).any()
        assert np.array_equal(store.read(1), mask[::8, ::8])


@pytest.mark.parametrize("seed", range(5))
def test_shares_of_boxes(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.random((10, 20)) < 0.4
    boxes = np.column_stack([rng.uniform(-30, 150, (12, 2)), rng.uniform(1, 60, (12, 2))])
    boxes[0] = (500, 500, 10, 10)
    with ForegroundStore(tmp_path / "a", 1, 160, 80) as store:
        store.write(0, cells)
        found = store.covered(0, boxes)
        assert store.covered(0, np.zeros((0, 4))).shape == (0,)
    fine = np.kron(cells, np.ones((80, 80)))  # a tenth of a pixel
    for share, (x, y, w, h) in zip(found, boxes, strict=True):
        left, right = (round(10 * min(max(v, 0), 160)) for v in (x, x + w))
        top, bottom = (round(10 * min(max(v, 0), 80)) for v in (y, y + h))
        part = fine[top:bottom, left:right]
        assert share == pytest.approx(part.mean() if part.size else 0.0, abs=0.05)


def test_small_foreground_of_any_size(tmp_path: Path) -> None:
    with ForegroundStore(tmp_path / "a", 1, 1920, 1080) as store:
        small = np.zeros((360, 640), np.uint8)
        small[100:200, 300:400] = 1
        store.write(0, small)
        inside, outside = store.covered(0, np.array([[910, 310, 280, 280], [0, 0, 800, 1000.0]]))
    assert inside > 0.97
    assert outside == 0


@pytest.mark.parametrize("frame", [-1, 3])
def test_frames_that_are_not_there(frame: int, tmp_path: Path) -> None:
    with ForegroundStore(tmp_path / "a", 3, 16, 16) as store, pytest.raises(IndexError):
        store.covered(frame, np.ones((1, 4)))
