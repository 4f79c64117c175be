"""Actors dressed as generic figures: who plays whom, and how it looks in a frame.

Nothing of a figure's looks comes from the recording: clothes and paints are made up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import cv2
import numpy as np

from videodp.scenes.figures import CYCLE, Figure, Light, Pose, Sprite, dress, paint_figure
from videodp.scenes.vehicles import SPOKES, Vehicle, build_kind, paint_vehicle
from videodp.scenes.walks import Walk
from videodp.synthesis.model import Actor
from videodp.synthesis.riders import Rider, paint_rider

__all__ = ["Paintshop", "Player", "cast_player"]

_WALKERS = ("person",)
_VEHICLES = ("car", "truck", "bus")
_RIDERS = ("bicycle", "motorcycle")
_DEPTH = 1.6
"""A row is so much further on the ground than a column is, since we look along it."""
_TURN = 0.5
"""Seconds before and after which a vehicle's way is looked at."""
_WHEEL_STEPS = 4
_SWAYS = ((0.07, 0.6), (0.19, 0.3))
"""Times a second, and by how many radians, who stands turns to and fro."""
_SHIFT = 0.11, 0.3, 0.03
"""Times a second, by what share of a stride and of the height, who stands shifts their weight."""
_SMALLEST, _LARGEST = 4.0, 4096.0
"""Pixels."""

_FIGURE, _VEHICLE = 720, 960
"""Pixels: what is higher or longer is painted in this size and enlarged."""
_KEPT = 64
"""Painted vehicles kept: what drives on changes little from frame to frame."""

Player = Callable[[float, float, float], Sprite]
"""Paints an actor: at a time in seconds, so wide and so high, in pixels."""


class Paintshop:
    """Paints whatever is asked for in one light; remembers the latest vehicles."""

    def __init__(self, light: Light) -> None:
        self._light = light
        self._vehicle = lru_cache(_KEPT)(self._paint_vehicle)
        self.vehicle = lru_cache(_KEPT)(self._fit_vehicle)

    def figure(self, figure: Figure, pose: Pose, height: float) -> Sprite:
        """A pedestrian: the width follows from the gait."""
        height = _size(height)
        sprite = paint_figure(figure, pose, min(height, _FIGURE), self._light, soft=True)
        if height <= _FIGURE:
            return sprite
        h, w = sprite.rgba.shape[:2]
        return _stretch(sprite, round(w * height / _FIGURE), round(h * height / _FIGURE))

    def rider(self, rider: Rider, heading: int, turn: float, size: tuple[int, int]) -> Sprite:
        """Somebody on two wheels."""
        sprite = paint_rider(rider, min(size[1], _FIGURE), heading, turn, self._light)
        return _stretch(sprite, *size)

    def _fit_vehicle(
        self, vehicle: Vehicle, heading: int, step: int, size: tuple[int, int]
    ) -> Sprite:
        length = min(_VEHICLE, 2 ** math.ceil(math.log2(size[0])))
        return _stretch(self._vehicle(vehicle, heading, step, length), *size)

    def _paint_vehicle(self, vehicle: Vehicle, heading: int, step: int, length: int) -> Sprite:
        turn = step * 2 * math.pi / (_WHEEL_STEPS * SPOKES)
        return paint_vehicle(vehicle, length, heading, turn, soft=True)


def cast_player(actor: Actor, rate: Fraction, rng: np.random.Generator, shop: Paintshop) -> Player:
    """Makes up who plays an actor.

    Args:
        actor: to be played.
        rate: frames per second.
        rng: decides on looks, nothing else.
        shop: where it is painted.
    """
    way = _way(actor, rate)
    wide, high = actor.knots[:, 3].sum(), actor.knots[:, 4].sum()
    if actor.label in _RIDERS:
        return _Rides(way, Rider(actor.label == "motorcycle", dress(rng)), shop)
    if actor.label in _VEHICLES or (actor.label not in _WALKERS and wide > high):
        label = actor.label if actor.label in _VEHICLES else "car"
        return _Drives(way, build_kind(rng, label), shop)
    figure = dress(rng)
    walk = Walk(figure, 1.0, way.times, way.xs, way.feet, way.steps, float(rng.uniform(0, 6.28)))
    return _Walks(walk, shop)


