"""Painted traffic without pictures: tracks with exact ground truth, an hour of them in a second.

Each pattern is a handful of streams: a way with some width, who takes it, how fast, where some
pause, and when most of them come. `TUNED` are the patterns that synthesis was developed with;
`JUDGED` ones were written down before that, and nothing was set by them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from videodp.synthesis.model import Actor, Population

SIZE = (1280, 720)
RATE = Fraction(25)
SHAPES = {
    "person": (1.0, 0.4),
    "bicycle": (1.05, 0.9),
    "motorcycle": (0.95, 1.0),
    "car": (0.95, 1.9),
    "bus": (1.9, 2.1),
    "truck": (1.7, 1.9),
    "dog": (0.4, 1.4),
}
"""Height in adults, and width over height."""


@dataclass(frozen=True)
class Stream:
    """Those who go the same way."""

    weight: float
    labels: dict[str, float]
    way: tuple[tuple[float, float], ...]
    """Places as shares of the picture."""
    width: float
    """How far from the way they go, as a share of the picture's height (standard deviation)."""
    pace: float
    """Own heights per second, median."""
    spread: float = 0.2
    """Of the pace (standard deviation of its logarithm)."""
    pause: tuple[float, int, float] = (0.0, 0, 0.0)
    """How likely one pauses, at which place of the way, and for how long (median seconds)."""
    both: bool = True
    """Whether they go both ways."""
    when: Callable[[np.ndarray], np.ndarray] = lambda t: np.ones_like(t)
    """How many come, over the hour (0 to 1)."""


def rush(at: float, width: float, base: float = 0.35) -> Callable[[np.ndarray], np.ndarray]:
    """Most come around one time."""
    return lambda t: base + np.exp(-0.5 * ((t - at) / width) ** 2)


def bursts(every: float, width: float, base: float = 0.15) -> Callable[[np.ndarray], np.ndarray]:
    """They come in bursts, as from trains."""
    return lambda t: base + np.exp(-0.5 * (((t / every) % 1 - 0.5) * every / width) ** 2)


