"""Sprites with soft edges, pixel by pixel."""

import math

import numpy as np
import pytest

from videodp.kernels.blend import SOLID, blend, shade


def soft_sprite(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    alpha = rng.choice([0, 40, 127, 128, 200, 255], (height, width, 1))
    ink = rng.integers(0, 256, (height, width, 3)) * alpha // 255
    return np.concatenate([ink, alpha], axis=2).astype(np.uint8)


@pytest.mark.parametrize("seed", range(12))
def test_blend_mixes_by_alpha_and_tells_what_is_solid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = 9, 11
    frame = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    owner = rng.integers(0, 3, (height, width)).astype(np.int32)
    sprite = soft_sprite(rng, int(rng.integers(1, 8)), int(rng.integers(1, 8)))
    left, top = rng.integers(-8, 12, 2).tolist()
    before, owned = frame.astype(int), owner.copy()
    box = blend(frame, owner, sprite, left, top, 7)
    solid = []
    for y in range(height):
        for x in range(width):
            inside = 0 <= y - top < sprite.shape[0] and 0 <= x - left < sprite.shape[1]
            *ink, alpha = sprite[y - top, x - left].tolist() if inside else (0, 0, 0, 0)
            for c in range(3):
                mixed = ink[c] + before[y, x, c] * (255 - alpha) / 255
                assert abs(frame[y, x, c] - mixed) <= 1.01
            if alpha >= SOLID:
                solid.append((x, y))
            assert owner[y, x] == (7 if alpha >= SOLID else owned[y, x])
    assert box[4] == len(solid)
    if solid:
        xs, ys = zip(*solid, strict=True)
        assert box[:4] == (min(xs), min(ys), max(xs) + 1, max(ys) + 1)


@pytest.mark.parametrize("place", [(5.0, 4.0), (0.0, 8.9), (30.0, 4.0), (-2.5, -1.0)])
def test_shade_darkens_an_ellipse_and_nothing_else(place: tuple[float, float]) -> None:
    frame = np.full((9, 12, 3), 200, np.uint8)
    wide, deep, strength = 3.5, 2.0, 0.4
    shade(frame, *place, wide, deep, strength)
    for y in range(9):
        for x in range(12):
            far = math.hypot((x + 0.5 - place[0]) / wide, (y + 0.5 - place[1]) / deep) ** 2
            left = 1 - strength * max(0.0, 1 - far)
            assert frame[y, x].tolist() == [int(200 * left + 0.5)] * 3
