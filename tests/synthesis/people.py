"""Records and populations for tests."""

from fractions import Fraction

import numpy as np

from videodp.synthesis.model import Actor, Population
from videodp.synthesis.records import Records
from videodp.synthesis.settings import SynthesisSettings

SIZE, FRAMES, RATE = (640, 360), 20_000, Fraction(25)
"""Three windows of five minutes."""
PUBLIC = (SIZE, FRAMES, RATE)
SETTINGS = SynthesisSettings(1.0)
CELLS = SETTINGS.grid[0] * SETTINGS.grid[1]


def record(
    label: str = "person",
    first: int = 100,
    last: int = 300,
    entry: tuple[float, float] = (0.0, 200.0),
    exit: tuple[float, float] = (639.0, 210.0),
    foot: float = 205.0,
    height: float = 60.0,
    ratio: float = 0.4,
    speed: float = 0.7,
    standing: float = 0.1,
    visits: dict[int, int] | None = None,
) -> Records:
    """One record."""
    cells = np.zeros((1, CELLS), np.uint32)
    for cell, count in (visits or {80: 150, 81: 51}).items():
        cells[0, cell] = count
    return Records(
        (label,),
        np.array([first]),
        np.array([last]),
        np.array([entry], np.float64),
        np.array([exit], np.float64),
        np.array([foot]),
        np.array([height]),
        np.array([ratio]),
        np.array([speed]),
        np.array([standing]),
        cells,
    )


def crowd(n: int, seed: int = 0) -> Records:
    """Records of people who cross the picture from left to right."""
    rng = np.random.default_rng(seed)
    people = record().take(np.zeros(n, np.int64))
    people.first[:] = rng.integers(0, FRAMES - 1000, n)
    people.last[:] = people.first + rng.integers(200, 900, n)
    return people


def walkers(n: int) -> Population:
    """A population that walks to the right, ten frames apart."""
    actors = tuple(
        Actor(
            i + 1,
            "person",
            np.array([[10.0 * i, -5.0, 200.0, 24, 60], [10.0 * i + 150, 645.0, 230.0, 28, 70]]),
        )
        for i in range(n)
    )
    return Population(SIZE, FRAMES, RATE, actors)
