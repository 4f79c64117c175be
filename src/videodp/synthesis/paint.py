"""Paints the actors of a population on the empty scene: any frame, in any order, on all cores."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from videodp.elements import Seen, no_runs
from videodp.kernels.blend import blend, shade
from videodp.kernels.masks import clear_bounds
from videodp.kernels.paint import expose, visible_pixels
from videodp.privacy.randomness import Randomness
from videodp.scenes.figures import Light
from videodp.synthesis.model import Population
from videodp.synthesis.players import Paintshop, Player, cast_player
from videodp.synthesis.scenery import Scenery
from videodp.video import in_order

__all__ = ["Painted", "Painter", "paint_frames"]

T = TypeVar("T")

_BANK = 1 << 20
"""Values of noise made once; each line of each frame reads somewhere in it."""
_AS_IS = 4096
_PLAYERS = 512
"""Dressed actors kept: more than are in view at a time."""
_COMMON = 118
"""Mean grey level of a picture in which figures have their own colours."""
_DIMMEST, _LIGHTEST = 0.45, 1.15
_SHADOW = 0.3
"""Share of the light that is missing under a figure."""


@dataclass(frozen=True, eq=False)
class Painted:
    """A finished frame, and exactly who was painted where."""

    rgb: np.ndarray
    """(height, width, 3) uint8."""
    seen: Seen
    visibility: tuple[float, ...]
    """Share of each that nobody nearer hides."""


class Painter:
    """Paints frames; each is a function of its index, whatever was painted before."""

    def __init__(self, population: Population, scenery: Scenery, randomness: Randomness) -> None:
        self._population = population
        self._plate = np.ascontiguousarray(scenery.plate)
        self._randomness = randomness
        self._shop = Paintshop(_light_of(self._plate))
        self._first = np.array([actor.first for actor in population.actors], np.int64)
        self._last = np.array([actor.last for actor in population.actors], np.int64)
        width = population.size[0]
        bank = _generator(randomness, "sensor").standard_normal(_BANK + 3 * width, np.float32)
        noise = (bank * np.float32(scenery.noise)).round().clip(-127, 127).astype(np.int8)
        self._noise = noise if noise.any() else noise[:0]
        self._player = functools.lru_cache(_PLAYERS)(self._cast)
        self._owners: list[np.ndarray] = []

    def frame(self, index: int) -> Painted:
        """Paints one frame; from any thread."""
        population = self._population
        here = np.flatnonzero((self._first <= index) & (self._last >= index)).tolist()
        places = [population.actors[i].at(np.array([index]))[0].tolist() for i in here]
        order = sorted(
            range(len(here)), key=lambda k: (places[k][1], population.actors[here[k]].id)
        )
        rgb = self._plate.copy()
        try:  # asking first whether one is free would be too late in several threads
            owner = self._owners.pop()
        except IndexError:
            owner = np.zeros(rgb.shape[:2], np.int32)
        for k in order:
            x, foot, width, height = places[k]
            shade(rgb, x, foot, max(0.42 * width, 1.0), max(0.06 * height, 1.0), _SHADOW)
        drawn = []
        for k in order:
            row = self._draw(rgb, owner, here[k], index, places[k])
            if row[4]:
                drawn.append((here[k], row))
        seen, visibility = self._seen(index, drawn, owner)
        bounds = np.array([row[:4] for _, row in drawn], np.int64).reshape(-1, 4)
        clear_bounds(owner, bounds)
        self._owners.append(owner)
        self._expose(rgb, index)
        return Painted(rgb, seen, visibility)

    def _cast(self, i: int) -> Player:
        actor = self._population.actors[i]
        rng = _generator(self._randomness, "looks", actor.id)
        return cast_player(actor, self._population.rate, rng, self._shop)

    def _draw(
        self, rgb: np.ndarray, owner: np.ndarray, i: int, index: int, place: list[float]
    ) -> tuple[int, int, int, int, int]:
        """x0, y0, x1, y1 of what was painted of an actor inside the picture, and its pixels."""
        x, foot, width, height = place
        sprite = self._player(i)(index / float(self._population.rate), width, height)
        left, top = round(x) - sprite.anchor, round(foot) - sprite.rgba.shape[0]
        return blend(rgb, owner, sprite.rgba, left, top, i + 1)

    def _seen(
        self, index: int, drawn: list[tuple[int, tuple[int, int, int, int, int]]], owner: np.ndarray
    ) -> tuple[Seen, tuple[float, ...]]:
        actors = [self._population.actors[i] for i, _ in drawn]
        boxes = np.array(
            [(x0, y0, x1 - x0, y1 - y0) for _, (x0, y0, x1, y1, _) in drawn], np.float64
        )
        visibility = tuple(
            visible_pixels(owner, x0, y0, x1 - x0, y1 - y0, i + 1) / solid
            for i, (x0, y0, x1, y1, solid) in drawn
        )
        seen = Seen(
            index,
            np.array([actor.id for actor in actors], np.int64),
            boxes.reshape(-1, 4),
            tuple(actor.label for actor in actors),
            no_runs(len(actors)),
            no_runs(len(actors)),
        )
        return seen, visibility

    def _expose(self, rgb: np.ndarray, index: int) -> None:
        """Puts the sensor's noise of a moment onto a frame."""
        if len(self._noise):
            words = self._randomness.stream("noise", index).words(len(rgb))
            offsets = (words % np.uint64(_BANK)).astype(np.int64)
            expose(rgb.reshape(len(rgb), -1), _AS_IS, self._noise, offsets)


def paint_frames(
    painter: Painter, frames: int, finish: Callable[[np.ndarray], T], workers: int = 1
) -> Iterator[tuple[Painted, T]]:
    """All frames in order, painted on several cores.

    Args:
        painter: of the population.
        frames: how many.
        finish: what else is to be done with a finished picture, by the worker that painted it.
        workers: threads.
    """

    def paint(index: int) -> tuple[Painted, T]:
        painted = painter.frame(index)
        return painted, finish(painted.rgb)

    with closing(in_order(paint, range(frames), workers)) as pictures:
        yield from pictures


def _generator(randomness: Randomness, *purpose: str | int) -> np.random.Generator:
    """For looks only: nothing that privacy rests on."""
    return np.random.default_rng(randomness.stream(*purpose).words(4).tolist())


def _light_of(plate: np.ndarray) -> Light:
    """The light on figures: the same everywhere.

    How bright the ground is at a place does not tell how much light there is: grass is darker than
    stone. Whoever walked from one to the other would seem to change clothes.
    """
    mean = float(cv2.cvtColor(plate, cv2.COLOR_RGB2GRAY).mean())
    overall = min(max(mean / _COMMON, _DIMMEST), _LIGHTEST)
    red, green, blue = (overall * share for share in Light().tint)
    return Light(tint=(red, green, blue))
