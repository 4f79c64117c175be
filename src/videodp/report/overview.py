"""One page that shows what each mechanism makes of the same recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from videodp.publish import Published
from videodp.report.facts import gather
from videodp.report.page import environment
from videodp.report.pictures import Moment, data_uri, frame_of, jpeg, moments
from videodp.video import Video, atomic_path, probe

__all__ = ["Answer", "write_overview", "write_side_by_side"]

_WIDE = 640


@dataclass(frozen=True)
class Answer:
    """The same question, asked of the original and of the private videos."""

    question: str
    original: str
    private: tuple[str, ...]
    """One for each private video."""


@dataclass(frozen=True)
class _Row:
    moment: Moment
    seconds: float
    pictures: tuple[str, ...]
    """Data URIs: the original, then the private videos."""


def write_overview(
    path: str | Path,
    original: Video,
    published: Sequence[Published],
    answers: Sequence[Answer],
    reports: Sequence[Path],
    *,
    overwrite: bool = False,
) -> Path:
    """Writes a page for the owner: frames side by side, answers, and what each video guarantees.

    Args:
        path: the HTML file.
        original: the recording.
        published: what was made of it, one for each mechanism.
        answers: for the table.
        reports: the owner's report of each, in the same folder.
        overwrite: replace a file that is there.

    Returns:
        The path.
    """
    path = Path(path)
    with atomic_path(path, overwrite, private=True) as temporary:
        page = (
            environment()
            .get_template("overview.html")
            .render(
                original=original,
                published=published,
                reports=[report.name for report in reports],
                answers=answers,
                rows=_rows(original, published),
            )
        )
        temporary.write_text(page, encoding="utf-8")
    return path


def _rows(original: Video, published: Sequence[Published]) -> Iterator[_Row]:
    videos = [original, *(probe(one.video) for one in published)]
    facts = gather(published[0].owner, original.frames)
    for moment in moments(facts.elements, original.frames, count=3):
        pictures = (data_uri(frame_of(video, moment.frame)) for video in videos)
        yield _Row(
            moment,
            float(original.time_of(moment.frame) - original.time_of(0)),
            tuple(pictures),
        )


def write_side_by_side(
    path: str | Path, videos: Sequence[tuple[str, Video]], frame: int, *, overwrite: bool = False
) -> Path:
    """Writes one JPEG: the same frame of several videos, each under its name.

    Args:
        path: the picture.
        videos: name and video, from left to right; all of one size.
        frame: which.
        overwrite: replace a file that is there.
    """
    path = Path(path)
    with atomic_path(path, overwrite) as temporary:
        columns = [_named(name, frame_of(video, frame)) for name, video in videos]
        temporary.write_bytes(jpeg(np.hstack(columns)))
    return path


def _named(name: str, rgb: np.ndarray) -> np.ndarray:
    """The picture, smaller, below a line with its name."""
    size = (_WIDE, max(round(rgb.shape[0] * _WIDE / rgb.shape[1]), 1))
    small = cv2.resize(np.ascontiguousarray(rgb), size, interpolation=cv2.INTER_AREA)
    head = np.full((36, _WIDE, 3), 255, np.uint8)
    where: Any = (8, 25)
    cv2.putText(head, name, where, cv2.FONT_HERSHEY_SIMPLEX, 0.65, (30, 30, 34), 1, cv2.LINE_AA)
    column: np.ndarray = np.vstack([head, small])
    gap = np.full((len(column), 4, 3), 255, np.uint8)
    return np.hstack([column, gap])
