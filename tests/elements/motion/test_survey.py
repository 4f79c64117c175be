"""A video is surveyed piece by piece."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from elements.motion.clips import moved, scene_of
from helpers import write_video
from videodp.elements.motion import CameraMotion, Scenes, survey
from videodp.elements.motion.survey import SAMPLES, sample_places, windows
from videodp.video import Video, probe


def _video(frames: int, keys: tuple[int, ...] = (0,)) -> Video:
    pts = np.arange(frames, dtype=np.int64)
    rate = Fraction(25)
    return Video(Path("x"), 8, 8, frames, rate, 1 / rate, "x", "x", False, keys, False, pts)


def test_pieces_are_the_whole_video() -> None:
    for frames in (1, 40, 7500, 90_000):
        parts = windows(_video(frames))
        assert parts[0][0] == 0
        assert parts[-1][1] == frames
        assert all(a[1] == b[0] for a, b in pairwise(parts))
    assert len(windows(_video(90_000))) == 12


def test_samples_are_spread_and_prefer_key_frames() -> None:
    video = _video(7500, tuple(range(0, 7500, 100)))
    places = sample_places(video, 0, 7500)
    assert len(places) == SAMPLES
    assert np.mean([place % 100 == 0 for place in places]) > 0.8
    assert max(np.diff(places)) < 400
    assert sample_places(_video(3), 0, 3) == [0, 1, 2]


def test_still_and_moving(tmp_path: Path) -> None:
    scene = scene_of("plaza", 0)
    frames = np.stack([scene.frame(i).rgb for i in range(0, 200, 8)])
    still = probe(write_video(tmp_path / "still.mkv", frames))
    (tmp_path / "a").mkdir()
    scenes = survey(still, tmp_path / "a", lambda frame: np.zeros((0, 4)), workers=2)
    assert [camera.still for camera in scenes.cameras] == [True]
    assert scenes.windows == ((0, 25),)
    assert scenes.at(0) is scenes.at(24)
    assert scenes.at(3).plate.shape == (360, 640, 3)
    again = survey(still, tmp_path / "a", lambda frame: np.zeros((0, 4)), before=scenes)
    np.testing.assert_array_equal(again.at(0).plate, scenes.at(0).plate)
    assert again.cameras == scenes.cameras
    panned = np.stack([moved(frame, 15 * i, 0) for i, frame in enumerate(frames)])
    moving = probe(write_video(tmp_path / "moving.mkv", panned))
    assert survey(moving, tmp_path / "a").at(5) is None


def test_each_piece_has_its_own_scene(tmp_path: Path) -> None:
    scene = scene_of("plaza", 0)
    frames = np.stack([scene.frame(i).rgb for i in range(0, 200, 8)])
    frames[13:] //= 3
    video = probe(write_video(tmp_path / "night.mkv", frames))
    slow = replace(video, rate=Fraction(1, 24))  # ten minutes
    scenes = survey(slow, tmp_path)
    assert scenes.windows == ((0, 12), (12, 25))
    assert scenes.window(11) == 0
    assert scenes.window(12) == 1
    assert not list(tmp_path.glob("samples*"))
    assert np.median(scenes.at(0).plate) > 2 * np.median(scenes.at(24).plate)


def test_threads_share_one_scene(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules[Scenes.__module__]
    loading, most, loads = 0, 0, 0
    counting = threading.Lock()

    def load(folder: Path, number: int) -> int:
        nonlocal loading, most, loads
        with counting:
            loading, loads = loading + 1, loads + 1
            most = max(most, loading)
        time.sleep(0.01)
        with counting:
            loading -= 1
        return number

    monkeypatch.setattr(module, "_load", load)
    still = CameraMotion(True, 0.0, 0.0, 1.0, 1)
    scenes = Scenes(Path(), ((0, 10), (10, 20)), (still, still))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(scenes.at, [0, 11] * 8)) == [0, 1] * 8
    assert (most, loads) == (1, 2)
