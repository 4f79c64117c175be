"""Somebody on a bicycle or a motorcycle, from the side."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from videodp.scenes.figures import Figure, Light, Pose, Sprite, paint_figure, trim

__all__ = ["Rider", "paint_rider"]

_FINE = 3
_LONG = 0.98
"""Length against height, rider included."""
_WHEEL = 0.19
"""Radius of a wheel against the height of everything."""
_DARK, _METAL = (34, 34, 38, 255), (120, 122, 128, 255)


@dataclass(frozen=True)
class Rider:
    """A generic rider."""

    motor: bool
    figure: Figure


def paint_rider(rider: Rider, height: float, direction: int, turn: float, light: Light) -> Sprite:
    """Paints a rider.

    Args:
        rider: who, on what.
        height: of rider and wheels in pixels.
        direction: 1 to the right, -1 to the left.
        turn: of the pedals, in radians.
        light: in which light.

    Returns:
        Both cut out, with soft edges; the anchor is the middle.
    """
    tall, wide = max(4, round(height)), max(4, round(_LONG * height))
    machine = _machine(rider, tall, wide)
    pose = Pose(turn / (2 * math.pi) % 1.0, 0.15 if rider.motor else 0.7, 0.25)
    body = paint_figure(rider.figure, pose, max(4.0, 0.86 * height), light, soft=True)
    canvas = machine.copy()
    _seat(canvas, body.rgba, round(0.46 * wide) - body.anchor)
    if direction < 0:
        canvas = np.ascontiguousarray(canvas[:, ::-1])
    return trim(canvas, wide // 2)


def _machine(rider: Rider, tall: int, wide: int) -> np.ndarray:
    """(tall, wide, 4) uint8: two wheels and what joins them."""
    canvas = np.zeros((tall * _FINE, wide * _FINE, 4), np.uint8)
    unit = tall * _FINE
    radius = _WHEEL * unit
    axle = round(unit - radius - _FINE)
    rear, front = round(0.21 * unit), round((_LONG - 0.21) * unit)
    thick = max(1, round((0.075 if rider.motor else 0.028) * unit))
    for x in (rear, front):
        cv2.circle(canvas, (x, axle), round(radius - thick / 2), _DARK, thick)
    crank, saddle = (round(0.46 * unit), axle), (round(0.38 * unit), round(0.5 * unit))
    bar = (round(0.72 * unit), round(0.42 * unit))
    paint = (*rider.figure.accent, 255)
    pipe = max(1, round((0.1 if rider.motor else 0.022) * unit))
    for a, b in (((rear, axle), crank), ((rear, axle), saddle), (crank, saddle), (crank, bar)):
        cv2.line(canvas, a, b, paint, pipe)
    cv2.line(canvas, (front, axle), bar, _METAL, max(1, pipe // 2))
    return np.asarray(cv2.resize(canvas, (wide, tall), interpolation=cv2.INTER_AREA))


def _seat(canvas: np.ndarray, sprite: np.ndarray, left: int) -> None:
    """Seats a figure, its feet a little above the ground."""
    h, w = sprite.shape[:2]
    bottom = canvas.shape[0] - round(0.1 * canvas.shape[0])
    x0, x1 = max(0, left), min(canvas.shape[1], left + w)
    y0 = max(0, bottom - h)
    part = canvas[y0:bottom, x0:x1]
    over = sprite[h - (bottom - y0) :, x0 - left : x1 - left].astype(np.uint16)
    part[:] = over + (part * (255 - over[..., 3:]) + 127) // 255
