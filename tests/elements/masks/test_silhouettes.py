"""Protected regions cover the body; drawn shapes are the body."""

import numpy as np
import pytest

from elements.motion.clips import KINDS, model_of, scene_of
from videodp.elements.masks import plain_silhouettes, silhouettes
from videodp.elements.motion import SceneModel


def _jittered(frame, rng: np.random.Generator) -> np.ndarray:
    """The true boxes as a detector would find them."""
    boxes = np.array([shown.box for shown in frame.shown], float)
    sides = boxes[:, 2:].copy()
    boxes[:, :2] += rng.normal(0, 0.05, sides.shape) * sides
    boxes[:, 2:] *= 1 + rng.normal(0, 0.05, sides.shape)
    return boxes


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_painted_people(kind: str, seed: int) -> None:
    scene, model = scene_of(kind, seed), model_of(kind, seed, boxes=True)
    rng = np.random.default_rng(seed)
    covered = total = area = 0
    overlaps = []
    for index in range(7, len(scene), 30):
        frame = scene.frame(index)
        if not frame.shown:
            continue
        boxes = _jittered(frame, rng)
        found = silhouettes(frame.rgb, model, boxes)
        true, drawn = np.zeros((2, *frame.rgb.shape[:2]), int)
        protected = np.zeros(true.shape, bool)
        for i, shown in enumerate(frame.shown, 1):
            x, y, w, h = shown.box
            true[y : y + h, x : x + w][shown.mask] = i
        for i in np.argsort(boxes[:, 1] + boxes[:, 3], kind="stable"):
            x0, y0, x1, y1 = found[i].bounds
            drawn[y0:y1, x0:x1][found[i].drawn] = i + 1
            protected[y0:y1, x0:x1] |= found[i].protected
            assert not (found[i].drawn & ~found[i].protected).any()
        covered += (protected & (true > 0)).sum()
        total += (true > 0).sum()
        area += protected.sum()
        for i, shown in enumerate(frame.shown, 1):
            if shown.visible > 0.3 and shown.box[3] > 15:
                one, other = true == i, drawn == i
                overlaps.append((one & other).sum() / (one | other).sum())
    assert covered >= 0.995 * total
    assert np.mean(overlaps) >= 0.75  # small figures; larger ones are nearer
    assert area <= 2.4 * total


def _grey_room() -> SceneModel:
    plate = np.full((120, 160, 3), 100, np.uint8)
    noise = np.full((120, 160), 12, np.uint8)
    return SceneModel(plate, noise, plate, noise)


def test_who_cannot_be_told_from_the_scene_keeps_the_box() -> None:
    model = _grey_room()
    (found,) = silhouettes(model.plate, model, np.array([[40, 30, 20, 60.0]]))
    x0, y0, _, _ = found.bounds
    assert found.protected[30 - y0 : 90 - y0, 40 - x0 : 60 - x0].all()
    assert found.drawn.sum() == pytest.approx(np.pi / 4 * 20 * 60, rel=0.05)


def test_what_sticks_out_of_the_box_belongs_to_it() -> None:
    model = _grey_room()
    frame = model.plate.copy()
    frame[30:90, 40:60] = 200
    frame[50:60, 60:64] = 200  # a bag
    frame[90:94, 40:60] = 200  # feet
    (found,) = silhouettes(frame, model, np.array([[40, 30, 20, 60.0]]))
    x0, y0, _, _ = found.bounds
    assert found.protected[50 - y0 : 60 - y0, 60 - x0 : 64 - x0].all()
    assert found.protected[90 - y0 : 94 - y0, 40 - x0 : 60 - x0].all()


def test_nobody_borrows_a_neighbour_outside_the_box() -> None:
    model = _grey_room()
    frame = model.plate.copy()
    frame[30:90, 40:60] = 200
    frame[30:90, 62:82] = 30
    one, two = silhouettes(frame, model, np.array([[40, 30, 20, 60.0], [62, 30, 20, 60]]))
    assert one.drawn.sum() == pytest.approx(1200, rel=0.12)
    assert two.drawn.sum() == pytest.approx(1200, rel=0.12)


@pytest.mark.parametrize("box", [(-50, -50, 20, 20), (300, 10, 5, 5), (150, 100, 40, 60)])
def test_boxes_at_and_beyond_the_border(box: tuple[int, ...]) -> None:
    model = _grey_room()
    for found in (
        silhouettes(model.plate, model, np.array([box], float))[0],
        plain_silhouettes(np.array([box], float), 160, 120)[0],
    ):
        x0, y0, x1, y1 = found.bounds
        assert 0 <= x0 <= x1 <= 160
        assert 0 <= y0 <= y1 <= 120
        assert found.protected.shape == found.drawn.shape == (y1 - y0, x1 - x0)


def test_without_a_scene_the_box_is_protected() -> None:
    (found,) = plain_silhouettes(np.array([[10, 20, 30.5, 40]]), 160, 120)
    assert found.bounds == (10, 20, 41, 60)
    assert found.protected.all()
    assert found.drawn.mean() == pytest.approx(np.pi / 4, abs=0.05)
    assert silhouettes(np.zeros((9, 9, 3), np.uint8), _grey_room(), np.zeros((0, 4))) == []


def test_flat_boxes_do_no_harm() -> None:
    model = _grey_room()
    (found,) = silhouettes(model.plate, model, np.array([[40, 30, 0, 0.0]]))
    assert found.protected.any()
