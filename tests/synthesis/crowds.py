"""Made-up populations: actors that walk across a picture for no reason at all."""

from fractions import Fraction

import numpy as np

from videodp.synthesis.model import Actor, Population

__all__ = ["crowd"]

LABELS = ("person", "person", "person", "car", "bicycle", "other")
SHAPES = {"person": 0.4, "car": 2.6, "truck": 2.4, "bus": 3.2, "bicycle": 0.95, "motorcycle": 1.0}


def crowd(
    size: tuple[int, int] = (320, 240),
    frames: int = 60,
    actors: int = 8,
    *,
    rate: Fraction = Fraction(25),
    labels: tuple[str, ...] = LABELS,
    tall: tuple[float, float] = (0.15, 0.4),
    seed: int = 0,
) -> Population:
    """Actors who come, walk, stand for a while, walk on and go; the nearer the larger.

    Args:
        size: width and height.
        frames: of the video.
        actors: how many.
        rate: frames per second.
        labels: drawn from with equal chances.
        tall: height of a far and of a near person against the picture's.
        seed: which crowd.
    """
    rng = np.random.default_rng(seed)
    made = [_actor(rng, i + 1, size, frames, labels, tall, float(rate)) for i in range(actors)]
    return Population(size, frames, rate, tuple(sorted(made, key=lambda a: (a.first, a.id))))


def _actor(
    rng: np.random.Generator,
    number: int,
    size: tuple[int, int],
    frames: int,
    labels: tuple[str, ...],
    tall: tuple[float, float],
    rate: float,
) -> Actor:
    width, height = size
    label = str(rng.choice(labels))
    feet = rng.uniform(0.45, 1.0, 2)
    sizes = height * np.interp(feet, (0.45, 1.0), tall)
    speed = rng.uniform(0.6, 0.9) * sizes.mean() * (3 if label == "car" else 1) / rate
    xs = np.array([-0.05, rng.uniform(0.3, 0.7), 1.05]) * width
    xs = xs if rng.random() < 0.5 else width - xs
    stand = rng.uniform(0, 2) * rate
    way = np.abs(np.diff(xs)) / speed
    when = rng.uniform(-0.5, 0.9) * frames + np.cumsum([0, way[0], stand, way[1]])
    middle = feet.mean(), sizes.mean()
    rows = [
        (when[0], xs[0], feet[0] * height, sizes[0]),
        (when[1], xs[1], middle[0] * height, middle[1]),
        (when[2], xs[1], middle[0] * height, middle[1]),
        (when[3], xs[2], feet[1] * height, sizes[1]),
    ]
    shape = SHAPES.get(label, 0.45)
    return Actor(number, label, np.array([(t, x, y, shape * h, h) for t, x, y, h in rows]))
