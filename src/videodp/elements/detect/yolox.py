"""YOLOX, of any size, with its grids decoded in the model or not."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from videodp.elements.detect.boxes import distinct, sound
from videodp.elements.detect.labels import COCO, choose_classes, class_names, label_kinds
from videodp.elements.detect.model import Detections
from videodp.elements.detect.network import Network

__all__ = ["LEAST_SCORE", "OVERLAP", "Yolox", "is_yolox"]

LEAST_SCORE = 0.1
"""Boxes below are not reported. Low on purpose: whoever is missed is published. Trackers join
faint boxes to tracks that surer ones began (ByteTrack takes them from 0.1 on). Measured with nano
on PETS09-S2L1: 0.05 finds 0.5 % more people for half as many boxes again, 0.3 finds 2 % fewer."""

OVERLAP = 0.65
"""Boxes of one kind that overlap by more (intersection over union) show the same thing; that is
what YOLOX was evaluated with. Less would make one out of two people who walk side by side."""

_STRIDES = (8, 16, 32)


class Yolox:
    """A detector of the YOLOX family."""

    def __init__(
        self,
        network: Network,
        blank: np.ndarray,
        labels: Sequence[str] | None = None,
        least_score: float = LEAST_SCORE,
    ) -> None:
        """Wraps an open network.

        Args:
            network: for which `is_yolox` is true.
            blank: (1, cells, 5 + classes) what it put out for some sheet.
            labels: what to look for; `choose_classes` says what None means.
            least_score: objectness times class from which boxes are reported.
        """
        # Trained on pictures as OpenCV reads them, since its release 0.1.1.
        self._sheet = replace(network.sheet, bgr=True, unit=False)
        self._network = network
        self._least_score = least_score
        self._classes = choose_classes(_names(network.metadata, blank.shape[2] - 5), labels)
        self._columns = np.array([5 + number for number in self._classes])
        self._labels = tuple(self._classes.values())
        self._kinds = label_kinds(self._labels)
        wide, tall, _, _ = self._sheet.size(1, 1)
        self._decoded = _is_decoded(blank[0], wide, tall)

    def detect(self, rgb: np.ndarray) -> Detections:
        """Everybody in a frame, (height, width, 3) uint8 RGB."""
        height, width = rgb.shape[:2]
        sheet, across, down = self._sheet.put(rgb)
        out = self._network.run(sheet)[0][0]
        cells = np.flatnonzero(out[:, 4] >= self._least_score)  # a class is at most 1
        rows = out[cells].astype(np.float64)
        each = rows[:, self._columns] * rows[:, 4:5]
        best = each.argmax(axis=1)
        scores = each[np.arange(len(rows)), best]
        sure = scores >= self._least_score
        cells, rows, best, scores = cells[sure], rows[sure], best[sure], scores[sure]
        if self._decoded:
            centres, sizes = rows[:, :2], rows[:, 2:4]
        else:
            corner, stride = _grid(*self._sheet.size_of(sheet))
            centres = (rows[:, :2] + corner[cells]) * stride[cells]
            # No box is 20,000 sheets wide: keeps a broken model from overflowing.
            sizes = np.exp(np.minimum(rows[:, 2:4], 10.0)) * stride[cells]
        boxes = np.hstack((centres - sizes / 2, sizes)) / (across, down, across, down)
        ok = sound(boxes, width, height)
        boxes, best, scores = boxes[ok], best[ok], np.minimum(scores[ok], 1.0)
        kept = distinct(boxes, scores, self._kinds[best], OVERLAP)
        return Detections(
            boxes[kept],
            scores[kept].astype(np.float32),
            tuple(self._labels[place] for place in best[kept]),
        )


def is_yolox(outputs: Sequence[np.ndarray], wide: int, tall: int) -> bool:
    """Whether these outputs for a sheet of this size are YOLOX's: one row for each cell."""
    out = outputs[0]
    if len(outputs) != 1 or out.ndim != 3 or out.shape[0] != 1 or out.shape[2] < 6:
        return False
    if out.dtype.kind != "f" or out.shape[1] != len(_grid(wide, tall)[1]):
        return False
    chances = out[0, :, 4:]
    return bool(np.all((chances >= 0) & (chances <= 1.001)))


def _names(metadata: Mapping[str, str], count: int) -> dict[int, str]:
    said = class_names(metadata)
    if not said and count == len(COCO):
        said = dict(enumerate(COCO))
    return {number: said.get(number, f"class {number}") for number in range(count)}


@functools.lru_cache(16)
def _grid(wide: int, tall: int) -> tuple[np.ndarray, np.ndarray]:
    """Column and row (cells, 2) of every cell, and its stride (cells, 1), as YOLOX orders them."""
    places, strides = [], []
    for stride in _STRIDES:
        rows, columns = np.mgrid[: tall // stride, : wide // stride]
        places.append(np.stack((columns, rows), axis=2).reshape(-1, 2))
        strides.append(np.full((rows.size, 1), stride))
    return np.concatenate(places).astype(np.float64), np.concatenate(strides).astype(np.float64)


def _is_decoded(out: np.ndarray, wide: int, tall: int) -> bool:
    """Whether centres are near their cells on the sheet, rather than near the middle of a cell."""
    corner, stride = _grid(wide, tall)
    decoded = np.abs(out[:, :2] / stride - corner - 0.5).mean()
    raw = np.abs(out[:, :2] - 0.5).mean()
    return bool(decoded < raw)
