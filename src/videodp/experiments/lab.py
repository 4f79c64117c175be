"""What all experiments on one video share: it is counted once, whatever is tried."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

import numpy as np

from videodp.census import Census, take_census
from videodp.elements import Elements, load_elements
from videodp.elements.find import FindSettings, find_elements
from videodp.experiments.settings import Trial
from videodp.experiments.sheet import Sheet, read_sheet, spread
from videodp.plan import Plan, make_plan
from videodp.privacy.randomness import Randomness
from videodp.queries import PEOPLE
from videodp.render import (
    Cast,
    Drawn,
    Look,
    Picks,
    Plate,
    background_of,
    draw,
    locate,
    make_plate,
    render_frames,
)
from videodp.render.background import Background
from videodp.synthesis.scenery import Scenery, learn_scenery
from videodp.video import Video, VideoWriter, probe

__all__ = ["Lab"]

_LOOK = Look()
_SHEET_FRAMES = 48
_LIFE_FRAMES = 12
_LOOKS_PER_SECOND = 8
"""Elements are looked for so often; between, they are followed."""
_STAY_SECONDS = 20
"""The bound that is given to PINQ: nobody may look it up in the video."""


class Lab:
    """A video, its elements, and everything that does not depend on epsilon, k or seed."""

    def __init__(
        self,
        video: Video,
        elements: Elements,
        trial: Trial,
        work: Path,
        kept: Path | None = None,
    ) -> None:
        self.video = video
        self.elements = elements
        self.trial = trial
        self.work = work
        """A private folder for this run."""
        self.kept = kept or work
        """A folder for what later runs can use again."""
        self.workers = os.cpu_count() or 1
        self._plans: dict[tuple[float, int | str, str], Plan] = {}

    @property
    def of_people(self) -> bool:
        """Whether this is a video of people, as the paper's PED, or of vehicles."""
        people = sum(track.label in PEOPLE for track in self.elements.tracks)
        return 2 * people >= len(self.elements)

    @property
    def k(self) -> int:
        """The fixed k of the paper's sweeps: 6 for its people, 10 for its vehicles."""
        return 6 if self.of_people else 10

    @property
    def every(self) -> int:
        """Detect in each so many frames."""
        return max(1, round(self.video.rate / _LOOKS_PER_SECOND))

    @property
    def longest(self) -> int:
        """A bound on how many frames somebody is counted in."""
        return max(1, round(self.video.rate * _STAY_SECONDS))

    @cached_property
    def census(self) -> Census:
        """Counted once."""
        store = self.work / "census"
        store.mkdir()
        return take_census(self.video, self.elements, store, workers=self.workers)

    @cached_property
    def plate(self) -> Plate:
        """The empty scene."""
        return make_plate(self.census.background, self.workers)

    @cached_property
    def scenery(self) -> Scenery:
        """The empty scene as synthesis learns it."""
        store = self.work / "scenery"
        store.mkdir()
        return learn_scenery(self.video, self.elements, store, self.workers)

    @cached_property
    def sheet(self) -> Sheet:
        """Frames from all over the video."""
        return read_sheet(self.video, self.elements, self._spread())

    @property
    def sheet_frames(self) -> int:
        """How many these are."""
        return len(self._spread())

    def _spread(self) -> list[int]:
        size = self.video.width, self.video.height
        return spread(0, self.video.frames, _SHEET_FRAMES, size)

    @cached_property
    def largest(self) -> int:
        """Place in the tracks of the element with most pixels."""
        return int(np.argmax(self.census.pixels)) if len(self.elements) else -1

    @cached_property
    def life(self) -> Sheet:
        """Frames from the life of the largest element."""
        track = self.elements.tracks[self.largest]
        size = self.video.width, self.video.height
        wanted = spread(track.first, track.last + 1, _LIFE_FRAMES, size)
        return read_sheet(self.video, self.elements, wanted)

    @cached_property
    def fullest(self) -> Sheet:
        """The frame with most elements."""
        counts = [len(seen) for seen in self.elements.frames(0, self.video.frames)]
        return read_sheet(self.video, self.elements, [int(np.argmax(counts))])

    def plan(self, epsilon: float, k: int | str, rule: str = "affordable") -> Plan:
        """Made once for each of these."""
        key = epsilon, k, rule
        if key not in self._plans:
            self._plans[key] = make_plan(self.census, epsilon, k=k, rule=rule, workers=self.workers)
        return self._plans[key]

    def drawn(self, plan: Plan, seed: int, element: int | None = None) -> tuple[Picks, Drawn]:
        """Phase I, of all elements or of one."""
        picks = draw(plan, Randomness(seed))
        if element is not None:
            own = picks.element == element
            picks = Picks(
                picks.element[own], picks.colour[own], picks.ordinal[own], picks.background_draws
            )
        found = locate(self.video, self.elements, self.census, picks, workers=self.workers)
        return picks, found

    def cast(self, drawn: Drawn) -> Cast:
        """What is shown of the elements."""
        return Cast(drawn, _LOOK.insert)

    def background(self, plan: Plan, picks: Picks, seed: int) -> Background:
        """Kept as it is; holes from the plate."""
        return background_of(_LOOK, self.plate, self.census, plan, picks, Randomness(seed))

    def write_private(self, path: Path, plan: Plan, seed: int) -> Video:
        """Phase I and II into a file, as publish does it."""
        picks, drawn = self.drawn(plan, seed)
        background = self.background(plan, picks, seed)
        with self.writer(path) as writer:
            for pts, picture in render_frames(
                self.video,
                self.elements,
                self.cast(drawn),
                background,
                writer.prepare,
                self.workers,
            ):
                writer.write(picture, pts)
        return probe(path)

    def writer(self, path: Path) -> VideoWriter:
        """For a video like this one."""
        video = self.video
        return VideoWriter(
            path,
            width=video.width,
            height=video.height,
            rate=video.rate,
            time_base=video.time_base,
            overwrite=True,
        )

    def find(self, video: Video, output: Path) -> Elements:
        """Who is in a video, as an analyst finds it out who has nothing else."""
        settings = FindSettings(detector=self.trial.detector, every=self.every)
        return find_elements(video, output, settings, workers=self.workers, overwrite=True)

    def find_in_private(self, epsilon: float, seed: int) -> Elements:
        """Who is found in one private video, with the solver's k; looked for once."""
        path = self.kept / f"private-{epsilon:g}-{seed}.txt"
        if path.is_file():
            return load_elements(path, self.video)
        plan = self.plan(epsilon, "auto")
        return self.find(self.write_private(self.work / "private.mp4", plan, seed), path)
