"""How elements are looked for: the owner's choices."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from videodp.elements.find.area import Area
from videodp.errors import UsageError

__all__ = ["FindSettings"]


@dataclass(frozen=True)
class FindSettings:
    """Checked when it is made."""

    detector: str = "auto"
    """``auto``, ``yolox``, ``motion``, or the path of an ONNX file."""
    labels: tuple[str, ...] | None = None
    """What the network looks for; people and vehicles if not given."""
    insensitive: tuple[str, ...] = ()
    """Labels that are found but left out of the file."""
    area: Area | None = None
    """Where in the picture elements are looked for."""
    span: tuple[Fraction, Fraction] | None = None
    """From when to when, in seconds; the end is not included."""
    every: int = 1
    """Detect in each so many frames, and track between."""

    def __post_init__(self) -> None:
        if self.every < 1:
            raise UsageError(f"every must be 1 or more, not {self.every}: 2 is each second frame")
        if self.span is not None and not 0 <= self.span[0] < self.span[1]:
            raise UsageError("a span begins before it ends: give for example 00:10-01:30")
