"""Trials of finished pictures: true colours where the canary stood, and the hole it leaves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from videodp.audit.model import Statistic, Trial
from videodp.audit.sampling import readings
from videodp.audit.statistics import column
from videodp.audit.street import CANARY, Canary, Filmed, film
from videodp.census import Census, take_census
from videodp.elements import OwnerPicture, place
from videodp.plan import Plan, make_plan
from videodp.privacy.randomness import Randomness
from videodp.render import Cast, Look, Plate, background_of, draw, locate, make_plate, render_frames

__all__ = ["Street", "picture_trial", "streets"]

_DRAWN, _TRUE, _EMPTY = range(3)

_FAR = 48
"""Grey levels, over three channels: more than light and noise change."""


@dataclass(frozen=True)
class Street:
    """One world: the street, counted and planned, ready to be published many times."""

    filmed: Filmed
    census: Census
    plan: Plan
    plate: Plate

    @property
    def canary(self) -> int | None:
        """Its place among the elements; None where it is not there."""
        ids = [track.id for track in self.filmed.elements.tracks]
        return ids.index(CANARY) if CANARY in ids else None

    def publish(self, look: Look, randomness: Randomness) -> tuple[np.ndarray, int]:
        """Pictures, (n, height, width, 3) uint8, and how many pixels of the canary were drawn.

        As `videodp.publish` paints them, before they are compressed.
        """
        picks = draw(self.plan, randomness)
        drawn = locate(self.filmed.video, self.filmed.elements, self.census, picks)
        background = background_of(look, self.plate, self.census, self.plan, picks, randomness)
        pictures = render_frames(
            self.filmed.video,
            self.filmed.elements,
            Cast(drawn, look.insert),
            background,
            lambda picture: picture.copy(),
        )
        hits = 0 if self.canary is None else int(np.count_nonzero(picks.element == self.canary))
        return np.stack([picture for _, picture in pictures]), hits


@contextmanager
def streets(canary: Canary, epsilon: float) -> Iterator[tuple[Street, Street]]:
    """The street with the canary, and without."""
    with TemporaryDirectory(prefix="videodp-") as folder:
        worlds = []
        for name, who in (("with", canary), ("without", None)):
            store = Path(folder) / name
            store.mkdir()
            filmed = film(store, who)
            census = take_census(filmed.video, filmed.elements, store)
            plan = make_plan(census, epsilon)
            worlds.append(Street(filmed, census, plan, make_plate(census.background)))
        yield worlds[0], worlds[1]


def picture_trial(
    name: str,
    worlds: tuple[Street, Street],
    look: Look,
    runs: int,
    *,
    read_as_dp: bool,
    seeded: bool,
) -> Trial:
    """The finished pictures, for an attacker who knows the street with the canary and without.

    Args:
        name: of the canary.
        worlds: the street with it, and without.
        look: how it is published.
        runs: to be played.
        read_as_dp: as for `draw_trial`.
        seeded: as for `draw_trial`.
    """
    stood = _where_it_stood(worlds[0])
    true, empty = (world.filmed.pictures[stood].astype(np.int16) for world in worlds)
    telling = _differs(true, empty) & np.logical_and.reduce(
        [_differs(true, _behind(world, stood)) for world in worlds]
    )
    expected = _behind(worlds[1], stood) if look.background == "plate" else empty

    def play(present: bool, runs: int, seed: int) -> np.ndarray:
        outputs = np.zeros((runs, 3))
        for run, row in enumerate(outputs):
            randomness = Randomness(seed + run if seeded else None)
            pictures, hits = worlds[0 if present else 1].publish(look, randomness)
            shown = pictures[stood].astype(np.int16)
            row[_DRAWN] = hits
            row[_TRUE] = np.count_nonzero((shown == true).all(axis=1) & telling)
            row[_EMPTY] = np.count_nonzero((shown == expected).all(axis=1))
        return outputs

    hole = Statistic(
        "the empty street in its place, if not drawn",
        column(_EMPTY),
        0.0,
        claimed=False,
        given=lambda outputs: outputs[:, _DRAWN] == 0,
    )
    statistics = readings("true colours where it stood", _TRUE, worlds[0].plan.epsilon, read_as_dp)
    return Trial(f"{name}, {look.background}", play, (*statistics, hole), runs=runs)


def _behind(world: Street, stood: np.ndarray) -> np.ndarray:
    """(pixels, 3): what the plate shows where the canary stood."""
    _, y, x = np.nonzero(stood)
    return world.plate.rgb[y, x].astype(np.int16)


def _differs(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Whether colours are too far apart for one to be filled in for the other by chance."""
    return np.asarray(np.abs(some - others).sum(axis=1) > _FAR)


def _where_it_stood(world: Street) -> np.ndarray:
    """(n, height, width) bool: pixels that the canary owns."""
    video, elements = world.filmed.video, world.filmed.elements
    owners = OwnerPicture(video.width, video.height)
    stood = np.zeros(world.filmed.pictures.shape[:3], bool)
    assert world.canary is not None
    for seen in elements.frames(0, video.frames):
        placed = place(elements, seen, video.width, video.height)
        stood[seen.frame] = owners.paint(placed) == world.canary + 1
    return stood
