"""Vehicles from the side: from a description and a size to a sprite."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from videodp.scenes.figures import Colour, Sprite, trim

__all__ = ["SPOKES", "Vehicle", "build", "build_kind", "paint_vehicle"]

SPOKES = 5
_FINE = 3  # canvas pixels per pixel

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class _Model:
    """A kind of vehicle, facing right, in metres from its rear end and from the ground.

    Attributes:
        label: What a detector would call it.
        length: Overall.
        body: Outline of the painted body.
        glass: Outlines of the windows.
        wheels: Where the axles are.
        wheel: Radius of the wheels.
        belt: Height of the line below the windows, where the body catches the light.
        doors: Where doors end.
        bed: Outline of a box or load in a second colour.
    """

    label: str
    length: float
    body: Points
    glass: tuple[Points, ...]
    wheels: tuple[float, ...]
    wheel: float
    belt: float
    doors: tuple[float, ...]
    bed: Points = ()


_SALOON = _Model(
    "car", 4.5,
    ((0.02, 0.35), (0.0, 0.62), (0.06, 0.9), (0.3, 0.98), (0.75, 1.03), (1.28, 1.38),
     (1.6, 1.45), (2.3, 1.46), (2.65, 1.4), (3.4, 0.98), (4.1, 0.87), (4.4, 0.74),
     (4.5, 0.55), (4.48, 0.3), (4.2, 0.2), (0.3, 0.2)),
    (((0.98, 1.02), (1.38, 1.33), (1.62, 1.38), (2.02, 1.39), (2.02, 1.0)),
     ((2.1, 1.0), (2.1, 1.39), (2.32, 1.39), (2.6, 1.34), (3.15, 1.0))),
    (0.85, 3.6), 0.325, 0.93, (1.15, 2.06, 3.1),
)  # fmt: skip
_HATCH = _Model(
    "car", 4.0,
    ((0.03, 0.35), (0.0, 0.6), (0.05, 0.98), (0.2, 1.15), (0.5, 1.42), (0.8, 1.49),
     (1.9, 1.5), (2.3, 1.42), (3.0, 1.02), (3.6, 0.9), (3.9, 0.76), (4.0, 0.56),
     (3.97, 0.3), (3.7, 0.2), (0.3, 0.2)),
    (((0.42, 1.05), (0.66, 1.36), (0.9, 1.42), (1.5, 1.43), (1.5, 1.02)),
     ((1.58, 1.02), (1.58, 1.43), (1.92, 1.43), (2.24, 1.36), (2.78, 1.02))),
    (0.72, 3.2), 0.31, 0.95, (1.54, 2.75),
)  # fmt: skip
_SUV = _Model(
    "car", 4.5,
    ((0.03, 0.42), (0.0, 0.7), (0.06, 1.1), (0.22, 1.3), (0.42, 1.62), (0.8, 1.68),
     (2.5, 1.68), (2.8, 1.62), (3.4, 1.16), (4.15, 1.04), (4.42, 0.9), (4.5, 0.65),
     (4.47, 0.38), (4.2, 0.28), (0.3, 0.28)),
    (((0.4, 1.18), (0.6, 1.52), (0.85, 1.58), (1.75, 1.58), (1.75, 1.16)),
     ((1.83, 1.16), (1.83, 1.58), (2.5, 1.58), (2.74, 1.54), (3.2, 1.16))),
    (0.85, 3.62), 0.36, 1.08, (1.0, 1.79, 3.1),
)  # fmt: skip
_TRUCK = _Model(
    "truck", 7.6,
    ((0.1, 0.55), (0.1, 0.75), (5.4, 0.75), (5.45, 2.5), (6.9, 2.5), (7.4, 1.5), (7.55, 1.2),
     (7.6, 0.5), (7.4, 0.38), (5.4, 0.38), (5.3, 0.55)),
    (((6.0, 1.5), (6.0, 2.25), (6.75, 2.25), (7.1, 1.5)),),
    (1.3, 6.5), 0.46, 1.25, (5.85,),
    ((0.0, 0.78), (0.0, 3.0), (5.3, 3.0), (5.3, 0.78)),
)  # fmt: skip
_BUS = _Model(
    "bus", 10.5,
    ((0.05, 0.35), (0.0, 1.0), (0.05, 2.85), (0.3, 3.0), (10.1, 3.0), (10.35, 2.85),
     (10.5, 1.2), (10.45, 0.4), (10.2, 0.32), (0.3, 0.32)),
    (*(((x, 1.45), (x, 2.5), (x + 1.3, 2.5), (x + 1.3, 1.45))
       for x in (0.4, 1.8, 3.2, 4.6, 6.0, 7.4)),
     ((8.95, 1.45), (8.95, 2.5), (10.3, 2.5), (10.42, 1.45))),
    (2.2, 8.0), 0.48, 1.3, (4.5, 5.9, 8.85),
)  # fmt: skip

_PAINTS = (
    (214, 216, 218), (168, 172, 176), (92, 96, 102), (40, 42, 48), (150, 30, 34), (36, 66, 128),
    (30, 84, 70), (196, 188, 170), (120, 140, 160), (190, 120, 40),
)  # fmt: skip


@dataclass(frozen=True)
class Vehicle:
    """A generic vehicle.

    Attributes:
        model: Its shape.
        paint: Colour of its body.
        load: Colour of a truck's box.
    """

    model: _Model
    paint: Colour
    load: Colour

    @property
    def label(self) -> str:
        """What a detector would call it."""
        return self.model.label

    @property
    def metres(self) -> float:
        """Its length."""
        return self.model.length


def build(rng: np.random.Generator, heavy: float) -> Vehicle:
    """Make up a vehicle at random; `heavy` is the share of trucks and buses."""
    label = ("truck", "bus")[rng.integers(2)] if rng.random() < heavy else "car"
    return build_kind(rng, label)


def build_kind(rng: np.random.Generator, label: str) -> Vehicle:
    """Make up a car, a truck or a bus."""
    kinds = [model for model in (_SALOON, _HATCH, _SUV, _TRUCK, _BUS) if model.label == label]
    model = kinds[rng.integers(len(kinds))]

    def paint() -> Colour:
        base = np.array(_PAINTS[rng.integers(len(_PAINTS))])
        red, green, blue = np.clip(base + rng.integers(-12, 13, 3), 8, 245).tolist()
        return red, green, blue

    return Vehicle(model, paint(), paint())


def paint_vehicle(
    vehicle: Vehicle, length: float, direction: int, turn: float, *, soft: bool = False
) -> Sprite:
    """Paint a vehicle.

    Args:
        vehicle: Which.
        length: Its length in pixels.
        direction: 1 to the right, -1 to the left.
        turn: How far its wheels have turned, in radians.
        soft: Whether edges are soft.

    Returns:
        The vehicle cut out; the anchor is the middle.
    """
    model = vehicle.model
    scale = length * _FINE / model.length
    tall = max(y for _, y in model.body + model.bed)
    width, height = round(length) + 2, int(tall * scale / _FINE) + 3
    easel = _Easel(width * _FINE, height * _FINE, scale)
    _paint_body(easel, vehicle)
    for x in model.wheels:
        _paint_wheel(easel, x, model.wheel, turn)
    rgba = easel.shrink(width, height, soft)
    if direction < 0:
        rgba = np.ascontiguousarray(rgba[:, ::-1])
    return trim(rgba, width // 2)


class _Easel:
    """A canvas on which shapes are drawn in metres."""

    def __init__(self, width: int, height: int, scale: float) -> None:
        self.scale = scale
        self.rgb = np.zeros((height, width, 3), np.uint8)
        self.cover = np.zeros((height, width), np.uint8)

    def pixels(self, points: Points) -> NDArray[np.int32]:
        """Metres to canvas pixels."""
        x = [_FINE + p[0] * self.scale for p in points]
        y = [self.rgb.shape[0] - _FINE - p[1] * self.scale for p in points]
        return np.stack((x, y), axis=1).round().astype(np.int32)

    def polygon(self, points: Points, colour: tuple[float, float, float]) -> None:
        """Fill an outline."""
        shape = self.pixels(points)
        cv2.fillPoly(self.rgb, [shape], colour)
        cv2.fillPoly(self.cover, [shape], 255)

    def disc(self, x: float, y: float, radius: float, colour: tuple[float, float, float]) -> None:
        """Fill a circle."""
        centre = self.pixels(((x, y),))[0].tolist()
        cv2.circle(self.rgb, centre, max(1, round(radius * self.scale)), colour, -1)
        cv2.circle(self.cover, centre, max(1, round(radius * self.scale)), 255, -1)

    def line(self, points: Points, wide: float, colour: tuple[float, float, float]) -> None:
        """Draw a line on what is there already."""
        thick = max(1, round(wide * self.scale))
        cv2.polylines(self.rgb, [self.pixels(points)], False, colour, thick)

    def shrink(self, width: int, height: int, soft: bool) -> NDArray[np.uint8]:
        """Average down; without soft edges a pixel is solid where at least half is covered."""
        size = (width, height)
        if soft:
            both = np.dstack((self.rgb, self.cover))
            return np.asarray(cv2.resize(both, size, interpolation=cv2.INTER_AREA))
        share = cv2.resize(self.cover, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        rgb = cv2.resize(self.rgb.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        out = np.zeros((height, width, 4), np.uint8)
        solid = share >= 0.5
        out[:, :, :3] = (rgb / np.maximum(share, 1e-3)[:, :, None] + 0.5).clip(0, 255)
        out[:, :, 3] = solid * np.uint8(255)
        out[~solid] = 0
        return out


def _dim(colour: Colour, factor: float, lift: float = 0.0) -> tuple[float, float, float]:
    red, green, blue = (min(255.0, c * factor + lift) for c in colour)
    return red, green, blue


def _paint_body(easel: _Easel, vehicle: Vehicle) -> None:
    model, paint = vehicle.model, vehicle.paint
    rear, front = model.wheels[0], model.wheels[-1]
    # The dark below, between the wheels: axles, far wheels and the shadow.
    low = ((rear, 0.0), (rear - 0.3, 0.5), (front + 0.3, 0.5), (front, 0.0))
    easel.polygon(low, (22, 22, 24))
    easel.polygon(((rear, 0.0), (rear, 0.1), (front, 0.1), (front, 0.0)), (44, 44, 46))
    if model.bed:
        easel.polygon(model.bed, vehicle.load)
        (x0, y0), (x1, y1) = model.bed[0], model.bed[2]
        easel.polygon(((x0, y1 - 0.12), (x0, y1), (x1, y1), (x1, y1 - 0.12)),
                      _dim(vehicle.load, 1.1, 14))  # fmt: skip
        easel.polygon(((x0, y0), (x0, y0 + 0.3), (x1, y0 + 0.3), (x1, y0)),
                      _dim(vehicle.load, 0.75))  # fmt: skip
    easel.polygon(model.body, paint)
    _shade_body(easel, model)
    for x in model.wheels:  # arches
        easel.disc(x, model.wheel, model.wheel * 1.17, (18, 18, 20))
    for pane in model.glass:
        easel.polygon(pane, (38, 46, 54))
        left, right = min(x for x, _ in pane), max(x for x, _ in pane)
        low_y, top = min(y for _, y in pane), max(y for _, y in pane)
        third = (right - left) / 4
        glint = ((left + third, low_y + 0.02), (left + 1.8 * third, top - 0.03),
                 (left + 2.3 * third, top - 0.03), (left + 1.5 * third, low_y + 0.02))  # fmt: skip
        easel.polygon(glint, (92, 108, 120))
    for x in model.doors:
        easel.line(((x, model.belt + 0.02), (x, 0.32)), 0.025, _dim(paint, 0.55))
        easel.line(((x - 0.3, model.belt - 0.1), (x - 0.12, model.belt - 0.1)), 0.04,
                   _dim(paint, 0.5))  # fmt: skip
    _paint_ends(easel, model, paint)


def _paint_ends(easel: _Easel, model: _Model, paint: Colour) -> None:
    """Lamps, bumpers and the mirror."""
    long, belt = model.length, model.belt
    lamp = belt - 0.2
    easel.polygon(((0.02, lamp - 0.1), (0.03, lamp + 0.1), (0.3, lamp + 0.06), (0.26, lamp - 0.1)),
                  (176, 24, 26))  # fmt: skip
    front = long - 0.06
    easel.polygon(((front - 0.42, lamp), (front - 0.1, lamp - 0.02), (front, lamp - 0.16),
                   (front - 0.3, lamp - 0.14)), (240, 236, 214))  # fmt: skip
    for x in (0.02, long - 0.5):
        easel.polygon(((x, 0.3), (x, 0.42), (x + 0.48, 0.42), (x + 0.48, 0.3)), _dim(paint, 0.42))
    easel.line(((0.6, 0.28), (long - 0.6, 0.28)), 0.09, (30, 30, 32))
    pane = model.glass[-1]
    x = max(x for x, _ in pane) - 0.42
    mirror = ((x, belt + 0.08), (x, belt + 0.22), (x + 0.2, belt + 0.2), (x + 0.2, belt + 0.1))
    easel.polygon(mirror, _dim(paint, 0.7))


def _shade_body(easel: _Easel, model: _Model) -> None:
    """Light from above: bright shoulder and roof, dark sills."""
    height = easel.rgb.shape[0]
    up = (height - _FINE - np.arange(height)) / easel.scale
    top = max(y for _, y in model.body)
    belt = model.belt
    heights = (0.0, 0.35, 0.6 * belt, belt - 0.1, belt, belt + 0.08, top - 0.12, top)
    gain = np.interp(up, heights, (0.45, 0.6, 0.85, 0.95, 1.28, 1.02, 1.0, 1.35))
    lit = easel.rgb * gain[:, None, None]
    # Paint reflects the sky a little, dark paint as well.
    lit += easel.cover[:, :, None] / 255.0 * np.maximum(0.0, gain - 0.95)[:, None, None] * 60
    easel.rgb[:] = lit.clip(0, 255)


def _paint_wheel(easel: _Easel, x: float, radius: float, turn: float) -> None:
    easel.disc(x, radius, radius, (26, 26, 28))
    easel.disc(x, radius, radius * 0.66, (150, 153, 158))
    easel.disc(x, radius, radius * 0.55, (84, 86, 90))
    for i in range(SPOKES):
        angle = turn + 2 * np.pi * i / SPOKES
        rim = (
            x + radius * 0.6 * float(np.cos(angle)),
            radius - radius * 0.6 * float(np.sin(angle)),
        )
        easel.line(((x, radius), rim), 0.07, (176, 179, 184))
    easel.disc(x, radius, radius * 0.14, (120, 122, 126))
