"""What asking costs: SQL on an hour of a crowd, and the same query on two videos."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bench.clips import CACHE
from videodp.elements import ParquetWriter, Seen, no_runs
from videodp.publish import publish
from videodp.queries import footage_of, histogram, open_footage, sql
from videodp.video import probe

__all__ = ["STATEMENTS", "ask", "crowd", "private_of", "question"]

FRAMES, TRACKS, STAY = 90_000, 10_000, 500
"""An hour at 25 frames a second; 5 million detections."""

STATEMENTS = (
    "SELECT label, count(*) AS n FROM detections GROUP BY label",
    "SELECT label, count(*) AS n, avg(seconds) AS stay FROM tracks GROUP BY label",
    "SELECT max(people) AS most, arg_max(frame, people) AS in_frame FROM frames",
    "SELECT floor(foot_x / 80) AS c, floor(foot_y / 80) AS r, count(DISTINCT id) AS n "
    "FROM detections GROUP BY c, r ORDER BY n DESC",
)


def crowd() -> Path:
    """An elements file of that size, made once."""
    path = CACHE / "crowd.parquet"
    CACHE.mkdir(parents=True, exist_ok=True)
    if path.exists():
        return path
    rng = np.random.default_rng(5)
    first = np.sort(rng.integers(0, FRAMES - STAY, TRACKS))
    start = rng.uniform((500, 300), (1390, 700), (TRACKS, 2))
    pace = rng.uniform((-1, -0.5), (1, 0.5), (TRACKS, 2))  # nobody leaves the picture
    with ParquetWriter(path, (1920, 1080), FRAMES) as writer:
        for frame in range(FRAMES):
            here = np.flatnonzero((first <= frame) & (frame < first + STAY))
            corner = start[here] + pace[here] * (frame - first[here])[:, None]
            boxes = np.column_stack([corner, np.full((len(here), 2), (30.0, 80.0))])
            labels = tuple("car" if i % 5 == 0 else "person" for i in here.tolist())
            seen = Seen(frame, here + 1, boxes, labels, no_runs(len(here)), no_runs(len(here)))
            writer.write(seen.back_to_front())
    return path


def question(table: Path, number: Path) -> int:
    """One statement, the opening of the file included."""
    sql(open_footage(table, unchecked=True), STATEMENTS[int(str(number))])
    return FRAMES


def ask(video: Path) -> int:
    """One RGB histogram over a whole video, decoding included."""
    footage = footage_of(None, probe(video))
    histogram(footage)
    return len(footage)


def private_of(video: Path, elements: Path) -> Path:
    """A private video of a clip, made once."""
    path = video.with_name(f"{video.stem}.private.mp4")
    if not path.exists():
        publish(video, path, elements, 0.8)
    return path
