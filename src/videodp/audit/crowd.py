"""A plain crowd, and canaries that stick out of it as far as a record can."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from videodp.audit.synthesis import Recording
from videodp.synthesis.records import Records, cells_of
from videodp.synthesis.settings import SynthesisSettings

__all__ = ["canaries", "crowd"]

_SIZE, _FRAMES, _RATE = (1280, 720), 15_000, Fraction(25)


def crowd(settings: SynthesisSettings, people: int = 40, seed: int = 0) -> Recording:
    """Ten minutes of people who walk across the middle of the picture."""
    rng = np.random.default_rng([seed, people])
    first = rng.integers(0, _FRAMES - 500, people)
    stay = rng.integers(100, 500, people)
    lines = rng.uniform(300, 600, people)
    starts = np.column_stack([rng.uniform(0, 200, people), lines])
    ends = np.column_stack([rng.uniform(1000, 1280, people), lines])
    visits = np.zeros((people, settings.grid[0] * settings.grid[1]), np.uint32)
    for row, start, end, frames in zip(visits, starts, ends, stay.tolist(), strict=True):
        way = np.linspace(start, end, frames)
        np.add.at(row, cells_of(way, _SIZE, settings.grid), 1)
    records = Records(
        ("person",) * people,
        first,
        first + stay - 1,
        starts,
        ends,
        lines,
        lines / 5,
        np.full(people, 0.4),
        rng.uniform(0.5, 2, people),
        np.zeros(people),
        visits,
    )
    return Recording(records, _SIZE, _FRAMES, _RATE)


def canaries(recording: Recording, settings: SynthesisSettings) -> dict[str, Records]:
    """Worst cases, by name; each as many times as a person may have tracks."""
    width, height = recording.size
    last, cells = recording.frames - 1, settings.grid[0] * settings.grid[1]
    stays = np.zeros(cells, np.uint32)
    stays[-1] = recording.frames
    everywhere = np.arange(1, cells + 1, dtype=np.uint32)
    beyond = np.zeros(cells, np.uint32)
    made = {
        "a lorry that never leaves its corner": _record(
            "truck", (0, last), ((width - 1, height - 1),) * 2, (height - 1, height, 4), 0, 1, stays
        ),
        "a runner who is everywhere": _record(
            "person", (last // 2, last), ((0, 0), (width, height)), (0, 1, 1), 9, 0.1, everywhere
        ),
        "a record that cannot be": _record(
            "dragon",
            (-7, 10**9),
            ((np.nan, -np.inf), (1e30, np.inf)),
            (np.nan, np.inf, np.nan),
            np.inf,
            -3,
            beyond,
        ),
    }
    again = np.zeros(settings.tracks_per_person, np.int64)
    return {name: record.take(again) for name, record in made.items()}


def _record(
    label: str,
    life: tuple[int, int],
    ends: tuple[tuple[float, float], tuple[float, float]],
    shape: tuple[float, float, float],
    speed: float,
    standing: float,
    visits: np.ndarray,
) -> Records:
    """`life`: first and last frame. `shape`: line of the foot, height, width over height."""
    first, last = (np.array([frame]) for frame in life)
    entry, exit_ = (np.array([place], np.float64) for place in ends)
    foot, height, ratio = (np.array([value], np.float64) for value in shape)
    pace, pause = np.array([speed], np.float64), np.array([standing], np.float64)
    return Records(
        (label,), first, last, entry, exit_, foot, height, ratio, pace, pause, visits[None]
    )
