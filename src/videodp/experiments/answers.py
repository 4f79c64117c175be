"""Counts and stay times of a video, as rows: the same for originals, PINQ and private videos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.stats import wasserstein_distance

from videodp import pinq
from videodp.elements import Elements
from videodp.experiments.chance import terms
from videodp.experiments.lab import Lab
from videodp.experiments.store import Row, Rows
from videodp.queries import Footage, direction, footage_of

__all__ = ["WAYS", "axis_of", "counts_of", "noisy_answers", "private_answers", "stays_by_way"]

WAYS = ("all", "upstream", "downstream")
_BINS = 10


def counts_of(footage: Footage) -> list[int]:
    """Elements with an identity in each frame."""
    return [len(seen) for seen in footage.sightings()]


def axis_of(elements: Elements, length: int) -> str:
    """Along which most of the way is gone: what is upstream on it is not down the picture."""
    footage = footage_of(elements, frames=(0, length))
    across, along = (
        np.abs(direction(footage, axis=axis)["shift"].to_numpy()).sum() for axis in "xy"
    )
    return "x" if across > along else "y"


def stays_by_way(footage: Footage, axis: str) -> dict[str, np.ndarray]:
    """Frames from first to last sighting of the elements that go each way, ranked."""
    ways = direction(footage, axis=axis)
    names = dict(zip(ways["id"].to_pylist(), ways["direction"].to_pylist(), strict=True))
    lives = {t.id: t.last - t.first + 1 for t in footage.who.tracks if t.id in names}
    return {
        way: np.sort([lives[i] for i, name in names.items() if way in ("all", name)]).astype(float)
        for way in WAYS
    }


def private_answers(lab: Lab, original: Footage, private: Footage, row: Row) -> Rows:
    """What was found in a private video, beside what the same search found in the original."""
    axis = axis_of(lab.elements, lab.video.frames)
    truth = footage_of(lab.elements, lab.video)
    stays, true = stays_by_way(private, axis), stays_by_way(truth, axis)
    found = stays_by_way(original, axis)
    return {
        "counts": _count_rows(counts_of(private), row),
        "count_errors": [_count_error(lab, original, counts_of(private), row)],
        "stays": _stay_rows(stays, row),
        "stay_errors": [
            {
                **row,
                "way": way,
                "elements": len(stays[way]),
                "in_original": len(found[way]),
                "in_truth": len(true[way]),
                "distance": _apart(stays[way], found[way]),
                "distance_truth": _apart(stays[way], true[way]),
            }
            for way in WAYS
        ],
    }


def noisy_answers(lab: Lab, original: Footage, seed: int) -> Rows:
    """One seed: PINQ's answers at each epsilon, in both settings."""
    rows: Rows = {"counts": [], "count_errors": [], "stays": [], "stay_errors": []}
    axis = axis_of(lab.elements, lab.video.frames)
    for epsilon in lab.trial.shown:
        for setting in pinq.SETTINGS:
            row = {"source": f"pinq-{setting}", "epsilon": epsilon, "seed": seed}
            answer = pinq.count(
                original, terms(epsilon, setting, seed, "count"), frames=lab.longest
            )
            noisy = answer.table["elements"].to_pylist()
            rows["counts"] += _count_rows(noisy, row)
            rows["count_errors"].append(_count_error(lab, original, noisy, row))
            found = stays_by_way(original, axis)
            for way in WAYS:
                own = _only(original, axis, way)
                values, weights, apart = _noisy_stays(lab, own, epsilon, setting, seed, way)
                if way == "all" or setting == "paper":
                    rows["stays"] += _stay_rows({way: np.repeat(values, weights)}, row)
                rows["stay_errors"].append(
                    {
                        **row,
                        "way": way,
                        "elements": int(weights.sum()),
                        "in_original": len(found[way]),
                        "in_truth": None,
                        "distance": _apart(np.repeat(values, weights), found[way]),
                        "distance_truth": None,
                        "per_element": apart,
                    }
                )
    return rows


def _noisy_stays(
    lab: Lab, footage: Footage, epsilon: float, setting: str, seed: int, way: str
) -> tuple[np.ndarray, np.ndarray, float | None]:
    """Stay times, how many have each, and in the paper's way how far each is from its own."""
    told = terms(epsilon, setting, seed, "stay", way)
    if setting == "paper":
        noisy = pinq.stay(footage, told).table["frames"].to_numpy().astype(float)
        true = np.sort([t.last - t.first + 1 for t in footage.who.tracks if t.id >= 0])
        apart = float(np.abs(noisy - true).mean()) if len(true) else None
        return noisy, np.ones(len(noisy), np.int64), apart
    table = pinq.stay_times(footage, told, longest=lab.longest, bins=_BINS).table
    middle = (table["low"].to_numpy() + 1 + table["high"].to_numpy()) / 2
    return middle, np.maximum(table["elements"].to_numpy(), 0), None


def _only(footage: Footage, axis: str, way: str) -> Footage:
    """The elements that go this way, which the one who asks may choose as a filter."""
    if way == "all":
        return footage
    ways = direction(footage, axis=axis)
    ids = {
        identity
        for identity, name in zip(
            ways["id"].to_pylist(), ways["direction"].to_pylist(), strict=True
        )
        if name == way
    }
    kept = tuple(track for track in footage.who.tracks if track.id in ids)
    return replace(footage, elements=replace(footage.who, tracks=kept, _index={}))


def _count_rows(counts: Sequence[int], row: Row) -> list[Row]:
    """One row for the whole video: 'counts' is a list until it is averaged over the seeds."""
    return [{**row, "counts": list(counts)}]


def _count_error(lab: Lab, original: Footage, counts: Sequence[int], row: Row) -> Row:
    truth = counts_of(footage_of(lab.elements, lab.video))
    found = counts_of(original)
    return {
        **row,
        "error": float(np.abs(np.subtract(counts, found)).mean()),
        "error_truth": float(np.abs(np.subtract(counts, truth)).mean()),
        "mean_count": float(np.mean(counts)),
        "mean_original": float(np.mean(found)),
        "mean_truth": float(np.mean(truth)),
    }


def _stay_rows(stays: dict[str, np.ndarray], row: Row) -> list[Row]:
    return [
        {**row, "way": way, "rank": rank, "frames": float(frames)}
        for way, values in stays.items()
        for rank, frames in enumerate(values, 1)
    ]


def _apart(a: np.ndarray, b: np.ndarray) -> float | None:
    """Mean distance of two distributions, in frames; None where one is empty."""
    return float(wasserstein_distance(a, b)) if len(a) and len(b) else None
