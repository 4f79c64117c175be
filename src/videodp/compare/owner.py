"""What the owner's record tells about Phase I."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from videodp.errors import UsageError

__all__ = ["PhaseOne", "read_phase_one"]

_BACKGROUNDS = ("retain", "plate", "sample")


@dataclass(frozen=True)
class PhaseOne:
    """What was published truly, before anything was filled in."""

    background: str = "retain"
    insensitive: tuple[str, ...] = ()
    drawn: dict[int, list[tuple[int, int, int, int]]] = field(default_factory=dict)
    """By frame: element id, x, y and colour of each drawn pixel."""
    colours: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """(p,) int64: the published colours."""
    draws: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """(p,) int64: draws of each that fell on the background."""

    @property
    def pixels(self) -> int:
        """Number of drawn pixels of elements."""
        return sum(map(len, self.drawn.values()))


def read_phase_one(path: Path) -> PhaseOne:
    """Reads ``NAME.owner.json``."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return _phase_one(record)
    except FileNotFoundError:
        raise UsageError(f"no owner's record at {path}: give the path of NAME.owner.json") from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise UsageError(
            f"{path.name} is not an owner's record: give the file that was written beside the "
            "private video"
        ) from None


def _phase_one(record: dict[str, Any]) -> PhaseOne:
    settings = record["settings"]
    background = str(settings.get("background", "retain"))
    if background not in _BACKGROUNDS:
        raise ValueError(background)
    drawn = defaultdict(list)
    on_elements: dict[int, int] = defaultdict(int)
    for pixel in record.get("drawn_pixels", []):
        colour = _colour(pixel["rgb"])
        on_elements[colour] += 1
        drawn[int(pixel["frame"])].append(
            (int(pixel["id"]), int(pixel["x"]), int(pixel["y"]), colour)
        )
    palette = {_colour(row["rgb"]): int(row["draws"]) for row in record.get("palette", [])}
    return PhaseOne(
        background,
        tuple(map(str, settings.get("insensitive", []))),
        dict(drawn),
        np.array(list(palette), np.int64),
        np.array([n - on_elements[colour] for colour, n in palette.items()], np.int64),
    )


def _colour(rgb: list[int]) -> int:
    red, green, blue = (int(channel) for channel in rgb)
    if not all(0 <= channel <= 255 for channel in (red, green, blue)):
        raise ValueError(rgb)
    return red << 16 | green << 8 | blue
