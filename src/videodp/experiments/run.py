"""All experiments on one video, part by part; finished parts are kept."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from videodp import __version__
from videodp.elements import load_elements
from videodp.elements.detect import find_model
from videodp.elements.detect.open import YOLOX
from videodp.errors import UsageError
from videodp.experiments import comparators, detection, pixels
from videodp.experiments.answers import Benchmark, benchmark, noisy_answers
from videodp.experiments.claims import write_claims
from videodp.experiments.guarantees import at_levels
from videodp.experiments.histograms import histograms
from videodp.experiments.lab import Lab
from videodp.experiments.pictures import write_frames
from videodp.experiments.plots import write_plots
from videodp.experiments.settings import EXPERIMENTS, Trial
from videodp.experiments.store import Rows, Store, digest_of
from videodp.experiments.tables import write_tables
from videodp.experiments.times import measure
from videodp.stages import Stages, Watcher
from videodp.video import Video, probe

__all__ = ["run_experiments"]

_SLOW = 10
"""A part in which elements are looked for takes about as long as so many others."""
_OTHERS: tuple[tuple[str, float | None], ...] = (
    ("blur", None),
    ("pixelise", 0.8),
    ("pixelise", 2.4),
    ("synthesis", 0.8),
    ("synthesis", 2.4),
)
"""The other ways, and their epsilons."""


@dataclass(frozen=True)
class _Part:
    """A piece of work that is done or not."""

    name: str
    work: Callable[[Lab], Rows]
    weight: int = 1


def run_experiments(
    video: str | Path,
    elements: str | Path,
    folder: str | Path,
    trial: Trial | None = None,
    *,
    overwrite: bool = False,
    watcher: Watcher | None = None,
) -> Path:
    """Repeats the paper's experiments on a video and says which of its claims hold.

    Args:
        video: an original.
        elements: who is in it.
        folder: gets CSV files, plots, and ``claims.md``; what it holds of an earlier run with the
            same settings is used again. All of it tells about the original: for the owner only.
        trial: what is tried, and how often.
        overwrite: forget an earlier run.
        watcher: told about progress.

    Returns:
        The page of claims.
    """
    trial = trial or Trial()
    original = probe(video)
    who = load_elements(elements, original)
    if not len(who):
        raise UsageError(f"{elements} lists nobody: experiments need somebody to protect")
    store = Store(Path(folder), _manifest(original, Path(elements), trial), overwrite=overwrite)
    parts = list(_parts(trial, store))
    rows: Rows = {}
    with (
        tempfile.TemporaryDirectory(prefix="videodp-") as work,
        Stages(watcher).stage("try out", sum(part.weight for part in parts)) as step,
    ):
        lab = Lab(original, who, trial, Path(work), store.parts)
        for part in parts:
            done = store.load(part.name)
            if done is None:
                done = store.save(part.name, part.work(lab))
            for name, own in done.items():
                rows.setdefault(name, []).extend(own)
            step(part.weight)
        facts = _facts(lab)
    write_tables(store, rows)
    write_plots(store.folder, rows)
    return write_claims(store.folder, rows, facts)


class _Original:
    """What private videos are compared with: looked for once a run, and only if it is needed."""

    def __init__(self) -> None:
        self._made: Benchmark | None = None

    def __call__(self, lab: Lab) -> Benchmark:
        if self._made is None:
            self._made = benchmark(lab)
        return self._made


def _parts(trial: Trial, store: Store) -> Iterator[_Part]:
    """What was asked for, in the order in which it is done."""
    original = _Original()

    def each_seed(name: str, work: Callable[[Lab, int], Rows]) -> list[_Part]:
        return [_Part(f"{name}-{seed}", _bound(work, seed)) for seed in range(trial.seeds)]

    def compared(name: str, work: Callable[..., Rows], *more: object) -> _Part:
        return _Part(name, lambda lab: work(lab, original(lab), *more), _SLOW)

    everything = {
        "pixels": each_seed("pixels", pixels.over_epsilon),
        "k": each_seed("k", pixels.over_k),
        "largest": each_seed("largest", pixels.largest),
        "detection": [
            compared("original", detection.in_original),
            *(
                compared(f"private-{epsilon:g}-{seed}", detection.in_private, epsilon, seed)
                for epsilon, seed in trial.detections()
            ),
        ],
        "pinq": each_seed("pinq", lambda lab, seed: noisy_answers(lab, original(lab), seed)),
        "histogram": each_seed("histogram", histograms),
        "comparators": [
            compared(f"{way}-{epsilon or 0:g}", comparators.compared, way, epsilon)
            for way, epsilon in _OTHERS
        ],
        "guarantees": [
            compared(f"guarantees-{seed}", at_levels, seed) for seed in range(trial.seeds)
        ],
        "frames": [_Part("frames", lambda lab: write_frames(lab, store.folder / "frames.png"))],
        "times": [compared("times", measure)],
    }
    for name in EXPERIMENTS:
        if name in trial.only:
            yield from everything[name]


def _bound(work: Callable[[Lab, int], Rows], seed: int) -> Callable[[Lab], Rows]:
    return lambda lab: work(lab, seed)


def _manifest(video: Video, elements: Path, trial: Trial) -> dict[str, Any]:
    """What decides the numbers, seeds and the choice of experiments excepted."""
    model = find_model(YOLOX) if trial.detector == "auto" else None
    return {
        "videodp": __version__,
        "video": digest_of(video.pictures or (video.path,)),
        "elements": digest_of([elements]),
        "model": digest_of([model]) if model else "none",
        **trial.record(),
    }


def _span(ks: tuple[int, ...]) -> str:
    """Each of 4 to 30, or the numbers themselves."""
    if ks == tuple(range(ks[0], ks[-1] + 1)):
        return f"each of {ks[0]} to {ks[-1]}"
    return ", ".join(map(str, ks))


def _facts(lab: Lab) -> dict[str, Any]:
    video = lab.video
    return {
        "video": video.path.name,
        "size": f"{video.width}x{video.height}",
        "frames": video.frames,
        "rate": float(video.rate),
        "elements": len(lab.elements),
        "k": lab.k,
        "every": lab.every,
        "seeds": lab.trial.seeds,
        "ks": _span(lab.trial.ks),
        "sheet": lab.sheet_frames,
        "shown": ", ".join(f"{epsilon:g}" for epsilon in lab.trial.shown),
        "many": min(lab.trial.many, lab.trial.seeds),
        "few": min(lab.trial.few, lab.trial.seeds),
    }
