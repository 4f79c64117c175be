"""Real people, where the recording and the model are at hand: found, told apart, followed."""

from pathlib import Path

import pytest

from elements.track.mot import measure, read_truth
from shared_data import data_path, model_path
from videodp.elements.find import FindSettings, find_elements

pytestmark = pytest.mark.slow


def test_people_of_pets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the metrics of `trackers`, at an overlap of one half."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("trackers")
    monkeypatch.setenv("VIDEODP_MODELS", str(model_path("yolox_nano.onnx").parent))
    settings = FindSettings(detector="yolox", labels=("person",))
    find_elements(data_path("pets09-s2l1.avi"), tmp_path / "pets.txt", settings)
    score = measure(read_truth(data_path("pets09-s2l1.gt.txt")), read_truth(tmp_path / "pets.txt"))
    assert score.recall >= 0.95
    assert score.mota >= 0.80
    assert score.idf1 >= 0.75