PERSON = {"person": 1.0}
CARS = {"car": 0.85, "truck": 0.08, "bus": 0.04, "motorcycle": 0.03}
PATTERNS: dict[str, tuple[Stream, ...]] = {
    "street": (
        Stream(24, PERSON, ((-0.01, 0.45), (1.01, 0.46)), 0.012, 0.75, when=rush(0.3, 0.12)),
        Stream(
            22,
            {"person": 0.96, "dog": 0.04},
            ((-0.01, 0.9), (0.6, 0.88), (1.01, 0.9)),
            0.03,
            0.75,
            pause=(0.2, 1, 15.0),
            when=rush(0.6, 0.2),
        ),
        Stream(8, PERSON, ((-0.01, 0.46), (0.55, 0.46), (0.62, 0.9), (1.01, 0.92)), 0.015, 0.8),
        Stream(6, PERSON, ((0.3, 0.44), (0.5, 0.455), (1.01, 0.46)), 0.01, 0.7),
        Stream(20, CARS, ((1.01, 0.6), (-0.01, 0.6)), 0.006, 4.0, both=False, when=rush(0.3, 0.15)),
        Stream(
            20, CARS, ((-0.01, 0.74), (1.01, 0.74)), 0.006, 4.0, both=False, when=rush(0.7, 0.15)
        ),
    ),
    "plaza": (
        Stream(
            16, PERSON, ((-0.01, 0.7), (0.5, 0.6), (1.01, 0.75)), 0.06, 0.7, when=rush(0.5, 0.2)
        ),
        Stream(14, PERSON, ((0.2, 0.35), (0.4, 0.55), (0.5, 1.0)), 0.04, 0.7, when=rush(0.2, 0.1)),
        Stream(12, PERSON, ((0.8, 0.36), (0.6, 0.6), (0.2, 1.0)), 0.04, 0.65),
        Stream(
            10, PERSON, ((-0.01, 0.6), (0.45, 0.5), (0.8, 0.36)), 0.04, 0.7, pause=(0.6, 1, 60.0)
        ),
        Stream(6, PERSON, ((0.2, 0.35), (0.8, 0.36)), 0.015, 0.8),
        Stream(4, {"bicycle": 1.0}, ((-0.01, 0.85), (1.01, 0.9)), 0.03, 2.2),
    ),
    "junction": (
        Stream(14, CARS, ((-0.01, 0.62), (1.01, 0.66)), 0.006, 4.5, pause=(0.3, 0, 12.0)),
        Stream(9, CARS, ((0.55, 0.3), (0.5, 0.5), (0.42, 1.0)), 0.006, 3.5, when=rush(0.4, 0.1)),
        Stream(7, CARS, ((-0.01, 0.6), (0.4, 0.64), (0.44, 1.0)), 0.006, 3.0, both=False),
        Stream(5, CARS, ((1.01, 0.6), (0.6, 0.55), (0.56, 0.3)), 0.006, 3.0, both=False),
        Stream(9, PERSON, ((-0.01, 0.5), (0.35, 0.48), (1.01, 0.5)), 0.012, 0.75),
        Stream(
            9,
            PERSON,
            ((-0.01, 0.9), (0.3, 0.85), (0.65, 0.82), (1.01, 0.88)),
            0.02,
            0.75,
            pause=(0.5, 1, 20.0),
            when=rush(0.8, 0.1),
        ),
        Stream(5, PERSON, ((0.3, 1.0), (0.32, 0.48), (-0.01, 0.49)), 0.015, 0.7),
        Stream(3, {"bicycle": 1.0}, ((-0.01, 0.78), (1.01, 0.76)), 0.01, 2.4),
    ),
    "station": (
        Stream(
            20,
            PERSON,
            ((0.35, 0.5), (0.6, 0.7), (1.01, 0.8)),
            0.04,
            0.8,
            0.25,
            both=False,
            when=bursts(0.1, 0.012),
        ),
        Stream(
            16,
            PERSON,
            ((0.7, 0.45), (0.75, 0.7), (1.01, 0.85)),
            0.03,
            0.8,
            0.25,
            both=False,
            when=bursts(0.1, 0.012),
        ),
        Stream(
            18,
            PERSON,
            ((1.01, 0.8), (0.5, 0.75), (0.3, 0.5)),
            0.05,
            0.7,
            pause=(0.9, 1, 120.0),
            both=False,
        ),
        Stream(10, PERSON, ((-0.01, 0.9), (1.01, 0.92)), 0.03, 0.7, when=rush(0.5, 0.2)),
        Stream(4, {"person": 0.7, "bicycle": 0.3}, ((0.1, 1.0), (0.7, 0.45)), 0.03, 0.8),
    ),
    "highway": tuple(
        Stream(
            weight,
            CARS,
            ((0.5 + near, 1.0), (0.5 + 0.2 * near, 0.28)),
            0.004,
            3.0,
            both=False,
            when=rush(0.35, 0.15),
        )
        for weight, near in ((10, -0.32), (14, -0.12))
    )
    + tuple(
        Stream(
            weight,
            CARS,
            ((0.5 + 0.2 * near, 0.28), (0.5 + near, 1.0)),
            0.004,
            3.2,
            both=False,
            when=rush(0.75, 0.1),
        )
        for weight, near in ((14, 0.12), (10, 0.32))
    ),
    "shop": (
        Stream(22, PERSON, ((-0.01, 0.82), (1.01, 0.84)), 0.02, 0.8, when=rush(0.5, 0.25)),
        Stream(
            14, PERSON, ((-0.01, 0.8), (0.4, 0.75), (0.55, 0.5)), 0.015, 0.7, when=rush(0.6, 0.15)
        ),
        Stream(10, PERSON, ((0.55, 0.5), (0.7, 0.76), (1.01, 0.82)), 0.015, 0.7),
        Stream(
            9,
            PERSON,
            ((-0.01, 0.74), (0.35, 0.66), (1.01, 0.74)),
            0.015,
            0.65,
            pause=(0.6, 1, 40.0),
        ),
        Stream(3, {"person": 0.5, "dog": 0.5}, ((0.2, 1.0), (0.55, 0.6), (1.01, 0.9)), 0.02, 0.6),
        Stream(3, {"bicycle": 1.0}, ((1.01, 0.94), (-0.01, 0.93)), 0.01, 2.4),
    ),
    "carpark": (
        *(
            Stream(
                weight,
                {"car": 0.96, "truck": 0.04},
                ((1.01, 0.92), (0.55, 0.85), bay, (0.5, 0.9), (1.01, 0.97)),
                0.006,
                1.6,
                pause=(1.0, 2, 420.0),
                both=False,
                when=rush(0.25, 0.2),
            )
            for weight, bay in ((9, (0.2, 0.5)), (8, (0.45, 0.45)), (7, (0.75, 0.5)))
        ),
        Stream(12, CARS, ((1.01, 0.92), (0.4, 0.85), (-0.01, 0.9)), 0.006, 2.5),
        Stream(10, PERSON, ((0.2, 0.5), (0.35, 0.7), (0.5, 1.0)), 0.03, 0.75),
        Stream(8, PERSON, ((0.75, 0.5), (0.6, 0.72), (0.5, 1.0)), 0.03, 0.75),
        Stream(6, PERSON, ((-0.01, 0.4), (1.01, 0.38)), 0.01, 0.8, when=rush(0.8, 0.2)),
    ),
}
TUNED = ("street", "plaza", "junction")
JUDGED = ("station", "highway", "shop", "carpark")


