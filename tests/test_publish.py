"""From files to files: the private video, the record for everybody and the owner's record."""

import hashlib
import itertools
import json
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import naive
import videodp
from helpers import (
    Scene,
    as_array,
    as_picture,
    counted,
    make_scene,
    read_all,
    write_elements,
    write_scene,
    write_video,
)
from videodp import Encoding, Look, Settings
from videodp.errors import BudgetError, ElementsError, OutputExistsError, UsageError

EXACT = Encoding(codec="ffv1")
OUTPUTS = ("private.mkv", "private.release.json", "private.owner.json")


def settings(epsilon: float = 2.5, **more: Any) -> Settings:
    return Settings(epsilon, **{"k": 4, "encoding": EXACT, "seed": 7, **more})


def publish(folder: Path, scene: Scene, asked: Settings, **more: Any) -> videodp.Published:
    folder.mkdir(parents=True, exist_ok=True)
    video, elements = write_scene(folder, scene)
    return videodp.publish(video, folder / "private.mkv", elements, asked, **more)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def drawn_of(owner: dict[str, Any]) -> dict[int, dict[int, dict[tuple[int, int], tuple]]]:
    """The owner file's drawn pixels, as the oracle has them."""
    found: dict[int, dict[int, dict[tuple[int, int], tuple]]] = {}
    for pixel in owner["drawn_pixels"]:
        frame = found.setdefault(pixel["id"], {}).setdefault(pixel["frame"], {})
        frame[pixel["y"], pixel["x"]] = tuple(pixel["rgb"])
    return found


# --- the same result however it is computed ---

