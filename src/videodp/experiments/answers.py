"""Counts and stay times of a video, as rows: the same for originals, PINQ and private videos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import wasserstein_distance

from videodp import pinq
from videodp.elements import load_elements
from videodp.experiments.chance import terms
from videodp.experiments.lab import Lab
from videodp.experiments.store import Row, Rows
from videodp.queries import Footage, direction, footage_of

__all__ = ["WAYS", "Benchmark", "Known", "benchmark", "known", "noisy_answers", "told"]

WAYS = ("all", "upstream", "downstream")
_BINS = 10


@dataclass(frozen=True)
class Known:
    """Answers from one set of elements."""

    counts: list[int]
    """Elements with an identity in each frame."""
    stays: dict[str, np.ndarray]
    """Frames from first to last sighting of those who go each way, ranked."""


@dataclass(frozen=True)
class Benchmark:
    """What private videos are compared with."""

    footage: Footage
    """The original, with what was found in it."""
    axis: str
    """Along which most of the way is gone: upstream and downstream are on it."""
    original: Known
    truth: Known


def benchmark(lab: Lab) -> Benchmark:
    """Looks for elements in the original, once."""
    path = lab.kept / "original.txt"
    elements = load_elements(path, lab.video) if path.is_file() else lab.find(lab.video, path)
    footage, truth = footage_of(elements, lab.video), footage_of(lab.elements, lab.video)
    across, along = (np.abs(direction(truth, axis=axis)["shift"].to_numpy()).sum() for axis in "xy")
    axis = "x" if across > along else "y"
    return Benchmark(footage, axis, known(footage, axis), known(truth, axis))


def known(footage: Footage, axis: str = "y") -> Known:
    """Asks what is asked of every video."""
    ways = direction(footage, axis=axis)
    names = dict(zip(ways["id"].to_pylist(), ways["direction"].to_pylist(), strict=True))
    lives = {t.id: t.last - t.first + 1 for t in footage.who.tracks if t.id in names}
    return Known(
        [len(seen) for seen in footage.sightings()],
        {
            way: np.sort([lives[i] for i, name in names.items() if way in ("all", name)]).astype(
                np.float64
            )
            for way in WAYS
        },
    )


def told(answers: Known, against: Benchmark, row: Row) -> Rows:
    """What was found in a video, beside what the same search found in the original."""
    found, true = against.original.stays, against.truth.stays
    return {
        "counts": [{**row, "counts": answers.counts}],
        "count_errors": [_count_error(answers.counts, against, row)],
        "stays": _stay_rows(answers.stays, row),
        "stay_errors": [
            {
                **row,
                "way": way,
                "elements": len(own),
                "in_original": len(found[way]),
                "in_truth": len(true[way]),
                "distance": _apart(own, found[way]),
                "distance_truth": _apart(own, true[way]),
            }
            for way, own in answers.stays.items()
        ],
    }


def noisy_answers(lab: Lab, against: Benchmark, seed: int) -> Rows:
    """One seed: PINQ's answers at each epsilon, in both settings."""
    rows: Rows = {"counts": [], "count_errors": [], "stays": [], "stay_errors": []}
    going = {way: _only(against.footage, against.axis, way) for way in WAYS}
    for epsilon in lab.trial.shown:
        for setting in pinq.SETTINGS:
            row = {"source": f"pinq-{setting}", "epsilon": epsilon, "seed": seed}
            answer = pinq.count(
                against.footage, terms(epsilon, setting, seed, "count"), frames=lab.longest
            )
            noisy = answer.table["elements"].to_pylist()
            rows["counts"].append({**row, "counts": noisy})
            rows["count_errors"].append(_count_error(noisy, against, row))
            for way, own in going.items():
                values, weights, apart = _noisy_stays(lab, own, epsilon, setting, seed, way)
                if way == "all" or setting == "paper":
                    rows["stays"] += _stay_rows({way: np.repeat(values, weights)}, row)
                found = against.original.stays[way]
                rows["stay_errors"].append(
                    {
                        **row,
                        "way": way,
                        "elements": int(weights.sum()),
                        "in_original": len(found),
                        "distance": _apart(np.repeat(values, weights), found),
                        "per_element": apart,
                    }
                )
    return rows


def _noisy_stays(
    lab: Lab, footage: Footage, epsilon: float, setting: str, seed: int, way: str
) -> tuple[np.ndarray, np.ndarray, float | None]:
    """Stay times, how many have each, and in the paper's way how far each is from its own."""
    agreed = terms(epsilon, setting, seed, "stay", way)
    if setting == "paper":
        noisy = pinq.stay(footage, agreed).table["frames"].to_numpy().astype(float)
        true = np.sort([t.last - t.first + 1 for t in footage.who.tracks if t.id >= 0])
        apart = float(np.abs(noisy - true).mean()) if len(true) else None
        return noisy, np.ones(len(noisy), np.int64), apart
    table = pinq.stay_times(footage, agreed, longest=lab.longest, bins=_BINS).table
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


def _count_error(counts: Sequence[int], against: Benchmark, row: Row) -> Row:
    found, truth = against.original.counts, against.truth.counts
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
