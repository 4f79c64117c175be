"""A stock detector finds the made-up people on a real scene, and hardly anything else.

YOLOX-nano looks at whole frames; a figure counts as found when a box overlaps it by half. Asked
are figures taller than 40 pixels of which at least 80 % can be seen; boxes must be as tall, since
the scene holds a sign of 32 pixels that the detector takes for a person in every frame.
"""

from pathlib import Path

import pytest

from shared_data import data_path, model_path
from videodp.elements import load_elements
from videodp.privacy.randomness import Randomness
from videodp.synthesis.paint import Painter
from videodp.synthesis.scenery import learn_scenery
from videodp.video import probe

from .crowds import crowd

LEAST, TALL = 0.3, 40


def test_figures_on_a_real_scene_are_found(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from scenes.yolox import COCO, Yolox, overlap

    net = Yolox(model_path("yolox_nano.onnx"))
    video = probe(data_path("pets09-s2l1.avi"))
    elements = load_elements(data_path("pets09-s2l1.gt.txt"), video)
    scenery = learn_scenery(video, elements, tmp_path, 2)
    size = (video.width, video.height)
    hits, true = [], []
    for seed in range(2):
        population = crowd(
            size, 300, 40, rate=video.rate, labels=("person",), tall=(0.11, 0.24), seed=seed
        )
        painter = Painter(population, scenery, Randomness(seed))
        for index in range(10, 300, 24):
            painted = painter.frame(index)
            boxes = net.whole(painted.rgb, COCO["person"], LEAST)
            shown = [tuple(box) for box in painted.seen.boxes.tolist()]
            for box, visible in zip(shown, painted.visibility, strict=True):
                if box[3] > TALL and visible >= 0.8:
                    hits.append(bool((overlap(box, boxes) >= 0.5).any()))
            for found in boxes[boxes[:, 3] > TALL]:
                true.append(any(overlap(box, found[None])[0] >= 0.5 for box in shown))
    assert len(hits) >= 100
    assert sum(hits) >= 0.80 * len(hits)
    assert sum(true) >= 0.85 * len(true)
