"""Values that several commands read from text."""

from __future__ import annotations

import re
from fractions import Fraction

from videodp.errors import UsageError

__all__ = ["frame_rate"]


_RATE = re.compile(r"\d{1,9}(\.\d{1,9})?(/\d{1,9})?")


def frame_rate(text: str) -> Fraction:
    """``25``, ``29.97`` or ``30000/1001``; nothing longer, and no exponents."""
    try:
        if _RATE.fullmatch(text):
            numerator, _, denominator = text.partition("/")
            return Fraction(numerator) / Fraction(denominator or 1)
    except ZeroDivisionError:
        pass
    raise UsageError(f"'{text}' is not a frame rate: write 25, 29.97 or 30000/1001")
