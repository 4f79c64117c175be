"""The empty street: ground, house fronts, trees and lamps."""

import itertools

import cv2
import numpy as np
from numpy.typing import NDArray

from videodp.scenes.layout import Layout

__all__ = ["paint_backdrop"]

Picture = NDArray[np.uint8]
Rng = np.random.Generator

_FRONTS = ((186, 168, 146), (158, 120, 98), (196, 190, 180), (148, 146, 140), (176, 150, 116))


def paint_backdrop(layout: Layout, rng: Rng) -> Picture:
    """Paint the street without anybody in it.

    Returns:
        (height, width, 3) uint8 RGB, without noise.
    """
    picture = np.zeros((layout.height, layout.width, 3), np.uint8)
    _sky(picture, layout, rng)
    if layout.kind == "highway":
        _hedge(picture, layout, rng)
    else:
        _houses(picture, layout, rng)
    if layout.kind == "highway":
        _verge(picture, layout, rng)
    else:
        _ground(picture, layout, rng)
    if layout.lanes:
        _road(picture, layout)
    if layout.kind != "highway":
        _trees(picture, layout, rng)
    return _weather(picture, layout, rng)


def cloud(height: int, width: int, grains: int, rng: Rng) -> NDArray[np.float32]:
    """Smooth randomness, (height, width) float32 about -1..1, `grains` spots across."""
    rows = max(2, round(grains * height / width))
    spots = rng.normal(0, 0.5, (rows, max(2, grains))).astype(np.float32)
    smooth = cv2.resize(spots, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)


def _fill(picture: Picture, box: tuple[float, ...], colour: tuple[float, float, float]) -> None:
    x0, y0, x1, y1 = (round(v) for v in box)
    if x1 > x0 and y1 > y0 and x1 > 0 and y1 > 0:
        picture[max(0, y0) : y1, max(0, x0) : x1] = np.clip(colour, 0, 255)


def _sky(picture: Picture, layout: Layout, rng: Rng) -> None:
    rows = max(1, round(layout.wall))
    fade = np.linspace(0, 1, rows)[:, None, None]
    sky = (1 - fade) * (150, 178, 208) + fade * (206, 214, 220)
    sky = sky + 10 * cloud(rows, layout.width, 6, rng)[:, :, None]
    picture[:rows] = sky.clip(0, 255)


def _houses(picture: Picture, layout: Layout, rng: Rng) -> None:
    """House fronts side by side, with rows of windows, shops and doors."""
    metre = layout.adult(layout.wall) / 1.72
    x = -rng.uniform(0, 4) * metre
    while x < layout.width:
        wide = rng.uniform(7, 13) * metre
        tone = np.array(_FRONTS[rng.integers(len(_FRONTS))]) * rng.uniform(0.75, 1.0)
        top = layout.wall - rng.uniform(6.5, 14) * metre
        _fill(picture, (x, top, x + wide, layout.wall), tuple(tone))
        _fill(picture, (x, top, x + wide, top + 0.35 * metre), tuple(tone * 0.6))
        storey, bay = 3.0 * metre, wide / max(2, round(wide / (2.6 * metre)))
        glass = np.array((58, 70, 84))
        level = layout.wall - storey
        while level - storey > top:
            for left in np.arange(x, x + wide - 0.6 * bay, bay):
                pane = (
                    left + 0.28 * bay,
                    level - 2.3 * metre,
                    left + 0.72 * bay,
                    level - 0.7 * metre,
                )
                frame = 0.09 * metre
                _fill(picture, (pane[0] - frame, pane[1] - frame, pane[2] + frame, pane[3] + frame),
                      tuple(tone * 1.18))  # fmt: skip
                _fill(picture, pane, tuple(glass * rng.uniform(0.7, 1.5)))
                middle = 0.5 * (pane[0] + pane[2])
                _fill(picture, (middle - 0.5 * frame, pane[1], middle + 0.5 * frame, pane[3]),
                      tuple(tone * 1.1))  # fmt: skip
            level -= storey
        _ground_floor(picture, layout, x, wide, bay, tone, rng)
        x += wide


