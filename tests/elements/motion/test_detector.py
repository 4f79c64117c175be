"""Everybody who moves is found; nobody is found where nobody is."""

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from elements.motion.clips import KINDS, model_of, scene_of, truth
from shared_data import data_path
from videodp.elements.masks import silhouettes
from videodp.elements.mot import read_mot
from videodp.elements.motion import MotionDetector, small_foreground, survey
from videodp.video import probe, read_frames


@pytest.mark.parametrize("kind", KINDS)
def test_motion_alone_protects_nearly_every_pixel(kind: str) -> None:
    scene, model = scene_of(kind), model_of(kind)
    detector = MotionDetector(model)
    covered = total = area = 0
    for index in range(5, len(scene), 30):
        frame = scene.frame(index)
        found = detector.detect(frame.rgb)
        protected = np.zeros(frame.rgb.shape[:2], bool)
        for shape in silhouettes(frame.rgb, model, found.boxes):
            x0, y0, x1, y1 = shape.bounds
            protected[y0:y1, x0:x1] |= shape.protected
        true = truth(frame)
        covered += (true & protected).sum()
        total += true.sum()
        area += protected.sum()
    assert covered >= 0.98 * total
    assert area <= 2.6 * total  # figures are small here: the margin weighs much


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_scene_holds_nobody(kind: str) -> None:
    scene, detector = scene_of(kind), MotionDetector(model_of(kind, boxes=True))
    assert sum(len(detector.detect(scene.empty(i))) for i in range(0, 200, 25)) <= 1


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.2])
def test_a_sudden_change_of_light_is_not_motion(gain: float) -> None:
    scene, model = scene_of("plaza"), model_of("plaza")
    frame = (scene.empty(50) * gain).clip(0, 255).astype(np.uint8)
    assert small_foreground(frame, model).mean() < 0.002


def test_a_shadow_is_not_foreground_but_a_body_is() -> None:
    scene, model = scene_of("plaza"), model_of("plaza")
    frame = scene.empty(50)
    shadow, body = (slice(250, 280), slice(100, 180)), (slice(200, 260), slice(400, 425))
    frame[shadow] = (frame[shadow] * 0.75).astype(np.uint8)
    frame[body] = (150, 40, 40)
    found = small_foreground(frame, model) > 0
    assert found[shadow].mean() < 0.05
    assert found[body].mean() > 0.95


def test_the_same_frame_gives_the_same_answer_in_any_thread_and_padded() -> None:
    scene, detector = scene_of("street"), MotionDetector(model_of("street"))
    frames = [scene.frame(i).rgb for i in range(0, 100, 10)]
    alone = [detector.detect(frame).boxes for frame in frames]
    with ThreadPoolExecutor(2) as pool:
        together = [found.boxes for found in pool.map(detector.detect, frames[::-1])]
    assert all(np.array_equal(a, b) for a, b in zip(alone, together[::-1], strict=True))
    padded = np.zeros((360, 700, 3), np.uint8)
    padded[:, :640] = frames[3]
    assert np.array_equal(detector.detect(padded[:, :640]).boxes, alone[3])


def test_a_tape_in_the_wind_is_nobody() -> None:
    scene, detector = scene_of("plaza"), MotionDetector(model_of("plaza"))
    frame = scene.empty(50)
    cv2.line(frame, (50, 200), (500, 210), (255, 60, 60), 1)
    assert len(detector.detect(frame)) == 0


@pytest.mark.slow
def test_real_people(tmp_path) -> None:
    video = probe(data_path("pets09-s2l1.avi"))
    truth_boxes = read_mot(data_path("pets09-s2l1.gt.txt"))
    scenes = survey(video, tmp_path, workers=2)
    detector = MotionDetector(scenes.at(0))
    places = range(3, video.frames, 40)
    touched = total = 0
    for frame in read_frames(video, only=set(places)):
        covered = np.zeros((video.height, video.width), bool)
        for x, y, w, h in np.maximum(detector.detect(frame.rgb).boxes, 0).astype(int):
            covered[y : y + h, x : x + w] = True
        for seen in truth_boxes.frames(frame.index, frame.index + 1):
            for x, y, w, h in np.maximum(seen.boxes, 0).astype(int):
                touched += covered[y : y + h, x : x + w].mean() >= 0.5
                total += 1
    assert touched >= 0.95 * total
