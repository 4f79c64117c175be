"""What is said about a private video: to everybody what it promises, to its owner what to watch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from videodp.elements import Elements
from videodp.privacy.statement import (
    Statement,
    limits_of_search,
    sampling_statement,
    synthesis_statement,
    way_of_search,
)
from videodp.scenes import truth_file
from videodp.settings import Settings
from videodp.video import Video

__all__ = ["statement_of", "warnings_of"]


def statement_of(settings: Settings, elements: Elements) -> Statement:
    """The promise of the mechanism, and all that it rests on."""
    statement = _promise(settings)
    search = (way_of_search(elements.found_by), *_limits(settings, elements))
    return replace(statement, assumptions=(*statement.assumptions, *search))


def warnings_of(
    video: Video, output: Path, settings: Settings, elements: Elements
) -> Iterator[str]:
    """What the owner should know, whatever the mechanism."""
    if not elements.searched.everywhere:
        yield f"NOT EVERYBODY IS PROTECTED. {' '.join(_limits(settings, elements))}"
    if video.has_audio and settings.encoding.keep_audio:
        yield "the sound was kept as it is: voices are not protected by anything"
    elif video.has_audio:
        yield "the sound was dropped: voices cannot be protected"
    if video.truncated:
        yield f"the video ends early: only its first {video.frames} frames were published"
    beside = truth_file(output)
    if settings.mechanism != "synthesis" and beside.exists():
        yield f"{beside.name} is there from before: queries of {output.name} would believe it"


def _promise(settings: Settings) -> Statement:
    if settings.mechanism == "synthesis":
        return synthesis_statement(
            settings.epsilon,
            shares=settings.synthesis.shares,
            tracks_per_person=settings.tracks_per_person,
            plate_given=settings.plate is not None,
            seeded=settings.seed is not None,
        )
    return sampling_statement(
        settings.epsilon,
        tracks_per_person=settings.tracks_per_person,
        background=settings.look.background,
        audio=settings.encoding.keep_audio,
        seeded=settings.seed is not None,
    )


def _limits(settings: Settings, elements: Elements) -> tuple[str, ...]:
    """What the owner chose not to protect."""
    searched = elements.searched
    left_out = (*searched.left_out, *sorted(elements.insensitive - {*searched.left_out}))
    return limits_of_search(
        searched.frames,
        searched.in_part,
        searched.labels,
        left_out,
        published=settings.mechanism == "sampling" and settings.look.background != "plate",
    )