LOOKS = [
    Look("retain", "temporal", "lifetime"),
    Look("retain", "spatial", "neighbours"),
    Look("plate", None, "none"),
    Look("plate", None, "lifetime"),
    Look("sample", None, "lifetime"),
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_any_split_gives_the_same_bytes(look: Look, tmp_path: Path) -> None:
    scene = make_scene(9)
    video, elements = write_scene(tmp_path, scene)
    assert len(scene.frames) == 8
    digests, owners = set(), []
    splits = itertools.product((None, 1, 2, 3, 5, 7), (1, 2))
    for fragment, workers in splits:
        if look.background == "sample" and fragment in (3, 5):
            continue
        published = videodp.publish(
            video,
            tmp_path / "private.mkv",
            elements,
            settings(4.0, look=look),
            workers=workers,
            fragment=fragment,
            overwrite=True,
        )
        digests.add((digest(published.video), digest(published.release_file)))
        owners.append({**published.owner, "timing": None, "peak_memory_mb": None})
    assert len(digests) == 1
    assert all(owner == owners[0] for owner in owners)
    assert sum(element["drawn"] for element in owners[0]["elements"]) > 0


def test_another_seed_draws_other_pixels(tmp_path: Path) -> None:
    scene = make_scene(9)
    one = publish(tmp_path / "1", scene, settings(6.0, seed=1))
    two = publish(tmp_path / "2", scene, settings(6.0, seed=2))
    assert one.owner["drawn_pixels"] != two.owner["drawn_pixels"]
    assert one.owner["palette"] == two.owner["palette"]


def test_without_a_seed_no_two_runs_are_alike(tmp_path: Path) -> None:
    scene = make_scene(9)
    runs = [publish(tmp_path / str(i), scene, settings(12.0, seed=None)) for i in range(2)]
    assert runs[0].owner["drawn_pixels"] != runs[1].owner["drawn_pixels"]
    assert runs[0].release["settings"]["seed"] is None
    assert not any("seed" in line for line in runs[0].release["assumptions"])


# --- the records ---


@pytest.mark.parametrize("background", ["retain", "plate", "sample"])
def test_release_does_not_depend_on_the_elements(background: str, tmp_path: Path) -> None:
    asked = settings(look=Look(background), insensitive=("bicycle",))
    scene, other = make_scene(7), make_scene(13)
    one = publish(tmp_path / "1", scene, asked)
    two = publish(tmp_path / "2", Scene(scene.frames, other.elements[:1]), asked)
    third = publish(tmp_path / "3", other, asked)
    assert one.owner["elements"] != two.owner["elements"]
    texts = {p.release_file.read_text(encoding="utf-8") for p in (one, two, third)}
    assert len(texts) == 1
    assert json.loads(texts.pop()) == one.release


def test_release_says_what_is_guaranteed(tmp_path: Path) -> None:
    release = publish(tmp_path, make_scene(7), settings(0.8)).release
    assert release["mechanism"] == "sampling"
    assert release["epsilon"] == 0.8
    assert release["delta"] == pytest.approx(1 - math.exp(-0.8))
    assert "0.551" in release["statement"]
    assert "much weaker" in release["statement"]
    assert release["settings"]["seed"] == 7
    assert any("Do not release this video" in line for line in release["assumptions"])
    assert {"videodp", "python", "av", "numpy"} <= set(release["versions"])


OWNER = {"elements", "palette", "colours", "timing", "peak_memory_mb"}
ELEMENT = {"id", "label", "frames", "pixels", "k", "loss", "exposure", "drawn"}
PALETTE = {"rgb", "count", "draws", "epsilon", "worn"}
COLOURS = {"total", "case1", "case2", "case3", "case3_pixels"}


@pytest.mark.parametrize("seed", [1, 7, 13, 22])
@pytest.mark.parametrize("rule", ["affordable", "paper"])
def test_owner_record_is_the_truth(seed: int, rule: str, tmp_path: Path) -> None:
    scene = make_scene(seed)
    counts = counted(scene)
    published = publish(tmp_path, scene, settings(2.5, rule=rule))
    owner = json.loads(published.owner_file.read_text(encoding="utf-8"))
    assert owner == published.owner
    assert set(owner) >= OWNER
    assert "OWNER ONLY" in owner["notice"]
    assert owner["peak_memory_mb"] > 0
    assert {"census", "plan", "render"} <= set(owner["timing"])
    assert all(seconds >= 0 for seconds in owner["timing"].values())

    cases = {theta: counts.case(theta) for theta in counts.count}
    assert set(owner["colours"]) >= COLOURS
    assert owner["colours"]["total"] == len(cases)
    for case in (1, 2, 3):
        mine = [theta for theta in cases if cases[theta] == case]
        assert owner["colours"][f"case{case}"] == len(mine)
        assert owner["colours"][f"case{case}_pixels"] == sum(counts.count[c] for c in mine)

    for row in owner["palette"]:
        assert set(row) >= PALETTE
        theta = naive.colour(row["rgb"])
        assert cases[theta] == 3
        assert row["count"] == counts.count[theta]
        worn = {int(j): w for j, w in row["worn"].items()}
        assert worn == {j: counts.worn[j][theta] for j in counts.wearers(theta)}
        assert 0 <= row["draws"] <= row["count"]

    drawn = drawn_of(owner)
    assert [row["id"] for row in owner["elements"]] == sorted(counts.worn)
    for row, element in zip(owner["elements"], counts.elements, strict=True):
        assert set(row) >= ELEMENT
        assert row["label"] == scene.labels[element.id]
        assert row["frames"] == len(element.boxes)
        assert row["pixels"] == len(counts.pixels[element.id])
        chosen = naive.palette(counts, element, 2.5, 4, rule)
        assert row["k"] == 4
        assert row["colours"] == len(chosen)
        assert row["drawn"] == sum(map(len, drawn.get(element.id, {}).values()))
        above = below = 1
        for colour in owner["palette"]:
            worn = colour["worn"].get(str(element.id), 0)
            above *= math.comb(colour["count"], colour["draws"])
            below *= math.comb(colour["count"] - worn, colour["draws"])
        assert row["loss"] == pytest.approx(math.log(above) - math.log(below), abs=1e-9)
        assert row["exposure"] == pytest.approx(1 - below / above, abs=1e-9)
        assert row["loss"] <= 2.5


def test_drawn_pixels_are_true(tmp_path: Path) -> None:
    for seed in (1, 7, 13):
        scene = make_scene(seed)
        counts = counted(scene)
        owner = publish(tmp_path / str(seed), scene, settings(8.0)).owner
        assert owner["drawn_pixels"]
        for pixel in owner["drawn_pixels"]:
            place = (pixel["y"], pixel["x"])
            assert scene.frames[pixel["frame"]][place].tolist() == pixel["rgb"]
            assert counts.owner[pixel["frame"]][place] == pixel["id"]
        published = {tuple(row["rgb"]): row["draws"] for row in owner["palette"]}
        for rgb in {tuple(pixel["rgb"]) for pixel in owner["drawn_pixels"]}:
            shown = sum(tuple(pixel["rgb"]) == rgb for pixel in owner["drawn_pixels"])
            assert shown <= published[rgb]


# --- the private video ---


def test_same_size_rate_and_number_of_frames(tmp_path: Path) -> None:
    scene = make_scene(7)
    published = publish(tmp_path, scene, settings())
    before, after = videodp.probe(tmp_path / "scene.mkv"), videodp.probe(published.video)
    assert (after.width, after.height, after.frames) == (before.width, before.height, before.frames)
    assert after.rate == before.rate
    assert [after.time_of(t) for t in range(after.frames)] == [
        before.time_of(t) for t in range(before.frames)
    ]


@pytest.mark.parametrize("fill", ["temporal", "spatial"])
@pytest.mark.parametrize("seed", [1, 7, 12, 13, 16])
def test_retained_background_is_bit_identical(seed: int, fill: str, tmp_path: Path) -> None:
    scene = make_scene(seed)
    counts = counted(scene)
    asked = settings(0.1, look=Look("retain", fill, "none"))
    published = publish(tmp_path, scene, asked)
    private, drawn = read_all(published.video), drawn_of(published.owner)
    everywhere = [(a, b) for a in range(scene.height) for b in range(scene.width)]
    the_plate = naive.plate(
        counts, naive.spread(list(range(len(scene.frames))), naive.PLATE_FRAMES)
    )
    for t, owner in enumerate(counts.owner):
        holes = naive.without_elements(counts, t, the_plate, fill)
        shown = set()  # an element that was drawn is painted over its whole mask
        for element in counts.elements:
            if t in drawn.get(element.id, {}):
                shown |= naive.mask(element, t, scene.height, scene.width)
        for place in everywhere:
            if place in shown:
                continue
            if place not in owner:
                assert private[t][place].tolist() == scene.frames[t][place].tolist()
            assert tuple(private[t][place].tolist()) == holes[place]


def test_own_colours_never_show(tmp_path: Path) -> None:
    """Colours of case 1 are not in a private video, unless filling makes them by chance."""
    rng = np.random.default_rng(0)
    frames = rng.integers(0, 100, (3, 12, 16, 3)).astype(np.uint8)
    frames[..., 2] = 50
    frames[:, 3:9, 4:8] = rng.integers(200, 256, (3, 6, 4, 3))
    scene = Scene(frames, [naive.Element(3, dict.fromkeys(range(3), (4.0, 3.0, 4.0, 6.0)))])
    for background in ("retain", "plate", "sample"):
        published = publish(tmp_path / background, scene, settings(look=Look(background)))
        assert published.owner["colours"]["case3"] == 0
        assert published.owner["elements"][0]["loss"] == 0
        assert read_all(published.video).max() < 200


@pytest.mark.parametrize("insert", ["lifetime", "neighbours", "none"])
@pytest.mark.parametrize("background", ["retain", "plate"])
def test_drawn_pixels_keep_their_colour_and_place(
    background: str, insert: str, tmp_path: Path
) -> None:
    for seed in (1, 7, 13):
        asked = settings(8.0, look=Look(background, insert=insert))
        published = publish(tmp_path / str(seed), make_scene(seed), asked)
        private = read_all(published.video)
        assert published.owner["drawn_pixels"]
        for pixel in published.owner["drawn_pixels"]:
            assert private[pixel["frame"], pixel["y"], pixel["x"]].tolist() == pixel["rgb"]


@pytest.mark.parametrize("seed", [1, 7, 12, 13, 22])
def test_plate_without_drawn_elements_is_one_picture(seed: int, tmp_path: Path) -> None:
    scene = make_scene(seed)
    counts = counted(scene)
    for run in range(20):  # nothing is drawn in nearly all runs
        asked = settings(0.02, look=Look("plate"), seed=run)
        published = publish(tmp_path / str(run), scene, asked)
        if not published.owner["drawn_pixels"]:
            break
    assert not published.owner["drawn_pixels"]
    private = read_all(published.video)
    assert (private == private[0]).all()
    the_plate = naive.plate(
        counts, naive.spread(list(range(len(scene.frames))), naive.PLATE_FRAMES)
    )
    np.testing.assert_array_equal(private[0], as_array(the_plate, private[0]))


def test_plate_without_noise_is_the_same_wherever_somebody_walked(tmp_path: Path) -> None:
    """Only without: which samples enter depends on who was where, so the sensor's noise tells."""
    rng = np.random.default_rng(3)
    street = rng.integers(0, 256, (12, 20, 3)).astype(np.uint8)
    private = []
    for name, line in (("up", 2), ("down", 6)):
        frames = np.repeat(street[None], 8, axis=0)
        boxes = {t: (float(2 * t), float(line), 3.0, 4.0) for t in range(8)}
        for t, (x, y, w, h) in boxes.items():
            frames[t, int(y) : int(y + h), int(x) : int(x + w)] = rng.integers(0, 256, 3)
        scene = Scene(frames, [naive.Element(5, boxes)])
        published = publish(tmp_path / name, scene, settings(look=Look("plate")))
        assert not published.owner["drawn_pixels"]
        private.append(digest(published.video))
        assert (read_all(published.video) == street).all()
    assert private[0] == private[1]


def test_nobody_there(tmp_path: Path) -> None:
    scene = make_scene(7)
    write_video(tmp_path / "scene.mkv", scene.frames)
    write_elements(tmp_path / "nobody.parquet", Scene(scene.frames, []))
    published = videodp.publish(
        tmp_path / "scene.mkv", tmp_path / "private.mkv", tmp_path / "nobody.parquet", settings()
    )
    np.testing.assert_array_equal(read_all(published.video), scene.frames)
    assert published.owner["elements"] == published.owner["palette"] == []
    assert any("looks like the original" in line for line in published.warnings)


def test_somebody_in_front_of_everything(tmp_path: Path) -> None:
    """No background pixel in any frame: nothing to fill from."""
    frames = np.random.default_rng(0).integers(0, 256, (2, 6, 8, 3)).astype(np.uint8)
    scene = Scene(frames, [naive.Element(1, dict.fromkeys(range(2), (-1.0, -1.0, 20.0, 20.0)))])
    for i, look in enumerate((*LOOKS, Look("retain", "spatial", "none"))):
        published = publish(tmp_path / str(i), scene, settings(look=look))
        assert (read_all(published.video) == 128).all()


def test_insensitive_elements_stay(tmp_path: Path) -> None:
    scene = make_scene(13)
    assert set(scene.labels.values()) == {"person", "car"}
    asked = settings(0.5, insensitive=("car",), look=Look("retain", "temporal"))
    published = publish(tmp_path / "1", scene, asked)
    people = [e for e in scene.elements if scene.labels[e.id] == "person"]
    without = publish(tmp_path / "2", Scene(scene.frames, people, scene.labels), asked)
    np.testing.assert_array_equal(read_all(published.video), read_all(without.video))
    assert published.owner["elements"] == without.owner["elements"]


def test_epsilon_is_shared_by_the_tracks_of_a_person(tmp_path: Path) -> None:
    published = publish(tmp_path, make_scene(13), settings(3.0, tracks_per_person=3))
    assert published.release["epsilon"] == 3.0
    assert max(row["loss"] for row in published.owner["elements"]) <= 1.0


def test_a_number_is_an_epsilon(tmp_path: Path) -> None:
    scene = make_scene(7)
    video, elements = write_scene(tmp_path, scene)
    published = videodp.publish(video, tmp_path / "private.mp4", elements, 0.8)
    assert published.release["epsilon"] == 0.8
    assert published.release["settings"]["codec"] == "libx264"
    assert videodp.probe(published.video).frames == len(scene.frames)


# --- what can go wrong ---


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made during the test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def failing(stage: str, error: BaseException, after: int) -> Callable[[str, int, int], None]:
    def watch(name: str, done: int, total: int) -> None:
        assert 0 <= done <= total or name == "draw"
        if name == stage and done >= after:
            raise error

    return watch


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("error", [RuntimeError("out of order"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize(
    ("stage", "after"),
    [(stage, after) for stage in ("census", "plan", "draw", "render") for after in (0, 1, 3)],
)
def test_a_run_that_ends_early_leaves_nothing(
    stage: str, after: int, error: BaseException, workers: int, tmp_path: Path, temporary: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    video, elements = write_scene(tmp_path, make_scene(9))
    with pytest.raises(type(error)):
        videodp.publish(
            video,
            out / "private.mkv",
            elements,
            settings(8.0),
            workers=workers,
            fragment=3,
            watcher=failing(stage, error, after),
        )
    assert list(out.iterdir()) == []
    assert list(temporary.iterdir()) == []


def test_a_run_that_ends_early_leaves_what_was_there(tmp_path: Path, temporary: Path) -> None:
    video, elements = write_scene(tmp_path, make_scene(9))
    for name in OUTPUTS:
        (tmp_path / name).write_text(f"old {name}")
    with pytest.raises(KeyboardInterrupt):
        videodp.publish(
            video,
            tmp_path / "private.mkv",
            elements,
            settings(),
            overwrite=True,
            watcher=failing("render", KeyboardInterrupt(), 3),
        )
    assert [(tmp_path / name).read_text() for name in OUTPUTS] == [f"old {n}" for n in OUTPUTS]
    assert list(temporary.iterdir()) == []
    assert not [path for path in tmp_path.iterdir() if "part-" in path.name]


@pytest.mark.parametrize("there", OUTPUTS)
def test_existing_outputs_are_refused(there: str, tmp_path: Path, temporary: Path) -> None:
    video, elements = write_scene(tmp_path, make_scene(9))
    (tmp_path / there).write_text("mine")
    before = set(tmp_path.iterdir())
    with pytest.raises(OutputExistsError):
        videodp.publish(video, tmp_path / "private.mkv", elements, settings())
    assert (tmp_path / there).read_text() == "mine"
    assert set(tmp_path.iterdir()) == before
    videodp.publish(video, tmp_path / "private.mkv", elements, settings(), overwrite=True)
    assert b"mine" not in (tmp_path / there).read_bytes()[:10]
    assert set(tmp_path.iterdir()) == before | {tmp_path / name for name in OUTPUTS}


@pytest.mark.parametrize("there", OUTPUTS)
def test_outputs_appear_together_or_not_at_all(there: str, tmp_path: Path) -> None:
    """Somebody writes one of the three while the video is being made."""
    video, elements = write_scene(tmp_path, make_scene(9))

    def watch(name: str, done: int, total: int) -> None:
        if name == "render" and done == total:
            (tmp_path / there).write_text("theirs")

    with pytest.raises(OutputExistsError):
        videodp.publish(video, tmp_path / "private.mkv", elements, settings(), watcher=watch)
    assert (tmp_path / there).read_text() == "theirs"
    assert [name for name in OUTPUTS if (tmp_path / name).exists()] == [there]


def test_the_original_is_never_written_over(tmp_path: Path) -> None:
    """Overwriting is for private videos of before: the recording exists only once."""
    video, elements = write_scene(tmp_path, make_scene(9))
    before = digest(video)
    with pytest.raises(UsageError):
        videodp.publish(video, video, elements, settings(), overwrite=True)
    assert digest(video) == before


def test_elements_of_another_video_are_refused(tmp_path: Path, temporary: Path) -> None:
    video, _ = write_scene(tmp_path, make_scene(9))
    (tmp_path / "other").mkdir()
    _, elements = write_scene(tmp_path / "other", make_scene(7))
    with pytest.raises(ElementsError, match="belongs to a video of"):
        videodp.publish(video, tmp_path / "private.mkv", elements, settings())
    assert not any((tmp_path / name).exists() for name in OUTPUTS)
    assert list(temporary.iterdir()) == []


def test_settings_are_checked_when_they_are_made() -> None:
    for epsilon in (0.0, -1.0, math.inf, math.nan, 21.0):
        with pytest.raises(BudgetError):
            Settings(epsilon)
    for wrong in ({"mechanism": "magic"}, {"tracks_per_person": 0}):
        with pytest.raises(UsageError):
            Settings(0.8, **wrong)


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": "many"}, {"rule": "x"}, {"criterion": "x"}])
def test_wrong_settings_fail_before_any_work(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Settings(0.8, **wrong)


def test_progress_reaches_its_end(tmp_path: Path) -> None:
    told: dict[str, list[tuple[int, int]]] = {}
    scene = make_scene(9)
    publish(
        tmp_path,
        scene,
        settings(),
        fragment=3,
        workers=2,
        watcher=lambda name, done, total: told.setdefault(name, []).append((done, total)),
    )
    assert list(told) == ["census", "plan", "draw", "render"]
    for name, steps in told.items():
        done = [step for step, _ in steps]
        assert done == sorted(done)
        assert name == "draw" or steps[-1] == (steps[-1][1], steps[-1][1])
    assert told["render"][-1] == (8, 8)


def test_pictures_are_numbers_and_back() -> None:
    frame = make_scene(1).frames[0]
    np.testing.assert_array_equal(as_array(as_picture(frame), frame), frame)
