"""Lines, zones, regions and the ground, checked against the picture when they are placed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from videodp.errors import UsageError

__all__ = ["Ground", "Line", "Point", "Region", "Zone"]

Point = tuple[float, float]
"""x and y in pixels: from the left, from above."""

_LEAST_AREA = 1e-6


@dataclass(frozen=True)
class Line:
    """A directed line from one point to another.

    Who crosses it goes *in* when coming to the left-hand side of somebody who looks from the
    start to the end, and *out* the other way (as supervision's LineZone has it). A line from left
    to right is crossed inwards by who goes up in the picture.
    """

    start: Point
    end: Point

    def __post_init__(self) -> None:
        _finite((self.start, self.end))
        if self.start == self.end:
            raise UsageError("a line needs two different points: x0,y0,x1,y1")

    def inside(self, size: tuple[int, int] | None) -> Line:
        """The same line, if it is within a picture of that size."""
        _within("line", (self.start, self.end), size)
        return self

    def measure(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where points, (n, 2), are.

        Returns:
            (n,) float64: pixels to the right of the line, below 0 to its left; and
            (n,) float64: how far along the line, 0 at its start, 1 at its end.
        """
        start, end = np.array(self.start), np.array(self.end)
        way = end - start
        from_start = points - start
        across = way[0] * from_start[:, 1] - way[1] * from_start[:, 0]
        return across / np.hypot(*way), from_start @ way / (way @ way)


@dataclass(frozen=True)
class Zone:
    """A polygon. What is exactly on its edge belongs to one side, always the same."""

    corners: tuple[Point, ...]

    def __post_init__(self) -> None:
        _finite(self.corners)
        if len(set(self.corners)) < 3 or _area(self.corners) < _LEAST_AREA:
            raise UsageError('a zone needs three corners with an area: "x,y x,y x,y"')

    def inside(self, size: tuple[int, int] | None) -> Zone:
        """The same zone, if it is within a picture of that size."""
        _within("zone", self.corners, size)
        return self

    def holds(self, points: np.ndarray) -> np.ndarray:
        """Which points, (n, 2), are in it, (n,) bool: by the number of edges to their right."""
        x, y = points[:, 0], points[:, 1]
        odd = np.zeros(len(points), bool)
        for (ax, ay), (bx, by) in zip(
            self.corners, (*self.corners[1:], self.corners[0]), strict=True
        ):
            if ay != by:
                odd ^= ((ay <= y) != (by <= y)) & (x < ax + (y - ay) * (bx - ax) / (by - ay))
        return odd


@dataclass(frozen=True)
class Region:
    """A rectangle of whole pixels."""

    x: int
    y: int
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise UsageError(f"a region of {self.width}x{self.height} has no pixels: x,y,w,h")

    def inside(self, size: tuple[int, int]) -> Region:
        """The same region, if it is within a picture of that size."""
        corners = ((self.x, self.y), (self.x + self.width, self.y + self.height))
        _within("region", corners, size)
        return self

    def cut(self, picture: np.ndarray) -> np.ndarray:
        """The part of a picture, (height, width, ...)."""
        return picture[self.y : self.y + self.height, self.x : self.x + self.width]


@dataclass(frozen=True)
class Ground:
    """The ground in metres, from four points of the picture whose places are known.

    A homography: it holds for what stands on that plane, and only as far as the horizon.
    """

    seen: tuple[Point, Point, Point, Point]
    """In pixels."""
    true: tuple[Point, Point, Point, Point]
    """The same points in metres."""

    def __post_init__(self) -> None:
        for name, points in (("picture", self.seen), ("ground", self.true)):
            _finite(points)
            triples = [points[:i] + points[i + 1 :] for i in range(4)]
            if min(_area(triple) for triple in triples) < _LEAST_AREA:
                raise UsageError(
                    f"three of the four reference points are on one line in the {name}: choose "
                    "four corners of something flat on the ground"
                )

    def inside(self, size: tuple[int, int] | None) -> Ground:
        """The same, if all its points are within a picture of that size."""
        _within("reference point", self.seen, size)
        return self

    @property
    def zone(self) -> Zone:
        """The quadrilateral between the four points, in the picture."""
        return Zone(_around(self.seen))

    @property
    def area(self) -> float:
        """Square metres between the four points."""
        order = [self.seen.index(corner) for corner in _around(self.seen)]
        return _area(tuple(self.true[i] for i in order))

    def metres(self, points: np.ndarray) -> np.ndarray:
        """Places on the ground, (n, 2) float64; not a number beyond the horizon."""
        # Seen from the middle of the four points, which is never on the horizon: cv2 divides by
        # the depth of the origin, which then is 1.
        middle = np.mean(self.seen, axis=0)
        matrix = cv2.getPerspectiveTransform(
            (np.array(self.seen) - middle).astype(np.float32), np.array(self.true, np.float32)
        )
        scaled = np.column_stack([points - middle, np.ones(len(points))]) @ matrix.T
        depth = np.where(scaled[:, 2] > 0, scaled[:, 2], np.nan)
        return np.asarray(scaled[:, :2] / depth[:, None])


def _around(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """The same points in the order of their angles, so that no two edges cross."""
    middle = np.mean(points, axis=0)
    return tuple(sorted(points, key=lambda p: np.arctan2(p[1] - middle[1], p[0] - middle[0])))


def _area(corners: tuple[Point, ...]) -> float:
    x, y = np.array(corners, np.float64).T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def _finite(points: tuple[Point, ...]) -> None:
    if not np.all(np.isfinite(np.array(points, np.float64))):
        raise UsageError("a point needs two numbers: x,y")


def _within(what: str, points: tuple[Point, ...], size: tuple[int, int] | None) -> None:
    if size is None:
        return
    for x, y in points:
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            raise UsageError(
                f"the {what} reaches to {x:g},{y:g}, outside the picture of {size[0]}x{size[1]}: "
                "choose it within"
            )
