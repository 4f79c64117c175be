"""A stock detector sees painted people and cars as it sees real ones.

YOLOX-nano looks at whole frames, which it shrinks to 416 pixels, and counts an element as found
when a box of the right class at a score of 0.3 overlaps it by half. Asked are elements taller
than 40 pixels of which at least 80 % can be seen. Whole frames are the harder way; on tiles,
which show far figures larger, more is found: that is measured as well.
"""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from shared_data import model_path
from videodp.scenes import SceneSpec, paint

LEAST = 0.3
SIZES = [(1280, 720), (1920, 1080)]


@pytest.fixture(scope="module")
def detector() -> object:
    pytest.importorskip("onnxruntime")
    path = model_path("yolox_nano.onnx")
    from scenes.yolox import Yolox

    return Yolox(path)


def recall(detector: object, specs: Sequence[SceneSpec], label: str, tile: int = 0) -> float:
    """Share of the elements of a label that are found in a few frames of each scene."""
    from scenes.yolox import COCO, overlap

    hits = []
    for spec in specs:
        scene = paint(spec)
        for index in (60, 150, 240) if tile else (60, 120, 180, 240):
            frame = scene.frame(index)
            if tile:
                boxes = detector.tiled(frame.rgb, COCO[label], LEAST, tile)
            else:
                boxes = detector.whole(frame.rgb, COCO[label], LEAST)
            for shown in frame.shown:
                if shown.label == label and shown.box[3] > 40 and shown.visible >= 0.8:
                    hits.append(bool((overlap(shown.box, boxes) >= 0.5).any()))
    assert len(hits) >= 50
    return float(Fraction(sum(hits), len(hits)))


@pytest.mark.parametrize("size", SIZES, ids=["720p", "1080p"])
@pytest.mark.parametrize("vehicles", [0, 4], ids=["plaza", "street"])
def test_people_are_found(detector: object, size: tuple[int, int], vehicles: int) -> None:
    specs = [SceneSpec(*size, people=24, vehicles=vehicles, seed=seed) for seed in range(4)]
    assert recall(detector, specs, "person") >= 0.80


@pytest.mark.parametrize("size", SIZES, ids=["720p", "1080p"])
def test_cars_are_found(detector: object, size: tuple[int, int]) -> None:
    specs = [SceneSpec(*size, people=0, vehicles=60, seed=seed) for seed in range(3)]
    specs += [SceneSpec(*size, people=4, vehicles=6, seed=seed) for seed in range(3)]
    assert recall(detector, specs, "car") >= 0.80


@pytest.mark.parametrize("label", ["person", "car"])
def test_on_tiles_nearly_all_are_found(detector: object, label: str) -> None:
    if label == "person":
        specs = [SceneSpec(people=24, vehicles=4 * seed, seed=seed) for seed in range(3)]
    else:
        specs = [
            SceneSpec(people=6 * seed, vehicles=60 - 20 * seed, seed=seed) for seed in (0, 0, 1)
        ]
    assert recall(detector, specs, label, tile=640) >= 0.90
