"""What an elements file says about its video, as somebody else may have written it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from videodp.elements.model import EVERYWHERE, Searched

__all__ = ["MOST_FRAMES", "Header", "parse_header"]

MOST_FRAMES = 10_000_000
"""More than four days at 25 frames a second; queries make a row for each."""
_WIDEST = 1 << 15
"""Pixels; the runs of a mask count all pixels of a picture in 31 bits."""
_LONGEST = 1 << 16
"""Bytes of a header."""
_MOST_LABELS, _LONGEST_LABEL = 500, 100


@dataclass(frozen=True)
class Header:
    """What the file says about its video."""

    size: tuple[int, int] | None = None
    length: int | None = None
    searched: Searched = EVERYWHERE


def parse_header(text: bytes) -> Header:
    """Reads a header; a `ValueError` says in a few words what is wrong with it."""
    if len(text) > _LONGEST:
        raise ValueError("it is too long")
    try:
        about = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if not isinstance(about, dict):
        raise ValueError("it is no JSON object")
    size = None
    if "width" in about or "height" in about:
        size = _whole(about, "width", 1, _WIDEST), _whole(about, "height", 1, _WIDEST)
    length = _whole(about, "frames", 0, MOST_FRAMES) if "frames" in about else None
    searched = about.get("searched", {})
    if not isinstance(searched, dict):
        raise ValueError("searched is no JSON object")
    return Header(size, length, _searched(searched, MOST_FRAMES if length is None else length))


def _searched(about: dict[str, Any], length: int) -> Searched:
    """Where was looked: it is published word for word."""
    frames = about.get("frames")
    if frames is not None:
        if not (isinstance(frames, list) and len(frames) == 2):
            raise ValueError("the searched frames are not two numbers")
        ends = dict(zip(("first frame", "end"), frames, strict=True))
        start = _whole(ends, "first frame", 0, length)
        frames = start, _whole(ends, "end", start + 1, length)
    in_part = about.get("in_part", False)
    if not isinstance(in_part, bool):
        raise ValueError("in_part is neither true nor false")
    labels = None if about.get("labels") is None else _labels(about["labels"])
    return Searched(frames, in_part, labels, _labels(about.get("left_out", [])))


def _whole(about: dict[str, Any], name: str, least: int, most: int) -> int:
    value = about.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} is not a whole number from {least} to {most}")
    return value


def _labels(names: Any) -> tuple[str, ...]:
    if not isinstance(names, list) or len(names) > _MOST_LABELS:
        raise ValueError(f"labels are a list of at most {_MOST_LABELS}")
    for name in names:
        if not (isinstance(name, str) and name.isprintable() and len(name) <= _LONGEST_LABEL):
            raise ValueError(f"a label is not text of at most {_LONGEST_LABEL} letters")
    return tuple(names)
