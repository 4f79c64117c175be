"""What belongs to an element within its box and a little around it, when the camera is still.

Two answers: what must be *protected*, rather too much than too little, and the shape that is
*drawn* in its place, as tight as can be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from videodp.elements.motion.model import LightChange, SceneModel
from videodp.kernels.bodies import BOX, CORE, DRAWN, MINE, claim, keep_central, span_lines
from videodp.kernels.foreground import SHADOW, STRONG, WEAK, classify

__all__ = ["Silhouette", "plain_silhouettes", "silhouettes"]

_LEAST = 9.0
_SIGMAS = 4.0
_SMOOTHED = 0.4
"""Noise of the mean of 3x3 pixels against that of one; a third if pixels were independent."""
_RIM = 2
"""Pixels on the inside of an outline that may still be scene."""
_TOO_LITTLE = 0.2
"""Share of a box's ellipse that differs from the scene, below which no shape can be told."""
_UNSURE = 0.35
"""The same, below which parts of the body may be missing: the whole box is protected."""


@dataclass(frozen=True, eq=False)
class Silhouette:
    """One element in one frame."""

    bounds: tuple[int, int, int, int]
    """x0, y0, x1, y1 inside the picture; empty for a box outside."""
    protected: np.ndarray
    """(y1 - y0, x1 - x0) bool: no pixel of the element is outside."""
    drawn: np.ndarray
    """(y1 - y0, x1 - x0) bool: its shape, within `protected`."""


def plain_silhouettes(boxes: np.ndarray, width: int, height: int) -> list[Silhouette]:
    """Without a scene to compare with: the box is protected, the ellipse in it is drawn.

    Args:
        boxes: (n, 4) float64 x, y, width, height; may reach beyond the picture.
        width: of the picture.
        height: of the picture.
    """
    found = []
    for box in np.asarray(boxes, np.float64).reshape(-1, 4):
        bounds = _around(box, 0.0, 0.0, width, height)
        inside = np.ones((bounds[3] - bounds[1], bounds[2] - bounds[0]), bool)
        found.append(Silhouette(bounds, inside, _ellipse(box, bounds)))
    return found


def silhouettes(rgb: np.ndarray, model: SceneModel, boxes: np.ndarray) -> list[Silhouette]:
    """The silhouettes of all elements of a frame, in the order of their boxes.

    Where boxes overlap the silhouettes may, too: who is in front owns the pixel.

    Args:
        rgb: (height, width, 3) uint8 RGB; rows may be padded.
        model: the scene.
        boxes: (n, 4) float64 x, y, width, height; may reach beyond the picture.
    """
    boxes = np.array(boxes, np.float64).reshape(-1, 4)
    boxes[:, 2:] = np.maximum(boxes[:, 2:], 1.0)
    if len(boxes) == 0:
        return []
    light = LightChange.of(rgb, model.plate, model.noise)
    return [_silhouette(rgb, model, light, boxes, i) for i in range(len(boxes))]


