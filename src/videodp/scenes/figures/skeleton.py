"""From a pose to limbs: a small skeleton that walks.

Body coordinates: forward, left, up, in body heights. The camera looks a little down, so what
is nearer to us is painted a little lower.
"""

import math

import numpy as np
from numpy.typing import NDArray

from videodp.kernels.paint import COLUMNS
from videodp.scenes.figures.look import Colour, Figure, Pose

__all__ = ["CYCLE", "limbs"]

CYCLE = 0.82
"""Body heights walked in one gait cycle: with it, feet on the ground do not slide."""

_PITCH = 0.1
_THIGH = _SHANK = 0.235
_PATTERNS = {"plain": 0, "bands": 1, "checks": 2, "open": 4, "print": 6, "stripes": 7}
_HAIR, _END = 3, 5

Point = tuple[float, float, float]


class _Body:
    """Collects limbs, each with its distance to us, for one heading."""

    def __init__(self, heading: float) -> None:
        self.forward, self.towards = math.cos(heading), math.sin(heading)
        self.rows: list[tuple[float, list[float]]] = []

    def nearness(self, point: Point) -> float:
        return point[0] * self.towards - point[1] * self.forward

    def across(self, sideways: float, deep: float) -> float:
        """Half-width in the picture of a body so wide (left to right) and so deep."""
        return math.hypot(sideways * self.towards, deep * self.forward)

    def add(
        self,
        start: Point,
        stop: Point,
        widths: tuple[float, float],
        colour: Colour,
        *,
        ends: tuple[float, float] | None = None,
        pattern: int = 0,
        second: Colour = (0, 0, 0),
        period: float = 0.06,
        layer: float = 0.0,
    ) -> None:
        """Add one limb from `start` to `stop`; `layer` moves it nearer in the painting order."""
        near = 0.5 * (self.nearness(start) + self.nearness(stop)) + layer
        row = [*self._project(start), *self._project(stop), *widths, *(ends or widths)]
        row += [*colour, pattern, *second, period, self.forward, self.towards, len(self.rows)]
        self.rows.append((near, row))

    def _project(self, point: Point) -> tuple[float, float]:
        x = point[0] * self.forward + point[1] * self.towards
        return x, _PITCH * self.nearness(point) - point[2]


def limbs(figure: Figure, pose: Pose) -> NDArray[np.float32]:
    """The limbs of a figure in a pose.

    Returns:
        (n, 19) float32, one row per limb, nearest first; the unit is the body height, y goes
        down, the ground is about 0. Columns: see `videodp.kernels.paint.COLUMNS`.
    """
    body = _Body(pose.heading)
    angle = 2 * math.pi * pose.phase
    lean = 0.025 * pose.stride
    for side, turn in ((1.0, angle), (-1.0, angle + math.pi)):
        _leg(body, figure, side, turn, pose.stride)
        _arm(body, figure, side, turn + math.pi, pose.stride, lean)
    _trunk(body, figure, lean)
    _head(body, figure, lean)
    rows = [row for _, row in sorted(body.rows, key=lambda item: -item[0])]
    return np.array(rows, np.float32).reshape(-1, len(COLUMNS))


def _leg(body: _Body, figure: Figure, side: float, turn: float, stride: float) -> None:
    build = figure.build
    swing = 0.42 * stride * math.cos(turn)
    # The knee bends while the leg swings forward.
    bend = 0.06 + stride * (0.06 + 0.85 * max(0.0, -math.sin(turn - 0.3)) ** 1.5)
    left = side * 0.047 * build
    hip = (0.0, left, 0.5)
    knee = (_THIGH * math.sin(swing), left, 0.5 - _THIGH * math.cos(swing))
    low = swing - bend
    ankle = (
        knee[0] + _SHANK * math.sin(low),
        left + side * 0.006,
        knee[2] - _SHANK * math.cos(low),
    )
    tilt = 0.75 * low
    heel = (ankle[0] - 0.018, ankle[1], ankle[2] - 0.012)
    toe = (
        heel[0] + 0.105 * math.cos(tilt),
        ankle[1] + side * 0.015,
        heel[2] + 0.105 * math.sin(tilt),
    )
    layer = -0.2
    bare = figure.legwear in ("shorts", "skirt")
    shank = figure.skin if bare else figure.bottom
    thigh_widths = (0.064 * build, 0.048 * build)
    shank_widths = (0.038 * build, 0.025) if bare else (0.047 * build, 0.038)
    body.add(heel, toe, (0.022, 0.019), figure.shoes, layer=layer + 0.01)
    body.add(knee, ankle, shank_widths, shank, layer=layer + 0.005)
    body.add(hip, knee, thigh_widths, figure.bottom, layer=layer + 0.008)


