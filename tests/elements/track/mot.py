"""How good tracks are, by the metrics of the field: CLEAR, Identity and HOTA of `trackers`."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

__all__ = ["Rows", "Score", "measure", "read_truth"]

OVERLAP = 0.5


@dataclass(frozen=True, eq=False)
class Rows:
    """Who is where: three columns, in any order.

    Attributes:
        frame: (n,) int, from 0.
        id: (n,) int.
        box: (n, 4) float: x, y, width, height.
    """

    frame: np.ndarray
    id: np.ndarray
    box: np.ndarray


@dataclass(frozen=True)
class Score:
    """All at an overlap (intersection over union) of one half, but for `hota`, which averages."""

    recall: float
    precision: float
    mota: float
    idf1: float
    hota: float
    switches: int
    overlap: float
    """Mean over the boxes that were found."""
    ids: int
    """How many identities there are where `truth` should be."""
    truth: int

    def __str__(self) -> str:
        return (
            f"recall {self.recall:.3f}  precision {self.precision:.3f}  MOTA {self.mota:.3f}  "
            f"IDF1 {self.idf1:.3f}  HOTA {self.hota:.3f}  switches {self.switches:3d}  "
            f"overlap {self.overlap:.3f}  ids {self.ids}/{self.truth}"
        )


def read_truth(path: Path) -> Rows:
    """The boxes of a MOT file, whose frames count from 1."""
    table = np.loadtxt(path, delimiter=",", usecols=range(6), ndmin=2)
    return Rows(table[:, 0].astype(int) - 1, table[:, 1].astype(int), table[:, 2:6])


def measure(truth: Rows, found: Rows, *, optional: Rows | None = None) -> Score:
    """Compares tracks with the truth.

    Args:
        truth: Who is really there, and must be found.
        found: Who was said to be there.
        optional: Who is there but need not be found, such as the hidden: a box of `found` that
            meets one of these, and none of `truth`, is neither right nor wrong.
    """
    from trackers.eval import (
        box_iou,
        compute_clear_metrics,
        compute_hota_metrics,
        compute_identity_metrics,
    )

    last = max((int(rows.frame.max()) for rows in (truth, found) if len(rows.frame)), default=-1)
    truth_ids, found_ids, overlaps = [], [], []
    for frame in range(last + 1):
        real, ours = truth.frame == frame, found.frame == frame
        boxes = found.box[ours].astype(float)
        overlap = box_iou(truth.box[real].astype(float), boxes, "xywh")
        keep = np.ones(len(boxes), bool)
        if optional is not None and len(boxes):
            spare = box_iou(optional.box[optional.frame == frame].astype(float), boxes, "xywh")
            keep = (overlap >= OVERLAP).any(axis=0) | ~(spare >= OVERLAP).any(axis=0)
        truth_ids.append(truth.id[real].astype(int))
        found_ids.append(found.id[ours][keep].astype(int))
        overlaps.append(overlap[:, keep])
    clear = compute_clear_metrics(truth_ids, found_ids, overlaps, OVERLAP)
    identity = compute_identity_metrics(truth_ids, found_ids, overlaps, OVERLAP)
    hota = compute_hota_metrics(truth_ids, found_ids, overlaps)
    return Score(
        clear["CLR_Re"],
        clear["CLR_Pr"],
        clear["MOTA"],
        identity["IDF1"],
        float(np.mean(hota["HOTA"])),
        clear["IDSW"],
        clear["MOTP"],
        len(np.unique(found.id)),
        len(np.unique(truth.id)),
    )
