"""Phase II for the background: retained, from the plate, or sampled like everything else."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from videodp.census import Census
from videodp.elements import OwnerPicture, Placed
from videodp.kernels.figures import select_background
from videodp.kernels.fill import HOLE, KNOWN, fill_from_plate, ring_fill
from videodp.plan import Plan
from videodp.privacy.randomness import Randomness
from videodp.video import Frame

__all__ = ["BACKGROUNDS", "FILLS", "Background", "FromPlate", "Retained", "Sampled"]

BACKGROUNDS = ("retain", "plate", "sample")
FILLS = ("temporal", "spatial")

_MARGIN = 6
"""Pixels around an element whose light its hole is filled in."""

_KEEP, _SUPPRESS = -1, -2


class Background(Protocol):
    """Makes the picture behind the figures."""

    def prepare(self, frame: Frame, placed: Placed) -> np.ndarray | None:
        """What must be done frame after frame, in order; the result is handed to `paint`."""

    def paint(
        self, rgb: np.ndarray, owner: np.ndarray, placed: Placed, prepared: np.ndarray | None
    ) -> np.ndarray:
        """The picture, (height, width, 3) uint8, without any element; frames in any order.

        It may take over the memory of `rgb`.
        """


class Retained:
    """Background pixels stay as they are; holes are filled from the plate or spatially."""

    def __init__(self, plate: np.ndarray, fill: str) -> None:
        self._plate = plate
        self._fill = fill

    def prepare(self, frame: Frame, placed: Placed) -> None:
        """Nothing: frames do not depend on each other."""

    def paint(
        self, rgb: np.ndarray, owner: np.ndarray, placed: Placed, prepared: np.ndarray | None
    ) -> np.ndarray:
        """The frame with its elements filled in; uses its memory where it may."""
        picture = np.require(rgb, requirements=["C", "W"])
        if self._fill == "temporal":
            owners = placed.index + 1
            fill_from_plate(picture, self._plate, owner, placed.bounds, owners, _MARGIN)
        else:
            _fill_holes(picture, np.where(owner == 0, KNOWN, HOLE).astype(np.uint8))
        return picture


class FromPlate:
    """Nothing of the frame is left: in every frame the same empty scene."""

    def __init__(self, plate: np.ndarray) -> None:
        self._plate = plate

    def prepare(self, frame: Frame, placed: Placed) -> None:
        """Nothing: frames do not depend on each other."""

    def paint(
        self, rgb: np.ndarray, owner: np.ndarray, placed: Placed, prepared: np.ndarray | None
    ) -> np.ndarray:
        """The plate."""
        return self._plate.copy()


class Sampled:
    """Algorithm 1 to the letter: a background pixel whose colour is worn is kept only if drawn."""

    def __init__(
        self, census: Census, plan: Plan, background_draws: np.ndarray, randomness: Randomness
    ) -> None:
        self._randomness = randomness
        self._fate = np.full(2**24, _KEEP, np.int32)
        self._fate[census.colours[census.wearers > 0]] = _SUPPRESS
        self._fate[plan.colours] = np.arange(len(plan.colours))
        at = census.find(plan.colours)
        self._pixels_left = (census.total - census.worn_sum)[at]
        self._draws_left = background_draws.copy()

    def prepare(self, frame: Frame, placed: Placed) -> np.ndarray:
        """Draws the background pixels of one frame: (height, width) uint8 KNOWN or HOLE."""
        height, width = frame.rgb.shape[:2]
        owner = OwnerPicture(width, height).paint(placed)
        state = np.zeros(owner.shape, np.uint8)
        words = self._randomness.stream("background", frame.index).words(owner.size + 64)
        used = select_background(
            frame.rgb, owner, self._fate, self._pixels_left, self._draws_left, words, state
        )
        if used < 0:
            raise AssertionError("64 of 64 random words were rejected: the generator is broken")
        return state

    def paint(
        self, rgb: np.ndarray, owner: np.ndarray, placed: Placed, prepared: np.ndarray | None
    ) -> np.ndarray:
        """The drawn pixels, and everything else filled from them."""
        picture = np.array(rgb, order="C")
        state = np.zeros(owner.shape, np.uint8) if prepared is None else prepared
        picture[state == HOLE] = 0
        _fill_holes(picture, state)
        return picture


def _fill_holes(picture: np.ndarray, state: np.ndarray) -> None:
    if ring_fill(picture, state):  # not one pixel of the frame is known
        picture[state == HOLE] = 128
