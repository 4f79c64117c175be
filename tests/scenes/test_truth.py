"""The ground truth is exact, and a frame is a function of the spec and the index."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from videodp.errors import UsageError
from videodp.scenes import PaintedFrame, Scene, SceneSpec, paint

SPECS = {
    "street": SceneSpec(width=480, height=270, frames=60, people=14, vehicles=5, seed=1),
    "plaza": SceneSpec(width=320, height=240, frames=50, people=20, vehicles=0, seed=2),
    "highway": SceneSpec(width=426, height=240, frames=50, people=0, vehicles=24, seed=3),
    "portrait": SceneSpec(width=120, height=300, frames=40, people=5, vehicles=3, seed=4),
    "tiny": SceneSpec(width=64, height=48, frames=5, people=1, vehicles=1, seed=5),
    "smallest": SceneSpec(width=32, height=32, frames=1, people=1, vehicles=0, seed=6),
    "instant": SceneSpec(width=40, height=120, frames=1, people=40, vehicles=9, seed=7),
    "slow": SceneSpec(160, 120, frames=6, rate=Fraction(1), people=9, vehicles=12, seed=8),
    "quiet": SceneSpec(width=160, height=90, frames=12, people=6, vehicles=2, noise=0, light=0),
}


@pytest.fixture(scope="module", params=sorted(SPECS))
def scene(request: pytest.FixtureRequest) -> Scene:
    return paint(SPECS[request.param])


def some_frames(scene: Scene) -> list[PaintedFrame]:
    count = scene.spec.frames
    return [scene.frame(i) for i in range(0, count, max(1, count // 12))]


def owners(scene: Scene, frame: PaintedFrame) -> np.ndarray:
    """Whose pixel it is, from the masks alone, in the order that everybody else derives."""
    owner = np.zeros((scene.spec.height, scene.spec.width), int)
    for shown in sorted(frame.shown, key=lambda s: (s.box[1] + s.box[3], s.id)):
        x, y, w, h = shown.box
        owner[y : y + h, x : x + w][shown.mask] = shown.id
    return owner


def test_outside_every_mask_there_is_only_the_empty_street(scene: Scene) -> None:
    for frame in some_frames(scene):
        outside = owners(scene, frame) == 0
        np.testing.assert_array_equal(frame.rgb[outside], scene.empty(frame.index)[outside])


def test_without_noise_and_light_the_empty_street_is_the_background() -> None:
    scene = paint(SPECS["quiet"])
    for index in (0, 11):
        np.testing.assert_array_equal(scene.empty(index), scene.background)


def test_masks_lie_tight_in_boxes_inside_the_picture(scene: Scene) -> None:
    for shown in itertools.chain.from_iterable(f.shown for f in some_frames(scene)):
        x, y, w, h = shown.box
        assert x >= 0
        assert y >= 0
        assert x + w <= scene.spec.width
        assert y + h <= scene.spec.height
        assert shown.mask.shape == (h, w)
        assert shown.mask.dtype == np.bool_
        for edge in (shown.mask[0], shown.mask[-1], shown.mask[:, 0], shown.mask[:, -1]):
            assert edge.any()


def test_elements_come_back_to_front(scene: Scene) -> None:
    for frame in some_frames(scene):
        order = [(s.box[1] + s.box[3], s.id) for s in frame.shown]
        assert order == sorted(order)


def test_visible_is_the_share_that_nobody_nearer_hides(scene: Scene) -> None:
    for frame in some_frames(scene):
        owner = owners(scene, frame)
        for shown in frame.shown:
            assert shown.visible == pytest.approx((owner == shown.id).sum() / shown.mask.sum())


def test_painting_full_masks_in_order_gives_the_visible_pixels() -> None:
    # The front-most element's pixels do not change when everybody behind it is taken away:
    # its colours in the crowd are those it has where nothing hides it.
    scene = paint(SPECS["plaza"])
    hidden = 0
    for frame in some_frames(scene):
        owner = owners(scene, frame)
        empty = scene.empty(frame.index).astype(int)
        for shown in frame.shown:
            mine = owner == shown.id
            changed = np.abs(frame.rgb.astype(int) - empty).sum(axis=2)[mine] > 0
            # By chance a pixel may have the colour of the ground behind it; few have.
            assert not mine.any() or changed.mean() > 0.8
            hidden += int(shown.visible < 1)
    assert hidden > 10


def test_every_identity_is_in_the_picture_and_keeps_its_label(scene: Scene) -> None:
    frames: dict[int, int] = {}
    labels: dict[int, str] = {}
    for frame in scene:
        assert len({s.id for s in frame.shown}) == len(frame.shown)
        for shown in frame.shown:
            frames[shown.id] = frames.get(shown.id, 0) + 1
            assert labels.setdefault(shown.id, shown.label) == shown.label
    spec = scene.spec
    assert sorted(frames) == list(range(1, spec.people + spec.vehicles + 1))
    assert min(frames.values()) >= min(3, spec.frames)
    assert sum(label == "person" for label in labels.values()) == spec.people


def test_frames_do_not_depend_on_order_or_thread(scene: Scene) -> None:
    count = scene.spec.frames
    again = paint(scene.spec)
    indices = [count - 1, 0, count // 2, 0]
    with ThreadPoolExecutor(3) as pool:
        parallel = list(pool.map(again.frame, indices))
    for index, other in zip(indices, parallel, strict=True):
        frame = scene.frame(index)
        np.testing.assert_array_equal(frame.rgb, other.rgb)
        assert [s.id for s in frame.shown] == [s.id for s in other.shown]
        for mine, theirs in zip(frame.shown, other.shown, strict=True):
            assert mine.box == theirs.box
            np.testing.assert_array_equal(mine.mask, theirs.mask)


def test_seeds_make_different_streets() -> None:
    spec = SceneSpec(width=160, height=90, frames=3, people=3, vehicles=1)
    one, two = paint(spec), paint(SceneSpec(160, 90, 3, people=3, vehicles=1, seed=1))
    assert (one.background != two.background).mean() > 0.5
    assert (one.frame(1).rgb != two.frame(1).rgb).mean() > 0.5


def test_noise_has_the_strength_asked_for() -> None:
    spec = SceneSpec(320, 180, 4, people=0, vehicles=0, noise=4.0, light=0.0)
    scene = paint(spec)
    noise = scene.frame(0).rgb.astype(float) - scene.background
    assert noise.std() == pytest.approx(4.0, rel=0.1)
    assert abs(noise.mean()) < 0.1
    change = noise - (scene.frame(1).rgb.astype(float) - scene.background)
    assert change.std() == pytest.approx(4.0 * 2**0.5, rel=0.1)


def test_light_changes_slowly() -> None:
    spec = SceneSpec(64, 48, 600, people=0, vehicles=0, noise=0.0, light=0.1)
    scene = paint(spec)
    means = [scene.frame(i).rgb.mean() / scene.background.mean() for i in range(0, 600, 25)]
    assert max(means) == pytest.approx(1.1, abs=0.02)
    assert min(means) == pytest.approx(0.9, abs=0.02)
    assert np.abs(np.diff(means)).max() < 0.04


def test_nobody_at_all() -> None:
    frames = list(paint(SceneSpec(64, 48, 2, people=0, vehicles=0)))
    assert [f.shown for f in frames] == [(), ()]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"width": 31}, "width"),
        ({"height": 8193}, "height"),
        ({"frames": 0}, "frame"),
        ({"rate": Fraction(0)}, "rate"),
        ({"people": -1}, "people"),
        ({"vehicles": -1}, "vehicles"),
        ({"seed": -1}, "seed"),
        ({"noise": -0.1}, "noise"),
        ({"noise": float("nan")}, "noise"),
        ({"light": 0.6}, "light"),
    ],
)
def test_a_spec_that_cannot_be_painted_is_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        SceneSpec(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [-1, 5])
def test_a_frame_outside_the_scene_is_refused(index: int) -> None:
    with pytest.raises(IndexError, match="0 to 4"):
        paint(SceneSpec(64, 48, 5)).frame(index)
