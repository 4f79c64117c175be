"""Values that several commands read from text."""

from __future__ import annotations

from fractions import Fraction

from videodp.errors import UsageError

__all__ = ["frame_rate"]


def frame_rate(text: str) -> Fraction:
    """``25``, ``29.97`` or ``30000/1001``."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"'{text}' is not a frame rate: write 25, 29.97 or 30000/1001") from None
