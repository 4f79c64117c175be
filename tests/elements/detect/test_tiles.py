"""Looking closer: more is found, nothing twice, and nobody in halves."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_data import model_path
from videodp.elements.detect import Detections, Tiled, look_closer, open_detector, tile
from videodp.errors import UsageError
from videodp.scenes import SceneSpec, paint

from .onnx_files import red_and_blue


class Bright:
    """Sees the columns that are bright, as one box, if they are at least a share of its view."""

    def __init__(self, share: float = 0.0) -> None:
        self.views: list[tuple[int, ...]] = []
        self._share = share

    def detect(self, rgb: np.ndarray) -> Detections:
        self.views.append(rgb.shape)
        rows, columns = np.nonzero(rgb[:, :, 0])
        if not len(rows) or np.ptp(columns) < self._share * rgb.shape[1]:
            return Detections(np.zeros((0, 4)), np.zeros(0, np.float32), ())
        x, y = columns.min(), rows.min()
        box = np.array([[x, y, columns.max() + 1 - x, rows.max() + 1 - y]], np.float64)
        return Detections(box, np.full(1, 0.5, np.float32), ("person",))


def frame(x: int, w: int) -> np.ndarray:
    rgb = np.zeros((100, 400, 3), np.uint8)
    rgb[30:60, x : x + w] = 255
    return rgb


@given(
    st.integers(1, 500),
    st.integers(1, 500),
    st.integers(1, 600),
    st.sampled_from([0.0, 0.25, 0.5]),
    st.sampled_from([(0.0, 1.0), (0.3, 0.7), (0.9, 1.0)]),
)
def test_tiles_cover_the_band(
    width: int, height: int, side: int, overlap: float, band: tuple[float, float]
) -> None:
    side = max(side, width // 8, height // 8, 1)
    cuts = tile(width, height, side, overlap=overlap, band=band)
    if not cuts:
        assert side >= max(width, height)
        return
    seen = np.zeros((height, width), int)
    for x, y, w, h in cuts:
        assert (w, h) == (min(side, width), min(side, height))
        assert x >= 0
        assert y >= 0
        assert x + w <= width
        assert y + h <= height
        seen[y : y + h, x : x + w] += 1
    assert seen[int(height * band[0]) : int(np.ceil(height * band[1]))].all()
    across = sorted({x for x, _, _, _ in cuts})
    assert all(b - a <= side * (1 - overlap) + 1 for a, b in itertools.pairwise(across))


@pytest.mark.parametrize("x", range(0, 381, 7))
def test_small_figures_are_seen_whole_and_once(x: int) -> None:
    """Whoever is smaller than the overlap, wherever it stands; the whole frame shows nobody."""
    found = Tiled(Bright(0.1), 100, overlap=0.5).detect(frame(x, 20))
    assert found.boxes.tolist() == [[x, 30, 20, 30]]


@pytest.mark.parametrize("x", range(0, 221, 20))
def test_large_figures_are_not_cut(x: int) -> None:
    """Every tile sees a part of it only."""
    found = Tiled(Bright(), 100, overlap=0.5).detect(frame(x, 180))
    assert found.boxes.tolist() == [[x, 30, 180, 30]]


def test_the_border_of_the_frame_cuts_nobody() -> None:
    rgb = np.zeros((100, 400, 3), np.uint8)
    rgb[80:, 380:] = 255
    found = look_closer(Bright(0.1), rgb, [(300, 0, 100, 100)])
    assert found.boxes.tolist() == [[380, 80, 20, 20]]


def test_which_views_are_looked_at() -> None:
    eye = Bright()
    Tiled(eye, 100, overlap=0.5).detect(frame(0, 10))
    assert eye.views == [(100, 400, 3)] + [(100, 100, 3)] * 7
    eye.views.clear()
    Tiled(eye, 40, overlap=0.0, band=(0.4, 0.6)).detect(frame(0, 10))
    assert eye.views == [(100, 400, 3)] + [(40, 40, 3)] * 10
    eye.views.clear()
    Tiled(eye, 400).detect(frame(0, 10))
    assert eye.views == [(100, 400, 3)]


@pytest.mark.parametrize(
    ("side", "overlap", "band"),
    [(0, 0.5, (0, 1)), (9, 1.0, (0, 1)), (9, -0.1, (0, 1)), (9, 0.5, (0.5, 0.5)), (9, 0, (0, 2))],
)
def test_tiles_that_cannot_be(side: int, overlap: float, band: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="cannot be laid: try side 640"):
        Tiled(Bright(), side, overlap=overlap, band=band)


def test_a_real_network_on_parts_of_a_frame(tmp_path: Path) -> None:
    """A cell too small for the whole frame is seen in a tile, at its place."""
    pytest.importorskip("onnxruntime")
    detector = open_detector(red_and_blue(tmp_path / "m.onnx", (64, 64)), ["person"])
    rgb = np.zeros((512, 512, 3), np.uint8)
    rgb[136:144, 264:272] = (255, 0, 0)
    assert len(detector.detect(rgb)) == 0
    found = Tiled(detector, 64, overlap=0.5).detect(rgb)
    assert [260, 132, 16, 16] in found.boxes.round(3).tolist()


def test_painted_people_are_found_more_often() -> None:
    pytest.importorskip("onnxruntime")
    nano = open_detector(model_path("yolox_nano.onnx"), ["person"], threads=1)
    closer = Tiled(nano, 1080, overlap=0.25)
    sure, surer = 0, 0
    for seed in range(3):
        rgb = paint(SceneSpec(1920, 1080, people=24, vehicles=0, seed=seed)).frame(120).rgb
        sure += int((nano.detect(rgb).scores >= 0.5).sum())
        surer += int((closer.detect(rgb).scores >= 0.5).sum())
    assert surer > 1.1 * sure > 0
