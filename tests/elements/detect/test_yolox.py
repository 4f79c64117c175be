"""YOLOX: red cells are people, blue ones cars; every export says so at the same place."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from shared_data import data_path, model_path
from videodp.elements.detect import Detections, open_detector
from videodp.elements.detect.sheet import DYNAMIC_SIDE, Sheet
from videodp.errors import UsageError
from videodp.video import probe, read_frames

from .onnx_files import red_and_blue

pytest.importorskip("onnxruntime")

RED, BLUE = (255, 0, 0), (0, 0, 255)


def street(width: int, height: int, scale: int = 1) -> np.ndarray:
    """Black, with a red cell of 8 pixels at (16, 8), and a blue one of 16 at (48, 32)."""
    rgb = np.zeros((height, width, 3), np.uint8)
    rgb[8 * scale : 16 * scale, 16 * scale : 24 * scale] = RED
    rgb[32 * scale : 48 * scale, 48 * scale : 64 * scale] = BLUE
    return rgb


def best(found: Detections, label: str) -> list[float]:
    """The box of the surest of a label."""
    places = [place for place, name in enumerate(found.labels) if name == label]
    return found.boxes[max(places, key=lambda place: found.scores[place])].tolist()


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("decoded", [False, True])
def test_boxes_are_where_cells_are(tmp_path: Path, decoded: bool, scale: int) -> None:
    detector = open_detector(red_and_blue(tmp_path / "m.onnx", decoded=decoded))
    found = detector.detect(street(96 * scale, 64 * scale, scale))
    # Two cells wide, around the middle of the cell. Blue is found in cells of 8 and of 16.
    assert found.scores.max() == pytest.approx(1, abs=1e-3)
    person = [12 * scale, 4 * scale, 16 * scale, 16 * scale]
    assert best(found, "person") == pytest.approx(person, abs=1e-4)
    cars = found.boxes[(found.scores > 0.99) & (np.array(found.labels) == "car")]
    middle = cars[:, :2] + cars[:, 2:] / 2
    assert np.all((middle > (48 * scale, 32 * scale)) & (middle < (64 * scale, 48 * scale)))
    assert [40 * scale, 24 * scale, 32 * scale, 32 * scale] in cars.round(3).tolist()


def test_a_frame_of_another_shape_keeps_its_shape(tmp_path: Path) -> None:
    detector = open_detector(red_and_blue(tmp_path / "m.onnx"))
    tall = np.zeros((128, 96, 3), np.uint8)  # laid on the sheet at half its size
    tall[96:112, 32:48] = RED
    assert best(detector.detect(tall), "person") == pytest.approx([24, 88, 32, 32], abs=1e-4)


def test_any_size(tmp_path: Path) -> None:
    """The sheet is as long as `DYNAMIC_SIDE`, and no higher than needed."""
    detector = open_detector(red_and_blue(tmp_path / "m.onnx", None))
    wide = np.zeros((360, DYNAMIC_SIDE, 3), np.uint8)
    wide[80:88, 160:168] = RED
    assert best(detector.detect(wide), "person") == pytest.approx([156, 76, 16, 16], abs=1e-4)
    sheet = Sheet(None, None, np.dtype(np.float32))
    assert sheet.size(1920, 1080) == (640, 384, 640, 360)
    assert sheet.size(1080, 1920) == (384, 640, 360, 640)
    assert sheet.size(5000, 1) == (640, 32, 640, 1)


def test_the_least_score(tmp_path: Path) -> None:
    path = red_and_blue(tmp_path / "m.onnx")
    rgb = street(96, 64)
    few = open_detector(path, least_score=0.9).detect(rgb)
    many = open_detector(path, least_score=0.01).detect(rgb)
    assert 0 < len(few) < len(many)
    assert few.scores.min() >= 0.9
    for least in (-0.1, 1.1, float("nan")):
        with pytest.raises(UsageError, match=r"a score is 0 to 1"):
            open_detector(path, least_score=least)


def test_names_come_from_metadata_or_count(tmp_path: Path) -> None:
    rgb = street(96, 64)
    one = open_detector(red_and_blue(tmp_path / "one.onnx", classes=1)).detect(rgb)
    assert set(one.labels) == {"class 0"}
    named = red_and_blue(tmp_path / "n.onnx", classes=3, metadata={"names": "walker,x,cart"})
    assert set(open_detector(named).detect(rgb).labels) == {"walker", "cart"}
    assert set(open_detector(named, ["cart"]).detect(rgb).labels) == {"cart"}
    with pytest.raises(UsageError, match="no label 'card': did you mean 'cart'"):
        open_detector(named, ["card"])


@pytest.mark.parametrize("bgr", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("channels_last", [False, True])
def test_a_sheet_holds_the_frame(channels_last: bool, unit: bool, bgr: bool) -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (8, 16, 3), dtype=np.uint8)
    sheet = Sheet(32, 16, np.dtype(np.float32), channels_last, bgr=bgr, unit=unit)
    put, across, down = sheet.put(rgb)
    assert (across, down) == (1, 1)
    assert sheet.size_of(put) == (16, 32)
    assert put.dtype == np.float32
    for y, x, channel in itertools.product(range(32), range(16), range(3)):
        expected = rgb[y, x, 2 - channel if bgr else channel] if y < 8 else 114
        got = put[0, y, x, channel] if channels_last else put[0, channel, y, x]
        assert got == pytest.approx(expected / 255 if unit else expected)


def test_real_people_are_found() -> None:
    """At a score of 0.3, nano finds 0.94 of them on whole frames; more on tiles."""
    detector = open_detector(model_path("yolox_nano.onnx"), ["person"], threads=1)
    truth = np.loadtxt(data_path("pets09-s2l1.gt.txt"), delimiter=",")
    video = probe(data_path("pets09-s2l1.avi"))
    hits = []
    for frame in read_frames(video, 0, 401, only=set(range(0, 401, 50))):
        found = detector.detect(frame.rgb)
        boxes = found.boxes[found.scores >= 0.3]
        for a in truth[truth[:, 0] == frame.index + 1, 2:6]:
            low = np.maximum(a[:2], boxes[:, :2])
            high = np.minimum(a[:2] + a[2:], boxes[:, :2] + boxes[:, 2:])
            both = np.clip(high - low, 0, None).prod(axis=1)
            union = a[2:].prod() + boxes[:, 2:].prod(axis=1) - both
            hits.append(bool((both / union >= 0.5).any()))
    assert len(hits) > 30
    assert np.mean(hits) >= 0.85
