"""Whether the camera stands still, told from the pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from videodp.errors import UsageError

__all__ = ["CameraMotion", "recognise_camera"]

_SIDE = 960
"""Longest side of the picture in which places are followed."""
_PLACES = 400
_FEW = 24
"""Followed places below which nothing can be told from them."""
_REST = 0.6
"""Pixels, at that size, that a place at rest may seem to move by noise and compression."""
_MOVED = 0.9
"""Pixels, at that size, by which the whole picture must have moved."""
_RESTING = 0.15
"""Share of all places that must have been found again at rest."""
_SOME = 0.1
"""Share of the frames that may be disturbed: a lorry in front of the lens, a flash."""


@dataclass(frozen=True)
class CameraMotion:
    """What was seen of the camera."""

    still: bool
    """Whether it stands still."""
    moved: float
    """Share of the compared frames in which the picture as a whole is displaced or lost."""
    displacement: float
    """Ninth decile of how far the picture moved against the middle frame, in pixels."""
    resting: float
    """Median share of places that are found again where they were."""
    compared: int
    """Number of frames that were compared with the middle one."""


def recognise_camera(frames: Iterable[np.ndarray]) -> CameraMotion:
    """Compares frames from all over a video with the middle one of them.

    Corners of the middle frame are followed into each other one, there and back again. What is
    still there speaks for a still camera even if most of the picture is covered by people; a
    displacement of the whole picture (shift, turn and zoom, fitted robustly) speaks against it.

    Args:
        frames: (height, width, 3) uint8 RGB each, of one size, in order; a few dozen.
    """
    grey = [_even(frame) for frame in frames]
    if not grey:
        raise UsageError("a camera is recognised from one frame or more, not from none")
    middle = len(grey) // 2
    base, scale = grey[middle]
    others = [picture for i, (picture, _) in enumerate(grey) if i != middle]
    places = cv2.goodFeaturesToTrack(base, _PLACES, 0.01, 8, blockSize=5)
    if not others or places is None or len(places) < _FEW:
        return CameraMotion(True, 0.0, 0.0, 1.0, 0)
    seen = np.array([_compare(base, other, places) for other in others])
    distance, resting = seen.T
    moved = (distance > _MOVED) | (resting < _RESTING)
    return CameraMotion(
        still=bool(moved.mean() <= _SOME),
        moved=float(moved.mean()),
        displacement=float(np.quantile(distance, 0.9) * scale),
        resting=float(np.median(resting)),
        compared=len(others),
    )


def _even(frame: np.ndarray) -> tuple[np.ndarray, float]:
    """The frame in grey, small, without slow shades and in one contrast; and its scale."""
    height, width = frame.shape[:2]
    scale = max(1.0, max(height, width) / _SIDE)
    size = max(1, round(width / scale)), max(1, round(height / scale))
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    fine = cv2.GaussianBlur(grey, (0, 0), 1.0) - cv2.GaussianBlur(grey, (0, 0), 12.0)
    spread = max(float(np.sqrt(np.mean(fine * fine))), 2.0)
    return np.clip(128 + fine * (40 / spread), 0, 255).astype(np.uint8), scale


def _follow(
    base: np.ndarray, other: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where places, (n, 1, 2) float32, are in another picture, and which were found, (n,)."""
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        base, other, places, np.empty_like(places), winSize=(21, 21), maxLevel=4
    )
    return np.asarray(there), np.asarray(found)[:, 0] > 0


def _compare(base: np.ndarray, other: np.ndarray, places: np.ndarray) -> tuple[float, float]:
    """How far the picture moved, in pixels, and the share of all places that are at rest."""
    there, ok = _follow(base, other, places)
    back, ok_back = _follow(other, base, there)
    found = ok & ok_back
    found &= np.abs(back - places).max(axis=(1, 2)) < 0.5
    if found.sum() < _FEW // 2:
        return 0.0, 0.0  # lost: nothing of the picture is found again
    start, end = places[found, 0], there[found, 0]
    steps = np.linalg.norm(end - start, axis=1)
    resting = float((steps < _REST).sum() / len(places))
    fit, _ = cv2.estimateAffinePartial2D(start, end, ransacReprojThreshold=1.0)
    if fit is None:
        return 0.0, resting
    height, width = base.shape
    corners = np.array([[x, y] for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)])
    corners *= [width, height]
    shifts = corners @ fit[:, :2].T + fit[:, 2] - corners
    return float(np.linalg.norm(shifts, axis=1).mean()), resting
