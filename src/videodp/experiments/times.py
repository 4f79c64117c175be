"""How long it takes to publish a video, and to ask one (paper, section 5.4)."""

from __future__ import annotations

import time

from videodp import queries
from videodp.experiments.answers import Benchmark
from videodp.experiments.lab import Lab
from videodp.experiments.store import Row, Rows
from videodp.publish import publish
from videodp.queries import footage_of
from videodp.settings import Settings
from videodp.video import Video

__all__ = ["measure"]

_FRAMES = 200
_REPEATS = 3


def measure(lab: Lab, against: Benchmark) -> Rows:
    """Publishes once, with everything by default, and asks both videos the same."""
    started = time.perf_counter()
    path = lab.work / "timed.mp4"
    published = publish(
        lab.video, path, lab.elements, Settings(lab.trial.epsilons[0], seed=0), overwrite=True
    )
    whole = time.perf_counter() - started
    rows: list[Row] = [
        {"what": f"publish: {stage}", "seconds": seconds}
        for stage, seconds in published.owner["timing"].items()
    ]
    rows.append({"what": "publish", "seconds": whole})
    private = queries.open_footage(path, None, pictures_only=True).video
    assert private is not None
    for name, video in (("original", lab.video), ("private", private)):
        rows.append({"what": f"query histogram, {name}", "seconds": _ask(video)})
    started = time.perf_counter()
    queries.count(against.footage)
    rows.append({"what": "query count, original", "seconds": time.perf_counter() - started})
    return {"times": [{**row, "frames": lab.video.frames} for row in rows]}


def _ask(video: Video) -> float:
    """The best of a few: the others were disturbed."""
    footage = footage_of(None, video, frames=(0, min(video.frames, _FRAMES)))
    seconds = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        queries.histogram(footage)
        seconds.append(time.perf_counter() - started)
    return min(seconds)
