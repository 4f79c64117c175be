"""What an analyst finds in private videos who has nothing but them."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from videodp.elements import Elements
from videodp.experiments.answers import Benchmark, known, told
from videodp.experiments.lab import Lab
from videodp.experiments.store import Row, Rows
from videodp.queries import Footage, footage_of, match

__all__ = ["agreement", "in_original", "in_private"]


def in_original(lab: Lab, against: Benchmark) -> Rows:
    """The search in the original, which is what private videos are compared with."""
    row: Row = {"source": "original", "epsilon": None, "seed": None}
    original = told(against.original, against, row)
    truth = told(against.truth, against, {**row, "source": "truth"})
    return {
        "detection": [{**row, **agreement(against.footage, None, lab.elements)}],
        **{name: rows + truth[name] for name, rows in original.items()},
    }


def in_private(lab: Lab, against: Benchmark, epsilon: float, seed: int) -> Rows:
    """One private video."""
    found = footage_of(lab.find_in_private(epsilon, seed), lab.video)
    plan = lab.plan(epsilon, "auto")
    picks, drawn = lab.drawn(plan, seed)
    pictures = lab.sheet.private(lab.cast(drawn), lab.background(plan, picks, seed))
    row = {"source": "private", "epsilon": epsilon, "seed": seed}
    shown = epsilon in lab.trial.shown
    return {
        "detection": [
            {
                **row,
                **agreement(found, against.footage.who, lab.elements),
                "shown": len(np.unique(drawn.element)),
                "elements": len(lab.elements),
                **asdict(lab.sheet.nearness(pictures)),
            }
        ],
        **(told(known(found, against.axis), against, row) if shown else {}),
    }


def agreement(found: Footage, original: Elements | None, truth: Elements) -> Row:
    """Precision and recall of boxes, against what was found in the original and the truth."""
    row: Row = {"tracks": sum(track.id >= 0 for track in found.who.tracks)}
    for name, other in (("", original), ("_truth", truth)):
        if other is not None:
            total = match(found, truth=other).to_pylist()[-1]
            row |= {f"{key}{name}": total[key] for key in ("precision", "recall", "idf1")}
    return row
