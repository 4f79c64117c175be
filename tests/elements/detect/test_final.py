"""Final boxes, however they are told: at the right place, with the right score and name."""

from pathlib import Path

import numpy as np
import pytest

from videodp.elements.detect import open_detector
from videodp.errors import ModelError, UsageError

from .onnx_files import BOXES, brightest

pytest.importorskip("onnxruntime")

KINDS = ("table", "yolov7", "rtdetr", "torchvision", "tensorflow")
ALL = ("person", "car", "dog")


def frame(width: int = 64, height: int = 64) -> np.ndarray:
    """Its brightest red is 200, its brightest green 150, its brightest blue 250."""
    rgb = np.full((height, width, 3), 20, np.uint8)
    rgb[height // 2 :] = (200, 150, 250)
    return rgb


@pytest.mark.parametrize("kind", KINDS)
def test_boxes_scores_and_names(tmp_path: Path, kind: str) -> None:
    found = open_detector(brightest(tmp_path / "m.onnx", kind), ALL).detect(frame())
    assert found.labels == ALL
    np.testing.assert_allclose(found.scores, np.array([200, 150, 250]) / 255, atol=1e-5)
    expected = np.hstack((BOXES[:, :2], BOXES[:, 2:] - BOXES[:, :2])) * 2  # 64 pixels on 32
    np.testing.assert_allclose(found.boxes, expected, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_wide_frame(tmp_path: Path, kind: str) -> None:
    """Models that ask for the size see it stretched, others with grey below."""
    found = open_detector(brightest(tmp_path / "m.onnx", kind), ALL).detect(frame(128, 64))
    scale = (4, 2, 4, 2) if kind == "rtdetr" else (4, 4, 4, 4)
    if kind == "tensorflow":  # takes any size, tells shares of it: 64 x 32 are no more than needed
        scale = (4, 2, 4, 2)
    expected = np.hstack((BOXES[:, :2], BOXES[:, 2:] - BOXES[:, :2])) * scale
    inside = expected[:, 1] < 64
    np.testing.assert_allclose(found.boxes, expected[inside], rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_labels_and_least_score(tmp_path: Path, kind: str) -> None:
    path = brightest(tmp_path / "m.onnx", kind)
    assert open_detector(path).detect(frame()).labels == ("person", "car")
    assert open_detector(path, ["dog"]).detect(frame()).labels == ("dog",)
    assert open_detector(path, ALL, least_score=0.7).detect(frame()).labels == ("person", "dog")
    with pytest.raises(UsageError, match="no label 'dogs': did you mean 'dog'"):
        open_detector(path, ["dogs"])


def test_metadata_says_names_and_numbers(tmp_path: Path) -> None:
    metadata = {"names": "{0: 'a', 2: 'b', 16: 'c'}", "Image.BitmapPixelFormat": "Bgr8"}
    found = open_detector(brightest(tmp_path / "m.onnx", "table", metadata=metadata)).detect(
        frame()
    )
    assert found.labels == ("a", "b", "c")
    np.testing.assert_allclose(found.scores, np.array([250, 150, 200]) / 255, atol=1e-5)
    metadata = {"Image.NominalPixelRange": "NominalRange_0_255"}
    path = brightest(tmp_path / "n.onnx", "table", metadata=metadata)
    assert open_detector(path).detect(frame()).scores.max() == 1.0  # 200, cut off


def test_a_classifier_is_no_detector(tmp_path: Path) -> None:
    path = brightest(tmp_path / "m.onnx", "classifier")
    match = (
        r"m\.onnx is no detector that is known here: it takes images tensor\(float\)"
        r"\[1, 3, 32, 32\] and puts out best float32\[1, 3\]; give a YOLOX export"
    )
    with pytest.raises(ModelError, match=match):
        open_detector(path)
