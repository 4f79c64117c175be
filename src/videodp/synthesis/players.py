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

from videodp.scenes.figures import CYCLE, Light, Sprite, dress, paint_figure
from videodp.scenes.vehicles import SPOKES, Vehicle, build_kind, paint_vehicle
from videodp.scenes.walks import Walk
from videodp.synthesis.model import Actor
from videodp.synthesis.riders import Rider, paint_rider

__all__ = ["Player", "cast_player"]

_WALKERS = ("person",)
_VEHICLES = ("car", "truck", "bus")
_RIDERS = ("bicycle", "motorcycle")
_DEPTH = 1.6
"""A row is so much further on the ground than a column is, since we look along it."""
_TURN = 0.5
"""Seconds before and after which a vehicle's way is looked at."""
_WHEEL_STEPS = 4
_SMALLEST, _LARGEST = 4.0, 4096.0
"""Pixels."""

Player = Callable[[float, float, float], Sprite]
"""Paints an actor: at a time in seconds, so wide and so high, in pixels."""


def cast_player(actor: Actor, rate: Fraction, rng: np.random.Generator, light: Light) -> Player:
    """Makes up who plays an actor.

    Args:
        actor: to be played.
        rate: frames per second.
        rng: decides on looks, nothing else.
        light: in which it stands.
    """
    way = _way(actor, rate)
    wide, high = actor.knots[:, 3].sum(), actor.knots[:, 4].sum()
    if actor.label in _RIDERS:
        return _Rides(way, Rider(actor.label == "motorcycle", dress(rng)), light)
    if actor.label in _VEHICLES or (actor.label not in _WALKERS and wide > high):
        label = actor.label if actor.label in _VEHICLES else "car"
        return _Drives(way, build_kind(rng, label), _size(float(actor.knots[:, 3].max())))
    figure = dress(rng)
    walk = Walk(figure, 1.0, way.times, way.xs, way.feet, way.steps, float(rng.uniform(0, 6.28)))
    return _Walks(walk, light)


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
    """A pedestrian: as high as the actor, its width follows from the gait."""

    walk: Walk
    light: Light

    def __call__(self, t: float, width: float, height: float) -> Sprite:
        return paint_figure(
            self.walk.figure, self.walk.pose(t), _size(height), self.light, soft=True
        )


class _Drives:
    """A car, a truck or a bus from the side, stretched to the actor's size."""

    def __init__(self, way: _Way, vehicle: Vehicle, length: float) -> None:
        self._way = way
        self._vehicle = vehicle
        self._length = length
        self._painted = lru_cache(2 * _WHEEL_STEPS)(self._paint)
        self._fitting = lru_cache(2 * _WHEEL_STEPS)(self._fit)

    def _paint(self, heading: int, step: int) -> Sprite:
        turn = step * 2 * math.pi / (_WHEEL_STEPS * SPOKES)
        return paint_vehicle(self._vehicle, self._length, heading, turn, soft=True)

    def _fit(self, heading: int, step: int, width: int, height: int) -> Sprite:
        return _stretch(self._painted(heading, step), width, height)

    def __call__(self, t: float, width: float, height: float) -> Sprite:
        turn = self._way.travelled(t) * CYCLE * height / max(width, 1.0)
        turn *= self._vehicle.metres / self._vehicle.model.wheel
        step = int(turn * _WHEEL_STEPS * SPOKES / (2 * math.pi)) % _WHEEL_STEPS
        size = round(_size(width)), round(_size(height))
        return self._fitting(self._way.heading(t), step, *size)


@dataclass(frozen=True, eq=False)
class _Rides:
    """Somebody on two wheels."""

    way: _Way
    rider: Rider
    light: Light

    def __call__(self, t: float, width: float, height: float) -> Sprite:
        turn = 2 * math.pi * self.way.travelled(t)
        sprite = paint_rider(self.rider, _size(height), self.way.heading(t), turn, self.light)
        return _stretch(sprite, round(_size(width)), round(_size(height)))


def _stretch(sprite: Sprite, width: int, height: int) -> Sprite:
    """The sprite in another size."""
    anchor = round(sprite.anchor * width / sprite.rgba.shape[1])
    rgba = cv2.resize(sprite.rgba, (width, height), interpolation=cv2.INTER_AREA)
    return Sprite(rgba, anchor)
