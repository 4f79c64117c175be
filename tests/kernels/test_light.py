"""The light of a frame, found although much of the frame is not the scene."""

import numpy as np
import pytest

from videodp.kernels.light import fit_light, local_light


def _plate(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(30, 200, (40, 60, 3)).astype(np.uint8)


@pytest.mark.parametrize(("gain", "offset"), [(1.0, 0), (0.6, 5), (1.2, -4), (0.3, 2)])
def test_gain_and_offset(gain: float, offset: float) -> None:
    rng = np.random.default_rng(1)
    plate = _plate(rng)
    frame = plate * gain + offset + rng.normal(0, 2, plate.shape)
    frame[5:30, 10:30] = 250  # a third of the picture is somebody
    light = np.zeros((3, 2), np.float32)
    frame = frame.clip(0, 255).round().astype(np.uint8)
    share = fit_light(frame, plate, np.ones(plate.shape[:2], np.uint8), light)
    expected = plate.astype(float) * gain + offset
    found = plate * light[:, 0] + light[:, 1]
    fits = expected < 245
    assert np.abs(found - expected)[fits].max() < 2.0
    assert 0.6 < share <= 1.0


def test_nothing_known_changes_nothing() -> None:
    plate = _plate(np.random.default_rng(2))
    light = np.zeros((3, 2), np.float32)
    assert fit_light(plate, plate, np.zeros(plate.shape[:2], np.uint8), light) == 0.0
    assert light.tolist() == [[1, 0]] * 3


def test_a_plain_picture_gets_a_plain_gain() -> None:
    plate = np.full((20, 20, 3), 100, np.uint8)
    light = np.zeros((3, 2), np.float32)
    fit_light(np.full_like(plate, 80), plate, np.ones((20, 20), np.uint8), light)
    assert np.abs(100 * light[:, 0] + light[:, 1] - 80).max() < 0.1
    assert np.abs(light[:, 1]).max() < 1.0


def test_local_light_is_the_median_of_what_nearly_fits() -> None:
    rng = np.random.default_rng(3)
    plate = _plate(rng)
    frame = plate.astype(int)
    frame[:, 30:] += 6
    frame[:10, :10] = 255
    light = np.array([[1, 0]] * 3, np.float32)
    known = np.ones(plate.shape[:2], np.uint8)
    grid, trust = np.zeros((2, 2, 3), np.float32), np.zeros((2, 2), np.float32)
    local_light(frame.astype(np.uint8), plate, known, light, 12, grid, trust)
    assert np.abs(grid[:, 0]).max() < 0.6
    assert np.abs(grid[:, 1] - 6).max() < 0.6
    assert trust[0, 0] < trust[1, 0] == 1.0
