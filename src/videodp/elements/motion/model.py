"""The scene as one fixed value, and the light of a frame against it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from videodp.kernels.light import fit_light, local_light

__all__ = ["SMALL", "LightChange", "SceneModel", "shrink_frame", "small_size"]

SMALL = 640
"""Longest side of the picture in which motion is looked for."""

_CELLS = 12
"""Cells of light along the longer side."""
_REACH = 14
"""Grey levels by which the light of a place may change beyond that of the whole picture."""
_LOOK = 160
"""Longest side of the picture in which light is looked at."""


@dataclass(frozen=True, eq=False)
class SceneModel:
    """The scene without its elements, in full size and small."""

    plate: np.ndarray
    """(height, width, 3) uint8."""
    noise: np.ndarray
    """(height, width) uint8: standard deviation in 1/8 grey levels; 255: never seen."""
    small_plate: np.ndarray
    """(h, w, 3) uint8, longest side at most `SMALL`."""
    small_noise: np.ndarray
    """(h, w) uint8."""

    @property
    def unseen(self) -> float:
        """Share of the picture of which no sample showed the scene."""
        return float((self.noise == 255).mean())


@dataclass(frozen=True, eq=False)
class LightChange:
    """The light of one frame against the light of the plate: gain, offset, and a coarse grid."""

    gains: np.ndarray
    """(3, 2) float32: gain and offset of red, green and blue."""
    grid: np.ndarray
    """(rows, columns, 3) float32: grey levels to add, at cell centres."""
    fitting: float
    """Share of the picture in which this explains the frame."""

    @staticmethod
    def of(frame: np.ndarray, plate: np.ndarray, noise: np.ndarray) -> LightChange:
        """The light of a frame.

        Args:
            frame: (h, w, 3) uint8 RGB.
            plate: (h, w, 3) uint8 RGB.
            noise: (h, w) uint8, 255 where the plate is not known.
        """
        height, width = noise.shape
        step = max(1, max(height, width) // _LOOK)
        few = np.ascontiguousarray(frame[::step, ::step])
        under = np.ascontiguousarray(plate[::step, ::step])
        known = (noise[::step, ::step] != 255).astype(np.uint8)
        gains = np.zeros((3, 2), np.float32)
        fitting = fit_light(few, under, known, gains)
        cell = max(height, width) / _CELLS
        rows, columns = max(2, round(height / cell)), max(2, round(width / cell))
        grid = np.zeros((rows, columns, 3), np.float32)
        trust = np.zeros((rows, columns), np.float32)
        local_light(few, under, known, gains, _REACH, grid, trust)
        # A cell that is mostly covered by something says little: its neighbours speak for it.
        weight = np.clip((trust - 0.35) / 0.3, 0.0, 1.0) + np.float32(1e-3)
        blurred = cv2.blur(grid * weight[..., None], (3, 3), borderType=cv2.BORDER_REPLICATE)
        total = cv2.blur(weight, (3, 3), borderType=cv2.BORDER_REPLICATE)
        return LightChange(gains, (blurred / total[..., None]).astype(np.float32), float(fitting))


def small_size(width: int, height: int) -> tuple[int, int]:
    """Width and height of the small picture."""
    scale = min(1.0, SMALL / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def shrink_frame(rgb: np.ndarray) -> np.ndarray:
    """The small picture of a frame, (h, w, 3) uint8."""
    height, width = rgb.shape[:2]
    size = small_size(width, height)
    if size == (width, height):
        return np.ascontiguousarray(rgb)
    small: np.ndarray = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    return small
