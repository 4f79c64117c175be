"""How long it takes to publish a video, and to ask one (paper, section 5.4)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from videodp import queries
from videodp.experiments.answers import Benchmark
from videodp.experiments.lab import Lab
from videodp.experiments.store import Row, Rows
from videodp.publish import publish
from videodp.queries import footage_of
from videodp.settings import Settings
from videodp.video import Video, probe

__all__ = ["measure"]

_FRAMES = 200
_REPEATS = 3


def measure(lab: Lab, against: Benchmark) -> Rows:
    """Publishes once, with everything by default, and asks both videos the same."""
    path = lab.work / "timed.mp4"
    settings = Settings(lab.trial.epsilons[0], seed=0)
    with _watch("publish") as whole:
        published = publish(lab.video, path, lab.elements, settings, overwrite=True)
    stages: list[Row] = [
        {"what": f"publish: {stage}", "seconds": seconds}
        for stage, seconds in published.owner["timing"].items()
    ]
    originals, privates = (
        [_ask(name, video) for _ in range(_REPEATS)]
        for name, video in (("original", lab.video), ("private", probe(path)))
    )
    with _watch("query count, original") as count:
        queries.count(against.footage)
    rows = [whole, *stages, _least(originals), _least(privates), count]
    return {"times": [{**row, "frames": lab.video.frames} for row in rows]}


def _ask(name: str, video: Video) -> Row:
    footage = footage_of(None, video, frames=(0, min(video.frames, _FRAMES)))
    with _watch(f"query histogram, {name}") as row:
        queries.histogram(footage)
    return row


def _least(rows: list[Row]) -> Row:
    """The one with least work: the others were disturbed."""
    return min(rows, key=lambda row: row["processor"])


@contextmanager
def _watch(what: str) -> Iterator[Row]:
    """Seconds on the clock and seconds of all processors, filled in when the block ends."""
    row: Row = {"what": what}
    started, worked = time.perf_counter(), time.process_time()
    yield row
    row["seconds"] = time.perf_counter() - started
    row["processor"] = time.process_time() - worked
