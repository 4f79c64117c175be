"""Classes of pixels against a loop."""

import numpy as np
import pytest

from videodp.kernels.foreground import SCENE, SHADOW, STRONG, WEAK, classify


def naive_class(frame, plate, noise, least, sigmas) -> int:
    if noise == 255:
        return WEAK
    difference = frame - plate
    limit = max(least, sigmas * noise / 8 * 3**0.5)
    far = float((difference**2).sum()) ** 0.5
    if far <= limit:
        return SCENE
    ratio = float((frame * plate).sum() / ((plate**2).sum() + 1))
    rest = float(((frame - ratio * plate) ** 2).sum()) ** 0.5
    if 0.6 <= ratio < 1 and rest <= 0.6 * limit:
        return SHADOW
    return STRONG if far > 2 * limit else WEAK


def _classes(frame, plate, noise, light=None, grid=None, place=(0.5, 0.5, 0.25, 0.25)):
    out = np.full(noise.shape, 9, np.uint8)
    light = np.array([[1, 0]] * 3, np.float32) if light is None else light
    grid = np.zeros((2, 3, 3), np.float32) if grid is None else grid
    classify(frame, plate, noise, light, grid, np.array(place, np.float32), 9.0, 4.0, out)
    return out


@pytest.mark.parametrize("seed", range(4))
def test_each_pixel(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plate = rng.integers(20, 235, (6, 9, 3)).astype(np.uint8)
    kind = rng.integers(0, 4, (6, 9, 1))
    other = rng.integers(0, 256, plate.shape)
    near = plate + rng.integers(-12, 13, plate.shape)
    frame = np.where(kind == 0, other, np.where(kind == 1, plate * 0.75, near))
    frame = frame.clip(0, 255).astype(np.uint8)
    noise = rng.choice([4, 16, 40, 255], (6, 9)).astype(np.uint8)
    found = _classes(frame, plate, noise)
    for y in range(6):
        for x in range(9):
            pixel, below = frame[y, x].astype(float), plate[y, x].astype(float)
            assert found[y, x] == naive_class(pixel, below, int(noise[y, x]), 9.0, 4.0)


def test_light_is_taken_off_first() -> None:
    rng = np.random.default_rng(9)
    plate = rng.integers(20, 120, (16, 24, 3)).astype(np.uint8)
    grid = np.zeros((2, 3, 3), np.float32)
    grid[:, 2] = 10  # brighter towards the right
    light = np.array([[1.5, 4]] * 3, np.float32)
    across = np.clip((np.arange(24) + 0.5) / 8 - 0.5, 0, 2)
    extra = 10 * np.clip(across - 1, 0, 1)
    frame = (plate * 1.5 + 4 + extra[None, :, None]).round().astype(np.uint8)
    place = (0.5 * 3 / 24, 0.5 * 2 / 16, 3 / 24, 2 / 16)
    found = _classes(frame, plate, np.full((16, 24), 4, np.uint8), light, grid, place)
    assert (found == SCENE).all()
