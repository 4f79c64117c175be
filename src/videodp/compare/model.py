"""The result of a comparison."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["Comparison"]


@dataclass(frozen=True)
class Comparison:
    """How far a private video (O) is from its original (V).

    Every MSE is of grey values from 0 (black) to 1 (white), grey = (0.299 red + 0.587 green +
    0.114 blue) / 255. *Phase II* compares the private video as it can be seen, losses of the
    encoder included. *Phase I* compares what had been published before anything was filled in:
    a pixel that was published truly has no error, any other counts as black. Published truly are

    - of elements: the drawn pixels, as listed in the owner's record;
    - of the background, with ``retain``: every pixel; with ``sample``: every pixel in a colour
      that no element wears, and as many of each other colour as were drawn of it and did not
      fall on an element; with ``plate``: none, but the plate stands there from the start, so
      the background counts as it can be seen.

    Without the owner's record, no pixel of an element counts as drawn and the background as
    retained. Without elements, what needs them is None.
    """

    frames: int
    width: int
    height: int
    kl: float
    """Distance of the colour counts, D_KL: 0 and below for equal ones."""
    mse: float
    """Whole picture, after Phase II."""
    mse_phase1: float | None
    """Whole picture, after Phase I."""
    element_mse: float | None
    """Pixels that belong to an element in the original, after Phase II."""
    element_mse_phase1: float | None
    """The same after Phase I."""
    element_pixels: int | None
    """How many these are."""
    background_psnr: float | None
    """Of red, green and blue where no element is, in dB; infinite if nothing differs."""
    background_ssim: float | None
    """Structural similarity of grey, mean over pixels where no element is, at most 1.

    The window is a Gaussian with sigma 1.5 over 11x11 pixels (Wang and others, 2004; what
    scikit-image computes with ``gaussian_weights=True, use_sample_covariance=False``). Pixels
    whose window reaches over the edge of the picture are left out; a window beside an element
    reaches into it.
    """
    background: str | None
    """What was done with the background, as assumed for Phase I."""
    drawn: int | None
    """Drawn pixels of elements, as assumed for Phase I."""
    owner: Path | None
    """The owner's record that was used."""
    notes: tuple[str, ...]
    """What a reader of the numbers must know."""

    def record(self) -> dict[str, Any]:
        """For JSON, which has no infinity: an infinite PSNR is null, and a note says so."""
        record = asdict(self)
        record["owner"] = self.owner.name if self.owner else None
        record["notes"] = list(self.notes)
        if self.background_psnr == math.inf:
            record["background_psnr"] = None
        return record

    def __str__(self) -> str:
        """A few aligned lines for a terminal."""
        lines = [
            ("colour counts, KL divergence", _number(self.kl)),
            ("whole picture, MSE after Phase II", _number(self.mse)),
            ("whole picture, MSE after Phase I", _number(self.mse_phase1)),
            ("elements, MSE after Phase II", _number(self.element_mse)),
            ("elements, MSE after Phase I", _number(self.element_mse_phase1)),
            ("background, PSNR in dB", _number(self.background_psnr)),
            ("background, SSIM", _number(self.background_ssim)),
        ]
        table = [f"{name:36}{value:>12}" for name, value in lines if value]
        return "\n".join([*table, *(f"note: {note}" for note in self.notes)])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
