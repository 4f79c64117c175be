"""The painting kernels against slow, obvious versions of themselves."""

import numpy as np
import pytest

from videodp.kernels.paint import COLUMNS, expose, paint_limbs, shrink, stamp, visible_pixels


def limb(**values: float) -> np.ndarray:
    row = dict.fromkeys(COLUMNS, 0.0) | values
    return np.array([row[name] for name in COLUMNS], np.float32)


def naive_shrink(rgb: np.ndarray, cover: np.ndarray, factor: int) -> np.ndarray:
    out = np.zeros((cover.shape[0] // factor, cover.shape[1] // factor, 4), np.uint8)
    for y, x in np.ndindex(out.shape[:2]):
        block = slice(y * factor, (y + 1) * factor), slice(x * factor, (x + 1) * factor)
        solid = cover[block] == 1
        if 2 * solid.sum() >= factor * factor:
            colour = np.floor(rgb[block][solid].astype(float).mean(axis=0) + 0.5)
            out[y, x] = [*colour.clip(0, 255), 255]
    return out


def naive_expose(
    frame: np.ndarray, gain: int, noise: np.ndarray, offsets: np.ndarray
) -> np.ndarray:
    out = np.zeros_like(frame)
    for y, x in np.ndindex(frame.shape):
        grain = int(noise[offsets[y] + x]) if noise.size else 0
        out[y, x] = min(255, max(0, ((int(frame[y, x]) * gain + 2048) >> 12) + grain))
    return out


@pytest.mark.parametrize("factor", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_shrink(factor: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    h, w = rng.integers(1, 9, 2) * factor
    rgb = rng.uniform(-20, 290, (h, w, 3)).astype(np.float32)
    cover = rng.integers(0, 2, (h, w)).astype(np.uint8)
    difference = shrink(rgb, cover, factor).astype(int) - naive_shrink(rgb, cover, factor)
    # Sums of the same numbers in another order may round to the other side.
    assert np.abs(difference).max() <= 1
    assert not difference[:, :, 3].any()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("noisy", [True, False])
def test_expose(seed: int, noisy: bool) -> None:
    rng = np.random.default_rng(seed)
    frame = rng.integers(0, 256, (7, 30), np.uint8)
    noise = rng.integers(-128, 128, 200 * noisy).astype(np.int8)
    offsets = rng.integers(0, 170, 7)
    gain = int(rng.integers(2000, 6200))
    expected = naive_expose(frame, gain, noise, offsets)
    expose(frame, gain, noise, offsets)
    np.testing.assert_array_equal(frame, expected)


@pytest.mark.parametrize("seed", range(5))
def test_stamp_and_visible_pixels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = rng.integers(0, 256, (20, 25, 3), np.uint8)
    owner = rng.integers(0, 3, (20, 25)).astype(np.int32)
    sprite = rng.integers(0, 256, (6, 5, 4), np.uint8)
    sprite[:, :, 3] = 255 * rng.integers(0, 2, (6, 5))
    picture, owned = frame.copy(), owner.copy()
    solid = sprite[:, :, 3] == 255
    picture[9:15, 4:9][solid] = sprite[:, :, :3][solid]
    owned[9:15, 4:9][solid] = 7
    stamp(frame, owner, sprite, 4, 9, 7)
    np.testing.assert_array_equal(frame, picture)
    np.testing.assert_array_equal(owner, owned)
    assert visible_pixels(owner, 4, 9, 5, 6, 7) == solid.sum()
    assert visible_pixels(owner, 3, 2, 20, 17, 1) == (owned[2:19, 3:23] == 1).sum()


def painted(*limbs: np.ndarray, jit: bool = True) -> tuple[np.ndarray, np.ndarray]:
    rgb, cover = np.zeros((40, 30, 3), np.float32), np.zeros((40, 30), np.uint8)
    light = np.array([-0.45, 0.55, 0.7, 0.5], np.float32)
    kernel = paint_limbs if jit else getattr(paint_limbs, "py_func", paint_limbs)
    kernel(np.stack(limbs), 40.0, light, rgb, cover)
    return rgb, cover


ARM = {"x0": 8.3, "y0": 6.1, "x1": 17.4, "y1": 30.2, "width0": 5.0, "width1": 3.0}
ENDS = {"end0": 4.0, "end1": 2.0}
RED = {"red": 200.0, "green": 40.0, "blue": 30.0}


def test_a_limb_covers_its_taper_and_its_round_ends() -> None:
    _, cover = painted(limb(**ARM, **ENDS, **RED))
    start, stop = np.array([8.3, 6.1]), np.array([17.4, 30.2])
    length = np.linalg.norm(stop - start)
    way = (stop - start) / length
    for y, x in np.ndindex(cover.shape):
        point = np.array([x + 0.5, y + 0.5]) - start
        t = point @ way
        aside = abs(point[1] * way[0] - point[0] * way[1])
        cap = max(-t / 4.0, (t - length) / 2.0, 0.0)
        distance = (aside / np.interp(t, [0, length], [5.0, 3.0])) ** 2 + cap**2
        if abs(distance - 1) > 1e-3:
            assert cover[y, x] == (distance < 1)


def test_the_nearest_limb_comes_first() -> None:
    red, blue = limb(**ARM, **ENDS, **RED), limb(**ARM, **ENDS, blue=200.0)
    rgb, cover = painted(red, blue)
    alone, _ = painted(red)
    np.testing.assert_array_equal(rgb[cover == 1], alone[cover == 1])


@pytest.mark.parametrize("pattern", range(8))
def test_compiled_and_plain_python_agree(pattern: int) -> None:
    row = limb(
        **ARM, **ENDS, **RED, pattern=pattern, green2=220.0, period=0.2, forward_z=1.0, grain=3
    )
    fast, fast_cover = painted(row)
    slow, slow_cover = painted(row, jit=False)
    np.testing.assert_array_equal(fast_cover, slow_cover)
    # Colours may differ in single pixels where rounding decides between two colours.
    assert (np.abs(fast - slow).max(axis=2) > 0.5).mean() < 0.01
    if pattern not in (0, 4, 6):
        assert (slow[:, :, 1] > slow[:, :, 0]).any()
