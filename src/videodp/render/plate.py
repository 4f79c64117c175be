"""The plate: the scene without elements, from background pixels only."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from videodp.census import BackgroundSamples
from videodp.kernels.fill import KNOWN, ring_fill
from videodp.kernels.plate import masked_median

__all__ = ["Plate", "make_plate"]

_LINES = 64
_FREE = 0.2
"""Share of the samples in which a place must be free of elements to be believed."""
_RESTLESS = 24
"""Grey levels between the quartiles of a place from which on it is not the same place."""
_MOVING = 0.12
"""Share of restless places from which on the camera is taken to move."""


@dataclass(frozen=True)
class Plate:
    """The empty scene."""

    rgb: np.ndarray
    """(height, width, 3) uint8."""
    unseen: int
    """Pixels that were background in too few samples; filled from their neighbours."""
    still: bool
    """Whether the camera stands still."""


def make_plate(background: BackgroundSamples, workers: int = 1) -> Plate:
    """The median of each pixel over the samples in which no element covers it.

    A pixel that is free in few samples counts as never seen: somebody may stand there all the
    time, and was missed in these.

    Args:
        background: the samples.
        workers: threads.
    """
    least = math.ceil(_FREE * len(background.frames))
    plate = np.full((background.height, background.width, 3), 128, np.uint8)
    state = np.zeros(plate.shape[:2], np.uint8)
    spread = np.zeros(plate.shape[:2], np.uint8)

    def strip(top: int) -> None:
        lines = slice(top, min(top + _LINES, background.height))
        samples = background.rows(lines.start, lines.stop)
        samples[..., 3] *= samples[..., 3].sum(axis=0) >= least
        masked_median(samples, plate[lines], state[lines], spread[lines])

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(strip, range(0, background.height, _LINES)))
    seen = state == KNOWN
    restless = float((spread[seen] > _RESTLESS).mean()) if seen.any() else 0.0
    ring_fill(plate, state)
    return Plate(plate, int((~seen).sum()), restless <= _MOVING)
