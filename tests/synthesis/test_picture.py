"""Frames of a made-up population: pure functions of seed and index, with their own truth."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from videodp.privacy.randomness import Randomness
from videodp.synthesis.model import Actor, Population
from videodp.synthesis.paint import Painted, Painter, paint_frames
from videodp.synthesis.scenery import Scenery

from .crowds import LABELS, crowd

SIZE = (320, 240)


def scenery(noise: float = 0.0, grey: int = 120) -> Scenery:
    return Scenery(np.full((SIZE[1], SIZE[0], 3), grey, np.uint8), noise)


def painter(population: Population, noise: float = 0.0, seed: int = 1, grey: int = 120) -> Painter:
    return Painter(population, scenery(noise, grey), Randomness(seed))


def still(label: str, width: float, height: float, x: float = 160.0, foot: float = 200.0) -> Actor:
    return Actor(1, label, np.array([[0, x, foot, width, height], [9, x, foot, width, height]]))


def alone(actor: Actor) -> Population:
    return Population(SIZE, 10, Fraction(25), (actor,))


def same(one: Painted, other: Painted) -> bool:
    return (
        np.array_equal(one.rgb, other.rgb)
        and np.array_equal(one.seen.boxes, other.seen.boxes)
        and one.visibility == other.visibility
    )


def test_frames_do_not_depend_on_order_or_workers() -> None:
    population = crowd(SIZE, 24, 9)
    in_order = [painter(population, 2.0).frame(i) for i in range(24)]
    shuffled = painter(population, 2.0)
    for i in (20, 3, 3, 11, 0):
        assert same(shuffled.frame(i), in_order[i])
    for workers in (1, 3):
        pictures = paint_frames(painter(population, 2.0), 24, lambda rgb: rgb.copy(), workers)
        for i, (painted, finished) in enumerate(pictures):
            assert same(painted, in_order[i])
            assert np.array_equal(finished, painted.rgb)
    with ThreadPoolExecutor(4) as pool:
        together = painter(population, 2.0)
        assert all(map(same, pool.map(together.frame, range(24)), in_order))


def test_another_thread_may_take_the_last_spare_picture() -> None:
    class Taken(list[np.ndarray]):
        def __bool__(self) -> bool:
            return True  # there was one a moment ago

    population = crowd(SIZE, 24, 9)
    one = painter(population)
    one._owners = Taken()
    assert same(one.frame(3), painter(population).frame(3))


def test_another_seed_dresses_everybody_anew() -> None:
    population = crowd(SIZE, 24, 9, labels=("person",))
    one, other = (painter(population, seed=seed).frame(12) for seed in (1, 2))
    assert len(one.seen) == len(other.seen) > 0
    assert not np.array_equal(one.rgb, other.rgb)


@pytest.mark.parametrize(
    "label", [*sorted({*LABELS}), "truck", "bus", "motorcycle", "dog", "element"]
)
def test_the_truth_is_what_was_painted(label: str) -> None:
    population = crowd(SIZE, 60, 1, labels=(label,), seed=8)  # shadows of several would add up
    made = painter(population)
    shown = [made.frame(index) for index in range(0, 60, 5)]
    assert sum(len(painted.seen) for painted in shown) >= 3
    for painted in shown:
        changed = (np.abs(painted.rgb.astype(int) - 120) > 40).any(axis=2)
        inside = np.zeros(changed.shape, bool)
        for x, y, w, h in painted.seen.boxes.astype(int).tolist():
            assert 0 <= x < x + w <= SIZE[0]
            assert 0 <= y < y + h <= SIZE[1]
            # Shadows are weaker; edges that are less than half covered are not the figure's.
            inside[max(y - 1, 0) : y + h + 1, max(x - 1, 0) : x + w + 1] = True
        assert not changed[~inside].any()
        assert set(painted.seen.labels) <= {label}


@pytest.mark.parametrize(
    ("label", "shape"),
    [
        ("person", (30, 80)),
        ("car", (120, 50)),
        ("bus", (160, 60)),
        ("truck", (150, 66)),
        ("bicycle", (70, 76)),
        ("motorcycle", (66, 70)),
        ("other", (28, 76)),
        ("other", (110, 48)),
    ],
)
def test_everybody_is_painted_as_large_as_the_actor(label: str, shape: tuple[int, int]) -> None:
    painted = painter(alone(still(label, *shape))).frame(4)
    ((x, y, w, h),) = painted.seen.boxes.tolist()
    assert h == pytest.approx(shape[1], rel=0.06, abs=2)
    assert y + h == pytest.approx(200, abs=3)
    if label != "person" and shape[0] > 60:
        assert w == pytest.approx(shape[0], rel=0.06, abs=2)
    assert x < 160 < x + w
    assert painted.visibility == (1.0,)


def test_who_stands_further_down_is_in_front() -> None:
    far = Actor(1, "car", np.array([[0, 160, 150, 120, 60], [9, 160, 150, 120, 60.0]]))
    near = Actor(2, "bus", np.array([[0, 160, 170, 200, 90], [9, 160, 170, 200, 90.0]]))
    for actors in ((far, near), (near, far)):
        painted = painter(Population(SIZE, 10, Fraction(25), actors)).frame(5)
        assert painted.seen.ids.tolist() == [1, 2]
        assert painted.visibility[0] < 0.2
        assert painted.visibility[1] == 1.0


def test_nobody_is_there_before_the_first_and_after_the_last_frame() -> None:
    actor = Actor(1, "person", np.array([[2.5, 100, 200, 30, 80], [6.0, 160, 200, 30, 80]]))
    made = painter(alone(actor))
    assert [len(made.frame(i).seen) for i in range(10)] == [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
    empty = made.frame(0)
    assert (empty.rgb == 120).all()


def test_walkers_move_their_legs_and_stay_in_place_in_a_pause_but_not_like_a_post() -> None:
    rows = [(0, 60, 200), (25, 120, 200), (325, 120, 200), (350, 60, 200)]
    knots = np.array([(t, x, y, 32, 80) for t, x, y in rows], np.float64)
    made = painter(Population(SIZE, 351, Fraction(25), (Actor(1, "person", knots),)))

    def crop(index: int) -> np.ndarray:
        x, y, w, h = made.frame(index).seen.boxes[0].astype(int).tolist()
        return made.frame(index).rgb[y : y + h, x : x + w]

    widths = {made.frame(i).seen.boxes[0, 2] for i in range(3, 22)}
    assert max(widths) > 1.3 * min(widths)
    assert not np.array_equal(crop(10), crop(14))
    standing = np.array([made.frame(i).seen.boxes[0] for i in range(45, 305, 10)])
    left, right = standing[:, 0], standing[:, 0] + standing[:, 2]
    assert (left < 120).all()
    assert (right > 120).all()
    assert np.ptp(standing[:, 1] + standing[:, 3]) <= 4
    # As much as somebody who stands moves, and a post does not (see `without_things`).
    assert np.ptp(0.5 * (left + right)) > 0.05 * 0.5 * standing[:, 2:].mean(axis=0).sum()


@pytest.mark.parametrize("size", [(0.01, 0.01), (3, 9000.0), (9000.0, 5.0), (9000.0, 9000.0)])
@pytest.mark.parametrize("label", ["person", "car", "bicycle", "other"])
def test_any_size_can_be_painted(label: str, size: tuple[float, float]) -> None:
    painted = painter(alone(still(label, *size))).frame(3)
    assert painted.rgb.shape == (SIZE[1], SIZE[0], 3)


def test_nobody_at_all() -> None:
    painted = painter(Population(SIZE, 5, Fraction(25), ())).frame(2)
    assert len(painted.seen) == 0
    assert painted.visibility == ()


def test_figures_are_darker_at_night() -> None:
    actor = still("person", 40, 100)
    means = []
    for grey in (40, 160):
        rgb = painter(alone(actor), grey=grey).frame(1).rgb.astype(int)
        figure = np.abs(rgb - grey).max(axis=2) > 25
        means.append(rgb[figure].mean())
    assert means[0] < 0.75 * means[1]


def test_clothes_stay_the_same_on_dark_and_on_bright_ground() -> None:
    plate = np.full((SIZE[1], SIZE[0], 3), 70, np.uint8)
    plate[:, SIZE[0] // 2 :] = 190
    crops = []
    for x in (80.0, 240.0):
        made = Painter(alone(still("person", 40, 100, x)), Scenery(plate, 0.0), Randomness(1))
        painted = made.frame(4)
        ((left, top, wide, high),) = painted.seen.boxes.astype(int).tolist()
        trunk = (
            slice(top + high // 4, top + high // 2),
            slice(left + wide // 2 - 2, left + wide // 2 + 3),
        )
        crops.append(painted.rgb[trunk].astype(int))
    assert np.abs(crops[0] - crops[1]).mean() < 2


def test_the_noise_is_as_strong_as_that_of_the_scene() -> None:
    made = painter(Population(SIZE, 5, Fraction(25), ()), noise=3.0)
    one, other = (made.frame(i).rgb.astype(float) - 120 for i in (1, 2))
    assert one.std() == pytest.approx(3.0, rel=0.05)
    assert (one - other).std() == pytest.approx(3.0 * 2**0.5, rel=0.05)
