"""The foreground of every frame, coarse, in a file: evidence for a second look."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

import cv2
import numpy as np

from videodp.errors import OutputError

__all__ = ["CELL", "ForegroundStore"]

CELL = 8
"""Pixels of the picture along one side of a cell."""


class ForegroundStore:
    """One bit for each cell of each frame, in a file of fixed layout.

    Frames may be written in any order, by several threads, once each: the file is the same. A
    frame that was not written holds nothing. Memory holds one frame at a time.
    """

    def __init__(self, path: str | Path, frames: int, width: int, height: int) -> None:
        """Opens the file, and makes it if it is not there.

        Args:
            path: in a private folder: it shows where people are.
            frames: of the video.
            width: of the picture.
            height: of the picture.
        """
        self._columns, self._rows = -(-width // CELL), -(-height // CELL)
        self._size = (width, height)
        self._frames = frames
        self._path = path
        self._bytes = -(-self._rows * self._columns // 8)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        os.ftruncate(self._file, frames * self._bytes)

    def __enter__(self) -> ForegroundStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; it stays where it is."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def write(self, frame: int, foreground: np.ndarray) -> None:
        """Keeps the foreground of a frame.

        Args:
            frame: from 0.
            foreground: (h, w) uint8 or bool over the whole picture, in any size. A cell is
                foreground where a third of it is.
        """
        self._check(frame)
        shares = cv2.resize(
            (np.asarray(foreground) != 0).astype(np.uint8) * np.uint8(255),
            (self._columns, self._rows),
            interpolation=cv2.INTER_AREA,
        )
        bits = np.packbits(shares.reshape(-1) >= 85).tobytes()
        if os.pwrite(self._file, bits, frame * self._bytes) != len(bits):
            raise OutputError(f"cannot write {self._path}: free some space on the disk")

    def read(self, frame: int) -> np.ndarray:
        """(rows, columns) bool: the cells of a frame that are foreground."""
        self._check(frame)
        bits = np.frombuffer(os.pread(self._file, self._bytes, frame * self._bytes), np.uint8)
        cells = np.unpackbits(bits, count=self._rows * self._columns)
        return cells.reshape(self._rows, self._columns).astype(bool)

    def covered(self, frame: int, boxes: np.ndarray) -> np.ndarray:
        """Which share of each box is foreground.

        Args:
            frame: from 0.
            boxes: (n, 4) float64 x, y, width, height; may reach beyond the picture.

        Returns:
            (n,) float64: share of the box's part inside the picture; 0 for boxes outside.
        """
        boxes = np.asarray(boxes, np.float64).reshape(-1, 4)
        if len(boxes) == 0:
            return np.zeros(0)
        cells = self.read(frame)
        sums = np.zeros((self._rows + 1, self._columns + 1))
        sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
        width, height = self._size
        x0, x1 = (np.clip(edge, 0, width) for edge in (boxes[:, 0], boxes[:, 0] + boxes[:, 2]))
        y0, y1 = (np.clip(edge, 0, height) for edge in (boxes[:, 1], boxes[:, 1] + boxes[:, 3]))
        scale_x, scale_y = self._columns / width, self._rows / height
        x0, x1, y0, y1 = x0 * scale_x, x1 * scale_x, y0 * scale_y, y1 * scale_y
        inside = _at(sums, y1, x1) - _at(sums, y0, x1) - _at(sums, y1, x0) + _at(sums, y0, x0)
        areas = (x1 - x0) * (y1 - y0)
        shares = np.divide(inside, areas, out=np.zeros(len(boxes)), where=areas > 1e-9)
        clipped: np.ndarray = shares.clip(0.0, 1.0)
        return clipped

    def _check(self, frame: int) -> None:
        if not 0 <= frame < self._frames:
            raise IndexError(f"the store has frames 0 to {self._frames - 1}, not {frame}")


def _at(sums: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Sums over all cells above and left of places between cells, (n,) float64: bilinear."""
    top = np.minimum(y.astype(np.int64), sums.shape[0] - 2)
    left = np.minimum(x.astype(np.int64), sums.shape[1] - 2)
    v, u = y - top, x - left
    upper = sums[top, left] * (1 - u) + sums[top, left + 1] * u
    lower = sums[top + 1, left] * (1 - u) + sums[top + 1, left + 1] * u
    found: np.ndarray = upper * (1 - v) + lower * v
    return found
