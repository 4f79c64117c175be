"""Values that several commands read from text."""

from __future__ import annotations

import re
from fractions import Fraction

from videodp.errors import UsageError

__all__ = ["any_names", "frame_rate", "names", "time_span"]


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


def any_names(text: str) -> tuple[str, ...]:
    """``person,car``, or nothing."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def names(text: str) -> tuple[str, ...]:
    """``person,car``; one at least."""
    found = any_names(text)
    if not found:
        raise UsageError("no label was given: write for example --labels person,car")
    return found


_TIME = r"(?:(\d{1,4}):)?(\d{1,6}):(\d{1,2}(?:\.\d{1,6})?)"
_SPAN = re.compile(f"{_TIME}-{_TIME}", re.ASCII)


def time_span(text: str) -> tuple[Fraction, Fraction]:
    """``00:10-01:30`` or ``1:00:00-1:30:00.5``, in seconds from the beginning."""
    found = _SPAN.fullmatch(text.strip())
    if not found:
        raise UsageError(f"'{text[:60]}' is not a span of time: write for example 00:10-01:30")
    parts = [Fraction(part or 0) for part in found.groups()]
    start, stop = (parts[i] * 3600 + parts[i + 1] * 60 + parts[i + 2] for i in (0, 3))
    return start, stop
