"""Crops of elements, one for each part of their life: what palette and optimal k look at."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np

from videodp.census.model import StoredSample
from videodp.elements import Elements, Placed
from videodp.kernels.colours import crop_colours

__all__ = ["CropWriter"]


class CropWriter:
    """Writes crops to one file; frames may come in any order.

    Attributes:
        index: where the first crop of each element and part of its life lies.
    """

    def __init__(self, elements: Elements, file: Path, parts: int) -> None:
        self.index: dict[tuple[int, int], StoredSample] = {}
        self._elements = elements
        self._file = file
        self._parts = parts
        self._lock = threading.Lock()
        self._out = file.open("wb")

    def add(self, rgb: np.ndarray, owner: np.ndarray, placed: Placed, i: int) -> None:
        """Keeps row `i` of a frame, unless an earlier frame of the same part has been kept."""
        element = int(placed.index[i])
        track = self._elements.tracks[element]
        life = track.last - track.first + 1
        key = (element, (placed.frame - track.first) * min(self._parts, life) // life)
        if not self._is_first(key, placed.frame):
            return
        x0, y0, x1, y1 = placed.bounds[i].tolist()
        crop = np.empty((y1 - y0, x1 - x0), np.int32)
        crop_colours(rgb, owner, placed.bounds[i], element + 1, crop)
        x, y, w, h = placed.boxes[i].tolist()
        with self._lock:
            if self._is_first(key, placed.frame):
                self.index[key] = StoredSample(
                    self._file, self._out.tell(), crop.shape, placed.frame, (x, y, w, h), (x0, y0)
                )
                self._out.write(crop.data)

    def _is_first(self, key: tuple[int, int], frame: int) -> bool:
        known = self.index.get(key)
        return known is None or frame < known.frame

    def close(self) -> None:
        """All of it is on disk afterwards."""
        self._out.close()
