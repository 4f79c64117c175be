"""What of a frame is not the scene, in the small picture."""

from __future__ import annotations

import cv2
import numpy as np

from videodp.elements.motion.blobs import connected_parts
from videodp.elements.motion.model import LightChange, SceneModel, shrink_frame
from videodp.kernels.foreground import SHADOW, STRONG, WEAK, classify

__all__ = ["small_foreground"]

_LEAST = 9.0
_SIGMAS = 4.0
_SPECK = 6
"""Small pixels; what is smaller is noise."""

_UPRIGHT = 5
"""Small pixels that a body is high, at least somewhere."""


def small_foreground(rgb: np.ndarray, model: SceneModel) -> np.ndarray:
    """Where a frame is not the scene.

    Args:
        rgb: (height, width, 3) uint8 RGB; rows may be padded.
        model: the scene.

    Returns:
        (h, w) uint8 in the small size of the model: 1 for foreground, else 0. Weak differences
        count where they touch strong ones; shadows on the ground do not count.
    """
    small = shrink_frame(rgb)
    light = LightChange.of(small, model.small_plate, model.small_noise)
    height, width = model.small_noise.shape
    rows, columns = light.grid.shape[:2]
    place = np.array([0.5 * columns / width, 0.5 * rows / height, columns / width, rows / height])
    classes = np.empty((height, width), np.uint8)
    classify(
        small,
        model.small_plate,
        model.small_noise,
        light.gains,
        light.grid,
        place.astype(np.float32),
        _LEAST,
        _SIGMAS,
        classes,
    )
    classes[model.small_noise == 255] = 0  # nobody was ever seen to move there
    labels, _, sizes, strong = connected_parts(
        (classes >= WEAK).astype(np.uint8), (classes == STRONG).astype(np.uint8)
    )
    found: np.ndarray = ((sizes >= _SPECK) & (strong >= 3)).astype(np.uint8)[labels]
    # Bodies stand upright: a tape or a wire in the wind is long, but nowhere high.
    upright = cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones((_UPRIGHT, 1), np.uint8))
    found &= cv2.dilate(upright, np.ones((7, 5), np.uint8))
    # Grey clothes look like a shadow: what the body encloses or touches closely belongs to it.
    near = np.asarray(cv2.morphologyEx(found, cv2.MORPH_CLOSE, np.ones((5, 3), np.uint8)))
    found[(near > 0) & (classes >= SHADOW)] = 1
    return found
