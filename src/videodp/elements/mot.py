"""MOT text: ``frame, id, x, y, w, h, conf, class, visibility``, frames from 1, one box a line.

Ten columns are the older MOT15 layout (conf, then world coordinates): everybody is a person.
A class is a number of the MOT challenge or a name of your own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from videodp.elements.model import Elements, Seen, no_runs
from videodp.errors import ElementsError
from videodp.video import atomic_path

__all__ = ["MotSource", "read_mot", "write_mot"]

_CLASSES = {
    1: "person",
    2: "person on vehicle",
    3: "car",
    4: "bicycle",
    5: "motorcycle",
    6: "non-motorised vehicle",
    7: "static person",
    8: "distractor",
    9: "occluder",
    10: "occluder on the ground",
    11: "occluder full",
    12: "reflection",
    13: "crowd",
}
_MOST_FRAMES = 2**31 - 1
_NUMBERS = {name: number for number, name in _CLASSES.items()}


@dataclass(frozen=True)
class MotSource:
    """The boxes of a MOT file, sorted by frame: 60 bytes a box, no masks."""

    name: str
    frame: np.ndarray
    ids: np.ndarray
    boxes: np.ndarray
    labels: tuple[str, ...]

    def frames(self, start: int, stop: int) -> Iterator[Seen]:
        """Frames in [start, stop) that hold elements."""
        a, end = np.searchsorted(self.frame, [start, stop])
        while a < end:
            b = int(np.searchsorted(self.frame, self.frame[a], side="right"))
            yield Seen(
                int(self.frame[a]),
                self.ids[a:b],
                self.boxes[a:b],
                self.labels[a:b],
                no_runs(b - a),
                no_runs(b - a),
            )
            a = b


def read_mot(path: Path) -> MotSource:
    """Reads a MOT file whatever the order of its lines."""
    frame, ids, boxes, labels = [], [], [], []
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split(",")]
            try:
                at, identity = _whole(fields[0]), _whole(fields[1])
                box = [float(field) for field in fields[2:6]]
                label = _label(fields)
            except (ValueError, IndexError):
                box, at, identity, label = [], 0, 0, ""
            if len(box) != 4 or not np.all(np.isfinite(box)):
                raise ElementsError(
                    f"{path.name} line {number} is not 'frame,id,x,y,w,h,...': {line.strip()[:60]}"
                )
            if not 1 <= at <= _MOST_FRAMES:
                raise ElementsError(
                    f"{path.name} line {number} has frame {at}: MOT counts frames from 1"
                )
            frame.append(at - 1)
            ids.append(identity)
            boxes.append(box)
            labels.append(label)
    order = np.lexsort((ids, frame)) if frame else np.zeros(0, np.int64)
    return MotSource(
        path.name,
        np.array(frame, np.int32)[order],
        np.array(ids, np.int64)[order],
        np.array(boxes, np.float64).reshape(-1, 4)[order],
        tuple(labels[i] for i in order),
    )


def _whole(text: str) -> int:
    """A whole number, also when written as 7.0."""
    try:
        value = int(text)  # not through float, which would make one of two large ids
    except ValueError:
        if not float(text).is_integer():
            raise
        value = int(float(text))
    if not -(2**63) <= value < 2**63:
        raise ValueError(text)
    return value


def _label(fields: list[str]) -> str:
    if len(fields) < 8 or len(fields) >= 10:
        return "person"
    try:
        return _CLASSES.get(_whole(fields[7]), "person")
    except ValueError:
        return fields[7] or "person"


def write_mot(
    elements: Elements,
    path: Path,
    length: int,
    *,
    overwrite: bool = False,
    private: bool = False,
) -> None:
    """Writes the boxes of the first `length` frames as MOT text; masks do not fit in it."""
    with (
        atomic_path(path, overwrite, private=private) as temporary,
        temporary.open("w", encoding="utf-8") as out,
    ):
        for seen in elements.source.frames(0, length):
            for identity, box, label in zip(seen.ids, seen.boxes, seen.labels, strict=True):
                x, y, w, h = (f"{value:.10g}" for value in box)
                kind = _NUMBERS.get(label, label)
                out.write(f"{seen.frame + 1},{identity},{x},{y},{w},{h},1,{kind},1\n")