def traffic(pattern: str, tracks: int, seed: int, minutes: int = 60) -> Population:
    """So many tracks of a pattern."""
    rng = np.random.default_rng([seed, tracks])
    streams = PATTERNS[pattern]
    weights = np.array([stream.weight for stream in streams])
    frames = int(minutes * 60 * RATE)
    actors = [
        _actor(i, streams[k], frames, rng)
        for i, k in enumerate(rng.choice(len(streams), tracks, p=weights / weights.sum()))
    ]
    actors.sort(key=lambda actor: (actor.first, actor.id))
    return Population(SIZE, frames, RATE, tuple(actors))


def adult(y: np.ndarray) -> np.ndarray:
    """Height of an adult whose foot is on a line of the picture, in pixels."""
    return np.maximum(6.0, 0.3 * (y - 0.13 * SIZE[1]) / 0.85)


def _actor(identity: int, stream: Stream, frames: int, rng: np.random.Generator) -> Actor:
    label = str(rng.choice(list(stream.labels), p=np.array(list(stream.labels.values()))))
    tall, ratio = SHAPES[label]
    way = np.array(stream.way) * SIZE
    if stream.both and rng.random() < 0.5:
        way = way[::-1]
    at = stream.pause[1] if way[0, 0] == stream.way[0][0] * SIZE[0] else -1 - stream.pause[1]
    step = np.diff(way[[0, -1]], axis=0)[0]
    aside = np.array([-step[1], step[0]]) / np.hypot(*step)
    way = way + aside * rng.normal(0, stream.width * SIZE[1]) + rng.normal(0, 3, way.shape)
    way[:, 1] = np.clip(way[:, 1], 10, SIZE[1])
    way[:, 0] = np.clip(way[:, 0], -20, SIZE[0] + 20)
    knots = [way[:1]]
    for a, b in pairwise(way):  # finer, so that speed follows perspective
        knots.append(a + (b - a) * np.linspace(0, 1, 7)[1:, None])
    places = np.concatenate(knots)
    height = tall * rng.normal(1, 0.05) * adult(places[:, 1])
    pace = stream.pace / tall * np.exp(rng.normal(0, stream.spread))
    steps = np.hypot(*np.diff(places, axis=0).T) / (0.5 * (height[1:] + height[:-1])) / pace
    seconds = np.concatenate([[0], np.cumsum(steps)])
    if rng.random() < stream.pause[0]:
        i = 6 * at if at >= 0 else len(places) + 6 * (at + 1) - 1
        length = stream.pause[2] * np.exp(rng.normal(0, 0.5))
        order = np.concatenate([np.arange(i + 1), np.arange(i, len(places))])
        places, height = places[order], height[order]
        seconds = seconds[order] + np.where(np.arange(len(order)) > i, length, 0)
    grid = np.linspace(0, 1, 721)
    share = np.cumsum(stream.when(grid))
    start = np.interp(rng.random(), share / share[-1], grid) * frames
    when = start + seconds * float(RATE)
    knots_ = np.column_stack([when, places, height, ratio * height])
    knots_[:, [3, 4]] = knots_[:, [4, 3]]
    return Actor(identity, label, _cut(knots_, frames - 1))


def _cut(knots: np.ndarray, end: int) -> np.ndarray:
    """The knots up to the last frame."""
    if knots[-1, 0] <= end:
        return knots
    last = [end, *(np.interp(end, knots[:, 0], line) for line in knots[:, 1:].T)]
    kept = knots[knots[:, 0] < end]
    return np.vstack([kept, last]) if len(kept) else np.array([last, last])
