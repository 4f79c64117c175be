"""The empty scene that the made-up actors are painted on.

It is taken to be public: nothing of it is charged to epsilon. So it is made to show nobody: from
sampled frames, without any element's surroundings, and the middle of what is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from videodp.census import background_samples, keep_background, moments_of
from videodp.census.background import BackgroundSamples, background_frames
from videodp.elements import Elements, OwnerPicture, place
from videodp.elements.track.boxes import overlap
from videodp.errors import UsageError
from videodp.render import make_plate
from videodp.video import Video, read_picture, read_places

__all__ = ["Scenery", "given_scenery", "learn_scenery"]

_SAMPLES = 25
_NOISE = 1.0
"""Grey levels of noise on a given picture, whose own is not known."""
_AT_HOME = 0.7
"""Overlap of a box with where its element mostly is; found boxes of what stands tremble."""
_STEP = 0.5
_WILD = 12
"""Grey levels between neighbours from which on a difference is no noise."""


@dataclass(frozen=True, eq=False)
class Scenery:
    """The empty scene."""

    plate: np.ndarray
    """(height, width, 3) uint8."""
    noise: float
    """Standard deviation of the sensor's noise in grey levels."""
    unseen: int = 0
    """Pixels that were covered in nearly every sample; filled from their surroundings."""
    still: bool = True
    """Whether the camera stands still."""


def given_scenery(file: Path, video: Video) -> Scenery:
    """A picture of the empty scene that the owner has: the recording is not looked at."""
    picture = np.ascontiguousarray(read_picture(file))
    height, width, _ = picture.shape
    if (width, height) != (video.width, video.height):
        raise UsageError(
            f"{file} is {width}x{height}, but the video is {video.width}x{video.height}: give a "
            "picture of the empty scene of the same size"
        )
    return Scenery(picture, _NOISE)


def learn_scenery(
    video: Video,
    elements: Elements,
    store: Path,
    workers: int = 1,
    progress: Callable[[int], None] = lambda samples: None,
    *,
    everybody: Elements | None = None,
) -> Scenery:
    """The median of sampled frames, each without its elements.

    Args:
        video: the recording.
        elements: its sensitive elements.
        store: folder for the samples; private to the owner.
        workers: threads.
        progress: told how many samples were taken since the last call.
        everybody: the sensitive ones and all others: of these only those that stand still stay.
    """
    if everybody is not None:
        places = background_frames(elements, video.frames, _SAMPLES)
        elements = _all_but_standing(everybody, elements, places)
    moments = moments_of(elements, video.frames, _SAMPLES)
    owners = OwnerPicture(video.width, video.height)
    for slot, frame in enumerate(read_places(video, moments.frames, workers)):
        (seen,) = elements.frames(frame.index, frame.index + 1)
        owner = owners.paint(place(elements, seen, video.width, video.height))
        keep_background(store, slot, frame.rgb, moments.clear(frame.index, owner))
        progress(1)
    samples = background_samples(store, moments.frames, video.height, video.width)
    plate = make_plate(samples, workers)
    return Scenery(plate.rgb, _noise(samples, plate.rgb), plate.unseen, plate.still)


def _all_but_standing(
    everybody: Elements, sensitive: Elements, places: tuple[int, ...]
) -> Elements:
    """What is cut out: the sensitive elements, and of the others those that would leave smears.

    Those that stand in the same place in half of all samples are a part of the scene.
    """
    others = {track.id for track in everybody.tracks} - {track.id for track in sensitive.tracks}
    if not others:
        return sensitive
    found: dict[int, list[np.ndarray]] = {}
    for frame in places:
        (seen,) = everybody.frames(frame, frame + 1)
        for identity, box in zip(seen.ids.tolist(), seen.boxes, strict=True):
            found.setdefault(identity, []).append(box)
    standing = {
        identity
        for identity in others & found.keys()
        if 2 * _times_at_home(np.array(found[identity])) >= len(places)
    }
    kept = tuple(track for track in everybody.tracks if track.id not in standing)
    return replace(everybody, tracks=kept, _index={})


def _times_at_home(boxes: np.ndarray) -> int:
    """How many of (n, 4) boxes of one element are where it mostly is."""
    home = np.median(boxes, axis=0, keepdims=True)
    return int((overlap(boxes, home) >= _AT_HOME).sum())


def _noise(samples: BackgroundSamples, plate: np.ndarray) -> float:
    """How far neighbouring pixels leave the plate differently, from some lines of all samples."""
    height = len(plate)
    squares, count = 0.0, 0
    for top in range(0, height, max(1, height // 64)):
        part = samples.rows(top, top + 1)[:, 0].astype(np.int32)
        off = part[..., 1] - plate[top, :, 1]
        step = np.abs(np.diff(off, axis=1))
        known = (part[:, 1:, 3] & part[:, :-1, 3] == 1) & (step < _WILD)
        squares += float((step[known] ** 2).sum())
        count += int(known.sum())
    sigma = math.sqrt(squares / max(count, 1) / 2)
    return round(sigma / _STEP) * _STEP