def _arm(body: _Body, figure: Figure, side: float, turn: float, stride: float, lean: float) -> None:
    build = figure.build
    swing = 0.36 * stride * math.cos(turn) - 0.02
    bend = 0.16 + 0.3 * stride + 0.15 * stride * math.cos(turn)
    shoulder = (lean, side * 0.1 * build, 0.795)
    elbow = (
        shoulder[0] + 0.165 * math.sin(swing),
        side * 0.122 * build,
        shoulder[2] - 0.165 * math.cos(swing),
    )
    low = swing + bend
    wrist = (elbow[0] + 0.135 * math.sin(low), elbow[1], elbow[2] - 0.135 * math.cos(low))
    hand = (wrist[0] + 0.03 * math.sin(low), wrist[1], wrist[2] - 0.03 * math.cos(low))
    # The arm on the far side goes behind the legs as well.
    layer = -0.3 if body.nearness(shoulder) < -0.04 else 0.02
    short = figure.sleeve < 1
    fore = figure.skin if short else figure.top
    body.add(wrist, hand, (0.019, 0.017), figure.skin, layer=layer)
    body.add(elbow, wrist, (0.027 * build, 0.02), fore, layer=layer + 0.002)
    body.add(
        shoulder,
        elbow,
        (0.038 * build, 0.031 * build),
        figure.top,
        pattern=_END if short else 0,
        second=figure.skin,
        period=0.11,
        layer=layer + 0.004,
    )


def _trunk(body: _Body, figure: Figure, lean: float) -> None:
    build = figure.build
    shoulders = body.across(0.102 * build, 0.076 * build)
    waist = body.across(0.086 * build, 0.074 * build)
    hips = body.across(0.09 * build, 0.08 * build)
    style = {"pattern": _PATTERNS[figure.pattern], "second": figure.accent}
    neck, middle = (lean, 0.0, 0.805), (0.4 * lean, 0.0, 0.6)
    body.add(neck, middle, (shoulders, waist), figure.top, ends=(0.045, 0.01), **style)  # type: ignore[arg-type]
    tail, flare = 0.48, 1.0
    if figure.legwear == "coat":
        tail, flare = 0.33, 1.12
    body.add(
        middle,
        (0.0, 0.0, tail),
        (waist, hips * flare),
        figure.top,
        ends=(0.01, 0.012),
        layer=-0.002,
    )
    if figure.legwear == "skirt":
        skirt = (hips, hips * 1.2)
        body.add((0, 0, 0.52), (0, 0, 0.31), skirt, figure.bottom, ends=(0.01, 0.01), layer=-0.1)
    if figure.bag is not None:
        back = -0.085 * build
        wide = body.across(0.075, 0.05)
        body.add((back, 0, 0.78), (back, 0, 0.62), (wide, wide), figure.bag, ends=(0.03, 0.02))


def _head(body: _Body, figure: Figure, lean: float) -> None:
    size = figure.head
    wide = body.across(0.05, 0.06) * size
    ahead = lean + 0.012
    body.add((lean, 0, 0.81), (ahead, 0, 0.88), (0.031, 0.028), figure.skin, layer=-0.005)
    body.add(
        (ahead, 0, 0.985 - 0.055 * size),
        (ahead, 0, 0.985 - 0.075 * size),
        (wide, wide * 0.96),
        figure.skin,
        ends=(0.055 * size, 0.055 * size),
        pattern=_HAIR,
        second=figure.hair,
        layer=0.02,
    )
    nose = (ahead + 0.05 * size, 0.0, 0.985 - 0.075 * size)
    tip = (nose[0] + 0.012 * size, 0.0, nose[2] - 0.012 * size)
    body.add(nose, tip, (0.008 * size, 0.009 * size), figure.skin, layer=-0.02)
    if figure.long_hair:
        back = ahead - 0.035
        strand = body.across(0.058, 0.035) * size
        body.add((back, 0, 0.945), (back, 0, 0.81), (strand, strand * 0.9), figure.hair)
