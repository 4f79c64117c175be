"""Where in the picture elements are looked for: polygons in or out."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from videodp.errors import UsageError

__all__ = ["Area", "read_area"]

_EXAMPLE = '{"in": [[[0, 200], [640, 200], [640, 360], [0, 360]]], "out": []}'


@dataclass(frozen=True, eq=False)
class Area:
    """Polygons, each (n, 2) float32 x, y in pixels."""

    inside: tuple[np.ndarray, ...]
    """Who stands in none of these is not looked for; none: the whole picture."""
    outside: tuple[np.ndarray, ...]
    """Who stands in one of these is not looked for."""

    def holds(self, boxes: np.ndarray) -> np.ndarray:
        """(n,) bool: whose feet, the middle of the lower edge of (n, 4) boxes, are in the area."""
        feet = np.column_stack([boxes[:, 0] + boxes[:, 2] / 2, boxes[:, 1] + boxes[:, 3]])
        kept = ~_in_any(feet, self.outside)
        return kept & _in_any(feet, self.inside) if self.inside else kept

    def check(self, width: int, height: int) -> None:
        """Refuses polygons that do not fit the picture."""
        for polygon in (*self.inside, *self.outside):
            if (polygon < 0).any() or (polygon > [width, height]).any():
                raise UsageError(
                    f"a region reaches outside the picture of {width}x{height}: "
                    "give its corners in pixels of this video"
                )


def _in_any(feet: np.ndarray, polygons: tuple[np.ndarray, ...]) -> np.ndarray:
    found = np.zeros(len(feet), bool)
    for i, (x, y) in enumerate(feet.tolist()):
        found[i] = any(cv2.pointPolygonTest(p, (x, y), False) >= 0 for p in polygons)
    return found


def read_area(path: str | Path) -> Area:
    """Reads polygons from JSON: lists of corners under ``in`` and ``out``."""
    path = Path(path)
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is not JSON: write for example {_EXAMPLE}") from None
    if not isinstance(record, dict) or not record or not set(record) <= {"in", "out"}:
        raise UsageError(f"{path} must hold polygons under in and out: write {_EXAMPLE}")
    return Area(_polygons(path, record.get("in", [])), _polygons(path, record.get("out", [])))


def _polygons(path: Path, lists: Any) -> tuple[np.ndarray, ...]:
    if not isinstance(lists, list):
        raise UsageError(f"{path}: in and out hold lists of polygons: write {_EXAMPLE}")
    for corners in lists:
        fits = isinstance(corners, list) and len(corners) >= 3
        if not fits or not all(_is_place(place) for place in corners):
            raise UsageError(f"{path}: a polygon is three corners [x, y] or more: {_EXAMPLE}")
    return tuple(np.array(corners, np.float32) for corners in lists)


def _is_place(place: Any) -> bool:
    return (
        isinstance(place, list)
        and len(place) == 2
        and all(type(v) in (int, float) and math.isfinite(v) for v in place)
    )
