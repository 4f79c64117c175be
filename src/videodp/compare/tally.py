"""Sums over all pixels of two videos, and the measures that follow from them."""

from __future__ import annotations

import math

import cv2
import numpy as np

from videodp.compare.owner import PhaseOne
from videodp.elements import Elements, OwnerPicture, Placed, Seen, place
from videodp.errors import UsageError
from videodp.kernels.compare import GREY_SCALE, compare_pictures, similarity
from videodp.video import Frame, Video

__all__ = ["Tally", "colour_divergence"]

_COLOURS = 2**24
_MARGIN = 5
_WINDOW = (2 * _MARGIN + 1, 2 * _MARGIN + 1)
_SIGMA = 1.5


class Tally:
    """Adds up frames; its size does not depend on how many there are."""

    def __init__(self, original: Video, elements: Elements | None, phase_one: PhaseOne) -> None:
        self.elements = elements
        self.pixels = 0
        """Pixels of elements."""
        self._phase_one = phase_one
        self._all_pixels = original.frames * original.width * original.height
        self._error_elements = self._error_background = self._error_rgb = 0
        self._square_elements = self._square_drawn = 0
        self._similarity = 0.0
        self._windows = 0
        self._original = np.zeros(_COLOURS, np.int64)
        self._private = np.zeros(_COLOURS, np.int64)
        sampled = elements is not None and phase_one.background == "sample"
        self._worn = np.zeros(_COLOURS if sampled else 0, np.int64)
        shape = (original.height, original.width)
        self._owners = OwnerPicture(original.width, original.height)
        self._owner = np.zeros(shape, np.int32)
        self._grey = np.empty((2, *shape), np.float32)

    def add(self, original: Frame, private: Frame, seen: Seen | None) -> None:
        """Adds a pair of frames; frames may come in any order, but not at the same time."""
        if seen is not None and self.elements is not None:
            placed = place(self.elements, seen, original.rgb.shape[1], original.rgb.shape[0])
            self._owner = self._owners.paint(placed)
            self._check_drawn(original, placed)
        pixels, elements, background, square, rgb = compare_pictures(
            original.rgb,
            private.rgb,
            self._owner,
            self._original,
            self._private,
            self._worn,
            self._grey[0],
            self._grey[1],
        )
        self.pixels += pixels
        self._error_elements += elements
        self._error_background += background
        self._square_elements += square
        self._error_rgb += rgb
        if self.elements is not None:
            self._add_similarity()

    def _check_drawn(self, frame: Frame, placed: Placed) -> None:
        """A drawn pixel must be what the record says it is, else the files do not belong."""
        assert self.elements is not None
        index = {self.elements.tracks[i].id: i + 1 for i in placed.index.tolist()}
        height, width = self._owner.shape
        for who, x, y, colour in self._phase_one.drawn.get(frame.index, ()):
            inside = 0 <= x < width and 0 <= y < height
            if not inside or _colour(frame.rgb[y, x]) != colour:
                raise UsageError(
                    f"the owner's record lists a pixel in frame {frame.index + 1} that the "
                    "original does not have: give the original and the record of one publication"
                )
            if self._owner[y, x] != index.get(who, -1):
                raise UsageError(
                    f"the owner's record lists a pixel of element {who} in frame "
                    f"{frame.index + 1} where it is not: give the elements that were published"
                )
            self._square_drawn += _grey(colour) ** 2

    def _add_similarity(self) -> None:
        if min(self._owner.shape) <= 2 * _MARGIN:
            return
        a, b = self._grey
        mean, mean2, squares, product = (
            cv2.GaussianBlur(picture, _WINDOW, _SIGMA) for picture in (a, b, a * a + b * b, a * b)
        )
        total, count = similarity(mean, mean2, squares, product, self._owner, _MARGIN)
        self._similarity += total
        self._windows += count

    def kl(self) -> float:
        """D_KL of the colour counts (paper, section 5.1)."""
        colours = np.flatnonzero(self._original)
        return colour_divergence(self._original[colours], self._private[colours], self._all_pixels)

    def mse(self) -> float:
        """Whole picture, Phase II."""
        return _normalised(self._error_elements + self._error_background, self._all_pixels)

    def element_mse(self) -> float | None:
        """Elements, Phase II."""
        return _normalised(self._error_elements, self.pixels) if self.pixels else None

    def mse_phase1(self) -> float:
        """Whole picture, Phase I."""
        error = self._square_elements - self._square_drawn + self._background_phase1()
        return _normalised(error, self._all_pixels)

    def element_mse_phase1(self) -> float | None:
        """Elements, Phase I: all black but for the drawn pixels."""
        error = self._square_elements - self._square_drawn
        return _normalised(error, self.pixels) if self.pixels else None

    def _background_phase1(self) -> int:
        if self._phase_one.background == "plate":
            return self._error_background
        if self._phase_one.background == "retain":
            return 0
        worn = np.flatnonzero(self._worn)
        black = self._original[worn] - self._worn[worn]  # in the background
        places = np.minimum(np.searchsorted(worn, self._phase_one.colours), max(len(worn) - 1, 0))
        for at, colour, draws in zip(
            places, self._phase_one.colours, self._phase_one.draws, strict=True
        ):
            if len(worn) and worn[at] == colour:
                black[at] -= draws
        # Python's whole numbers: 64 bits would do for half an hour of video only.
        return sum(int(n) * _grey(int(colour)) ** 2 for n, colour in zip(black, worn, strict=True))

    def background_psnr(self) -> float | None:
        """Red, green and blue of the background; infinite if identical."""
        values = 3 * (self._all_pixels - self.pixels)
        if not values:
            return None
        if not self._error_rgb:
            return math.inf
        return 10 * math.log10(255**2 * values / self._error_rgb)

    def background_ssim(self) -> float | None:
        """Mean over the background; None where no window fits."""
        return self._similarity / self._windows if self._windows else None


def colour_divergence(original: np.ndarray, published: np.ndarray, pixels: int) -> float:
    """D_KL of colour counts (paper, section 5.1), with the natural logarithm.

    Sum over the colours of V of c/|V| log(c/|V| |O|/(x + 1)).

    Args:
        original: (m,) int64 pixels of each colour of V (c).
        published: (m,) int64 pixels of the same colours in O (x).
        pixels: of O in all colours (|O|); a finished private video has as many as V.
    """
    all_pixels = int(original.sum())
    share = original / all_pixels
    return float(np.sum(share * np.log(share * pixels / (published + 1))))


def _normalised(error: int, pixels: int) -> float:
    return error / (pixels * GREY_SCALE**2)


def _colour(rgb: np.ndarray) -> int:
    return int(rgb[0]) << 16 | int(rgb[1]) << 8 | int(rgb[2])


def _grey(colour: int) -> int:
    return 299 * (colour >> 16) + 587 * (colour >> 8 & 255) + 114 * (colour & 255)
