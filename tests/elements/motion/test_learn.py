"""The empty scene is found although no frame is empty."""

import numpy as np
import pytest

from elements.motion.clips import KINDS, model_of, sampled, scene_of
from videodp.elements.motion import learn_scene
from videodp.scenes.figures import Pose, dress, paint_figure


def _apart(plate: np.ndarray, scene) -> np.ndarray:
    """(h, w): grey levels between a plate and the true scene, in the same light."""
    gain = np.median(plate.astype(float) / np.maximum(scene.background, 1))
    return np.abs(plate - gain * scene.background).max(axis=2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_plate_is_the_empty_scene(kind: str) -> None:
    model = model_of(kind)
    assert model.unseen == 0
    assert (_apart(model.plate, scene_of(kind)) > 10).mean() < 0.01
    assert np.median(model.noise) / 8 == pytest.approx(2.0, abs=0.4)  # the sensor's noise


def _standing(share: float) -> tuple[np.ndarray, np.ndarray, tuple[int, int, int, int], object]:
    """Samples in which somebody stands at one place for a share of the time."""
    scene = scene_of("plaza", 3)
    samples = sampled(scene)
    rng = np.random.default_rng(5)
    figure = paint_figure(dress(rng), Pose(), 100).rgba
    h, w = figure.shape[:2]
    x, y = 300, 200
    solid = figure[:, :, 3] > 0
    for sample in samples[: round(share * len(samples))]:
        grains = rng.normal(0, 2, (solid.sum(), 3))
        sample[y : y + h, x : x + w][solid] = (figure[solid][:, :3] + grains).clip(0, 255)
    mask = np.zeros(samples.shape[1:3], bool)
    mask[y : y + h, x : x + w] = solid
    return samples, mask, (x, y, w, h), scene


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_who_stands_for_long_is_not_scene(share: float) -> None:
    samples, mask, _, scene = _standing(share)
    apart = _apart(learn_scene(samples).plate, scene)
    assert (apart[mask] > 20).mean() < 0.05


def test_boxes_cut_out_who_stands_all_the_time() -> None:
    samples, mask, box, _ = _standing(1.0)
    model = learn_scene(samples, [np.array([box], float)] * len(samples), workers=2)
    assert (model.noise[mask] == 255).all()
    assert 0.01 < model.unseen < 0.05


def test_any_number_of_workers_learns_the_same() -> None:
    samples = sampled(scene_of("street"), 9)
    one, two = learn_scene(samples), learn_scene(samples, workers=2)
    assert np.array_equal(one.plate, two.plate)
    assert np.array_equal(one.noise, two.noise)


def test_one_sample_and_too_many() -> None:
    one = sampled(scene_of("plaza"), 1)
    assert np.array_equal(learn_scene(one).plate, one[0])
    with pytest.raises(ValueError, match="1 to 64 samples"):
        learn_scene(np.zeros((65, 8, 8, 3), np.uint8))
