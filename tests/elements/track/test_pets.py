"""Real people, where the recording is at hand: a plain detector on two squares, and tracking."""

import numpy as np
import pytest

from elements.track.mot import Rows, measure, read_truth
from shared_data import data_path, model_path
from videodp.elements.detect import Detections
from videodp.elements.track import Found, describe, track
from videodp.video import probe, read_frames

pytestmark = pytest.mark.slow

RATE = 7
"""Frames a second, as the data's authors say; the file itself says 10."""
LEAST = 0.1


def test_people_are_found_and_told_apart() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("trackers")
    path, model = data_path("pets09-s2l1.avi"), model_path("yolox_nano.onnx")
    truth = read_truth(data_path("pets09-s2l1.gt.txt"))
    from scenes.yolox import COCO, Yolox, _thin

    video, detector = probe(path), Yolox(model)
    side = video.height

    def found():
        for frame in read_frames(video):
            parts = []
            for x in (0, video.width - side):
                square = np.ascontiguousarray(frame.rgb[:, x : x + side])
                boxes = detector.whole(square, COCO["person"], LEAST)
                boxes = boxes + np.array([x, 0, 0, 0, 0], np.float32)
                # A box cut by the inner border of its square is whole in the other one.
                inner = boxes[:, 0] > x + 0.01 * side if x else np.ones(len(boxes), bool)
                if not x:
                    inner = boxes[:, 0] + boxes[:, 2] < 0.99 * side
                parts.append(boxes[inner])
            boxes = _thin(np.concatenate(parts))
            labels = ("person",) * len(boxes)
            detections = Detections(boxes[:, :4].astype(float), boxes[:, 4], labels)
            yield Found(frame.index, detections, describe(frame.rgb, boxes[:, :4]))

    tracks = track(found(), (video.width, video.height), RATE, video.frames)
    score = measure(truth, Rows(tracks.frame, tracks.id, tracks.box))
    assert score.recall >= 0.93
    assert score.mota >= 0.77
    assert score.idf1 >= 0.72
