"""What a query looks at: who is in a video, and its frames if the query needs them."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from videodp.elements import Elements, Seen
from videodp.errors import UsageError
from videodp.video import Frame, Video, read_frames

__all__ = ["PEOPLE", "VEHICLES", "Footage", "Sightings", "feet_of", "footage_of"]

PEOPLE = frozenset({"person", "pedestrian", "person on vehicle", "static person"})
"""Labels that count as people."""
VEHICLES = frozenset(
    {"bicycle", "bus", "car", "motorcycle", "non-motorised vehicle", "truck", "van", "vehicle"}
)
"""Labels that count as vehicles."""


@dataclass(frozen=True)
class Sightings:
    """The elements of one frame that have an identity, in columns."""

    frame: int
    index: np.ndarray
    """(n,) int64: place of each in `Elements.tracks`."""
    boxes: np.ndarray
    """(n, 4) float64: x, y, width, height in pixels."""

    def __len__(self) -> int:
        return len(self.index)

    @property
    def feet(self) -> np.ndarray:
        """(n, 2) float64: where each stands, the middle of the lower edge of its box."""
        return feet_of(self.boxes)


@dataclass(frozen=True)
class Footage:
    """An original or a private video, the same for every query. Made by `footage_of`.

    An identity below 0 is that of a box without one: it counts in its frame, but it is no
    track, so nothing that follows an element over time knows it.
    """

    start: int
    """First frame that is looked at."""
    stop: int
    """End of the frames that are looked at."""
    elements: Elements | None = None
    video: Video | None = None
    rate: Fraction | None = None
    """Frames per second, where known."""
    labels: frozenset[str] | None = None
    """Only elements with these labels; None for all."""

    def __len__(self) -> int:
        return self.stop - self.start

    @property
    def name(self) -> str:
        """For messages."""
        if self.video is not None:
            return self.video.path.name
        return "the footage" if self.elements is None else self.elements.source.name

    @property
    def who(self) -> Elements:
        """The elements; a query that needs them says so."""
        if self.elements is None:
            raise UsageError(f"who is in {self.name}? give an elements file")
        return self.elements

    @property
    def size(self) -> tuple[int, int]:
        """Width and height; a query that needs them says so."""
        size = self.known_size
        if size is None:
            raise UsageError(
                f"{self.name} does not tell the size of the picture: ask the video, with its "
                "elements"
            )
        return size

    @property
    def known_size(self) -> tuple[int, int] | None:
        """Width and height, where known."""
        if self.video is not None:
            return self.video.width, self.video.height
        return None if self.elements is None else self.elements.size

    @property
    def frame_seconds(self) -> float:
        """How long one frame is shown; not a number where the frame rate is not known."""
        return float("nan") if self.rate is None else float(1 / self.rate)

    def seconds(self, frames: np.ndarray) -> np.ndarray:
        """When these frames are shown, (n,) float64, from the first frame of the video.

        As the video says, else by the frame rate; not a number where that is not known.
        """
        if self.video is not None and self.video.frames:
            since, base = self.video.pts[frames] - self.video.pts[0], self.video.time_base
            return np.asarray(since * base.numerator / base.denominator)
        if self.rate is None:
            return np.full(len(frames), np.nan)
        return np.asarray(frames * self.rate.denominator / self.rate.numerator)

    def strange_labels(self) -> tuple[list[str], list[str]]:
        """What was asked for but no element of the whole video has, and if so what they have."""
        asked, there = self.labels or frozenset(), set[str]()
        if self.elements is not None and asked:
            for seen in self.elements.source.frames(0, 2**31):
                there.update(seen.labels)
                if asked <= there:
                    break
        return sorted(asked - there), sorted(there)

    def frames(self) -> Iterator[Seen]:
        """The boxes of every frame that is looked at, empty frames included."""
        for seen in self.who.frames(self.start, self.stop):
            if self.labels is None or not len(seen):
                yield seen
                continue
            keep = np.array([label in self.labels for label in seen.labels], bool)
            yield seen if keep.all() else seen.take(np.flatnonzero(keep))

    def sightings(self) -> Iterator[Sightings]:
        """What has an identity, in every frame that is looked at.

        A track has the label with which `Elements.tracks` lists it, in all its frames.
        """
        tracks = self.who.tracks
        ids = np.array([track.id for track in tracks], np.int64)
        wanted = np.array(
            [t.id >= 0 and (self.labels is None or t.label in self.labels) for t in tracks], bool
        )
        for seen in self.who.frames(self.start, self.stop):
            index = np.searchsorted(ids, seen.ids)
            keep = wanted[index]
            yield Sightings(seen.frame, index[keep], seen.boxes[keep])

    def pictures(self) -> Generator[Frame, None, None]:
        """The frames that are looked at; a query that needs them says so."""
        if self.video is None:
            raise UsageError(f"{self.name} holds no pictures: give the video itself")
        with closing(read_frames(self.video, self.start, self.stop)) as frames:
            yield from frames


def feet_of(boxes: np.ndarray) -> np.ndarray:
    """(n, 2) float64: the middle of the lower edge of each box, (n, 4)."""
    return np.column_stack([boxes[:, 0] + boxes[:, 2] / 2, boxes[:, 1] + boxes[:, 3]])


def footage_of(
    elements: Elements | None,
    video: Video | None = None,
    *,
    frames: tuple[int, int] | None = None,
    labels: Collection[str] | None = None,
    rate: Fraction | None = None,
) -> Footage:
    """What a query looks at.

    Args:
        elements: who is in it; None for a query that only looks at pictures.
        video: the frames; None for a query that only looks at elements.
        frames: first frame and end; all of them if not given.
        labels: only elements with these labels.
        rate: frames per second, where there is no video to tell.

    Raises:
        UsageError: the frames are not there.
    """
    length = _length(elements, video)
    start, stop = frames or (0, length)
    if not 0 <= start <= stop <= length:
        raise UsageError(
            f"frames {start} to {stop - 1} are not there: there are {length} frames, from 0"
        )
    return Footage(
        start,
        stop,
        elements,
        video,
        video.rate if video is not None else rate,
        frozenset(labels) if labels else None,
    )


def _length(elements: Elements | None, video: Video | None) -> int:
    if video is not None:
        return video.frames
    if elements is None:
        return 0
    if elements.length is not None:
        return elements.length
    return max((track.last + 1 for track in elements.tracks), default=0)
