"""The scene of a whole video, learnt piece by piece so that daylight may change."""

from __future__ import annotations

import functools
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np

from videodp.elements.motion.camera import CameraMotion, recognise_camera
from videodp.elements.motion.learn import learn_scene
from videodp.elements.motion.model import SceneModel
from videodp.video import Video, read_places

__all__ = ["SAMPLES", "Scenes", "sample_places", "survey", "windows"]

SAMPLES = 40
"""Frames from which a scene is learnt."""

_SECONDS = 300
"""Length of a piece that shares one scene."""
_HELD = 2
"""Scenes kept in memory."""


class Scenes:
    """The scene at each time of a video; kept in files, a few of them in memory.

    Attributes:
        windows: (start, stop) of each piece.
        cameras: what was seen of the camera in each.
    """

    def __init__(
        self,
        folder: Path,
        windows: tuple[tuple[int, int], ...],
        cameras: tuple[CameraMotion, ...],
    ) -> None:
        self.windows = windows
        self.cameras = cameras
        self._starts = [start for start, _ in windows]
        self._load = functools.lru_cache(_HELD)(lambda number: _load(folder, number))
        self._lock = threading.Lock()

    def window(self, frame: int) -> int:
        """Number of the piece that a frame is in."""
        return bisect_right(self._starts, frame) - 1

    def at(self, frame: int) -> SceneModel | None:
        """The scene of a frame, or None where the camera moves."""
        number = self.window(frame)
        if not self.cameras[number].still:
            return None
        # One thread at a time: otherwise each loads it, and reading the header of an array is not
        # safe in several threads before Python 3.11.8.
        with self._lock:
            return self._load(number)


def windows(video: Video) -> tuple[tuple[int, int], ...]:
    """Pieces of about five minutes, all of about the same length."""
    count = max(1, round(float(video.frames / video.rate) / _SECONDS))
    edges = [video.frames * i // count for i in range(count + 1)]
    return tuple(pairwise(edges))


def sample_places(video: Video, start: int, stop: int) -> list[int]:
    """Frames spread over a piece; key frames where they are near, since they decode alone."""
    count = min(SAMPLES, stop - start)
    apart = (stop - start) / count
    places = set()
    for i in range(count):
        wish = start + int((i + 0.5) * apart)
        at = bisect_left(video.key_frames, wish)
        near = [k for k in video.key_frames[max(0, at - 1) : at + 1] if start <= k < stop]
        best = min(near, key=lambda k: abs(k - wish), default=wish)
        places.add(best if abs(best - wish) < 0.4 * apart else wish)
    return sorted(places)


def survey(
    video: Video,
    folder: Path,
    boxes: Callable[[int], np.ndarray] | None = None,
    workers: int = 1,
    before: Scenes | None = None,
    *,
    fine: bool = True,
) -> Scenes:
    """Looks at samples of the whole video: is the camera still, and what is the scene?

    Args:
        video: what `probe` returned.
        folder: private and there; models and samples are written into it, in the place of those
            of an earlier survey.
        boxes: for a frame (n, 4) float64 x, y, width, height of what is certainly not scene,
            if something is known; a survey with boxes may follow one without.
        workers: threads.
        before: an earlier survey of this video into this folder: the camera is the same.
        fine: learn the scenes in full size, which outlines need; motion is told in the small one.
    """
    parts = windows(video)
    cameras = []
    for number, (start, stop) in enumerate(parts):
        places = sample_places(video, start, stop)
        path = folder / f"samples-{number}.u8"
        samples = _samples(video, places, path, workers, again=before is not None)
        camera = before.cameras[number] if before else recognise_camera(samples)
        cameras.append(camera)
        if camera.still:
            known = None if boxes is None else [boxes(place) for place in places]
            _save(folder, number, learn_scene(samples, known, workers, fine=fine))
        del samples
        if len(parts) > 1:  # those of one piece are kept for another survey: it need not decode
            path.unlink()
    return Scenes(folder, parts, tuple(cameras))


def _samples(
    video: Video, places: list[int], path: Path, workers: int, *, again: bool
) -> np.ndarray:
    """(n, height, width, 3) uint8, a memory map; an earlier survey may have left it."""
    shape = (len(places), video.height, video.width, 3)
    if again and path.exists():
        return np.memmap(path, np.uint8, "r", shape=shape)
    samples = np.memmap(path, np.uint8, "w+", shape=shape)
    _read_samples(video, places, samples, workers)
    return samples


def _read_samples(video: Video, places: list[int], samples: np.ndarray, workers: int) -> None:
    """Reads frames."""
    wanted = {place: i for i, place in enumerate(places)}
    for frame in read_places(video, places, workers):
        samples[wanted[frame.index]] = frame.rgb


def _save(folder: Path, number: int, model: SceneModel) -> None:
    for part in fields(model):
        np.save(folder / f"scene-{number}-{part.name}.npy", getattr(model, part.name))


def _load(folder: Path, number: int) -> SceneModel:
    parts = (np.load(folder / f"scene-{number}-{part.name}.npy") for part in fields(SceneModel))
    return SceneModel(*parts)