def _ground_floor(
    picture: Picture,
    layout: Layout,
    x: float,
    wide: float,
    bay: float,
    tone: NDArray[np.float64],
    rng: Rng,
) -> None:
    metre = layout.adult(layout.wall) / 1.72
    floor = layout.wall
    _fill(picture, (x, floor - 0.4 * metre, x + wide, floor), tuple(tone * 0.7))
    shop = rng.random() < 0.5
    if shop:
        sign = rng.integers(40, 190, 3)
        _fill(picture, (x + 0.2 * metre, floor - 3.1 * metre, x + wide - 0.2 * metre,
                        floor - 2.6 * metre), tuple(sign))  # fmt: skip
    for i, left in enumerate(np.arange(x, x + wide - 0.6 * bay, bay)):
        if i == 1:
            _fill(picture, (left + 0.3 * bay, floor - 2.2 * metre, left + 0.7 * bay, floor),
                  tuple(tone * 0.42))  # fmt: skip
            continue
        edge = 0.08 if shop else 0.25
        low = 0.5 if shop else 1.0
        _fill(picture, (left + edge * bay, floor - 2.4 * metre, left + (1 - edge) * bay,
                        floor - low * metre), (52, 62, 72))  # fmt: skip
        _fill(picture, (left + (edge + 0.1) * bay, floor - 2.3 * metre, left + (edge + 0.18) * bay,
                        floor - low * metre), (92, 104, 114))  # fmt: skip


def _hedge(picture: Picture, layout: Layout, rng: Rng) -> None:
    """Trees and a noise barrier behind a highway."""
    h, w = layout.height, layout.width
    wall = round(layout.wall)
    crest = layout.wall * (0.35 + 0.25 * cloud(2, w, 14, rng)[0] + 0.08 * cloud(2, w, 90, rng)[0])
    rows = np.arange(wall)[:, None]
    leaf = np.array((70, 92, 58)) + 26 * cloud(max(1, wall), w, 160, rng)[:, :, None]
    green = rows > crest[None, :]
    picture[:wall][green] = leaf.clip(0, 255)[green]
    _fill(picture, (0, wall - 0.06 * h, w, wall), (142, 140, 132))
    for x in np.arange(0, w, 0.1 * h):
        _fill(picture, (x, wall - 0.06 * h, x + max(1.0, 0.004 * h), wall), (108, 106, 100))


def _verge(picture: Picture, layout: Layout, rng: Rng) -> None:
    """Grass beside a highway."""
    top = round(layout.wall)
    rows, width = layout.height - top, layout.width
    grass = np.array((104, 122, 74)) + 14 * cloud(rows, width, 400, rng)[:, :, None]
    picture[top:] = (grass + 10 * cloud(rows, width, 40, rng)[:, :, None]).clip(0, 255)


def _ground(picture: Picture, layout: Layout, rng: Rng) -> None:
    """Pavement slabs in perspective."""
    top = round(layout.wall)
    rows = np.arange(top, layout.height, dtype=np.float64)
    if not rows.size:
        return
    tall = np.maximum(4.0, layout.slope * (rows - layout.horizon))
    # Depth of a row on the ground, and columns, in slabs of 0.9 m.
    depth = 40.0 * layout.adult(layout.height) / tall
    columns = (np.arange(layout.width) - 0.5 * layout.width)[None, :] / tall[:, None] * 1.9
    slab_x, slab_y = np.floor(columns).astype(int), np.floor(depth).astype(int)
    tints = rng.normal(0, 4.0, 4096)
    tint = tints[(slab_x * 31 + slab_y[:, None] * 57) % 4096]
    joint_x = (columns - slab_x) < 0.04
    joint_y = ((depth - slab_y) < 0.07)[:, None]
    grey = 158 + tint - 22 * (joint_x | joint_y)
    picture[top:] = (grey[:, :, None] * (1.0, 0.97, 0.92)).clip(0, 255)


