"""How well one set of elements agrees with another: precision, recall, MOTA, IDF1."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from videodp.elements import Elements, Seen
from videodp.errors import UsageError
from videodp.queries.footage import Footage
from videodp.queries.tables import table_of

__all__ = ["MATCH", "match"]

MATCH = pa.schema(
    [
        ("label", pa.string()),
        ("truth", pa.int64()),
        ("found", pa.int64()),
        ("matched", pa.int64()),
        ("precision", pa.float64()),
        ("recall", pa.float64()),
        ("switches", pa.int64()),
        ("mota", pa.float64()),
        ("idf1", pa.float64()),
    ]
)

_KEPT = 1000.0
"""More than any sum of overlaps: a pair of the frame before stays a pair while it overlaps."""


def match(footage: Footage, *, truth: Elements, overlap: float = 0.5) -> pa.Table:
    """How many boxes of the truth are found, and how many of the found are true.

    Boxes are matched one to one in each frame where their intersection is at least `overlap` of
    their union; pairs of the frame before stay together (Bernardin and Stiefelhagen, 2008).

    Args:
        footage: what was found.
        truth: what is there, or was found in the original (paper, section 5.3).
        overlap: above 0, at most 1.

    Returns:
        `MATCH`: one row for each label, boxes of which are matched among themselves, and one
        for ``all``, in which labels do not matter. `truth`, `found`, `matched`: boxes in all
        frames; `precision` = matched / found, `recall` = matched / truth; `switches`: how often
        a true element is found under another id than before; `mota` = 1 - (missed + false +
        switches) / truth; `idf1` = 2 idtp / (truth + found), where idtp are the boxes that
        overlap when every true element is given the one id that suits all of them best (Ristani
        and others, 2016). Empty where nothing can be divided by.
    """
    if not 0 < overlap <= 1:
        raise UsageError(f"the overlap is a share above 0, at most 1, not {overlap:g}")
    tallies: dict[str, _Tally] = {"all": _Tally()}
    other = Footage(footage.start, footage.stop, truth, labels=footage.labels)
    for found, true in zip(footage.frames(), other.frames(), strict=True):
        tallies["all"].add(true, found, overlap)
        for label in {*found.labels, *true.labels} - {"all"}:
            tallies.setdefault(label, _Tally())
        for label, tally in tallies.items():
            if label != "all":
                tally.add(_only(true, label), _only(found, label), overlap)
    rows = [(label, *tallies[label].row()) for label in sorted(tallies, key=_order)]
    return table_of(MATCH, dict(zip(MATCH.names, map(list, zip(*rows, strict=True)), strict=True)))


def _order(label: str) -> tuple[bool, str]:
    return label == "all", label


def _only(seen: Seen, label: str) -> Seen:
    return seen.take(np.flatnonzero([other == label for other in seen.labels]))


@dataclass
class _Tally:
    truth: int = 0
    found: int = 0
    matched: int = 0
    switches: int = 0
    partner: dict[int, int] = field(default_factory=dict)
    """True id to the id under which it was found last."""
    before: dict[int, int] = field(default_factory=dict)
    """The same, only of the frame before."""
    together: Counter[tuple[int, int]] = field(default_factory=Counter)
    """(true id, found id): frames in which they overlap."""

    def add(self, true: Seen, found: Seen, overlap: float) -> None:
        self.truth += len(true)
        self.found += len(found)
        before, self.before = self.before, {}
        if not (len(true) and len(found)):
            return
        from supervision import box_iou_batch  # takes long to import, and only this needs it

        likeness = box_iou_batch(_corners(true.boxes), _corners(found.boxes))
        enough = likeness >= overlap - 1e-9  # half is half, however it was rounded
        rows, columns = np.nonzero(enough)
        ids = list(zip(true.ids[rows].tolist(), found.ids[columns].tolist(), strict=True))
        self.together.update(pair for pair in ids if min(pair) >= 0)
        last = np.array([before.get(i, -1) for i in true.ids.tolist()])
        kept = (last[:, None] == found.ids[None]) & (found.ids[None] >= 0)
        score = np.where(enough, likeness + _KEPT * kept, 0.0)
        for a, b in zip(*linear_sum_assignment(score, maximize=True), strict=True):
            if not enough[a, b]:
                continue
            self.matched += 1
            who, other = int(true.ids[a]), int(found.ids[b])
            if min(who, other) >= 0:
                self.switches += self.partner.get(who, other) != other
                self.partner[who] = self.before[who] = other

    def row(self) -> tuple[object, ...]:
        wrong = self.truth + self.found - 2 * self.matched + self.switches
        return (
            self.truth,
            self.found,
            self.matched,
            _share(self.matched, self.found),
            _share(self.matched, self.truth),
            self.switches,
            None if not self.truth else 1 - wrong / self.truth,
            _share(2 * _same_identity(self.together), self.truth + self.found),
        )


def _same_identity(together: Counter[tuple[int, int]]) -> int:
    """The largest sum over a one-to-one choice of pairs; elements that never met apart."""
    if not together:
        return 0
    true, rows = np.unique([a for a, _ in together], return_inverse=True)
    found, columns = np.unique([b for _, b in together], return_inverse=True)
    counts = np.array(list(together.values()))
    size = len(true) + len(found)
    graph = coo_array((counts, (rows, len(true) + columns)), shape=(size, size))
    groups, group = connected_components(graph, directed=False)
    order = np.argsort(group[rows], kind="stable")
    edges = np.searchsorted(group[rows][order], np.arange(groups + 1))
    total = 0
    for a, b in pairwise(edges.tolist()):
        pairs = order[a:b]
        _, row = np.unique(rows[pairs], return_inverse=True)
        _, column = np.unique(columns[pairs], return_inverse=True)
        matrix = np.zeros((row.max() + 1, column.max() + 1))
        matrix[row, column] = counts[pairs]
        total += int(matrix[linear_sum_assignment(matrix, maximize=True)].sum())
    return total


def _corners(boxes: np.ndarray) -> np.ndarray:
    return np.column_stack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
