"""The two ways to make a private video: pixel sampling, which is the paper's, and synthesis.

sampling    census --> plan --> draw --> render      true pixels, but few
synthesis   summary --> population, plate --> paint  noisy counts, made-up figures
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from videodp.census import take_census
from videodp.elements import Elements, ParquetWriter
from videodp.plan import make_plan
from videodp.privacy.noise import noise_from
from videodp.privacy.randomness import Randomness
from videodp.release import sampling_part, synthesis_part
from videodp.render import (
    Cast,
    Plate,
    background_of,
    draw,
    locate,
    make_plate,
    render_frames,
)
from videodp.settings import Settings
from videodp.stages import Stages
from videodp.synthesis.paint import Painter, paint_frames
from videodp.synthesis.scenery import Scenery, given_scenery, learn_scenery
from videodp.synthesis.tell import act, tell
from videodp.video import Video, VideoWriter

__all__ = ["Files", "Job", "Outcome", "mechanism_of"]


@dataclass(frozen=True)
class Files:
    """What a mechanism may write to."""

    store: Path
    """A private folder that is deleted afterwards."""
    writer: VideoWriter
    truth: ParquetWriter | None
    """For the elements of a synthetic video."""
    release: Path
    owner: Path


@dataclass(frozen=True)
class Job:
    """What a mechanism is to do."""

    video: Video
    elements: Elements
    """The sensitive ones."""
    everybody: Elements
    """With those that are not."""
    settings: Settings
    files: Files
    stages: Stages
    workers: int
    fragment: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What a mechanism says beside the video it wrote."""

    owner: dict[str, Any]
    """For the owner only."""
    warnings: tuple[str, ...]
    public: dict[str, Any] = field(default_factory=dict)
    """For the release."""


def mechanism_of(settings: Settings) -> Callable[[Job], Outcome]:
    """The mechanism that was asked for."""
    return {"sampling": _sample, "synthesis": _synthesise}[settings.mechanism]


def _sample(job: Job) -> Outcome:
    """A few randomly drawn true pixels of every element; everything else is filled in."""
    video, elements, settings, stages = job.video, job.elements, job.settings, job.stages
    workers, look = job.workers, job.settings.look
    randomness = Randomness(settings.seed)
    with stages.stage("census", video.frames) as step:
        census = take_census(
            video,
            elements,
            job.files.store,
            workers=workers,
            fragment=job.fragment,
            progress=step,
        )
    with stages.stage("plan", len(elements)) as step:
        plan = make_plan(
            census,
            settings.epsilon_per_track,
            k=settings.k,
            rule=settings.rule,
            criterion=settings.criterion,
            tracks_per_person=settings.tracks_per_person,
            workers=workers,
            progress=step,
        )
    with stages.stage("draw", video.frames) as step:
        picks = draw(plan, randomness)
        drawn = locate(video, elements, census, picks, workers=workers, progress=step)
    with stages.stage("render", video.frames) as step:
        plate = make_plate(census.background, workers)
        cast = Cast(drawn, look.insert)
        background = background_of(look, plate, census, plan, picks, randomness)
        writer = job.files.writer
        for pts, picture in render_frames(
            video, elements, cast, background, writer.prepare, workers
        ):
            writer.write(picture, pts)
            step(1)
    owner = sampling_part(census, plan, drawn)
    return Outcome(owner, tuple(_sampling_warnings(elements, settings, plate)))


def _synthesise(job: Job) -> Outcome:
    """Nothing real of any element: noisy counts of all, and a made-up population that has them."""
    video, elements, settings, stages = job.video, job.elements, job.settings, job.stages
    asked, randomness = settings.synthesis, Randomness(settings.seed)
    size, writer = (video.width, video.height), job.files.writer
    public = size, video.frames, video.rate
    with stages.stage("summary", 1) as step:
        noisy = tell(elements, asked, *public, noise_from(settings.seed))
        step(1)
    with stages.stage("populate", 1) as step:  # from here on nothing but the noisy summary is read
        population = act(noisy, asked, *public, randomness)
        step(1)
    with stages.stage("plate", 1) as step:
        if settings.plate is not None:
            scenery = given_scenery(settings.plate, video)
        else:
            scenery = learn_scenery(
                video, elements, job.files.store, job.workers, everybody=job.everybody
            )
        step(1)
    with stages.stage("paint", video.frames) as step:
        painter = Painter(population, scenery, randomness)
        for painted, picture in paint_frames(painter, video.frames, writer.prepare, job.workers):
            writer.write(picture, int(video.pts[painted.seen.frame]))
            if job.files.truth is not None:
                job.files.truth.write(painted.seen, visibility=painted.visibility)
            step(1)
    owner = synthesis_part(elements, settings.epsilon, len(population.actors))
    warnings = _synthesis_warnings(elements, scenery, noisy.speaks)
    return Outcome(owner, tuple(warnings), {"speaks": noisy.speaks})


def _sampling_warnings(elements: Elements, settings: Settings, plate: Plate) -> Iterator[str]:
    if not len(elements):
        yield "no sensitive element is listed: the private video looks like the original"
    if len(elements) and elements.boxes_only:
        yield (
            "the elements are boxes: an arm or a leg outside of its box is published; videodp find "
            "--elements FILE -o found.parquet looks for outlines"
        )
    lost = [track.gaps for track in elements.tracks if track.id >= 0 and track.gaps]
    if lost:
        yield (
            f"{len(lost)} of {len(elements)} elements are not listed in {sum(lost)} frames between "
            "their first and their last: if they are to be seen there, they are published"
        )
    shared = sum(track.id < 0 for track in elements.tracks)
    if shared and settings.tracks_per_person == 1:
        yield (
            f"{shared} tracks without an identity (ids below 0) have a budget of their own: "
            "whoever is in them and is tracked as well has two; --tracks-per-person 2 reckons with "
            "that"
        )
    if not plate.still and settings.look.fill is None and settings.look.background == "retain":
        yield "the camera moves: gaps are filled from their surroundings, not from other times"
    if settings.look.background == "plate":
        yield from _plate_warnings(
            plate.still,
            plate.unseen,
            "one plate cannot show the whole scene; use --background retain",
        )


def _synthesis_warnings(elements: Elements, scenery: Scenery, speaks: bool) -> Iterator[str]:
    if not len(elements):
        yield "no sensitive element is listed: whoever is painted is noise"
    if not speaks:
        yield (
            "epsilon is too small to tell so few elements from none: the scene is left empty; take "
            "a longer recording or a larger epsilon"
        )
    yield from _plate_warnings(
        scenery.still, scenery.unseen, "one picture cannot show the whole scene"
    )


def _plate_warnings(still: bool, unseen: int, advice: str) -> Iterator[str]:
    if not still:
        yield f"the camera moves: {advice}"
    if unseen:
        yield (
            f"{unseen} pixels of the plate were covered in nearly every sampled frame and are "
            "filled from their surroundings: a smooth patch there tells that somebody stood still"
        )
