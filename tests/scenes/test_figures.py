"""Figures alone: they are used on photographs as well, without any scene."""

import math

import numpy as np
import pytest

from videodp.errors import UsageError
from videodp.scenes.figures import Figure, Light, Pose, dress, paint_figure


@pytest.mark.parametrize("height", [12, 40, 100, 300])
@pytest.mark.parametrize("heading", [0.0, math.pi / 2, 2.5, -math.pi / 2])
def test_a_figure_is_as_tall_as_asked_and_as_narrow_as_a_person(
    height: int, heading: float
) -> None:
    sprite = paint_figure(Figure(), Pose(heading=heading), height)
    h, w = sprite.rgba.shape[:2]
    assert h == pytest.approx(height, abs=2 + 0.03 * height)
    assert 0.15 * h < w < 0.6 * h
    assert 0 <= sprite.anchor < w
    assert set(np.unique(sprite.rgba[:, :, 3])) == {0, 255}


def test_nothing_is_painted_outside_the_silhouette() -> None:
    rgba = paint_figure(Figure(), Pose(0.1, 1.0), 120).rgba
    assert not rgba[rgba[:, :, 3] == 0].any()


def test_clothes_have_the_colours_asked_for() -> None:
    figure = Figure(top=(200, 20, 20), bottom=(20, 20, 200))
    rgba = paint_figure(figure, Pose(heading=math.pi / 2), 200).rgba.astype(int)
    chest, thigh = rgba[55, rgba.shape[1] // 2], rgba[125]
    assert chest[0] > 4 * chest[2]
    thigh = thigh[thigh[:, 3] > 0].mean(axis=0)
    assert thigh[2] > 3 * thigh[0]


def test_the_side_towards_the_light_is_brighter() -> None:
    figure = Figure(top=(120, 120, 120), pattern="plain")
    light = Light(direction=(-1.0, 0.0, 0.3), ambient=0.4)
    rgba = paint_figure(figure, Pose(heading=-math.pi / 2), 200, light).rgba.astype(int)
    row = rgba[80][rgba[80][:, 3] > 0][:, 0]
    assert row[: len(row) // 3].mean() > 1.3 * row[-len(row) // 3 :].mean()


def test_it_walks() -> None:
    poses = [paint_figure(Figure(), Pose(p / 8, 1.0), 150).rgba.shape[1] for p in range(8)]
    assert max(poses) > 1.4 * min(poses)


def test_the_same_figure_is_painted_the_same() -> None:
    figure = dress(np.random.default_rng(3))
    assert figure == dress(np.random.default_rng(3))
    one, two = (paint_figure(figure, Pose(0.3, 1.0, 1.0), 90) for _ in range(2))
    np.testing.assert_array_equal(one.rgba, two.rgba)


def test_every_random_figure_can_be_painted() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        pose = Pose(float(rng.random()), float(rng.random()), float(rng.uniform(-7, 7)))
        assert paint_figure(dress(rng), pose, float(rng.uniform(2, 90))).rgba.size


@pytest.mark.parametrize("height", [0, -5, 10_000, math.nan])
def test_a_height_that_cannot_be_is_refused(height: float) -> None:
    with pytest.raises(UsageError, match="pixels high"):
        paint_figure(Figure(), Pose(), height)