def _silhouette(
    rgb: np.ndarray, model: SceneModel, light: LightChange, boxes: np.ndarray, i: int
) -> Silhouette:
    height, width = rgb.shape[:2]
    w, h = boxes[i, 2:]
    size = float(np.sqrt(w * h))
    long = max(w, h)
    bounds = _around(boxes[i], 0.12 * w + 0.06 * long + 2, 0.15 * h + 2, width, height)
    x0, y0, x1, y1 = bounds
    if x0 == x1 or y0 == y1:
        nothing = np.zeros((y1 - y0, x1 - x0), bool)
        return Silhouette(bounds, nothing, nothing)
    flags = np.empty((y1 - y0, x1 - x0), np.uint8)
    claim(boxes, i, x0, y0, flags)
    inside = (flags & BOX) > 0
    part = (slice(y0, y1), slice(x0, x1))
    frame, plate = (np.ascontiguousarray(picture[part]) for picture in (rgb, model.plate))
    rough = model.noise[part]
    soft, soft_plate = (cv2.blur(picture, (3, 3)) for picture in (frame, plate))
    classes = _classes(soft, soft_plate, rough, light, bounds, rgb.shape, _SIGMAS * _SMOOTHED)
    differs = ((classes >= WEAK) & ((flags & MINE) > 0)).astype(np.uint8)
    closed = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, _disc(max(1, round(0.02 * size))))
    count, labels = cv2.connectedComponents(closed, connectivity=8, ltype=cv2.CV_16U)
    shape = np.empty(flags.shape, np.uint8)
    told = keep_central(labels, flags, count, shape)
    filled = _filled(shape)
    loose = filled | ((classes >= SHADOW) & inside)
    spanned = np.empty(loose.shape, np.uint8)
    reach, gap = max(1, round(0.02 * size)), round(0.25 * h)
    span_lines(loose, flags, reach, gap, spanned)
    if told < _UNSURE:
        spanned[inside] = 1
    protected = cv2.dilate(spanned, _disc(max(2, round(0.03 * size)))).astype(bool)
    if told < _TOO_LITTLE:
        return Silhouette(bounds, protected, (flags & CORE) > 0)
    # The mean of 3x3 pixels reaches over the rim, and so do the coarse colours of compressed
    # video: there each pixel speaks for itself, and must speak clearly.
    inner = cv2.erode(filled, np.ones((3, 3), np.uint8), iterations=_RIM)
    single = _classes(frame, plate, rough, light, bounds, rgb.shape, _SIGMAS)
    drawn = ((single == STRONG) | (inner > 0)) & (filled > 0) & ((flags & DRAWN) > 0)
    return Silhouette(bounds, protected, drawn)


def _classes(
    frame: np.ndarray,
    plate: np.ndarray,
    noise: np.ndarray,
    light: LightChange,
    bounds: tuple[int, int, int, int],
    shape: tuple[int, ...],
    sigmas: float,
) -> np.ndarray:
    """(h, w) uint8: how each pixel of a part of a picture of the given shape differs."""
    rows, columns = light.grid.shape[:2]
    across, down = columns / shape[1], rows / shape[0]
    place = [(bounds[0] + 0.5) * across, (bounds[1] + 0.5) * down, across, down]
    classes = np.empty(noise.shape, np.uint8)
    at = np.array(place, np.float32)
    classify(frame, plate, noise, light.gains, light.grid, at, _LEAST, sigmas, classes)
    return classes


def _around(
    box: np.ndarray, aside: float, above: float, width: int, height: int
) -> tuple[int, int, int, int]:
    """The whole pixels of the picture in a box grown on each side."""
    x, y, w, h = box.tolist()
    x0, x1 = math.floor(x - aside), math.ceil(x + w + aside)
    y0, y1 = math.floor(y - above), math.ceil(y + h + above)
    x0, y0 = min(max(x0, 0), width), min(max(y0, 0), height)
    return x0, y0, min(max(x1, x0), width), min(max(y1, y0), height)


def _ellipse(box: np.ndarray, bounds: tuple[int, int, int, int]) -> np.ndarray:
    """(h, w) bool: the pixels whose centre is in the ellipse in a box."""
    x0, y0, x1, y1 = bounds
    x, y, w, h = box
    across = (np.arange(x0, x1) + 0.5 - x - w / 2) / max(w / 2, 0.5)
    down = (np.arange(y0, y1) + 0.5 - y - h / 2) / max(h / 2, 0.5)
    mask: np.ndarray = across[None] ** 2 + down[:, None] ** 2 <= 1
    return mask


def _disc(radius: int) -> np.ndarray:
    side = 2 * radius + 1
    disc: np.ndarray = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return disc


def _filled(mask: np.ndarray) -> np.ndarray:
    """(h, w) uint8: the same with its holes filled."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, outlines, -1, 1, cv2.FILLED)
    return filled
