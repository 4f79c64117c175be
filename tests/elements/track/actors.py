"""People who walk as told, and the detections of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from videodp.elements.detect import Detections
from videodp.elements.track import Found

__all__ = ["RATE", "SIZE", "Actor", "colour", "detect"]

RATE = 25
SIZE = (640, 480)


def colour(number: int) -> np.ndarray:
    """(48,) uint8: the looks of somebody, unlike anybody else's."""
    look = np.zeros(48, np.uint8)
    look[(np.arange(6) * 8 + number * np.arange(1, 7)) % 48] = 255
    return look


@dataclass(frozen=True)
class Actor:
    """Somebody who is there from frame `first` to before frame `end`."""

    way: Callable[[float], tuple[float, float]]
    """Middle of the feet at a time in seconds."""
    look: int
    first: int = 0
    end: int = 100
    height: float = 80
    hidden: tuple[tuple[int, int], ...] = ()
    """Frames [a, b) in which nobody detects them."""
    score: float = 0.8
    label: str = "person"

    def box(self, frame: int, rate: float = RATE) -> tuple[float, float, float, float]:
        """x, y, width, height."""
        x, y = self.way(frame / rate)
        width = 0.4 * self.height
        return (x - width / 2, y - self.height, width, self.height)

    def seen(self, frame: int) -> bool:
        """Whether a detector finds them there."""
        here = self.first <= frame < self.end
        return here and not any(a <= frame < b for a, b in self.hidden)


def detect(
    actors: Iterable[Actor], frames: int = 100, every: int = 1, rate: float = RATE
) -> Iterator[Found]:
    """What a detector finds, with a little tremble."""
    actors = list(actors)
    rng = np.random.default_rng(7)
    for frame in range(0, frames, every):
        here = [actor for actor in actors if actor.seen(frame)]
        boxes = np.array([actor.box(frame, rate) for actor in here]).reshape(-1, 4)
        yield Found(
            frame,
            Detections(
                boxes + rng.normal(0, 0.5, boxes.shape),
                np.array([actor.score for actor in here], np.float32),
                tuple(actor.label for actor in here),
            ),
            np.array([colour(actor.look) for actor in here], np.uint8).reshape(-1, 48),
        )
