"""What every detector does, whichever it is."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from shared_data import model_path
from videodp.elements.detect import Detections, Detector, Tiled, open_detector
from videodp.elements.detect.boxes import sound

from .onnx_files import brightest, red_and_blue

Labels = Sequence[str] | None
SIZES = [(16, 16), (17, 33), (3, 200), (1, 1), (96, 64), (301, 203), (640, 360)]


class Stub:
    """Finds one box that depends on the frame, if people are asked for."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def detect(self, rgb: np.ndarray) -> Detections:
        height, width = rgb.shape[:2]
        n = int(self._labels is None or "person" in self._labels)
        box = np.array([[0.0, 0.0, width, max(1.0, rgb[0, 0, 0] / 255 * height)]])
        return Detections(box[:n], np.full(n, 0.5, np.float32), ("person",) * n)


def _nano(folder: Path, labels: Labels) -> Detector:
    return open_detector(model_path("yolox_nano.onnx"), labels, threads=1)


def _tiny(kind: str) -> Callable[[Path, Labels], Detector]:
    return lambda folder, labels: open_detector(
        brightest(folder / f"{kind}.onnx", kind), labels, threads=1
    )


DETECTORS: dict[str, Callable[[Path, Labels], Detector]] = {
    "stub": lambda folder, labels: Stub(labels),
    "yolox-nano": _nano,
    "yolox-nano-tiled": lambda folder, labels: Tiled(_nano(folder, labels), 200, overlap=0.25),
    "yolox": lambda f, labels: open_detector(red_and_blue(f / "raw.onnx"), labels, threads=1),
    "yolox-decoded": lambda f, labels: open_detector(
        red_and_blue(f / "decoded.onnx", decoded=True), labels, threads=1
    ),
    "yolox-any-size": lambda f, labels: open_detector(
        red_and_blue(f / "any.onnx", None), labels, threads=1
    ),
    **{kind: _tiny(kind) for kind in ("table", "yolov7", "rtdetr", "torchvision", "tensorflow")},
}


@pytest.fixture(scope="module", params=DETECTORS)
def make(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Detector]:
    """Opens one of the detectors for some labels."""
    if request.param != "stub":
        pytest.importorskip("onnxruntime")
    folder = tmp_path_factory.mktemp("models")
    return lambda labels=None: DETECTORS[request.param](folder, labels)


@pytest.fixture(scope="module")
def detector(make: Callable[..., Detector]) -> Detector:
    return make()


def picture(width: int, height: int, seed: int = 0) -> np.ndarray:
    """(height, width, 3) uint8: noise, with something red and something blue in it."""
    rng = np.random.default_rng(seed)
    rgb = rng.integers(60, 120, (height, width, 3), dtype=np.uint8)
    x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
    rgb[y : y + max(1, height // 3), x : x + max(1, width // 4)] = (250, 10, 20)
    rgb[: max(1, height // 4), : max(1, width // 4)] = (10, 20, 250)
    return rgb


def assert_same(a: Detections, b: Detections) -> None:
    np.testing.assert_array_equal(a.boxes, b.boxes)
    np.testing.assert_array_equal(a.scores, b.scores)
    assert a.labels == b.labels


def assert_sane(found: Detections, width: int, height: int) -> None:
    n = len(found)
    assert found.boxes.shape == (n, 4)
    assert found.boxes.dtype == np.float64
    assert found.scores.shape == (n,)
    assert found.scores.dtype == np.float32
    assert isinstance(found.labels, tuple)
    assert len(found.labels) == n
    assert all(isinstance(label, str) and label for label in found.labels)
    assert np.all((found.scores >= 0) & (found.scores <= 1))
    assert sound(found.boxes, width, height).all()
    assert np.all(found.boxes[:, 2:] <= 4 * max(width, height))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_answers_are_sane(detector: Detector, width: int, height: int) -> None:
    assert_sane(detector.detect(picture(width, height)), width, height)


def test_nothing_found_has_the_same_shapes(detector: Detector) -> None:
    assert_sane(detector.detect(np.zeros((64, 96, 3), np.uint8)), 96, 64)


def test_the_same_frame_gives_the_same_answer(detector: Detector) -> None:
    first, other = picture(96, 64), picture(301, 203, 1)
    before = detector.detect(first)
    detector.detect(other)
    assert_same(detector.detect(first), before)


def test_several_threads_at_once(detector: Detector) -> None:
    frames = [picture(96 + 7 * seed, 64, seed) for seed in range(6)] * 2
    alone = [detector.detect(frame) for frame in frames]
    with ThreadPoolExecutor(4) as pool:
        for found, expected in zip(pool.map(detector.detect, frames), alone, strict=True):
            assert_same(found, expected)


@pytest.mark.parametrize(("width", "height"), [(96, 64), (301, 203), (17, 33)])
def test_padded_rows_and_parts_of_frames(detector: Detector, width: int, height: int) -> None:
    frame = picture(width, height)
    padded = np.full((height, width + 13, 3), 77, np.uint8)
    padded[:, :width] = frame
    assert_same(detector.detect(padded[:, :width]), detector.detect(frame))


def test_frames_are_only_read(detector: Detector) -> None:
    frame = picture(96, 64)
    copy = frame.copy()
    frame.flags.writeable = False
    assert_same(detector.detect(frame), detector.detect(copy))
    np.testing.assert_array_equal(frame, copy)


@pytest.mark.parametrize("labels", [("person",), ("car",), ("person", "car")])
def test_only_what_was_asked_for(make: Callable[..., Detector], labels: tuple[str, ...]) -> None:
    detector = make(labels)
    for seed in range(3):
        assert set(detector.detect(picture(200, 120, seed)).labels) <= set(labels)