def _road(picture: Picture, layout: Layout) -> None:
    """Asphalt, kerbs and lane marks."""
    h, w = layout.height, layout.width
    upper, lower = layout.road
    _fill(picture, (0, upper - 0.012 * h, w, upper), (176, 172, 164))
    _fill(picture, (0, upper, w, lower), (92, 92, 95))
    _fill(picture, (0, lower, w, lower + 0.014 * h), (184, 180, 172))
    feet = [lane.foot for lane in layout.lanes]
    for i, (far, near) in enumerate(itertools.pairwise(feet)):
        metre = layout.adult(0.5 * (far + near)) / 1.72
        row = far + 0.22 * (near - far)
        thick = max(1.0, 0.1 * metre)
        if layout.lanes[i].direction != layout.lanes[i + 1].direction and len(feet) > 2:
            _fill(picture, (0, row - 2 * thick, w, row + 2.5 * thick), (120, 132, 92))
            _fill(picture, (0, row - 3 * thick, w, row - 2 * thick), (170, 170, 172))
            continue
        for x in np.arange(-0.3 * metre, w, 5.0 * metre):
            _fill(picture, (x, row, x + 2.4 * metre, row + thick), (206, 206, 200))
    for row in (upper + 0.008 * h, lower - 0.012 * h):
        _fill(picture, (0, row, w, row + max(1.0, 0.004 * h)), (200, 200, 194))


def _trees(picture: Picture, layout: Layout, rng: Rng) -> None:
    """Trees and lamps along the house fronts, behind everybody."""
    metre = layout.adult(layout.wall) / 1.72
    x = rng.uniform(1, 6) * metre
    while x < layout.width:
        if rng.random() < 0.55:
            _fill(picture, (x - 0.12 * metre, layout.wall - 2.6 * metre, x + 0.12 * metre,
                            layout.wall), (84, 66, 52))  # fmt: skip
            _crown(picture, x, layout.wall - 3.7 * metre, metre, rng)
        else:
            post = (62, 66, 66)
            _fill(picture, (x - 0.06 * metre, layout.wall - 5 * metre, x + 0.06 * metre,
                            layout.wall), post)  # fmt: skip
            _fill(picture, (x - 0.06 * metre, layout.wall - 5.1 * metre, x + 0.9 * metre,
                            layout.wall - 4.95 * metre), post)  # fmt: skip
        x += rng.uniform(5, 11) * metre


def _crown(picture: Picture, x: float, y: float, metre: float, rng: Rng) -> None:
    """Leaves, more of them than can be counted, lighter above than below."""
    for _ in range(420):
        angle, far = rng.uniform(0, 2 * np.pi), rng.random() ** 0.6
        dx, dy = 1.35 * far * np.cos(angle), 1.15 * far * np.sin(angle)
        light = rng.uniform(0.65, 1.15) - 0.25 * dy - 0.1 * dx
        leaf = tuple(float(c * light) for c in (70, 98, 52))
        centre = (round(x + dx * metre), round(y + dy * metre))
        cv2.circle(picture, centre, max(1, round(rng.uniform(0.08, 0.17) * metre)), leaf, -1)


def _weather(picture: Picture, layout: Layout, rng: Rng) -> Picture:
    """Stains, uneven light and grain over everything: nothing in a street is flat."""
    h, w = picture.shape[:2]
    slow = 5 * cloud(h, w, 5, rng) + 4 * cloud(h, w, 40, rng) + 3 * cloud(h, w, 220, rng)
    grain = rng.normal(0, 2.5, (h, w)).astype(np.float32)
    soft = cv2.GaussianBlur(picture, (0, 0), max(0.4, h / 1500))
    shaded = soft.astype(np.float32) + (slow + grain)[:, :, None]
    return shaded.round().clip(6, 246).astype(np.uint8)
