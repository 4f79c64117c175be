"""What is measured is what `compare` measures, and the other ways do what they say."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from helpers import new_folder
from videodp import Encoding, Settings, compare, publish
from videodp.elements import load_elements
from videodp.experiments import Trial
from videodp.experiments.comparators import BLUR, CELL, NEIGHBOURS, blur, pixelise, soften
from videodp.experiments.judge import trend
from videodp.experiments.lab import Lab
from videodp.experiments.phase_one import phase_one
from videodp.experiments.sheet import spread
from videodp.experiments.store import Row
from videodp.privacy.noise import RepeatableNoise, SecureNoise
from videodp.scenes import truth_file
from videodp.video import probe


@pytest.mark.parametrize("background", ["retain", "sample"])
def test_measures_agree_with_compare(street: Path, background: str) -> None:
    """Where no encoder changes a pixel and all frames are on the sheet."""
    from videodp import Look

    video, folder = probe(street), new_folder()
    elements = load_elements(truth_file(street), video)
    lab = Lab(video, elements, Trial(), folder)
    plan = lab.plan(2.4, 6)
    settings = Settings(
        2.4, k=6, seed=3, encoding=Encoding(codec="ffv1"), look=Look(background=background)
    )
    publish(video, folder / "private.mkv", elements, settings)
    truth = compare(video, folder / "private.mkv", elements)
    picks, drawn = lab.drawn(plan, 3)
    before = phase_one(lab.census, plan, picks, drawn)
    assert before.drawn == truth.drawn
    assert before.element_mse == pytest.approx(truth.element_mse_phase1)
    sampled = background == "sample"
    mse = before.mse_sampled if sampled else before.mse
    assert mse == pytest.approx(truth.mse_phase1)
    if not sampled:
        after = lab.sheet.nearness(
            lab.sheet.private(lab.cast(drawn), lab.background(plan, picks, 3))
        )
        assert len(lab.sheet.frames) == video.frames
        assert after.kl == pytest.approx(truth.kl)
        assert after.mse == pytest.approx(truth.mse)
        assert after.element_mse == pytest.approx(truth.element_mse)


def test_kl_after_phase_one_by_hand(street: Path) -> None:
    video = probe(street)
    lab = Lab(video, load_elements(truth_file(street), video), Trial(), new_folder())
    plan, census = lab.plan(1.6, 6), lab.census
    picks, drawn = lab.drawn(plan, 0)
    published = dict.fromkeys(census.colours.tolist(), 0)
    for colour, total, worn in zip(
        census.colours.tolist(), census.total.tolist(), census.worn_sum.tolist(), strict=True
    ):
        published[colour] = total - worn
    for colour in drawn.colour.tolist():
        published[colour] += 1
    everything, shown = int(census.total.sum()), sum(published.values())
    kl = sum(
        c / everything * np.log(c / everything * shown / (published[colour] + 1))
        for colour, c in zip(census.colours.tolist(), census.total.tolist(), strict=True)
    )
    assert phase_one(census, plan, picks, drawn).kl == pytest.approx(kl)


def test_frames_of_a_sheet() -> None:
    assert spread(0, 10, 48, (100, 100)) == list(range(10))
    assert spread(0, 100, 4, (100, 100)) == [12, 37, 62, 87]
    assert len(spread(0, 1000, 48, (1920, 1080))) == 16  # 100 MB
    assert spread(5, 6, 48, (8192, 8192)) == [5]


def test_blur_touches_elements_only() -> None:
    rng = np.random.default_rng(0)
    rgb = rng.integers(0, 256, (40, 50, 3), dtype=np.uint8)
    owner = np.zeros((40, 50), np.int32)
    owner[10:30, 20:30] = 1
    out = blur(rgb, owner, {1: 2 / BLUR, 2: 9.0})
    assert np.array_equal(out[owner == 0], rgb[owner == 0])
    assert out[owner == 1].std() < rgb[owner == 1].std() / 2


def test_pixelise_is_fan_s_mechanism() -> None:
    """Cells with their means where noise vanishes; the scale of the noise where it does not."""
    rng = np.random.default_rng(1)
    rgb = np.repeat(rng.integers(0, 256, (40, 50, 1), dtype=np.uint8), 3, axis=2)
    quiet = pixelise(rgb, 1e6, SecureNoise())
    for top in range(0, 40, CELL):
        for left in range(0, 50, CELL):
            cell = (slice(top, top + CELL), slice(left, left + CELL))
            assert np.all(quiet[cell] == round(float(rgb[cell][..., 0].mean())))
    flat = np.full((CELL * 60, CELL * 60, 3), 128, np.uint8)
    noisy = pixelise(flat, 4.0, RepeatableNoise(2))[::CELL, ::CELL, 0].astype(float) - 128
    scale = 255 * NEIGHBOURS / (CELL**2 * 4.0)  # 4 grey levels: hardly anything is cut off
    # Mean distance of 3,600 Laplace values: false alarm below 1e-6 (5 sigma).
    assert abs(np.abs(noisy).mean() - scale) < 5 * scale / np.sqrt(noisy.size) + 0.05


def test_noise_of_pixelise_is_what_one_neighbour_needs() -> None:
    """So many pixels from black to white move all sums together by 255 m."""
    asked = []

    class Ear:
        repeatable = True

        def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
            asked.append((values.copy(), sensitivity))
            return values

    black, white = np.zeros((32, 32, 3), np.uint8), np.zeros((32, 32, 3), np.uint8)
    white.reshape(-1, 3)[5 : 5 + NEIGHBOURS] = 255
    for rgb in (black, white):
        pixelise(rgb, 1.0, Ear())
    (a, sensitivity), (b, _) = asked
    assert np.abs(a - b).sum() == sensitivity


def rows_of(values: dict[float, list[float]]) -> list[Row]:
    return [{"x": x, "y": y} for x, own in values.items() for y in own]


def test_trends() -> None:
    falls = trend(rows_of({1: [5, 5.1], 2: [4, 4.1], 3: [3, 3.1]}), "x", "y")
    assert falls.falls
    assert not falls.rises
    noise = trend(rows_of({1: [5, 9], 2: [4, 9], 3: [3, 9]}), "x", "y")
    assert not noise.falls  # it could be chance
    level = trend(rows_of({1: [5, 5], 2: [5, 5]}), "x", "y")
    assert not level.falls
    assert not level.rises
    assert trend([{"x": 1, "y": None}], "x", "y").x == []


@pytest.mark.parametrize("sigma", [1.0, 3.9, 4.1, 9.0, 30.0])
def test_a_wide_blur_is_gaussian(sigma: float) -> None:
    rng = np.random.default_rng(8)
    rgb = cv2.GaussianBlur(rng.integers(0, 256, (200, 150, 3)).astype(np.uint8), (0, 0), 1.0)
    exact = cv2.GaussianBlur(rgb, (0, 0), sigma).astype(int)
    assert np.abs(soften(rgb, sigma) - exact).max() <= 3
