"""Models that put out final boxes, scores and classes, in the ways that are common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from videodp.elements.detect.boxes import sound
from videodp.elements.detect.labels import COCO, COCO_IDS, choose_classes, class_names
from videodp.elements.detect.model import Detections
from videodp.elements.detect.network import Network
from videodp.elements.detect.yolox import LEAST_SCORE

__all__ = ["Final", "Outputs", "read_outputs"]

_CLASS_WORDS, _SCORE_WORDS = ("class", "label", "categor"), ("score", "conf", "prob")
_NORMALISED = 2.0
# Where most boxes end within two pixels of the corner, they are told in shares of the sheet.


@dataclass(frozen=True)
class Outputs:
    """Where a model puts what.

    Attributes:
        boxes: Which output has the boxes, and in which columns x0, y0, x1, y1 are.
        scores: Which output has the scores, and in which column; None where it has no columns.
        classes: The same for the classes.
        ids: Whether classes are COCO's own ids instead of counted from 0.
    """

    boxes: tuple[int, tuple[int, int, int, int]]
    scores: tuple[int, int | None]
    classes: tuple[int, int | None]
    ids: bool = False

    def rows(self, outputs: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Corners (n, 4), scores (n,) and classes (n,) as float64."""
        corners = _flat(outputs[self.boxes[0]])[:, list(self.boxes[1])]
        return corners, _column(outputs, self.scores), _column(outputs, self.classes)


class Final:
    """A detector of this kind.

    Without metadata that says otherwise, float inputs get numbers 0..1 and uint8 inputs 0..255,
    red first.
    """

    def __init__(
        self,
        network: Network,
        outputs: Outputs,
        labels: Sequence[str] | None = None,
        least_score: float = LEAST_SCORE,
    ) -> None:
        """Wraps an open network.

        Args:
            network: the model.
            outputs: what `read_outputs` made of it.
            labels: what to look for; `choose_classes` says what None means.
            least_score: from which boxes are reported.
        """
        floats = network.sheet.dtype.kind == "f"
        unit = network.sheet.unit or (floats and not network.says_numbers)
        # Models that ask for the frame's size saw frames stretched to a square in training.
        self._sheet = replace(network.sheet, unit=unit, stretched=network.takes_size)
        self._network = network
        self._outputs = outputs
        self._least_score = least_score
        names = class_names(network.metadata)
        if not names:
            names = dict(COCO_IDS) if outputs.ids else dict(enumerate(COCO))
        self._classes = choose_classes(names, labels)

    def detect(self, rgb: np.ndarray) -> Detections:
        """Everybody in a frame, (height, width, 3) uint8 RGB."""
        height, width = rgb.shape[:2]
        sheet, across, down = self._sheet.put(rgb)
        corners, scores, classes = self._outputs.rows(self._network.run(sheet))
        ok = (scores >= self._least_score) & np.isin(classes, list(self._classes))
        corners, scores, classes = corners[ok], scores[ok], classes[ok]
        if len(corners) and np.median(corners[:, 2:].max(axis=1)) <= _NORMALISED:
            corners = corners * (self._sheet.size_of(sheet) * 2)
        corners = corners / (across, down, across, down)
        boxes = np.hstack((corners[:, :2], corners[:, 2:] - corners[:, :2]))
        ok = sound(boxes, width, height)
        return Detections(
            boxes[ok],
            np.minimum(scores[ok], 1.0).astype(np.float32),
            tuple(self._classes[int(number)] for number in classes[ok]),
        )


def read_outputs(network: Network, outputs: Sequence[np.ndarray]) -> Outputs | None:
    """What the outputs for some sheet mean; None where they are not final boxes."""
    found = _one_table(outputs[0]) if len(outputs) == 1 else _columns(network, outputs)
    if found is None:
        return None
    corners, scores, classes = found.rows(outputs)
    sane = (
        np.all((scores >= 0) & (scores <= 1.001))
        and np.all(classes == np.round(classes))
        and np.all(corners[:, 2:] - corners[:, :2] >= -1.0)
    )
    return found if sane else None


def _one_table(out: np.ndarray) -> Outputs | None:
    if out.ndim == 3 and out.shape[0] == 1 and out.shape[2] == 6:  # x0, y0, x1, y1, score, class
        return Outputs((0, (0, 1, 2, 3)), (0, 4), (0, 5))
    # YOLOv7's: place in the batch, which is 0 here, x0, y0, x1, y1, class, score
    if out.ndim == 2 and out.shape[1] == 7 and not out[:, 0].any():
        return Outputs((0, (1, 2, 3, 4)), (0, 6), (0, 5))
    return None


def _columns(network: Network, outputs: Sequence[np.ndarray]) -> Outputs | None:
    """Boxes, scores and classes as an output each, told by shape, then name, then type."""
    names = [name.lower() for name in network.outputs]
    usable = [place for place, name in enumerate(names) if not name.startswith("raw")]
    boxes = [p for p in usable if outputs[p].ndim in (2, 3) and outputs[p].shape[-1] == 4]
    if len(boxes) != 1:
        return None
    shape = outputs[boxes[0]].shape[:-1]
    beside = [p for p in usable if outputs[p].shape == shape]
    classes = [p for p in beside if any(word in names[p] for word in _CLASS_WORDS)]
    classes = classes or [p for p in beside if outputs[p].dtype.kind in "iu"]
    scores = [p for p in beside if any(word in names[p] for word in _SCORE_WORDS)]
    scores = scores or [p for p in beside if outputs[p].dtype.kind == "f" and p not in classes]
    if len(scores) != 1 or len(classes) != 1:
        return None
    tensorflow = names[boxes[0]].startswith("detection_boxes")
    # TensorFlow tells y first. It and torchvision, which has no batch, use COCO's own ids.
    order = (1, 0, 3, 2) if tensorflow else (0, 1, 2, 3)
    ids = tensorflow or len(shape) == 1
    return Outputs((boxes[0], order), (scores[0], None), (classes[0], None), ids)


def _flat(array: np.ndarray) -> np.ndarray:
    """(n, columns), without the axis of the batch."""
    return array.reshape(-1, array.shape[-1]).astype(np.float64)


def _column(outputs: Sequence[np.ndarray], at: tuple[int, int | None]) -> np.ndarray:
    place, column = at
    if column is None:
        return outputs[place].reshape(-1).astype(np.float64)
    return _flat(outputs[place])[:, column]
