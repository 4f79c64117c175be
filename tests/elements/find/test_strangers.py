"""What a detector takes for something else, before a camera that moves."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from shared_data import data_path, model_path
from videodp.elements.detect import Detections
from videodp.elements.find import find_elements
from videodp.elements.find.strangers import as_strangers, without_bystanders
from videodp.elements.track import Found, track
from videodp.video import probe

from .clips import rows_of


def _found(*rows: tuple[str, float, tuple[float, float, float, float]]) -> Detections:
    labels, scores, boxes = zip(*rows, strict=True)
    return Detections(np.array(boxes, float), np.array(scores, np.float32), labels)


def test_only_what_is_sure_small_and_not_known_otherwise() -> None:
    found = _found(
        ("car", 0.8, (10, 10, 40, 40)),
        ("cell phone", 0.9, (12, 11, 40, 40)),  # the same thing
        ("cell phone", 0.9, (200, 100, 40, 60)),
        ("person", 0.1, (205, 105, 30, 50)),  # faint: the tracker may still use it
        ("remote", 0.2, (100, 100, 20, 20)),  # not sure
        ("dining table", 0.9, (0, 0, 310, 170)),  # the place itself
    )
    kept = as_strangers(found, (320, 180))
    rows = sorted(zip(kept.labels, kept.boxes[:, 0].tolist(), strict=True))
    assert rows == [("car", 10), ("element", 200), ("person", 205)]


@pytest.mark.parametrize(("camera", "left"), [(1.0, {"car", "element"}), (60.0, {"car"})])
def test_what_only_the_camera_moves_is_left_out(camera: float, left: set[str]) -> None:
    """A phone that drives, a bench that seems to drift, a car that stands."""

    def frames():
        for frame in range(50):
            boxes = [(20 + 4 * frame, 20, 40, 60), (150 + 0.05 * frame, 90, 60, 30)]
            boxes.append((220, 140, 60, 30))
            found = Detections(
                np.array(boxes, float), np.full(3, 0.8, np.float32), ("element", "element", "car")
            )
            yield Found(frame, found, np.zeros((3, 0), np.uint8))

    tracks = track(frames(), (320, 180), Fraction(25), 50)
    assert len(np.unique(tracks.id)) == 3
    kept = without_bystanders(tracks, camera)
    assert {kept.labels[i] for i in kept.label} == left


@pytest.mark.slow
def test_cars_from_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four cars pass under a camera that drifts by a dozen pixels; the model calls them phones.

    Where and when each is wholly in the picture was read off the frames by eye.
    """
    pytest.importorskip("onnxruntime")
    monkeypatch.setenv("VIDEODP_MODELS", str(model_path("yolox_nano.onnx").parent))
    video = probe(data_path("car-detection.mp4"))
    find_elements(video, tmp_path / "cars.parquet")
    rows = rows_of(tmp_path / "cars.parquet")
    cars = {70: (350, 290), 80: (350, 200), 204: (170, 180), 212: (390, 210), 330: (225, 160)}
    who = {}
    for frame, (x, y) in cars.items():
        left, top, width, height = rows.box[rows.frame == frame].T
        here = (left < x) & (x < left + width) & (top < y) & (y < top + height)
        assert here.sum() == 1, f"frame {frame}"
        who[frame] = int(rows.id[rows.frame == frame][here][0])
    assert who[70] == who[80]
    assert len(set(who.values())) == 4
