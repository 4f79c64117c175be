"""Figures as pictures."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from videodp.errors import UsageError
from videodp.kernels.paint import paint_limbs, shrink
from videodp.scenes.figures.look import Figure, Light, Pose
from videodp.scenes.figures.skeleton import limbs

__all__ = ["Sprite", "paint_figure", "trim"]


@dataclass(frozen=True)
class Sprite:
    """A painted thing, cut out.

    Attributes:
        rgba: (h, w, 4) uint8, tight around what is painted; alpha is 0 or 255, never between.
            With soft edges it is the share of a pixel that is painted, and weighs the colours.
        anchor: Column of the sprite that stands on the thing's place on the ground; the
            lowest row is the ground.
    """

    rgba: NDArray[np.uint8]
    anchor: int


def paint_figure(
    figure: Figure, pose: Pose, height: float, light: Light | None = None, *, soft: bool = False
) -> Sprite:
    """Paint a person.

    Args:
        figure: Who.
        pose: In which pose.
        height: Body height in pixels.
        light: In which light.
        soft: Whether edges are soft.

    Returns:
        The person cut out, about `height` pixels high; a walking body is a little lower.
    """
    if not 2 <= height <= 8192:
        raise UsageError(f"a figure is 2 to 8192 pixels high, not {height}")
    light = light or Light()
    # Small figures need more samples per pixel to keep legs apart; large ones cost more each.
    factor = 4 if height < 60 else 3 if height < 120 else 2
    rows = limbs(figure, pose)
    scale = height * factor
    rows[:, :8] *= scale
    rows[:, 8:11] *= light.tint
    rows[:, 12:15] *= light.tint
    reach = rows[:, 4:8].max(axis=1)
    left = math.floor((np.minimum(rows[:, 0], rows[:, 2]) - reach).min() / factor)
    right = math.ceil((np.maximum(rows[:, 0], rows[:, 2]) + reach).max() / factor)
    top = math.floor((np.minimum(rows[:, 1], rows[:, 3]) - reach).min() / factor)
    bottom = math.ceil((np.maximum(rows[:, 1], rows[:, 3]) + reach).max() / factor)
    rows[:, (0, 2)] -= left * factor
    rows[:, (1, 3)] -= top * factor

    shape = ((bottom - top) * factor, (right - left) * factor)
    rgb = np.empty((*shape, 3), np.float32)
    cover = np.zeros(shape, np.uint8)
    beam = np.array(light.direction, np.float64)
    beam /= np.linalg.norm(beam) or 1.0
    paint_limbs(rows, float(scale), np.array([*beam, light.ambient], np.float32), rgb, cover)
    return trim(shrink(rgb, cover, factor, soft), -left)


def trim(rgba: NDArray[np.uint8], anchor: int) -> Sprite:
    """Cut a sprite down to what is painted; at least one pixel stays."""
    solid = rgba[:, :, 3] > 0
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    if not rows.size:
        middle = rgba[-1:, anchor : anchor + 1].copy()
        middle[:, :, 3] = 255
        return Sprite(middle, 0)
    x, y = int(columns[0]), int(rows[0])
    cut = np.ascontiguousarray(rgba[y : rows[-1] + 1, x : columns[-1] + 1])
    return Sprite(cut, anchor - x)