@dataclass(frozen=True, eq=False)
class _Way:
    """Where an actor is, by seconds; straight between the knots."""

    times: np.ndarray
    xs: np.ndarray
    feet: np.ndarray
    steps: np.ndarray
    """Gait cycles of a walker until each knot."""

    def heading(self, t: float) -> int:
        """1 to the right, -1 to the left: of the moment, or of the whole way while it stands."""
        before, after = np.interp((t - _TURN, t + _TURN), self.times, self.xs)
        moved = after - before
        if abs(moved) < 1.0:
            moved = self.xs[-1] - self.xs[0]
        return 1 if moved >= 0 else -1

    def travelled(self, t: float) -> float:
        """Gait cycles until a time."""
        return float(np.interp(t, self.times, self.steps))


def _way(actor: Actor, rate: Fraction) -> _Way:
    when, xs, feet, _, high = actor.knots.T
    middle = np.maximum(0.5 * (high[1:] + high[:-1]), _SMALLEST)
    lengths = np.hypot(np.diff(xs), _DEPTH * np.diff(feet)) / middle
    steps = np.concatenate([[0.0], np.cumsum(lengths)]) / CYCLE
    return _Way(when / float(rate), xs, feet, steps)


def _size(pixels: float) -> float:
    return min(max(pixels, _SMALLEST), _LARGEST)


@dataclass(frozen=True, eq=False)
class _Walks:
    """A pedestrian."""

    walk: Walk
    shop: Paintshop

    def __call__(self, t: float, width: float, height: float) -> Sprite:
        pose, aside = _stirring(self.walk, t)
        sprite = self.shop.figure(self.walk.figure, pose, height)
        return Sprite(sprite.rgba, sprite.anchor - round(aside * height))


def _stirring(walk: Walk, t: float) -> tuple[Pose, float]:
    """The pose of a walker, and how many heights aside; nobody stands as still as a post.

    Somebody who did would be a thing to whoever looks for people: the same picture, well or badly
    seen, for as long as they stand.
    """
    pose = walk.pose(t)
    still = 1.0 - pose.stride
    turn = sum(wide * math.sin(math.tau * often * t + walk.rest) for often, wide in _SWAYS)
    often, step, aside = _SHIFT
    sway = still * math.sin(math.tau * often * t + 2 * walk.rest)
    stride = pose.stride + 0.5 * step * (still + sway)
    return Pose(pose.phase, stride, pose.heading + still * turn), aside * sway


@dataclass(frozen=True, eq=False)
class _Drives:
    """A car, a truck or a bus from the side, stretched to the actor's size."""

    way: _Way
    vehicle: Vehicle
    shop: Paintshop

    def __call__(self, t: float, width: float, height: float) -> Sprite:
        metres = self.way.travelled(t) * CYCLE * height / max(width, 1.0) * self.vehicle.metres
        turn = metres / self.vehicle.model.wheel
        step = int(turn * _WHEEL_STEPS * SPOKES / (2 * math.pi)) % _WHEEL_STEPS
        return self.shop.vehicle(self.vehicle, self.way.heading(t), step, _pixels(width, height))


@dataclass(frozen=True, eq=False)
class _Rides:
    """Somebody on two wheels."""

    way: _Way
    rider: Rider
    shop: Paintshop

    def __call__(self, t: float, width: float, height: float) -> Sprite:
        turn = 2 * math.pi * self.way.travelled(t)
        return self.shop.rider(self.rider, self.way.heading(t), turn, _pixels(width, height))


def _pixels(width: float, height: float) -> tuple[int, int]:
    return round(_size(width)), round(_size(height))


def _stretch(sprite: Sprite, width: int, height: int) -> Sprite:
    """The sprite in another size."""
    anchor = round(sprite.anchor * width / sprite.rgba.shape[1])
    shrinks = width <= sprite.rgba.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    rgba = cv2.resize(sprite.rgba, (width, height), interpolation=how)
    return Sprite(np.asarray(rgba, np.uint8), anchor)
