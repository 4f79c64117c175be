"""Other ways to hide people: blurring, pixels with noise (the paper's rivals), and synthesis."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict

import cv2
import numpy as np

from videodp.elements import OwnerPicture, place
from videodp.errors import UsageError
from videodp.experiments.answers import Benchmark
from videodp.experiments.chance import terms
from videodp.experiments.detection import agreement
from videodp.experiments.lab import Lab
from videodp.experiments.made_up import made_up, painter
from videodp.experiments.store import Rows
from videodp.privacy.noise import Noise
from videodp.queries import footage_of
from videodp.video import Frame, in_order, probe, read_frames

__all__ = ["BLUR", "CELL", "GUARANTEES", "NEIGHBOURS", "blur", "compared", "pixelise", "soften"]

BLUR = 0.1
"""Standard deviation of the blur, as a share of the height of an element's box."""
_FINE = 4.0
"""Pixels of standard deviation at which a blurred picture is drawn."""
CELL = 16
"""Side of a cell, b (Fan's own choice)."""
NEIGHBOURS = 16
"""Pixels that may differ between two neighbouring pictures, m (Fan's own choice)."""

GUARANTEES = {
    "private": "an element is not drawn at all with probability exp(-epsilon); else it shows",
    "blur": "nothing: outline, gait, place and time of everybody stay, and a blur can be undone "
    "in part",
    "pixelise": f"epsilon for {NEIGHBOURS} pixels of the grey picture of one frame; an element of "
    f"n pixels in t frames loses n t / {NEIGHBOURS} times epsilon",
    "synthesis": "epsilon for one element over the whole video, whatever is asked; the plate is "
    "taken to be public",
}
"""What each does and does not promise."""


def blur(rgb: np.ndarray, owner: np.ndarray, heights: dict[int, float]) -> np.ndarray:
    """Blurs the pixels of elements: no guarantee.

    Args:
        rgb: (height, width, 3) uint8.
        owner: (height, width) int32, 0 where background.
        heights: of the box of each owner in the picture.

    Returns:
        Another picture.
    """
    out = rgb.copy()
    for who, height in heights.items():
        own = owner == who
        if own.any():
            rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
            margin = int(3 * BLUR * height) + 1
            at = (_around(rows, margin), _around(columns, margin))
            out[at][own[at]] = soften(rgb[at], max(BLUR * height, 1.0))[own[at]]
    return out


def soften(rgb: np.ndarray, sigma: float) -> np.ndarray:
    """A Gaussian blur; a wide one is made on a smaller picture, where nothing of it is lost."""
    factor = max(int(sigma / _FINE), 1)
    height, width, _ = rgb.shape
    small = (max(width // factor, 1), max(height // factor, 1))
    coarse = np.asarray(cv2.resize(rgb, small, interpolation=cv2.INTER_AREA))
    soft = cv2.GaussianBlur(
        coarse, (0, 0), sigma * small[0] / width, None, sigma * small[1] / height
    )
    return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR))


def _around(places: np.ndarray, margin: int) -> slice:
    return slice(max(int(places[0]) - margin, 0), int(places[-1]) + margin + 1)


def pixelise(rgb: np.ndarray, epsilon: float, noise: Noise) -> np.ndarray:
    """Cells of b x b pixels with their mean grey and Laplace noise (Fan, 2018).

    Pictures that differ in m pixels differ by 255 m in the sums of all cells together; noise on
    the sums, divided by the b² pixels of a cell, is Fan's 255 m / (b² epsilon) on its mean.

    Args:
        rgb: (height, width, 3) uint8.
        epsilon: for m pixels of this picture.
        noise: where it comes from.

    Returns:
        (height, width, 3) uint8, grey.
    """
    grey = cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2GRAY).astype(np.int64)
    height, width = grey.shape
    rows, columns = np.arange(0, height, CELL), np.arange(0, width, CELL)
    sums = np.add.reduceat(np.add.reduceat(grey, rows, axis=0), columns, axis=1)
    noisy = noise.laplace(sums, 255 * NEIGHBOURS, epsilon)
    sizes = np.outer(np.diff([*rows, height]), np.diff([*columns, width]))
    cells = np.clip(np.rint(noisy / sizes), 0, 255).astype(np.uint8)
    whole = np.repeat(np.repeat(cells, CELL, axis=0), CELL, axis=1)[:height, :width]
    return np.repeat(whole[..., None], 3, axis=2)


def compared(lab: Lab, against: Benchmark, way: str, epsilon: float | None) -> Rows:
    """One of the ways over a whole video: how near it is, and what is found in it."""
    change = _change(lab, way, epsilon)
    near = lab.sheet.nearness_everywhere(change(frame) for frame in lab.sheet.frames)
    path = lab.work / "other.mp4"
    with (
        lab.writer(path) as writer,
        closing(read_frames(lab.video)) as frames,
        closing(
            in_order(lambda f: (f.pts, writer.prepare(change(f))), frames, lab.workers)
        ) as pictures,
    ):
        for pts, picture in pictures:
            writer.write(picture, pts)
    other = probe(path)
    try:
        found = footage_of(lab.find(other, lab.work / "other.txt"), other)
        seen = {**agreement(found, against.footage.who, lab.elements), "note": ""}
    except UsageError as error:  # noise everywhere looks like a moving camera
        seen = {"note": f"no element can be looked for: {error}"}
    return {
        "comparators": [
            {
                "way": way,
                "epsilon": epsilon,
                **asdict(near),
                **seen,
                "guarantee": GUARANTEES[way],
            }
        ]
    }


def _change(lab: Lab, way: str, epsilon: float | None) -> Callable[[Frame], np.ndarray]:
    size = lab.video.width, lab.video.height

    def blurred(frame: Frame) -> np.ndarray:
        seen = next(lab.elements.frames(frame.index, frame.index + 1))
        placed = place(lab.elements, seen, *size)
        heights = {int(i) + 1: float(b[3]) for i, b in zip(placed.index, placed.boxes, strict=True)}
        return blur(frame.rgb, OwnerPicture(*size).paint(placed), heights)

    def pixelised(frame: Frame) -> np.ndarray:
        assert epsilon is not None
        return pixelise(frame.rgb, epsilon, terms(epsilon, "paper", 0, "cells", frame.index).noise)

    if way == "synthesis":
        assert epsilon is not None
        paint = painter(lab, made_up(lab, epsilon, 0), 0)
        return lambda frame: paint.frame(frame.index).rgb
    return blurred if way == "blur" else pixelised
