"""A still camera is told from a moving one, whoever walks before it."""

import cv2
import numpy as np
import pytest

from elements.motion.clips import KINDS, moved, sampled, scene_of
from shared_data import data_path
from videodp.elements.motion import recognise_camera
from videodp.video import probe, read_frames


def _clip(kind: str) -> np.ndarray:
    return sampled(scene_of(kind, 0, 960, 540), 12)


@pytest.mark.parametrize("kind", KINDS)
def test_still(kind: str) -> None:
    found = recognise_camera(_clip(kind))
    assert found.still
    assert found.displacement < 0.3
    assert found.compared == 11


@pytest.mark.parametrize("what", ["noise", "light", "compressed"])
def test_still_in_bad_pictures(what: str) -> None:
    clip = _clip("plaza")
    rng = np.random.default_rng(0)
    if what == "noise":
        clip = (clip + rng.normal(0, 10, clip.shape)).clip(0, 255).astype(np.uint8)
    elif what == "light":
        clip[: len(clip) // 2] = clip[: len(clip) // 2] // 2
    else:
        quality = [cv2.IMWRITE_JPEG_QUALITY, 25]
        clip = [cv2.imdecode(cv2.imencode(".jpg", f, quality)[1], 1) for f in clip]
    assert recognise_camera(clip).still


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["pan", "drift", "hand", "zoom", "turn"])
def test_moving(kind: str, how: str) -> None:
    clip = _clip(kind)
    rng = np.random.default_rng(1)
    n = len(clip)
    ways = {
        "pan": [(20 * i, 0) for i in range(n)],
        "drift": [(5 * i / n, 0) for i in range(n)],
        "hand": rng.normal(0, 2, (n, 2)).tolist(),
        "zoom": [(0, 0, 1 + 0.05 * i / n) for i in range(n)],
        "turn": [(0, 0, 1, i / n) for i in range(n)],
    }
    found = recognise_camera([moved(f, *way) for f, way in zip(clip, ways[how], strict=True)])
    assert not found.still
    assert found.moved > 0.1


def test_one_disturbed_frame_does_not_matter() -> None:
    clip = list(_clip("street"))
    clip[3] = np.full_like(clip[3], 255)
    assert recognise_camera(clip).still


def test_nothing_to_see() -> None:
    plain = np.full((90, 120, 3), 90, np.uint8)
    assert recognise_camera([plain] * 4).compared == 0
    assert recognise_camera([plain]).still
    with pytest.raises(ValueError, match="from none"):
        recognise_camera([])


def test_a_real_still_camera() -> None:
    video = probe(data_path("pets09-s2l1.avi"))
    places = set(np.linspace(0, video.frames - 1, 12).astype(int).tolist())
    found = recognise_camera([frame.rgb for frame in read_frames(video, only=places)])
    assert found.still
    assert found.displacement < 0.3
